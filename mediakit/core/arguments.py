"""Arguments of Python calls as values of a request: files and texts by path or result, CSS colors, data frames."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from mediakit.core.fields import color_error, parse_color
from mediakit.core.inputs import FileSource, local_file, named_results
from mediakit.core.messages import quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import field_names, invalid
from mediakit.core.texts import bind_text
from mediakit.errors import FieldError, InvalidCall, InvalidInput


class Arguments:
    """Turns what Python callers pass into the values of a tool's request.

    Args:
        tool: The name of the tool, for errors.
        request: The class of its requests.
        parameters: The fields of the request.
        adapt: Turns values that only Python callers can pass, such as a data frame, into values of the request.
        validate: Makes a request of values, or raises `InvalidInput`.
    """

    def __init__(
        self,
        tool: str,
        request: type[Any],
        parameters: Sequence[Parameter],
        adapt: Callable[[Mapping[str, Any]], dict[str, Any]],
        validate: Callable[[Mapping[str, Any]], Any],
    ) -> None:
        self._tool = tool
        self._names = tuple(field_names(request))
        self._positional_count = sum(not field.kw_only for field in fields(request))
        self._adapt = adapt
        self._validate = validate
        self._files = {name: each for each in parameters if each.is_file for name in (each.name, *each.aliases)}
        self._texts = {
            name: each
            for each in parameters
            if each.kind in ("text", "html", "url")
            for name in (each.name, *each.aliases)
        }
        self._html = next((each.name for each in parameters if each.kind == "html"), "")
        self._hex_colors = frozenset(
            name for each in parameters if each.is_hex_color for name in (each.name, *each.aliases)
        )

    def bind(self, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments by field name. See `Tool.bind`.

        Raises:
            InvalidCall: There are too many positional arguments, or two values for one name.
            InvalidInput: A file does not exist, a file or a result does not fit, or a text is not a color.
        """
        if len(args) > self._positional_count:
            raise InvalidCall(f"{self._tool}() takes {self._positional_count} positional arguments, got {len(args)}")
        values = dict(zip(self._names, args, strict=False))
        for name in values.keys() & kwargs.keys():
            raise InvalidCall(f"{self._tool}() got two values for {name!r}")
        return self.with_hex_colors(self._with_paths(self._adapt(values | kwargs)))

    def with_hex_colors(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values with CSS colors as `#rrggbb`. See `Tool.with_hex_colors`.

        Raises:
            InvalidInput: A text is not a color.
        """
        colors = {name: value for name, value in values.items() if name in self._hex_colors and isinstance(value, str)}
        if not colors:
            return dict(values)
        converted = {name: parse_color(value) for name, value in colors.items()}
        problems: list[FieldError] = [
            {"field": name, "message": color_error(colors[name])} for name, color in converted.items() if not color
        ]
        if problems:
            others = {name: value for name, value in values.items() if name not in colors}
            raise invalid([*self._problems(others), *problems])
        return {**values, **converted}

    def _problems(self, values: Mapping[str, Any]) -> list[FieldError]:
        try:
            self._validate(values)
        except InvalidInput as error:
            return list(error.details)
        return []

    def _with_paths(self, values: dict[str, Any]) -> dict[str, Any]:
        for name in self._files.keys() & values.keys():
            values[name] = _with_path(self._files[name], values[name])
        for name in self._texts.keys() & values.keys():
            try:
                values[name] = self._bound_text(self._texts[name], values[name])
            except ValueError as error:
                raise invalid([{"field": name, "message": str(error)}]) from None
        return values

    def _bound_text(self, parameter: Parameter, value: Any) -> Any:
        if parameter.text_kind:
            return bind_text(value, parameter.text_kind)
        if not isinstance(value, os.PathLike | FileSource):
            return value
        if parameter.kind != "url":
            way = "Pass path.read_text() for the text of a file, and the text of a result."
            raise ValueError(f"must be text, got {quote(value)}. {way}")
        way = f"HTML is passed as {self._html}=" if self._html else "mediakit.capture renders HTML"
        raise ValueError(f"must be the URL of a web page, got {quote(value)}. {way}.")


def _with_path(parameter: Parameter, value: Any) -> Any:
    value = named_results(value) if parameter.kind == "files" else value
    if parameter.kind == "files" and isinstance(value, list | tuple):
        return [_local_file(f"{parameter.name}[{index}]", item) for index, item in enumerate(value)]
    return _local_file(parameter.name, value)


def _local_file(field: str, value: Any) -> Any:
    try:
        return local_file(value)
    except ValueError as error:
        raise invalid([{"field": field, "message": str(error)}]) from None
