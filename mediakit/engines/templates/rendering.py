"""What a template makes of data: values by their path, missing and blank values, and the limits of a call."""

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from jinja2 import nodes, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from mediakit.core.messages import quote
from mediakit.engines.templates.data import MissingPolicy
from mediakit.engines.templates.filters import Filter, ValueProblem, are_equal, as_text, is_in, is_ordered

MAX_ITEMS = 800_000
"""Items that all loops of a call repeat."""
MAX_CHARACTERS = 20_000_000
"""Characters that all templates of a call make."""

STATE = " rendering"
"""The name of the call's state among the variables of a template; no tag can spell it."""
DASH = "\ua7f7"
"""A letter that stands for the dash of names such as `first-name` while Jinja has them."""


class Tag(NamedTuple):
    """A tag: `{{ value }}`, `{% statement %}` or `{# comment #}`."""

    kind: str
    """`value`, `comment`, or the word of the statement, such as `for`."""
    source: str
    """The tag as it is written."""
    line: int = 1
    start: int = 0
    """The place of its first character in the template."""
    end: int = 0
    text: str = ""
    """How it is written in the template that a part of a Word file becomes."""
    code: str = ""
    """The expression in it."""
    expression: nodes.Expr | None = None
    variable: str = ""
    """The variable of a loop."""


Show = Callable[[Any, str, Tag], str]
"""Returns the markup of a value: it takes the value, its path in the data, and the tag that prints it.

It may raise `ValueProblem`, whose message follows the path, or `DataError`."""

_MISSING: Any = object()


class DataError(ValueError):
    """A value does not fit where it is used, or the data makes too much."""

    def __init__(self, reason: str, tag: Tag | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        """What is wrong, without a period."""
        self.tag = tag
        """The tag that uses the value."""


class TooLargeError(DataError):
    """The loops of a template make too much."""


def show_text(value: Any, path: str, tag: Tag) -> str:  # noqa: ARG001  # the signature of `Show`
    """Return a value as escaped text of HTML or XML."""
    return escape(as_text(value))


@dataclass
class Rendering:
    """The data of a call, and what became of it. The templates of one document share it."""

    data: Mapping[str, Any]
    policy: MissingPolicy = "error"
    """With `error`, the caller refuses the call if `missing` has names."""
    show: Show = show_text
    missing: dict[str, None] = field(default_factory=dict)
    """Paths of values that the data does not have, such as `items.3.price`."""
    blank: dict[str, None] = field(default_factory=dict)
    """Paths of values that print nothing."""
    tags: Sequence[Tag] = ()
    """The tags of the template that is being filled."""
    items: int = 0
    characters: int = 0

    def value(self, path: str) -> "Value":
        """Return a value of the data."""
        return Value(self.data.get(path, _MISSING), path, self)

    def has_columns(self, path: str) -> bool:
        """Return whether columns of a table, whose names have dots, are members of a value that has no own column."""
        place = bisect_left(self._dotted, f"{path}.")
        return place < len(self._dotted) and self._dotted[place].startswith(f"{path}.")

    @cached_property
    def _dotted(self) -> list[str]:
        return sorted(name for name in self.data if "." in name)

    def count(self, items: int, characters: int = 0) -> None:
        """Count what is made.

        Raises:
            TooLargeError: It becomes too much.
        """
        self.items += items
        self.characters += characters
        if self.items > MAX_ITEMS or self.characters > MAX_CHARACTERS:
            raise TooLargeError("its loops make a document that is too large; send fewer items")


@dataclass(frozen=True)
class Value:
    """A value of the data while a template is filled, or that the data does not have it."""

    raw: Any
    path: str
    rendering: Rendering = field(repr=False)

    @property
    def is_missing(self) -> bool:
        """Whether the data does not have it."""
        return self.raw is _MISSING

    def known(self) -> Any:
        """Return the value itself; a missing one is reported, and null."""
        if self.is_missing:
            self.rendering.missing[self.path] = None
            return None
        return self.raw

    def member(self, name: str) -> "Value":
        """Return the value of a key or an index. A column of a table, whose name has dots, comes before a member."""
        path, raw = f"{self.path}.{name}", self.raw
        if path in self.rendering.data:
            return self.rendering.value(path)
        if isinstance(raw, dict) and name in raw:
            return Value(raw[name], path, self.rendering)
        if isinstance(raw, list) and name.isascii() and name.isdigit() and len(name) < 10 and int(name) < len(raw):
            return Value(raw[int(name)], path, self.rendering)
        return Value(_MISSING, path, self.rendering)

    def __bool__(self) -> bool:
        return (self.is_missing and self.rendering.has_columns(self.path)) or bool(self.known())


@pass_context
def value_of(context: Context, name: str) -> Value:
    """Return the value of a name in the data."""
    rendering: Rendering = context.parent[STATE]
    return rendering.value(name)


def filter_function(kind: Filter) -> Callable[..., Value]:
    """Return a filter of Jinja that takes the value, the number of its tag and the arguments."""

    @pass_context
    def apply(context: Context, value: Any, number: int, *arguments: Any) -> Value:
        known = _value(context, value)
        if known.is_missing:
            return Value(arguments[0], known.path, known.rendering) if kind.is_default else known
        made = _guarded(known.rendering, number, known.path, kind.apply, known.raw, *arguments)
        return Value(made, known.path, known.rendering)

    return apply


def comparison(sign: str) -> Callable[..., bool]:
    """Return a test of Jinja that compares two values; its last argument is the number of the tag."""

    @pass_context
    def compare(context: Context, left: Any, right: Any, number: int) -> bool:
        first, second = _value(context, left), _value(context, right)
        return bool(_guarded(first.rendering, number, None, _compared, sign, first.known(), second.known()))

    return compare


@pass_context
def print_value(context: Context, value: Any, number: int) -> Markup:
    """Return the markup of a value in a text."""
    known = _value(context, value)
    rendering, path, raw = known.rendering, known.path, known.known()
    tag = rendering.tags[number]
    if known.is_missing and rendering.policy == "keep":
        raw = tag.source
    if raw in (None, "") and path:
        rendering.blank[path] = None
    return Markup(_guarded(rendering, number, path, rendering.show, raw, path, tag))  # noqa: S704  # `show` escapes


@pass_context
def loop_items(context: Context, value: Any, number: int) -> list[Value]:
    """Return what a loop repeats."""
    known = _value(context, value)
    rendering, path, raw = known.rendering, known.path, known.known()
    if not isinstance(raw, list | None):
        raise DataError(f"{path or 'the value'} must be a list, got {quote(raw)}", rendering.tags[number])
    rendering.count(len(raw or ()))
    return [Value(item, f"{path}.{index}", rendering) for index, item in enumerate(raw or ())]


def _value(context: Context, value: Any) -> Value:
    return value if isinstance(value, Value) else Value(value, "", context.parent[STATE])


def _guarded(rendering: Rendering, number: int, path: str | None, function: Callable[..., Any], *args: Any) -> Any:
    """Call a function on values; its problem names the tag and the value, unless the path is None."""
    try:
        return function(*args)
    except ValueProblem as problem:
        reason = str(problem) if path is None else f"{path or 'the value'} {problem}"
    except DataError as error:
        error.tag = error.tag or rendering.tags[number]
        raise
    raise DataError(reason, rendering.tags[number]) from None


def _compared(sign: str, left: Any, right: Any) -> bool:
    if sign in ("in", "not in"):
        return is_in(left, right) == (sign == "in")
    return are_equal(left, right) == (sign == "==") if sign in ("==", "!=") else is_ordered(sign, left, right)
