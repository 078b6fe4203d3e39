"""Signatures for people: types without validation rules, such as `size: int = 512`."""

import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, get_args, get_origin

from mediakit.core.inputs import File, Files
from mediakit.core.texts import TextInput

NAMED_TYPES = ((File, "File"), (Files, "list[File]"), (TextInput, "str | Path"))
"""Types that are unions of everything that Python callers can pass."""


NAMES = {Iterable: "list", Mapping: "dict"}
"""Types as most callers know them."""


F = TypeVar("F", bound=Callable[..., Any])


class TypeText(str):
    """A type as `inspect` shows it in a signature."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def readable(function: F) -> F:
    """Return a function whose signature has readable types in `?` and `help()`."""
    function.__signature__ = readable_signature(function, inspect.signature(function).return_annotation)  # type: ignore[attr-defined]
    return function


def readable_signature(call: Callable[..., Any], returns: Any) -> inspect.Signature:
    """Return the signature of a call with readable types."""
    signature = inspect.signature(call)
    parameters = [
        parameter
        if parameter.annotation is parameter.empty
        else parameter.replace(annotation=TypeText(type_text(parameter.annotation)))
        for parameter in signature.parameters.values()
    ]
    return signature.replace(parameters=parameters, return_annotation=TypeText(type_text(returns)))


def type_text(annotation: Any) -> str:
    """Return a type without its rules: `'png' | 'svg'`, `int | None`, `list[str]`."""
    if name := next((name for named, name in NAMED_TYPES if annotation == named), None):
        return name
    arguments = get_args(annotation)
    match get_origin(annotation):
        case typing.Annotated:
            return type_text(arguments[0])
        case typing.Literal:
            return " | ".join(map(repr, arguments))
        case typing.Union | types.UnionType:
            return _union(arguments)
        case None:
            return "None" if annotation is type(None) else _name(annotation)
        case origin:
            return _generic(origin, arguments)


def _generic(origin: Any, arguments: tuple[Any, ...]) -> str:
    if origin not in (list, dict, tuple, Mapping, Sequence):
        return _name(origin)
    return f"{_name(origin)}[{', '.join(map(type_text, arguments))}]"


def _union(arguments: tuple[Any, ...]) -> str:
    texts = list(dict.fromkeys(map(type_text, arguments)))
    return "Any" if "Any" in texts else " | ".join(texts)


def _name(kind: Any) -> str:
    return NAMES.get(kind) or str(getattr(kind, "__name__", kind))
