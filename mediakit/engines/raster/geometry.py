"""Sizes and offsets: the five fits and the fixed positions, with the rounding of sharp and libvips."""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

Fit = Literal["cover", "contain", "fill", "inside", "outside"]
FixedPosition = Literal[
    "center", "top", "right top", "right", "right bottom", "bottom", "left bottom", "left", "left top"
]
Strategy = Literal["entropy", "attention"]
Position = Literal[FixedPosition, Strategy]


class Size(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int

    @property
    def pixels(self) -> int:
        """How many pixels that makes."""
        return self.width * self.height


class Offset(NamedTuple):
    """Where the top left corner of the smaller rectangle lies inside the larger one."""

    left: int
    top: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What becomes of a picture: scaled as a whole, then cropped or letterboxed."""

    scaled: Size
    """The whole picture after scaling."""
    output: Size
    """Smaller than `scaled` on a side that is cropped, larger on one that is letterboxed."""

    @property
    def crops(self) -> bool:
        """Whether something of the picture is cut off."""
        return self.output.width < self.scaled.width or self.output.height < self.scaled.height


def plan(source: Size, width: int | None, height: int | None, fit: Fit) -> Plan:
    """Decide the sizes; with one side given the other follows, with none the picture keeps its size."""
    if width is None or height is None:
        scaled = _following(source, width, height)
        return Plan(scaled, scaled)
    asked = Size(width, height)
    if fit == "fill":
        return Plan(asked, asked)
    shrinks = source.width / width, source.height / height
    shrink = max(shrinks) if fit in ("contain", "inside") else min(shrinks)
    scaled = Size(_scaled(source.width, shrink), _scaled(source.height, shrink))
    return Plan(scaled, asked if fit in ("cover", "contain") else scaled)


def crop_offset(plan: Plan, position: FixedPosition) -> Offset:
    """Place the crop; halves round up, as in sharp."""
    return _place(plan.scaled, plan.output, position, rounding=1)


def letterbox_offset(plan: Plan, position: Position) -> Offset:
    """Place the picture on its canvas; halves round down, and a strategy means the centre, as in sharp."""
    return _place(plan.output, plan.scaled, position, rounding=0)


def _following(source: Size, width: int | None, height: int | None) -> Size:
    if width is not None:
        return Size(width, _scaled(source.height, source.width / width))
    if height is not None:
        return Size(_scaled(source.width, source.height / height), height)
    return source


def _scaled(side: int, shrink: float) -> int:
    """Scale one side: halves round up, and no side vanishes. The order of operations is that of libvips."""
    return max(1, math.floor(side * (1.0 / shrink) + 0.5))


def _place(outer: Size, inner: Size, position: Position, *, rounding: int) -> Offset:
    words = position.split()
    return Offset(
        _along(outer.width - inner.width, "left" in words, "right" in words, rounding),
        _along(outer.height - inner.height, "top" in words, "bottom" in words, rounding),
    )


def _along(free: int, at_start: bool, at_end: bool, rounding: int) -> int:  # noqa: FBT001 - two ends of one axis
    if at_start:
        return 0
    return free if at_end else (free + rounding) // 2
