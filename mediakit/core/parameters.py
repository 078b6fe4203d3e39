"""A request's fields as every face needs them: names, kinds, limits, help, and text read into values."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Never

from pydantic import TypeAdapter
from pydantic_core import from_json

from mediakit.core.messages import quote
from mediakit.core.request import field_names, invalid

Kind = Literal["text", "integer", "number", "boolean", "choice", "color", "file", "list", "object"]

_WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?", re.ASCII | re.IGNORECASE)
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}


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
    schema: Mapping[str, Any]

    @property
    def rule(self) -> str:
        """The rule in a few words, for tables and help: `64-2000; default 512`."""
        parts = [_range(self), "required" if self.required else _default(self.default)]
        parts += [f"also accepted as {' or '.join(self.aliases)}"] if self.aliases else []
        return "; ".join(part for part in parts if part)

    def parse(self, text: str) -> Any:
        """Read a value from text, as a query string or a command line has it.

        Raises:
            InvalidInput: The text is no such value.
        """
        match self.kind:
            case "integer":
                return int(text) if _WHOLE.fullmatch(text) else self._refuse("must be a whole number", text)
            case "number":
                return self._number(text)
            case "boolean":
                known = _BOOLEANS.get(text.lower())
                return known if known is not None else self._refuse("must be true or false", text)
            case "list":
                return [part.strip() for part in text.split(",")]
            case "object":
                return self._object(text)
            case _:
                return text

    def _number(self, text: str) -> float:
        return float(text) if _NUMBER.fullmatch(text) else self._refuse("must be a number", text)

    def _object(self, text: str) -> Any:
        try:
            return from_json(text)
        except ValueError:
            self._refuse('must be a JSON object such as {"title": "Hello"}', text)

    def _refuse(self, rule: str, text: str) -> Never:
        raise invalid([{"field": self.name, "message": f"{rule}, got {quote(text)}."}])


def parameters(request: type[Any], schema: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """Give the fields of a request in their order, from its JSON Schema."""
    required = schema.get("required", ())
    names = field_names(request)
    return tuple(
        _parameter(
            name, names[name], resolved(schema, schema["properties"][names[name][0]]), names[name][0] in required
        )
        for name in names
    )


def json_schema(request: type[Any]) -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a request."""
    return TypeAdapter(request).json_schema(ref_template="#/$defs/{model}")


def resolved(schema: Mapping[str, Any], part: Mapping[str, Any]) -> dict[str, Any]:
    """Give a property's schema with its reference followed and an `or null` dropped."""
    options = [option for option in part.get("anyOf", ()) if option.get("type") != "null"]
    merged = {**part, **(options[0] if len(options) == 1 else {})}
    merged.pop("anyOf", None)
    if merged.get("default", "") is None:
        del merged["default"]
    reference = merged.pop("$ref", None)
    return {**schema["$defs"][reference.rsplit("/", 1)[-1]], **merged} if reference else merged


def _parameter(name: str, accepted: tuple[str, ...], schema: dict[str, Any], required: bool) -> Parameter:  # noqa: FBT001
    return Parameter(
        name=name,
        aliases=tuple(alias for alias in accepted if alias != name),
        kind=_kind(schema),
        help=" ".join(schema.get("description", "").split()),
        required=required,
        default=schema.get("default"),
        choices=tuple(schema.get("enum", ())),
        minimum=schema.get("minimum"),
        maximum=schema.get("maximum"),
        max_length=schema.get("maxLength", schema.get("maxItems")),
        schema=schema,
    )


def _kind(schema: Mapping[str, Any]) -> Kind:
    if "enum" in schema:
        return "choice"
    if schema.get("contentEncoding") == "base64":
        return "file"
    if schema.get("format") == "color":
        return "color"
    kinds: dict[str, Kind] = {"array": "list", "string": "text", "integer": "integer", "number": "number"}
    kinds |= {"boolean": "boolean", "object": "object"}
    return kinds[schema["type"]]


def _range(parameter: Parameter) -> str:
    if parameter.choices:
        return ", ".join(parameter.choices)
    if parameter.minimum is not None and parameter.maximum is not None:
        return f"{parameter.minimum:g}-{parameter.maximum:g}"
    if parameter.kind in ("text", "list") and parameter.max_length:
        return f"at most {parameter.max_length} {'characters' if parameter.kind == 'text' else 'items'}"
    return {"color": "six hexadecimal digits", "file": "at most 20 MB"}.get(parameter.kind, "")


def _default(value: Any) -> str:
    return "" if value is None else f"default {value if isinstance(value, str) else quote(value)}"
