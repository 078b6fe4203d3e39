"""Requests: what a tool is asked, checked once for every face."""

import difflib
import inspect
from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from types import MappingProxyType
from typing import Any, TypeVar, dataclass_transform

import pydantic.dataclasses
from pydantic import AliasChoices, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from mediakit.core.messages import explain, quote
from mediakit.errors import FieldError, InvalidInput

Request = TypeVar("Request")

CONFIG = ConfigDict(
    strict=True,
    extra="forbid",
    allow_inf_nan=False,
    use_attribute_docstrings=True,
    arbitrary_types_allowed=True,
)


@dataclass_transform(frozen_default=True)
def request(kind: type[Request]) -> type[Request]:
    """Make a class a tool's request: a frozen dataclass whose constructor is the tool's signature.

    Fields keep the order of the class body, `KW_ONLY` ends those given by position, and the string below a field is
    its help. Those of a base class that has only `KW_ONLY` fields come last.
    """
    made: Any = pydantic.dataclasses.dataclass(frozen=True, config=CONFIG)(kind)
    for field in fields(made):
        # Pydantic reads the strings below a class's own fields; through the metadata those that inherit have them, too.
        field.metadata = MappingProxyType({"description": made.__pydantic_fields__[field.name].description})
    signature = inspect.signature(made)
    order = [field.name for field in _fields(made)]
    arguments = sorted(signature.parameters.values(), key=lambda argument: order.index(argument.name))
    made.__signature__ = signature.replace(parameters=arguments)
    return made  # type: ignore[no-any-return]  # pydantic types it as its own protocol


def build(kind: type[Request], values: Mapping[str, Any]) -> Request:
    """Make a request from values by field name or alias.

    Raises:
        InvalidInput: A name is unknown, one field has several values, or a value breaks a rule.
    """
    named = _by_field(kind, values)
    try:
        return kind(**{name: plain(value) for name, value in named.items()})
    except ValidationError as error:
        raise invalid(explain(error, names=tuple(field_names(kind)))) from None


def field_names(kind: type[Any]) -> dict[str, tuple[str, ...]]:
    """Name each field of a request with every name it is accepted under, its own first."""
    return {field.name: _aliases(kind, field.name) for field in _fields(kind)}


def invalid(problems: list[FieldError]) -> InvalidInput:
    """Say all that is wrong in one error, the first problem as its sentence."""
    first, others = problems[0], len(problems) - 1
    sentence = f"{first['field']}: {first['message']}" if first["field"] else first["message"]
    more = f" ({others} more in details)" if others else ""
    return InvalidInput(sentence + more, details=[problem for problem in problems if problem["field"]])


def unknown(name: str, known: list[str]) -> InvalidInput:
    """Refuse a name that is not known, naming the nearest one that is."""
    return invalid([{"field": name[:80], "message": f"is not a known field; {nearest(name, known)}"}])


def nearest(name: str, known: list[str]) -> str:
    """Name the known name that is nearest to another, or all of them."""
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    return f"did you mean {quote(near[0])}?" if near else f"known are {', '.join(known)}."


def _by_field(kind: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    names = field_names(kind)
    owner = {alias: name for name, aliases in names.items() for alias in aliases}
    found: dict[str, Any] = {}
    given: dict[str, str] = {}
    for alias, value in values.items():
        if alias not in owner:
            raise unknown(alias, list(owner))
        name = owner[alias]
        if name in given:
            raise invalid([{"field": name, "message": f"is given twice, as {quote(given[name])} and {quote(alias)}."}])
        given[name] = alias
        found[name] = value
    return found


def _fields(kind: type[Any]) -> list[Field[Any]]:
    """Give the fields as people read them: last those of a base class that takes nothing by position, and only adds."""
    bases = [base for base in kind.__mro__[1:] if is_dataclass(base)]
    added = {field.name for base in bases if all(each.kw_only for each in fields(base)) for field in fields(base)}
    return sorted(fields(kind), key=lambda field: field.name in added)


def _aliases(kind: type[Any], name: str) -> tuple[str, ...]:
    info: FieldInfo = kind.__pydantic_fields__[name]
    choices = info.validation_alias
    if isinstance(choices, AliasChoices):
        return tuple(choice for choice in choices.choices if isinstance(choice, str))
    return (name,)


def plain(value: Any) -> Any:
    """Turn a NumPy scalar into the Python number that it holds."""
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value
