"""Sizes and offsets: the five fits and the fixed positions, with the rounding of sharp and libvips."""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

from mediakit.engines.raster.formats import InputFormat

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


def plan(
    source: Size,
    width: int | None,
    height: int | None,
    fit: Fit,
    *,
    kind: InputFormat = "png",
    enlarge: bool = True,
) -> Plan:
    """Decide the sizes; with one side given the other follows, with none the picture keeps its size.

    Args:
        source: What the picture measures, upright.
        width: Pixels.
        height: Pixels.
        fit: What to do when both are set and the ratio differs.
        kind: Format of the file: libvips rounds JPEG and WebP twice, once while it loads them.
        enlarge: Whether a side may grow.
    """
    if width is None and height is None:
        return Plan(source, source)
    shrinks = _shrinks(source, width, height, fit, enlarge=enlarge)
    loaded = loaded_size(source, kind, min(shrinks))
    shrinks = _shrinks(loaded, width, height, fit, enlarge=enlarge)
    scaled = Size(_scaled(loaded.width, shrinks[0]), _scaled(loaded.height, shrinks[1]))
    if width is None or height is None or fit not in ("cover", "contain"):
        return Plan(scaled, scaled)
    meets = min if fit == "cover" else max
    return Plan(scaled, Size(meets(scaled.width, width), meets(scaled.height, height)))


def loaded_size(source: Size, kind: InputFormat, shrink: float) -> Size:
    """Tell at what size sharp loads a picture that is going to shrink, because its later rounding depends on that."""
    if kind == "webp" and shrink > 1:
        return Size(_scaled(source.width, shrink), _scaled(source.height, shrink))
    if kind != "jpeg":
        return source
    part = next((part for part in (8, 4, 2) if shrink >= part), 1)
    if int(shrink) == part:  # sharp's way around a rounding error of libjpeg
        part = max(1, part // 2)
    return Size(max(1, source.width // part), max(1, source.height // part))


def crop_offset(plan: Plan, position: FixedPosition) -> Offset:
    """Place the crop; halves round up, as in sharp."""
    return _place(plan.scaled, plan.output, position, rounding=1)


def letterbox_offset(plan: Plan, position: Position) -> Offset:
    """Place the picture on its canvas; halves round down, and a strategy means the centre, as in sharp."""
    return _place(plan.output, plan.scaled, position, rounding=0)


def _shrinks(source: Size, width: int | None, height: int | None, fit: Fit, *, enlarge: bool) -> tuple[float, float]:
    """Tell by what each side is to be divided."""
    sides = ((source.width, width), (source.height, height))
    wanted = [side / asked for side, asked in sides if asked is not None]
    if fit != "fill" or len(wanted) == 1:
        wanted = [max(wanted) if fit in ("contain", "inside") else min(wanted)] * 2
    least = 0.0 if enlarge else 1.0
    return max(wanted[0], least), max(wanted[1], least)


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
