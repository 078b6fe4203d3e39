"""What `?`, Shift+Tab, Tab and `help()` show: signatures with readable types, and public names."""

import ast
import inspect
import textwrap
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast, get_args, get_origin

from mediakit.core.inputs import FileInput, FilesInput
from mediakit.core.messages import nearest
from mediakit.core.suggestions import SynonymTable
from mediakit.core.texts import HtmlInput, TextInput
from mediakit.errors import UnknownName

NAMED_TYPES = (
    (FileInput, "File"),
    (FilesInput, "list[File]"),
    (TextInput, "str | Path"),
    (HtmlInput, "str | bytes | Path"),
)
"""Types that are unions of everything that Python callers can pass."""

NAMES = {Iterable: "list", Mapping: "dict"}
"""Types as most callers know them."""

PARSE_ATTEMPTS = 10

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")


class PublicNames:
    """Base class of objects that users work with. `dir()` lists no private and no internal names."""

    _internal_names: ClassVar[frozenset[str]] = frozenset()
    """Names without an underscore that only mediakit uses."""
    _other_names: ClassVar[SynonymTable] = {}
    """Other words for names, for "did you mean"."""

    if not TYPE_CHECKING:  # a type checker knows the names

        def __getattr__(self, name: str) -> Any:
            """Raise an error that says which name is meant."""
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)  # raises the error of a property again
            raise UnknownName(
                f"{type(self).__name__}.{name}: does not exist; {nearest(name, dir(self), self._other_names)}"
            )

    def __dir__(self) -> Iterable[str]:
        internal = frozenset().union(*(vars(kind).get("_internal_names", ()) for kind in type(self).__mro__))
        return sorted(name for name in super().__dir__() if not name.startswith("_") and name not in internal)


class Help:
    """The docstring of an instance: its `help()`. The class itself has none, so that `?` does not repeat it."""

    def __get__(self, instance: Any, owner: type) -> str:
        """Return the help text of an instance."""
        return "" if instance is None else str(instance.help())


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


def type_text(annotation: Any) -> str:  # noqa: PLR0911  # one return per kind
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
            texts = list(dict.fromkeys(map(type_text, arguments)))
            return "Any" if "Any" in texts else " | ".join(texts)
        case None:
            return "None" if annotation is type(None) else _name(annotation)
        case origin if origin in (list, dict, tuple, Mapping, Sequence):
            return f"{_name(origin)}[{', '.join(map(type_text, arguments))}]"
        case origin:
            return _name(origin)


def _name(kind: Any) -> str:
    return NAMES.get(kind) or str(getattr(kind, "__name__", kind))


def attribute_docstrings(kind: type[Any]) -> dict[str, str]:
    """Return the strings below the attributes of a class, without those that it inherits; none without its source."""
    try:
        definition: Any = built(lambda: ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0])
    except (OSError, TypeError, SyntaxError):
        return {}
    found = {}
    for attribute, below in pairwise(definition.body):
        match attribute, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = inspect.cleandoc(text)
    return found


def built(build: Callable[[], T]) -> T:
    """Return what a function builds from syntax trees, such as an adapter of pydantic. One thread builds at a time.

    CPython 3.11 can raise a SystemError while another thread makes a syntax tree too (python/cpython#106905).
    """
    with _LOCK:
        for _ in range(PARSE_ATTEMPTS):
            with suppress(SystemError):
                return build()
        return build()


_LOCK = RLock()


def with_signature(method: F) -> F:
    """Return a method that has the signature of its instance instead of `*args, **kwargs`."""
    return cast("F", _SignedMethod(method))


class _SignedMethod:
    """A method whose bound form is a function with the signature of the instance, without a docstring."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        self.__doc__ = method.__doc__

    def __get__(self, instance: Any, owner: type) -> Callable[..., Any]:
        """Return the bound method."""
        if instance is None:
            return self._method
        call: Any = partial(self._method, instance)
        call.__signature__, call.__doc__ = instance.__signature__, ""
        return cast("Callable[..., Any]", call)
