"""Requests: the arguments of a tool, validated in the same way for every interface."""

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, InitVar, dataclass, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, dataclass_transform, get_args, get_origin

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ArgsKwargs

from mediakit.core.introspection import attribute_docstrings, built
from mediakit.core.messages import Bounds, explain, nearest, quote
from mediakit.core.suggestions import Synonyms, SynonymTable
from mediakit.errors import FieldError, InvalidInput

MAX_PROBLEMS = 100
"""Problems that an error describes. The nearest name of each unknown one takes up to a millisecond."""

Request = TypeVar("Request")

CONFIG: ConfigDict = {
    "strict": True,
    "extra": "forbid",
    "allow_inf_nan": False,
    "use_attribute_docstrings": True,
    "arbitrary_types_allowed": True,
}


@dataclass_transform(frozen_default=True)
def request(kind: type[Request]) -> type[Request]:
    """Make a class a tool's request: a frozen dataclass whose constructor validates and is the tool's signature.

    Fields keep the order of the class body, `KW_ONLY` ends the positional ones, and the string below a field is its
    help. Fields of a base class that has only keyword fields come last.
    """
    made: Any = dataclass(frozen=True)(kind)
    made.__pydantic_config__ = CONFIG
    signature = inspect.signature(made.__init__)
    order = {field.name: place for place, field in enumerate(_fields(made))}
    # Arguments without a field (`InitVar`) exist only in Python, where `adapt` of the tool reads them; they come last.
    _, *given = signature.parameters.values()
    arguments = [
        each.replace(annotation=each.annotation.type) if isinstance(each.annotation, InitVar) else each
        for each in sorted(given, key=lambda argument: order.get(argument.name, len(order)))
    ]
    made.__signature__ = signature.replace(parameters=arguments)

    def validating_init(self: Any, /, *args: Any, **kwargs: Any) -> None:
        adapter(made).validator.validate_python(ArgsKwargs(args, kwargs), self_instance=self)

    validating_init.__qualname__ = f"{kind.__qualname__}.__init__"
    made.__init__ = validating_init
    return made  # type: ignore[no-any-return]


def table_arguments(kind: type[Any]) -> dict[str, str]:
    """Return the arguments for the columns of a table, which are not fields (`InitVar`), with their help."""
    names = [name for name, annotation in inspect.get_annotations(kind).items() if isinstance(annotation, InitVar)]
    return {name: attribute_docstrings(kind)[name] for name in names}


def build(kind: type[Request], values: Mapping[str, Any]) -> Request:
    """Return a request made from values by field name or alias.

    Raises:
        InvalidInput: A name is unknown, one field has several values, or a value breaks a rule.
    """
    named = _by_field(kind, values)
    as_any: Any = kind
    try:
        return kind(**{name: plain(value) for name, value in named.items()})
    except ValidationError as error:
        names = tuple(field_names(kind))
        raise invalid(explain(error, names=names, bounds=_bounds(as_any), choices=choice_synonyms(kind))) from None


def field_names(kind: type[Any]) -> Mapping[str, tuple[str, ...]]:
    """Return the names that each field of a request is accepted under, its own name first."""
    as_any: Any = kind
    return _field_names(as_any)


@cache
def _field_names(kind: Any) -> Mapping[str, tuple[str, ...]]:
    return {field.name: _aliases(field) for field in _fields(kind)}


@cache
def _field_of_alias(kind: Any) -> Mapping[str, str]:
    return {alias: name for name, aliases in field_names(kind).items() for alias in aliases}


def invalid(problems: list[FieldError], count: int | None = None) -> InvalidInput:
    """Return one error for several problems; its message is the first problem, and its details are the first ones."""
    first, others = problems[0], (count or len(problems)) - 1
    sentence = f"{first['field']}: {first['message']}" if first["field"] else first["message"]
    place = " in details" if others < MAX_PROBLEMS else ""
    more = f" ({others:,} more{place})" if others else ""
    return InvalidInput(sentence + more, details=[each for each in problems[:MAX_PROBLEMS] if each["field"]])


def unknown(
    names: Iterable[str], known: Sequence[str], kind: type[Any] | None = None, values: Mapping[str, Any] | None = None
) -> InvalidInput:
    """Return the error for unknown field names; it suggests the known ones that are meant."""
    problems: list[FieldError] = []
    names = list(names)
    for name in names[:MAX_PROBLEMS]:
        if member := member_of(kind, name, values or {}):
            hint = f'it is {member[1]}; pass {member[0]}={{"{name}": ...}}.'
        elif other := other_way(kind, name):
            hint = f"{other}."
        else:
            hint = nearest(name, known, field_synonyms(kind))
        problems.append({"field": name[:80], "message": f"is not a known field; {hint}"})
    return invalid(problems, len(names))


def member_of(kind: type[Any] | None, name: str, values: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the field whose value, an object, has a key of this name, and what the key is; None if there is none.

    A request says so with a class method of the same name.
    """
    find = getattr(kind, "member_of", None)
    found: tuple[str, str] | None = find(name, values) if find else None
    return found


def other_way(kind: type[Any] | None, name: str) -> str | None:
    """Return what does what an unknown field asks for, as the class of the request states it in `other_ways`."""
    ways: Mapping[str, str] = getattr(kind, "other_ways", {})
    return ways.get(name)


def field_synonyms(kind: type[Any] | None) -> dict[str, str]:
    """Return other words for the fields of a request, as their annotations state them; none without a request."""
    as_any: Any = kind
    return {name: ", ".join(each.words for each in found) for name, found in _synonyms(as_any).items()}


def choice_synonyms(kind: type[Any]) -> dict[str, SynonymTable]:
    """Return other words for the choices of each field of a request."""
    as_any: Any = kind
    found = _synonyms(as_any).items()
    return {
        name: {choice: words for each in stated for choice, words in each.choices.items()} for name, stated in found
    }


@cache
def _synonyms(kind: Any) -> dict[str, list[Synonyms]]:
    return {field.name: list(_stated(field.type)) for field in fields(kind)} if kind else {}


def _stated(annotation: Any) -> Iterator[Synonyms]:
    """Yield the synonyms in an annotation, also those of the type inside."""
    if get_origin(annotation) is Annotated:
        yield from (rule for rule in get_args(annotation)[1:] if isinstance(rule, Synonyms))
    if get_origin(annotation) in (Annotated, Union, UnionType):
        for argument in get_args(annotation):
            yield from _stated(argument)


def plain(value: Any) -> Any:
    """Return the Python number in a NumPy scalar, and an `int` for a whole float: JSON Schema counts 512.0 as one."""
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _by_field(kind: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    owner = _field_of_alias(kind)
    if strange := [alias for alias in values if alias not in owner]:
        raise unknown(strange, list(owner), kind, values)
    found: dict[str, Any] = {}
    passed_as: dict[str, str] = {}
    for alias, value in values.items():
        name = owner[alias]
        if name in passed_as:
            message = f"is passed twice, as {quote(passed_as[name])} and {quote(alias)}."
            raise invalid([{"field": name, "message": message}])
        passed_as[name] = alias
        found[name] = value
    return found


def _fields(kind: type[Any]) -> list[Field[Any]]:
    """Return the fields in the order of the signature: those of base classes with only keyword fields come last."""
    bases = [base for base in kind.__mro__[1:] if is_dataclass(base)]
    added = {field.name for base in bases if all(each.kw_only for each in fields(base)) for field in fields(base)}
    return sorted(fields(kind), key=lambda field: field.name in added)


def _aliases(field: Field[Any]) -> tuple[str, ...]:
    rules = get_args(field.type)[1:] if get_origin(field.type) is Annotated else ()
    for rule in rules:
        choices = getattr(getattr(rule, "validation_alias", None), "choices", ())
        if choices:
            return tuple(choice for choice in choices if isinstance(choice, str))
    return (field.name,)


@cache
def _bounds(kind: Any) -> Mapping[str, Bounds]:
    """Return the minimum and maximum of each number field, for error messages."""
    properties = adapter(kind).json_schema()["properties"]
    found = {}
    for name, aliases in field_names(kind).items():
        schema = properties[aliases[0]]
        for option in (schema, *schema.get("anyOf", ())):
            if "minimum" in option and "maximum" in option:
                found[name] = option["minimum"], option["maximum"]
    return found


def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return pydantic's adapter of a request class, which is built on first use."""
    return built(lambda: _adapter(kind))


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    for base in kind.__mro__:
        if "__pydantic_config__" in vars(base):
            _describe(base)
    return TypeAdapter(kind)


@cache
def _describe(kind: Any) -> None:
    """Store the strings below the fields of a class as their descriptions, which subclasses share."""
    for name, text in attribute_docstrings(kind).items():
        if name in kind.__dataclass_fields__:
            kind.__dataclass_fields__[name].metadata = {"description": text}
