"""Checks simple values of a request without pydantic, whose import takes longer than many calls.

A value passes only if pydantic would store the same value. Everything else is left to pydantic: wrong values, files,
lists and objects.
"""

import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from functools import cached_property
from math import isfinite
from typing import Any, Literal

from mediakit.core.rules import CHECK, AfterValidator, Field

Check = Callable[[Any], Any]
"""Returns the value to store, and raises `NotQuickError` or `ValueError` for a value that is left to pydantic."""

MAX_INTEGER = 2**63 - 1

WITHOUT_EFFECT = {"json_schema_extra", "description", "title", "examples"}
"""Options of `Field` that do not change which values are valid."""


class NotQuickError(Exception):
    """A value is left to pydantic."""


class QuickRules:
    """The checks of a request class."""

    def __init__(self, kind: type[Any]) -> None:
        self._kind = kind
        self._is_enabled = True

    def fill(self, request: Any, store: Callable[..., None], values: Mapping[str, Any]) -> bool:
        """Store the values in a new request, and return whether all of them are valid.

        Args:
            request: The new request.
            store: The constructor that stores values without a check.
            values: Values by field name.
        """
        if not self._is_enabled:
            return False
        try:
            store(request, **{name: self._checks[name](value) for name, value in values.items()})
            for check in self._whole:
                check(request)
        except (KeyError, NotQuickError, TypeError, ValueError, AssertionError):
            # From now on pydantic validates this request, because it is imported then.
            self._is_enabled = False
            return False
        return True

    @cached_property
    def _checks(self) -> dict[str, Check]:
        """The checks of the fields that have simple rules."""
        found = {field.name: _check(field.type) for field in fields(self._kind)}
        return {name: check for name, check in found.items() if check}

    @cached_property
    def _whole(self) -> list[Check]:
        """The methods that check the whole request, those of base classes first."""
        return list(_whole_checks(self._kind))


def _whole_checks(kind: type[Any]) -> Iterator[Check]:
    found = {
        name: member for base in reversed(kind.__mro__) for name, member in vars(base).items() if _is_check(member)
    }
    yield from found.values()


def _is_check(member: Any) -> bool:
    """Return whether pydantic would call a method: with `rules.model_validator`, or with a decorator of its own.

    Raises:
        NotQuickError: It is a decorator of pydantic.
    """
    if type(member).__name__ == "PydanticDescriptorProxy":
        raise NotQuickError
    return hasattr(member, CHECK)


def _check(annotation: Any) -> Check | None:
    """Return the check of a type, or None if the type is not simple."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return _annotated(_check(arguments[0]), arguments[1:])
    if origin in (typing.Union, types.UnionType) and len(arguments) == 2 and arguments[1] is type(None):
        return _optional(_check(arguments[0]))
    if origin is Literal:
        return _choice(arguments)
    return SIMPLE.get(annotation)


def _text(value: Any) -> str:
    if type(value) is not str:
        raise NotQuickError
    value.encode()  # raises for a lone surrogate
    return value


def _integer(value: Any) -> int:
    if type(value) is not int or abs(value) > MAX_INTEGER:
        raise NotQuickError
    return value


def _number(value: Any) -> float:
    if type(value) is not float or not isfinite(value):
        raise NotQuickError
    return value


def _boolean(value: Any) -> bool:
    if type(value) is not bool:
        raise NotQuickError
    return value


SIMPLE: Mapping[Any, Check] = {str: _text, int: _integer, float: _number, bool: _boolean}


def _optional(check: Check | None) -> Check | None:
    return check and (lambda value: None if value is None else check(value))


def _choice(choices: tuple[Any, ...]) -> Check | None:
    if not all(type(choice) is str for choice in choices):
        return None

    def check(value: Any) -> str:
        if type(value) is not str or value not in choices:
            raise NotQuickError
        return value

    return check


def _annotated(check: Check | None, rules: tuple[Any, ...]) -> Check | None:
    """Return a check with further rules. Limits below a function are left to pydantic."""
    after = False
    for rule in rules:
        if isinstance(rule, AfterValidator):
            check, after = check and _both(check, rule.function), True
        elif isinstance(rule, Field) and rule.options.keys() <= WITHOUT_EFFECT:
            continue
        elif isinstance(rule, Field) and not after and rule.options.keys() <= FITS.keys() | WITHOUT_EFFECT:
            check = check and _both(check, _limits(rule.options))
        else:
            return None
    return check


def _both(first: Check, second: Check) -> Check:
    return lambda value: second(first(value))


def _limits(options: Mapping[str, Any]) -> Check:
    def check(value: Any) -> Any:
        if not all(FITS[name](value, limit) for name, limit in options.items() if name in FITS):
            raise NotQuickError
        return value

    return check


FITS: Mapping[str, Callable[[Any, Any], bool]] = {
    "min_length": lambda value, limit: len(value) >= limit,
    "max_length": lambda value, limit: len(value) <= limit,
    "ge": lambda value, limit: value >= limit,
    "le": lambda value, limit: value <= limit,
    "gt": lambda value, limit: value > limit,
    "lt": lambda value, limit: value < limit,
}
