"""Rules of request fields, as annotations with the names and the arguments of pydantic's.

Importing pydantic takes longer than drawing a QR code. These rules become pydantic's when it is needed; until then
`quick_rules` checks what is simple.
"""

import types
import typing
from collections.abc import Callable, Iterator
from copy import copy
from typing import Any, ClassVar, Literal, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

CHECK = "__request_check__"
"""Attribute of a method that checks a whole request."""


class Rule:
    """A rule of a field. Pydantic reads it as a group of its own rules (`GroupedMetadata` of annotated-types)."""

    __is_annotated_types_grouped_metadata__: ClassVar[Literal[True]] = True

    def to_pydantic(self) -> Any:
        """Return the rule of pydantic."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Any]:
        rule = copy(self.to_pydantic())
        if hasattr(rule, "metadata"):  # a `FieldInfo` stores its limits as rules of their own
            yield from rule.metadata
            rule.metadata = []
        yield rule


class AliasChoices:
    """The names that a field is accepted under; the first one is its own name."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices


class Field(Rule):
    """Limits, names and JSON Schema of a field."""

    def __init__(self, *, validation_alias: AliasChoices | None = None, **options: Any) -> None:
        """Store the arguments of pydantic's `Field`."""
        self.validation_alias = validation_alias
        self.options = options

    def to_pydantic(self) -> Any:
        """Return the rule of pydantic."""
        import pydantic

        if not self.validation_alias:
            return pydantic.Field(**self.options)
        return pydantic.Field(validation_alias=pydantic.AliasChoices(*self.validation_alias.choices), **self.options)


class _Validator(Rule):
    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def to_pydantic(self) -> Any:
        """Return the rule of pydantic."""
        import pydantic

        return getattr(pydantic, type(self).__name__)(self.function)


class AfterValidator(_Validator):
    """Calls a function with the value after the checks before it; its result replaces the value."""


class BeforeValidator(_Validator):
    """Calls a function with the value before all other checks; its result replaces the value."""


class PlainValidator(_Validator):
    """Calls a function with the value in place of all other checks; its result replaces the value."""


class WithJsonSchema(Rule):
    """Sets the JSON Schema of a field."""

    def __init__(self, schema: dict[str, Any] | None) -> None:
        self.schema = schema

    def to_pydantic(self) -> Any:
        """Return the rule of pydantic."""
        import pydantic

        return pydantic.WithJsonSchema(self.schema)


def model_validator(*, mode: Literal["after"]) -> Callable[[Function], Function]:
    """Return a decorator of a method that checks a request when its fields are valid, and returns the request."""

    def decorate(function: Function) -> Function:
        setattr(function, CHECK, mode)
        return function

    return decorate


def to_pydantic(annotation: Any) -> Any:
    """Return an annotation with these rules replaced by those of pydantic."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (None, Literal):
        return annotation
    replaced = tuple(each.to_pydantic() if isinstance(each, Rule) else to_pydantic(each) for each in arguments)
    if all(old is new for old, new in zip(arguments, replaced, strict=True)):
        return annotation
    if origin is typing.Annotated:
        return typing.Annotated[replaced]
    if origin in (typing.Union, types.UnionType):
        return typing.Union[replaced]  # noqa: UP007  # the operator takes no tuple
    return origin[replaced]
