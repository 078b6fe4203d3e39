"""The differences of two values of any shape, and which of their parts are ignored."""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mediakit.errors import InvalidInput
from mediakit.tools.data.data_diff.cells import Operation, Outcome, folded, is_close, plain, summary
from mediakit.tools.data.data_diff.request import DataDiffRequest
from mediakit.tools.data.data_diff.rows import align, best_path

Step = str | int
"""The name of a member, or the index of an element."""

_SEGMENT = re.compile(
    r"(?P<deep>\.\.)?(?:(?(deep)|\.)(?:(?P<name>[^\s.\[\]*'\"]+)|(?P<star>\*))"
    r"|\[(?:(?P<index>\d{1,9})|(?P<any>\*)|'(?P<single>(?:[^'\\]|\\.)*)'|\"(?P<double>(?:[^\"\\]|\\.)*)\")\])"
)
_PLAIN_NAME = re.compile(r"[^\W\d]\w*(?:-\w+)*")
MAX_SEGMENTS = 50
MAX_PATTERN_BYTES = 256_000_000
_ANY_STEP = "[/#][^/#]*"


def compile_paths(paths: Iterable[str]) -> Any:
    """Compile JSON paths to a pattern of the places that they lead to, and of those below, as `add_step` writes them.

    Raises:
        InvalidInput: One is not a path that is supported.
    """
    import re2

    options = re2.Options()
    options.max_mem = MAX_PATTERN_BYTES
    return re2.compile(f"(?s)(?:{'|'.join(map(_pattern_of, paths))})(?:[/#].*)?", options)


def _pattern_of(path: str) -> str:
    import re2

    steps: list[str] = []
    place = 1
    while place < len(path):
        match = _SEGMENT.match(path, place)
        if not match or len(steps) == MAX_SEGMENTS:
            raise InvalidInput(f'ignore: "{path[:80]}" is not a JSON path such as $.meta.*, $.items[*].id or $..id.')
        place = match.end()
        step = _ANY_STEP
        if not (match["star"] or match["any"]):
            quoted = match["single"] if match["single"] is not None else match["double"]
            name = match["name"] or re.sub(r"\\(.)", r"\1", quoted or "")
            step = re2.escape(add_step("", int(match["index"]) if match["index"] else name))
        steps.append(f"(?:{_ANY_STEP})*{step}" if match["deep"] else step)
    if not steps:
        raise InvalidInput('ignore: "$" would ignore everything.')
    return "".join(steps)


def add_step(place: str, step: Step) -> str:
    """Return the place of a member, or of an element, of the value at a place: `/name`, or `#0`."""
    if isinstance(step, int):
        return f"{place}#{step}"
    name = step.replace("~", "~0").replace("/", "~1").replace("#", "~2")
    return f"{place}/{name.encode('utf-8', 'replace').decode()}"


def write_pointer(steps: Sequence[Step]) -> str:
    """Return a place as a JSON pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def _written(step: Step) -> str:
    """Return a step as a JSON path has it."""
    if isinstance(step, int):
        return f"[{step}]"
    if _PLAIN_NAME.fullmatch(step):
        return f".{step}"
    return "['" + step.replace("\\", "\\\\").replace("'", "\\'") + "']"


IGNORED = object()
"""An element of an array that is ignored; it keeps its place."""


def pruned(value: Any, ignored: Any, place: str = "") -> Any:
    """Return a value without the members and elements whose places match a pattern of `compile_paths`."""
    if isinstance(value, dict):
        members = ((name, item, add_step(place, name)) for name, item in value.items())
        return {name: pruned(item, ignored, at) for name, item, at in members if not ignored.fullmatch(at)}
    if isinstance(value, list):
        elements = ((item, add_step(place, index)) for index, item in enumerate(value))
        return [IGNORED if ignored.fullmatch(at) else pruned(item, ignored, at) for item, at in elements]
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

    def __init__(self, options: DataDiffRequest) -> None:
        self._options = options
        self._numbers: dict[Hashable, int] = {}
        self._containers: dict[int, int] = {}

    def of(self, value: Any) -> int:
        """Return the number of a value; those of its parts are kept, because they are needed next."""
        if isinstance(value, dict | list):
            known = self._containers.get(id(value))
            if known is None:
                if isinstance(value, dict):
                    content: Hashable = ("object", frozenset((name, self.of(item)) for name, item in value.items()))
                else:
                    content = ("array", tuple(map(self.of, value)))
                known = self._containers[id(value)] = self._number(content)
            return known
        return self._number((type(value) is bool, folded(value, self._options)))

    def of_member(self, name: str, value: Any) -> int:
        """Return the number of a member: its name with its value."""
        return self._number(("member", name, self.of(value)))

    def are_same(self, first: Any, second: Any) -> bool:
        """Return whether two values count as equal; two numbers may differ by a tolerance."""
        if self.of(first) == self.of(second):
            return True
        return self._options.is_tolerant and is_close(first, second, self._options)

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))


def is_array_of_rows(value: Any) -> bool:
    """Return whether a value is an array of objects, or an array of arrays, as tables are."""
    if not isinstance(value, list):
        return False
    return {type(item) for item in value} in ({dict}, {list}, set())


MAX_OPERATIONS = 100_000

_IDENTIFIERS = ("id", "_id", "uuid", "key", "code", "name", "title")
"""Members by which an object of an array is recognized."""

_MAX_COMPARED = 40_000
"""Pairs of elements of a gap whose similarity is calculated; the elements of a larger gap are paired in order."""

Steps = tuple[Step, ...]


@dataclass
class TreeDiff:
    """What was added, removed and changed, by place."""

    options: DataDiffRequest
    identities: Identities
    added: list[dict[str, Any]] = field(default_factory=list)
    removed: list[dict[str, Any]] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("added", "removed", "changed"), 0))
    patch: list[Operation] = field(default_factory=list)

    def compare(self, first: Any, second: Any, steps: Steps = (), steps2: Steps = ()) -> None:
        """Compare two values at their places in both documents; the patch has the place in the first one."""
        if first is IGNORED or second is IGNORED or self.identities.of(first) == self.identities.of(second):
            return
        if isinstance(first, dict) and isinstance(second, dict):
            self._compare_objects(first, second, steps, steps2)
        elif isinstance(first, list) and isinstance(second, list):
            self._compare_arrays(first, second, steps, steps2)
        elif not self.identities.are_same(first, second):
            change = {"path": steps, "path2": steps2, "from": first, "to": second}
            self._note("changed", self.changed, change)
            self._operate("replace", steps, second)

    def _compare_objects(self, first: dict[str, Any], second: dict[str, Any], steps: Steps, steps2: Steps) -> None:
        for name, value in first.items():
            if name in second:
                self.compare(value, second[name], (*steps, name), (*steps2, name))
            else:
                self._note("removed", self.removed, {"path": (*steps, name), "value": value})
                self._operate("remove", (*steps, name))
        for name, value in second.items():
            if name not in first:
                self._note("added", self.added, {"path": (*steps2, name), "value": value})
                self._operate("add", (*steps, name), value)

    def _compare_arrays(self, first: list[Any], second: list[Any], steps: Steps, steps2: Steps) -> None:
        pairs = self._paired(first, second)
        for place, place2 in pairs:
            self.compare(first[place], second[place2], (*steps, place), (*steps2, place2))
        found, found2 = {one for one, _ in pairs}, {two for _, two in pairs}
        removed = [place for place in range(len(first)) if place not in found]
        for place in removed:
            self._note("removed", self.removed, {"path": (*steps, place), "value": first[place]})
        for place in reversed(removed):
            self._operate("remove", (*steps, place))
        for place2 in range(len(second)):
            if place2 not in found2:
                self._note("added", self.added, {"path": (*steps2, place2), "value": second[place2]})
                self._operate("add", (*steps, place2), second[place2])

    def _paired(self, first: list[Any], second: list[Any]) -> list[tuple[int, int]]:
        """Return pairs of elements in ascending order: equal ones, and between them those that are alike."""
        equal = align([*map(self.identities.of, first)], [*map(self.identities.of, second)])
        found: list[tuple[int, int]] = []
        place = place2 = 0
        for one, two in [*equal, (len(first), len(second))]:
            found += self._pair_gap(first, second, range(place, one), range(place2, two))
            if one < len(first):
                found.append((one, two))
            place, place2 = one + 1, two + 1
        return found

    def _pair_gap(self, first: list[Any], second: list[Any], places: range, places2: range) -> list[tuple[int, int]]:
        if not places or not places2:
            return []
        if len(places) * len(places2) > _MAX_COMPARED:
            names = [self._identifier(first[place]) for place in places]
            names2 = [self._identifier(second[place]) for place in places2]
            if any(name is not None for name in names):
                return [(places[one], places2[two]) for one, two in align(names, names2) if names[one] is not None]
            pairs = zip(places, places2, strict=False)
            return [(one, two) for one, two in pairs if self._likeness(first[one], second[two])]
        scores = [[self._likeness(first[one], second[two]) for two in places2] for one in places]
        return [(places[one], places2[two]) for one, two in best_path(scores)]

    def _identifier(self, value: Any) -> int | None:
        name = next((name for name in _IDENTIFIERS if name in value), None) if isinstance(value, dict) else None
        return None if name is None else self.identities.of_member(name, value[name])

    def _likeness(self, first: Any, second: Any) -> float:
        """Return how alike two elements are, 0 to 1; 0 is a pair that is not compared any further."""
        if isinstance(first, dict) and isinstance(second, dict):
            for name in _IDENTIFIERS:
                if name in first and name in second and not isinstance(first[name], dict | list):
                    if self.identities.are_same(first[name], second[name]):
                        return 1.0
                    if name in _IDENTIFIERS[:3]:
                        return 0.0
            names = first.keys() | second.keys()
            if not names:
                return 0.5
            same = sum(self.identities.are_same(first[name], second[name]) for name in first.keys() & second.keys())
            nested = any(isinstance(first[name], dict | list) for name in first.keys() & second.keys())
            return same / len(names) * 0.9 or (0.05 if nested or len(names) == 1 else 0.0)
        if isinstance(first, list) and isinstance(second, list):
            return 0.2
        return 0.1 if not isinstance(first, dict | list) and not isinstance(second, dict | list) else 0.0

    def _note(self, kind: str, found: list[dict[str, Any]], entry: dict[str, Any]) -> None:
        if entry.get("value") is IGNORED:
            return
        self.counts[kind] += 1
        if len(found) < self.options.max_changes:
            found.append(entry)

    def _operate(self, name: str, steps: Steps, *value: Any) -> None:
        if self.options.format == "patch" and len(self.patch) <= MAX_OPERATIONS:
            values = {"value": without_ignored(value[0])} if value else {}
            self.patch.append({"op": name, "path": write_pointer(steps), **values})


def diff_trees(first: Any, second: Any, options: DataDiffRequest) -> Outcome:
    """Compare two values of any shape.

    Raises:
        InvalidInput: `ignore` has an entry that is not a JSON path, or an option needs tables.
    """
    if options.key:
        raise InvalidInput("key: requires mode table; these documents are compared as trees.")
    if options.rename:
        raise InvalidInput("rename: requires mode table; these documents are compared as trees.")
    for entry in options.ignore:
        if not entry.startswith("$"):
            raise InvalidInput(f'ignore: "{entry[:80]}" is not a JSON path such as $.meta.*, $.items[*].id or $..id.')
    ignored = compile_paths(options.ignore) if options.ignore else None
    one, two = (pruned(value, ignored) if ignored else value for value in (first, second))
    diff = TreeDiff(options, Identities(options))
    diff.compare(one, two)
    if len(diff.patch) > MAX_OPERATIONS:
        diff.patch = [{"op": "replace", "path": "", "value": second}]
    fields = {
        "same": not any(diff.counts.values()),
        "mode": "tree",
        "summary": summary(**diff.counts),
        "added": [_entry(each) for each in diff.added],
        "removed": [_entry(each) for each in diff.removed],
        "changed": [_entry(each) for each in diff.changed],
        "columns": {"added": [], "removed": [], "renamed": [], "type_changed": [], "moved": []},
        "key": None,
        "key_found": False,
        "duplicate_keys": [],
        "truncated": max(diff.counts.values()) > options.max_changes,
    }
    return Outcome(fields, {"rows": None, "rows2": None, "columns": None, "columns2": None}, diff.patch)


def _entry(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        name: "$" + "".join(map(_written, value)) if name.startswith("path") else _plain(without_ignored(value))
        for name, value in entry.items()
    }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else plain(value)
