"""JSON paths such as `$.meta.*`: what `ignore` leaves out. RFC 9535 without filters, slices and unions."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from mediakit.errors import InvalidInput

Step = str | int
"""The name of a member, or the index of an element."""

_SEGMENT = re.compile(
    r"(?P<deep>\.\.)?(?:(?(deep)|\.)(?:(?P<name>[^\s.\[\]*'\"]+)|(?P<star>\*))"
    r"|\[(?:(?P<index>\d{1,9})|(?P<any>\*)|'(?P<single>(?:[^'\\]|\\.)*)'|\"(?P<double>(?:[^\"\\]|\\.)*)\")\])"
)
_PLAIN_NAME = re.compile(r"[^\W\d]\w*(?:-\w+)*")
MAX_SEGMENTS = 50


@dataclass(frozen=True)
class Segment:
    """A step of a path, or any step; `is_deep` allows any number of steps before it."""

    kind: Literal["name", "index", "any"]
    value: Step = ""
    is_deep: bool = False

    def matches(self, step: Step) -> bool:
        """Return whether a step is the one described."""
        if self.kind == "any":
            return True
        return self.value == step and isinstance(step, int) == (self.kind == "index")


def parse_path(text: str) -> tuple[Segment, ...]:
    """Return the segments of a path.

    Raises:
        InvalidInput: It is not a path that is supported.
    """
    segments: list[Segment] = []
    place = 1
    while place < len(text):
        match = _SEGMENT.match(text, place)
        if not match or len(segments) == MAX_SEGMENTS:
            raise InvalidInput(f'ignore: "{text[:80]}" is not a JSON path such as $.meta.*, $.items[*].id or $..id.')
        segments.append(_segment(match))
        place = match.end()
    if not segments:
        raise InvalidInput('ignore: "$" would ignore everything.')
    return tuple(segments)


def _segment(match: re.Match[str]) -> Segment:
    is_deep = bool(match["deep"])
    if match["star"] or match["any"]:
        return Segment("any", is_deep=is_deep)
    if match["index"]:
        return Segment("index", int(match["index"]), is_deep)
    quoted = match["single"] if match["single"] is not None else match["double"]
    return Segment("name", match["name"] or re.sub(r"\\(.)", r"\1", quoted or ""), is_deep)


class PathMatcher:
    """The places at which a walk down a document is in several paths."""

    def __init__(self, paths: Sequence[tuple[Segment, ...]]) -> None:
        self._paths = paths
        self.start = frozenset((number, 0) for number in range(len(paths)))
        """The state at the root."""

    def step(self, state: frozenset[tuple[int, int]], step: Step) -> frozenset[tuple[int, int]] | None:
        """Return the state one step further down; None where a path ends there."""
        found = set()
        for number, place in state:
            segment = self._paths[number][place]
            if segment.is_deep:
                found.add((number, place))
            if segment.matches(step):
                if place + 1 == len(self._paths[number]):
                    return None
                found.add((number, place + 1))
        return frozenset(found)

    def matches(self, steps: Sequence[Step]) -> bool:
        """Return whether a path leads to a place or to one above it."""
        state = self.start
        for step in steps:
            following = self.step(state, step)
            if following is None:
                return True
            state = following
        return False


def write_path(steps: Sequence[Step]) -> str:
    """Return a place as a JSON path."""
    return "$" + "".join(map(_written, steps))


def write_pointer(steps: Sequence[Step]) -> str:
    """Return a place as a JSON pointer (RFC 6901)."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def _written(step: Step) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    if _PLAIN_NAME.fullmatch(step):
        return f".{step}"
    return "['" + step.replace("\\", "\\\\").replace("'", "\\'") + "']"
