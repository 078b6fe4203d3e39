"""Validates requests with pydantic, which is imported with this module."""

import ast
import inspect
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from threading import RLock
from types import MappingProxyType
from typing import Any

import pydantic
from pydantic_core import ArgsKwargs

from mediakit.core.rules import CHECK, to_pydantic

_lock = RLock()
"""Two threads must not prepare a class at the same time."""


def validate_into(request: Any, kind: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Validate the arguments of a constructor and store them in its instance.

    Raises:
        ValidationError: A value breaks a rule.
    """
    arguments = ArgsKwargs(tuple(args), dict(kwargs))
    adapter(kind).validator.validate_python(arguments, self_instance=request)


def adapter(kind: Any) -> "pydantic.TypeAdapter[Any]":
    """Return pydantic's adapter of a request class."""
    with _lock:
        return _adapter(kind)


@cache
def _adapter(kind: Any) -> "pydantic.TypeAdapter[Any]":
    for base in reversed(kind.__mro__):
        if "__pydantic_config__" in vars(base):
            _prepare(base)
    return pydantic.TypeAdapter(kind)


@cache
def _prepare(kind: Any) -> None:
    """Give a dataclass the rules of pydantic: of its own fields, which subclasses share, and of the whole request."""
    helps = _attribute_docstrings(kind)
    own = inspect.get_annotations(kind)
    for field in fields(kind):
        if field.name in own:
            field.type = to_pydantic(field.type)
            field.metadata = MappingProxyType({"description": helps.get(field.name)})
    for name, member in list(vars(kind).items()):
        if mode := getattr(member, CHECK, None):
            decorate: Any = pydantic.model_validator(mode=mode)
            setattr(kind, name, decorate(member))


def _attribute_docstrings(kind: type[Any]) -> dict[str, str]:
    """Return the strings below the fields of a class; none if its source is not available."""
    try:
        module = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    except (OSError, TypeError, SyntaxError):
        return {}
    definition = module.body[0]
    if not isinstance(definition, ast.ClassDef):
        return {}
    found = {}
    for field, below in zip(definition.body, definition.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = inspect.cleandoc(text)
    return found
