"""The fields of a request for all interfaces: names, kinds, limits, help, and values of texts and table cells."""

import datetime as dt
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from os import PathLike
from typing import Any, Literal, Never

from pydantic_core import from_json

from mediakit.core.fields import parse_color
from mediakit.core.inputs import MAX_FILE_BYTES, MEGABYTE
from mediakit.core.media import FileKind
from mediakit.core.messages import quote
from mediakit.core.request import adapter, field_names, invalid, plain
from mediakit.errors import InvalidInput

Kind = Literal[
    "text", "html", "url", "integer", "number", "boolean", "choice", "color", "file", "files", "table", "list", "object"
]
"""Kind of a value. The shell reads `html` from a file; a `table` is a list of rows, in Python also a data frame."""

FORMAT_OPTIONS = ("format", "to")
"""Fields that choose the media type of a result."""

_INTEGER = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_JSON_KINDS: Mapping[str, Kind] = {
    "array": "list",
    "string": "text",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "object": "object",
}

_PYTHON_TYPES: Mapping[Kind, Any] = {
    "boolean": bool,
    "files": list | tuple,
    "list": list | tuple,
    "object": Mapping,
    "table": list,
    **dict.fromkeys(("text", "html", "url"), str),
}


@dataclass(frozen=True)
class Parameter:
    """One field of a request, read from its JSON Schema."""

    name: str
    aliases: tuple[str, ...]
    """Other names that the field is accepted under."""
    kind: Kind
    help: str
    required: bool
    default: Any
    choices: tuple[str, ...]
    minimum: float | None
    maximum: float | None
    max_length: int | None
    """Characters of text, or items of a list."""
    schema: Mapping[str, Any]

    @property
    def is_file(self) -> bool:
        """Whether the field holds one file or several."""
        return self.kind in ("file", "files")

    @property
    def takes(self) -> tuple[FileKind, ...]:
        """Kinds of files that the field takes, its own first; empty for a field that takes all or none."""
        return tuple(self.schema.get("x-takes", ()))

    @property
    def takes_rows(self) -> bool:
        """Whether the field holds a table: a file, or rows as JSON."""
        return self.kind == "file" and any(option.get("type") == "array" for option in self.schema.get("anyOf", ()))

    @property
    def is_hex_color(self) -> bool:
        """Whether the field accepts hexadecimal digits only; other color fields accept all CSS colors."""
        return self.kind == "color" and "pattern" in self.schema

    @property
    def is_secret(self) -> bool:
        """Whether the value must not appear in URLs, logs and snippets."""
        return bool(self.schema.get("format") == "password")

    @property
    def allowed(self) -> str:  # noqa: PLR0911  # one return per kind
        """The allowed values in a few words: `64-2000`."""
        if self.choices:
            return ", ".join(self.choices)
        if self.minimum is not None and self.maximum is not None:
            return f"{_number(self.minimum)}-{_number(self.maximum)}"
        match self.kind:
            case "files":
                return f"1-{self.max_length} files"
            case "file":
                return f"at most {MAX_FILE_BYTES // MEGABYTE} MB"
            case "color":
                return "six hexadecimal digits" if self.is_hex_color else "CSS color"
            case "text" | "html" | "url" | "list" | "table" if self.max_length:
                unit = {"list": "items", "table": "rows"}.get(self.kind, "characters")
                return f"at most {self.max_length} {unit}"
        return ""

    @property
    def rule(self) -> str:
        """The rule in a few words, for tables and help: `64-2000; default 512`."""
        default = self.default if isinstance(self.default, str) else quote(self.default)
        parts = (
            self.allowed,
            "required" if self.required else "",
            f"default {default}" if self.default is not None else "",
            f"also accepted as {' or '.join(self.aliases)}" if self.aliases else "",
        )
        return "; ".join(filter(None, parts))

    def fits(self, value: Any) -> bool:
        """Return whether a value that a call passes without a name may be meant for the field."""
        match self.kind:
            case "integer" | "number":
                low, high = self.minimum, self.maximum
                is_number = type(value) is int or (type(value) is float and self.kind == "number")
                return is_number and (low is None or value >= low) and (high is None or value <= high)
            case "choice":
                return isinstance(value, str) and value in self.choices
            case "color":
                return isinstance(value, str) and parse_color(value) is not None
            case "file":
                return isinstance(value, bytes | PathLike)
            case _:
                return isinstance(value, _PYTHON_TYPES[self.kind])

    def parse(self, text: str) -> Any:
        """Return the value of text from a query string, a form part or a command line.

        Raises:
            InvalidInput: The text does not fit the kind of the field.
        """
        match self.kind:
            case "integer":
                return int(text) if _INTEGER.fullmatch(text) else self._reject("must be an integer", text)
            case "number":
                return float(text) if _NUMBER.fullmatch(text) else self._reject("must be a number", text)
            case "boolean":
                known = _BOOLEANS.get(text.lower())
                return known if known is not None else self._reject("must be true or false", text)
            case "list":
                return self._list(text)
            case "object" | "table":
                return self._json(text)
            case _:
                return text

    @property
    def holds_texts(self) -> bool:
        """Whether every item of a list is text."""
        return bool(self.schema.get("items", {}).get("type", "string") == "string")

    def _list(self, text: str) -> Any:
        """Return the parts of text between commas, or the items of JSON, for texts with commas and for other items."""
        if not self.holds_texts:
            return self._json(text)
        options = self.schema.get("items", {}).get("anyOf", ())
        has_objects = any(option.get("type") == "object" for option in options)
        if text.startswith('["') or (has_objects and text.startswith("[{")):
            with suppress(ValueError):
                items = from_json(text)
                if all(isinstance(item, (str, dict) if has_objects else str) for item in items):
                    return items
        return [part.strip() for part in text.split(",")]

    def _json(self, text: str) -> Any:
        try:
            return from_json(text, allow_inf_nan=False)
        except ValueError:
            example = '{"title": "Hello"}' if self.kind == "object" else "[1, 2, 3]"
            self._reject(f"must be JSON such as {example}", text)

    def _reject(self, rule: str, text: str) -> Never:
        raise invalid([{"field": self.name, "message": f"{rule}, got {quote(text)}."}])


def parameters(request: type[Any], schema: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """Return the fields of a request in their order, from its JSON Schema."""
    return tuple(_parameter(name, accepted, schema) for name, accepted in field_names(request).items())


def json_schema(request: type[Any]) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a request."""
    return adapter(request).json_schema(ref_template="#/$defs/{model}")


def public_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema without the members that only mediakit reads."""
    return {name: part for name, part in schema.items() if name not in ("x-kind", "x-takes")}


def _parameter(name: str, accepted: tuple[str, ...], request_schema: Mapping[str, Any]) -> Parameter:
    part = request_schema["properties"][accepted[0]]  # without `or null`, which leaves the schema of its one option
    options = [option for option in part.get("anyOf", ()) if option.get("type") != "null"]
    merged = {**part}
    if len(options) == 1:
        del merged["anyOf"]
        merged |= options[0]
    if merged.get("default", "") is None:
        del merged["default"]
    schema: dict[str, Any] = _inlined(request_schema, merged)
    return Parameter(
        name=name,
        aliases=tuple(alias for alias in accepted if alias != name),
        kind=_kind(schema),
        help=" ".join(schema.get("description", "").split()),
        required=accepted[0] in request_schema.get("required", ()),
        default=schema.get("default"),
        choices=tuple(map(str, schema.get("enum", ()))),
        minimum=schema.get("minimum"),
        maximum=schema.get("maximum"),
        max_length=schema.get("maxLength", schema.get("maxItems")),
        schema=schema,
    )


def _inlined(schema: Mapping[str, Any], part: Any) -> Any:
    """Return a part of a schema with every reference replaced by the definition."""
    if isinstance(part, list):
        return [_inlined(schema, item) for item in part]
    if not isinstance(part, Mapping):
        return part
    members = {name: _inlined(schema, value) for name, value in part.items() if name != "$ref"}
    if "$ref" not in part:
        return members
    return {**_inlined(schema, schema["$defs"][part["$ref"].rsplit("/", 1)[-1]]), **members}


def _kind(schema: Mapping[str, Any]) -> Kind:
    if "x-kind" in schema:
        kind: Kind = schema["x-kind"]
        return kind
    if "enum" in schema:
        return "choice"
    if schema.get("format") == "color":
        return "color"
    return _JSON_KINDS[schema.get("type", "object")]


def _number(value: float) -> str:
    """Return a limit as people write it: 2 instead of 2.0, and 1000000 instead of 1e+06."""
    return str(int(value)) if float(value).is_integer() else f"{value:g}"


PARSED_KINDS: frozenset[Kind] = frozenset({"integer", "number", "boolean", "list", "object"})
"""Kinds whose values can be written as text in a table."""

TEXT_KINDS: frozenset[Kind] = frozenset({"text", "html", "url", "choice", "color"})


def convert(value: Any, parameter: Parameter) -> Any:
    """Convert a value for a field. Return it unchanged if it does not fit, or if the conversion would lose information.

    For example, pandas stores integers with missing values as floats, and reads article numbers as integers.
    """
    value = plain(value)
    if isinstance(value, str) and parameter.kind in PARSED_KINDS:
        with suppress(InvalidInput):
            return parameter.parse(value)
        return value
    if parameter.kind == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    return as_text(value) if parameter.kind in TEXT_KINDS else value


def as_text(value: Any) -> Any:
    """Return a number or a date as text, without `.0` and `00:00:00`. Return other values unchanged."""
    value = plain(value)
    if isinstance(value, bool):
        return value
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    if isinstance(value, dt.datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(value, dt.date):
        return value.isoformat()
    return str(value) if isinstance(value, int | float | Decimal) else value
