"""Values of any shape: what is ignored in them, and which of them are equal."""

from collections.abc import Hashable, Sequence
from typing import Any

from mediakit.tools.data.data_diff.cells import folded, is_close
from mediakit.tools.data.data_diff.json_paths import PathMatcher
from mediakit.tools.data.data_diff.options import DiffOptions


class _Ignored:
    """An element of an array that is ignored; it keeps its place."""


IGNORED = _Ignored()


def pruned(value: Any, matcher: PathMatcher, state: frozenset[tuple[int, int]] | None = None) -> Any:
    """Return a value without the members and elements that paths lead to."""
    state = matcher.start if state is None else state
    if isinstance(value, dict):
        steps = ((name, item, matcher.step(state, name)) for name, item in value.items())
        return {name: pruned(item, matcher, following) for name, item, following in steps if following is not None}
    if isinstance(value, list):
        found = ((item, matcher.step(state, place)) for place, item in enumerate(value))
        return [IGNORED if following is None else pruned(item, matcher, following) for item, following in found]
    return value


def without_ignored(value: Any) -> Any:
    """Return a value as it is written: without the elements that are ignored."""
    if isinstance(value, dict):
        return {name: without_ignored(item) for name, item in value.items()}
    if isinstance(value, list):
        return [without_ignored(item) for item in value if item is not IGNORED]
    return value


class Identities:
    """Numbers of values: equal values have the same number. Numbers within a tolerance are not equal here."""

    def __init__(self, options: DiffOptions) -> None:
        self._options = options
        self._numbers: dict[Hashable, int] = {}
        self._containers: dict[int, int] = {}

    def of(self, value: Any) -> int:
        """Return the number of a value; those of its parts are kept, because they are needed next."""
        if isinstance(value, dict | list):
            known = self._containers.get(id(value))
            if known is None:
                known = self._containers[id(value)] = self._number(self._content(value))
            return known
        return self._number(self._scalar(value))

    def of_member(self, name: str, value: Any) -> int:
        """Return the number of a member: its name with its value."""
        return self._number(("member", name, self.of(value)))

    def are_same(self, first: Any, second: Any) -> bool:
        """Return whether two values count as equal; two numbers may differ by a tolerance."""
        if self.of(first) == self.of(second):
            return True
        return self._options.is_tolerant and is_close(first, second, self._options)

    def _content(self, value: dict[str, Any] | list[Any]) -> Hashable:
        if isinstance(value, dict):
            return "object", frozenset((name, self.of(item)) for name, item in value.items())
        return "array", tuple(map(self.of, value))

    def _scalar(self, value: Any) -> Hashable:
        return type(value) is bool, folded(value, self._options)

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def is_array_of_rows(value: Any) -> bool:
    """Return whether a value is an array of objects, or an array of arrays, as tables are."""
    if not isinstance(value, list):
        return False
    kinds = {type(item) for item in value}
    return kinds in ({dict}, {list}, set())


def common_ends(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[int, int]:
    """Return the lengths of the common start and of the common end of two sequences; they do not overlap."""
    most = min(len(first), len(second))
    start = 0
    while start < most and first[start] == second[start]:
        start += 1
    end = 0
    while end < most - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return start, end
