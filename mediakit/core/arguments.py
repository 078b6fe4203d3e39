"""Arguments of Python calls as values of a request: files and texts by path or result, CSS colors, data frames."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from mediakit.core.fields import color_error, parse_color
from mediakit.core.file_kinds import check_kind
from mediakit.core.inputs import FileSource, local_file, named_results
from mediakit.core.messages import MAX_QUOTED_LENGTH, quote
from mediakit.core.parameters import Parameter
from mediakit.core.request import build, field_names, invalid
from mediakit.core.spec import DescribedTool
from mediakit.core.texts import TEXTS, bind_text, load_text
from mediakit.errors import FieldError, InvalidCall, InvalidInput


class Arguments:
    """Turns what Python callers pass into the values of a tool's request."""

    def __init__(self, tool: DescribedTool) -> None:
        self._tool = tool
        self._parameters = {name: each for each in tool.parameters for name in (each.name, *each.aliases)}

    def bind(self, /, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return the arguments of a call by field name, ready for `Tool.validate`.

        Text that names a file becomes its path, CSS colors become hexadecimal, and what only Python can hold (a data
        frame) becomes what JSON can.

        Raises:
            InvalidCall: There are too many positional arguments, or two values for one name.
            InvalidInput: A file does not exist, a file or a result does not fit, or a text is not a color.
        """
        name, request = self._tool.name, self._tool.request
        positional_count = sum(not field.kw_only for field in fields(request))
        if len(args) > positional_count:
            raise InvalidCall(f"{name}() {_too_many(self._tool.parameters, positional_count, args)}")
        values = dict(zip(field_names(request), args, strict=False))
        for twice in values.keys() & kwargs.keys():
            raise InvalidCall(f"{name}() got two values for {twice!r}")
        adapted = self._tool.spec.adapt(values | kwargs)
        return self.with_hex_colors({name: self._bound(name, value) for name, value in adapted.items()})

    def with_hex_colors(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values with CSS colors as `#rrggbb`, for fields that accept hexadecimal digits only over HTTP.

        Raises:
            InvalidInput: A text is not a color.
        """
        found, problems = dict(values), list[FieldError]()
        for name, value in values.items():
            if name in self._parameters and self._parameters[name].is_hex_color and isinstance(value, str):
                found[name] = parse_color(value)
                if not found[name]:
                    del found[name]
                    problems.append({"field": name, "message": color_error(value)})
        if problems:
            try:
                build(self._tool.request, found)
            except InvalidInput as error:
                problems = [*error.details, *problems]
            raise invalid(problems)
        return found

    def _bound(self, name: str, value: Any) -> Any:
        parameter = self._parameters.get(name)
        if parameter is None:
            return value
        if parameter.kind == "files":
            value = named_results(value)
            if isinstance(value, list | tuple) or (isinstance(value, FileSource) and isinstance(value, Sequence)):
                items = enumerate(value)
                return [_loaded(partial(_file, parameter), item, f"{parameter.name}[{index}]") for index, item in items]
        if parameter.is_file:
            return _loaded(partial(_file, parameter), value, parameter.name)
        if parameter.kind in ("text", "html", "url"):
            return _loaded(partial(self._text, parameter), value, name)
        return value

    def _text(self, parameter: Parameter, value: Any) -> Any:
        if isinstance(value, Mapping) and any(isinstance(each, FileSource) for each in value.values()):
            raise ValueError(f"must be one text, got {len(value)} results. Pass one of them, or use mediakit.batch.")
        if parameter.takes:
            return bind_text(value, parameter.takes)
        if not isinstance(value, os.PathLike | FileSource):
            return value
        if parameter.kind != "url":
            return load_text(value, TEXTS).removesuffix("\n").removesuffix("\r")
        html = next((each.name for each in self._tool.parameters if each.kind == "html"), "")
        way = f"HTML is passed as {html}=" if html else "mediakit.capture renders HTML"
        raise ValueError(f"must be the URL of a web page, got {quote(value)}. {way}.")


def _file(parameter: Parameter, value: Any) -> Any:
    if isinstance(value, FileSource):
        check_kind(value._saved().mime_type, parameter.takes, type(value).__name__)
    return local_file(value)


def _loaded(load: Callable[[Any], Any], value: Any, field: str) -> Any:
    try:
        return load(value)
    except ValueError as error:
        raise invalid([{"field": field, "message": str(error)}]) from None


def _too_many(parameters: Sequence[Parameter], count: int, args: Sequence[Any]) -> str:
    """Return the message for too many positional arguments, with the fields that are probably meant."""
    names = ", ".join(each.name for each in parameters[:count])
    takes = f"takes {count} positional argument{'s' * (count > 1)} ({names}), got {len(args)}"
    lists = [each for each in parameters if each.kind == "files" or each.name == "values"] if count == 1 else []
    if lists and all(isinstance(value, str | os.PathLike | bytes) and type(value) is type(args[0]) for value in args):
        name = "" if lists[0] is parameters[0] else f"{lists[0].name}="
        return f"{takes}; pass a list: {name}{_short(list(args))}."
    free, meant = list(parameters[count:]), []
    for value in args[count:]:
        fitting = [each for each in free if each.fits(value)]
        if not fitting:
            return f"{takes}; pass the others by name, such as {free[0].name}=..."
        free.remove(best := min(fitting, key=lambda each: each.kind == "text"))
        meant.append(f"{best.name}={_short(value)}")
    return f"{takes}; did you mean {', '.join(meant)}?"


def _short(value: Any) -> str:
    text = repr(value)
    if len(text) <= MAX_QUOTED_LENGTH:
        return text
    return "[first, second, ...]" if isinstance(value, list) else "..."
