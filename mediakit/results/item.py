"""Typed data: what a response says, as one class with a docstring below each field.

    class FieldInfo(Item):
        name: str
        \"\"\"Full name, such as `person.name`.\"\"\"
        options: list[str] | None = None      # absent in JSON while it is None

A class of data is a frozen dataclass, without a decorator. It gives the attributes in Python, the members of the JSON
in their order, and the JSON Schema of the HTTP API. Pydantic reads it on first use: defining a class does not import
pydantic.
"""

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict, dataclass_transform, get_args, get_type_hints

import pybase64

from mediakit.core.introspection import PublicNames, TypeText, attribute_docstrings, built, type_text

if TYPE_CHECKING:
    from pydantic import TypeAdapter

__all__ = ["Item", "Json", "ResultWarning", "field", "warning_messages"]


class ResultWarning(TypedDict):
    """A remark about a result that was produced but may not be what the user expects."""

    code: str
    """Stable identifier for programs."""
    message: str
    """A sentence for people; it begins with the field that it concerns."""


def warning_messages(meta: Mapping[str, Any], *, without: str = "") -> list[str]:
    """Return the sentences of the warnings in a result's meta, which are texts or objects."""
    listed = [{"code": "", "message": each} if isinstance(each, str) else each for each in meta.get("warnings", ())]
    return [each["message"] for each in listed if not without or each["code"] != without]


class Json(bytes):
    """The JSON of a field, as a worker wrote it: a response copies it, and reading the attribute parses it once.

    Only fields with `field(metadata={"json": True})` accept it. Else they hold values of JSON, without items.
    """


class _JsonField:
    """Parses the JSON of a field when the attribute is read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        if instance is None:
            return self
        value = vars(instance)[self._name]
        if isinstance(value, Json):
            from pydantic_core import from_json

            value = vars(instance)[self._name] = from_json(value)
        return value

    def __set__(self, instance: Any, value: Any) -> None:
        vars(instance)[self._name] = value


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
class Item(PublicNames):
    """A part of a result's data. Subclasses are frozen dataclasses; their fields are the members of the JSON."""

    __pydantic_config__: ClassVar[Any] = {"use_attribute_docstrings": True, "arbitrary_types_allowed": True}

    def __init_subclass__(cls, *, kw_only: bool = False, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        refuse_shadows(cls)
        dataclass(frozen=True, eq=False, repr=False, kw_only=kw_only)(cls)
        shown = vars(cls)["__init__"].__annotations__
        shown |= {name: TypeText(type_text(hint)) for name, hint in shown.items() if hint is not None}
        for each in fields(cls):  # type: ignore[arg-type]  # the line before makes it a dataclass
            if each.metadata.get("json"):
                setattr(cls, each.name, _JsonField(each.name))

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, each.name) == getattr(other, each.name) for each in fields_of(self) if each.compare)

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields_of(self) if each.repr)
        return f"{type(self).__name__}({shown})"


def refuse_shadows(kind: type[Any]) -> None:
    """Refuse a class that defines a public name of its base class.

    Raises:
        TypeError: It does. A dataclass would use the inherited method as the default of the field.
    """
    own = {*vars(kind), *vars(kind).get("__annotations__", ())}
    for base in kind.__mro__[1:-1]:
        if base.__module__.partition(".")[0] != "mediakit":
            continue
        known = {each.name for each in fields(base)} if is_dataclass(base) else set()
        taken = {name for name in vars(base) if not name.startswith("_")} - known
        if clash := sorted(own & taken):
            raise TypeError(f"{kind.__name__}.{clash[0]} shadows {base.__name__}.{clash[0]}, which is final.")


def fields_of(item: Any) -> tuple[Field[Any], ...]:
    """Return the fields of an item, or of its class."""
    return fields(item)


def is_absent(item: Any, each: Field[Any]) -> bool:
    """Return whether a field is absent in JSON: its default is None, and so is its value."""
    return each.default is None and vars(item)[each.name] is None


def member_name(each: Field[Any]) -> str:
    """Return the name of a field in JSON; `field(metadata={"member": "in"})` sets it where Python reserves the name."""
    return str(each.metadata.get("member", each.name))


def to_plain(value: Any, *, keep_items: bool = False) -> Any:
    """Return a value as dictionaries, lists and scalars; bytes as base64 text.

    Args:
        value: An item, a list or a mapping of them, or a plain value.
        keep_items: Return items whose JSON has all of their fields as they are, because pydantic writes them faster.
    """
    if isinstance(value, Item):
        kind: Any = type(value)
        if keep_items and _is_flat(kind):
            return value
        return {
            member_name(each): to_plain(getattr(value, each.name), keep_items=keep_items)
            for each in fields_of(value)
            if not is_absent(value, each)
        }
    if isinstance(value, list | tuple):
        if not value or not isinstance(value[0], Item | list | tuple | dict):
            return value
        return [to_plain(item, keep_items=keep_items) for item in value]
    if isinstance(value, dict):
        return {name: to_plain(item, keep_items=keep_items) for name, item in value.items()}
    return pybase64.b64encode(value).decode() if isinstance(value, bytes) else value


@cache
def _is_flat(kind: type[Item]) -> bool:
    """Return whether the JSON of all items of a class has all fields, and none of them is an item."""
    has_all = all(each.default is not None and member_name(each) == each.name for each in fields_of(kind))
    return has_all and not any(
        isinstance(part, type) and issubclass(part, Item)
        for hint in get_type_hints(kind).values()
        for part in type_parts(hint)
    )


def type_parts(hint: Any) -> tuple[Any, ...]:
    """Return the types that an annotation names, such as `list`, `str` and `None` for `list[str] | None`."""
    parts = get_args(hint)
    return (hint, *(each for part in parts for each in type_parts(part))) if parts else (hint,)


@cache
def adapter(kind: Any) -> "TypeAdapter[Any]":
    """Return pydantic's adapter of a class of data, or of its generic alias."""
    from pydantic import TypeAdapter

    return built(lambda: TypeAdapter(kind))


def json_schema(kind: Any) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each field of a class of data. Optional ones have `x-optional`."""
    from pydantic.json_schema import GenerateJsonSchema

    class Schemas(GenerateJsonSchema):
        """Schemas without titles, in the order of the fields."""

        def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
            return False

        def sort(self, value: Any, parent_key: str | None = None) -> Any:  # noqa: ARG002
            return value

    whole = adapter(kind).json_schema(schema_generator=Schemas)
    properties: dict[str, dict[str, Any]] = _inlined(whole, whole.get("$defs", {}))["properties"]
    helps = docstrings(kind)
    required = whole.get("required", ())
    may_be_absent = {
        each.name for each in fields_of(getattr(kind, "__origin__", kind)) if each.metadata.get("optional")
    }
    for name, schema in properties.items():
        if name in helps:
            schema["description"] = helps[name]
        if name not in required or name in may_be_absent:
            schema["x-optional"] = True
    return properties


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Return a schema with the definitions in place of the references to them, and alternatives written as one type."""
    if isinstance(schema, list):
        return [_inlined(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if name := str(schema.get("$ref", "")).rpartition("/")[2]:
        inner = {key: part for key, part in definitions[name].items() if key != "description"}
        return _inlined({**inner, **{key: part for key, part in schema.items() if key != "$ref"}}, definitions)
    if "properties" in schema:
        properties = {name: _inlined(part, definitions) for name, part in schema["properties"].items()}
        for name, part in schema["properties"].items():
            if part.get("default", "") is None:
                properties[name] = _without_null(properties[name])
        rest = {key: part for key, part in schema.items() if key not in ("title", "$defs", "properties")}
        return {**_inlined(rest, definitions), "properties": properties}
    if "anyOf" in schema:
        return _as_one_type({key: _inlined(part, definitions) for key, part in schema.items()})
    return {RULES.get(key, key): _inlined(part, definitions) for key, part in schema.items()}


RULES: Mapping[str, str] = {"ge": "minimum", "le": "maximum"}
"""Names in JSON Schema of rules that pydantic does not translate on a union."""


def _as_one_type(schema: dict[str, Any]) -> dict[str, Any]:
    """Return alternatives that differ in their type as one schema: a number, and what may be null."""
    options = schema["anyOf"]
    names = [option.get("type") for option in options]
    if "integer" in names and "number" in names:
        options = [option for option in options if option.get("type") != "integer"]
    others = [option for option in options if option.get("type") != "null"]
    rest = {RULES.get(key, key): part for key, part in schema.items() if key not in ("anyOf", "default")}
    if len(others) > 1:
        return {"anyOf": options, **rest}
    (one,) = others
    if len(others) == len(options):
        return {**one, **rest}
    values = {"enum": [*one["enum"], None]} if "enum" in one else {}
    return {**one, **values, "type": [one["type"], "null"], **rest}


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a member that is absent instead of null."""
    kind = schema.get("type")
    named = {"type": kind[0]} if isinstance(kind, list) else {}  # such as ["string", "null"]
    return {key: part for key, part in schema.items() if not (key == "default" and part is None)} | named


@cache
def docstrings(kind: Any) -> Mapping[str, str]:
    """Return the strings below the fields of a class and of its base classes; none if the source is not available."""
    found: dict[str, str] = {}
    for base in reversed(getattr(kind, "__origin__", kind).__mro__):
        if is_dataclass(base):
            own: Any = base
            found |= {name: " ".join(text.split()) for name, text in attribute_docstrings(own).items()}
    return found
