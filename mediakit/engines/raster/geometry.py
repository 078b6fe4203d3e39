"""Sizes, areas and offsets: the five fits, the fixed positions, and areas in pixels or percent."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple, Self

from pydantic import BeforeValidator

from mediakit.core.fields import POSITION_SYNONYMS, normalize_position
from mediakit.core.fields import Position as FixedPosition
from mediakit.errors import InvalidInput

Fit = Literal["cover", "contain", "fill", "inside", "outside"]
Strategy = Literal["entropy", "attention"]
Position = Literal[FixedPosition, Strategy]
PositionField = Annotated[Position, BeforeValidator(normalize_position), POSITION_SYNONYMS]


AREA_RULE = "must be left,top,width,height in pixels or percent, such as 100,50,640,480 or 10%,0%,80%,100%"

_LENGTH = re.compile(r"(\d{1,5})|(\d{1,3}(?:\.\d{1,6})?)%", re.ASCII)


class Size(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int

    @property
    def pixels(self) -> int:
        """Number of pixels."""
        return self.width * self.height


class Offset(NamedTuple):
    """Position of the top left corner of the smaller rectangle inside the larger one."""

    left: int
    top: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes of a conversion: the image is scaled as a whole, then cropped or letterboxed."""

    scaled: Size
    """The whole image after scaling."""
    output: Size
    """The result. Smaller than `scaled` on a side that is cropped, larger on one that is letterboxed."""

    @property
    def crops(self) -> bool:
        """Whether a side of the image is cropped."""
        return self.output.width < self.scaled.width or self.output.height < self.scaled.height


def plan(
    source: Size,
    width: int | None,
    height: int | None,
    fit: Fit,
    *,
    enlarge: bool = True,
) -> Plan:
    """Compute the sizes. With one side given the other follows; with none the image keeps its size.

    The aspect ratio is exact: a side is its share of the source, rounded half up, for every input format.

    Args:
        source: Size of the upright image.
        width: Pixels.
        height: Pixels.
        fit: What to do when both sides are set and the aspect ratio differs.
        enlarge: Whether a side may grow.
    """
    if width is None and height is None:
        return Plan(source, source)
    factors = _scale_factors(source, width, height, fit, enlarge=enlarge)
    scaled = Size(_scaled(source.width, factors[0]), _scaled(source.height, factors[1]))
    if width is None or height is None or fit not in ("cover", "contain"):
        return Plan(scaled, scaled)
    limit = min if fit == "cover" else max
    return Plan(scaled, Size(limit(scaled.width, width), limit(scaled.height, height)))


def crop_offset(plan: Plan, position: FixedPosition) -> Offset:
    """Return the offset of the crop. Halves round up, as in sharp."""
    return _place(plan.scaled, plan.output, position, rounding=1)


def letterbox_offset(plan: Plan, position: Position) -> Offset:
    """Return the offset of the image on its canvas. Halves round down; strategies center, as in sharp."""
    return _place(plan.output, plan.scaled, position, rounding=0)


def _scale_factors(
    source: Size, width: int | None, height: int | None, fit: Fit, *, enlarge: bool
) -> tuple[Fraction, Fraction]:
    """Return the factor by which each side is multiplied."""
    sides = ((width, source.width), (height, source.height))
    factors = [Fraction(target, side) for target, side in sides if target is not None]
    if fit != "fill" or len(factors) == 1:
        factors = [min(factors) if fit in ("contain", "inside") else max(factors)] * 2
    if not enlarge:
        factors = [min(factor, Fraction(1)) for factor in factors]
    return factors[0], factors[1]


def _scaled(side: int, factor: Fraction) -> int:
    """Scale one side, rounded half up, to at least one pixel."""
    return max(1, round_half_up(side * factor))


def round_half_up(value: Fraction) -> int:
    """Return the nearest integer; halves are rounded up."""
    return math.floor(value + Fraction(1, 2))


def _place(outer: Size, inner: Size, position: Position, *, rounding: int) -> Offset:
    sides = position.split()
    return Offset(
        _place_on_axis(outer.width - inner.width, "left" in sides, "right" in sides, rounding),
        _place_on_axis(outer.height - inner.height, "top" in sides, "bottom" in sides, rounding),
    )


def _place_on_axis(free: int, at_start: bool, at_end: bool, rounding: int) -> int:  # noqa: FBT001 - two ends of one axis
    if at_start:
        return 0
    return free if at_end else (free + rounding) // 2


class Area(NamedTuple):
    """A rectangle inside an image, in pixels."""

    left: int
    top: int
    width: int
    height: int

    @property
    def size(self) -> Size:
        """Width and height."""
        return Size(self.width, self.height)


class Length(NamedTuple):
    """A length in pixels, or in percent of a side of the image."""

    value: Fraction
    is_percent: bool

    def pixels(self, side: int) -> Fraction:
        """Return the length in pixels; `side` is the side of the image."""
        return self.value * side / 100 if self.is_percent else self.value


@dataclass(frozen=True, slots=True)
class RelativeArea:
    """An area before the size of the image is known."""

    text: str
    """The area as it was written, without spaces."""
    left: Length
    top: Length
    width: Length
    height: Length

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an area.

        Raises:
            ValueError: The text is not an area, or the area is empty.
        """
        parts = [part.strip() for part in text[:100].split(",")]
        lengths = [_length(part) for part in parts]
        if len(lengths) != 4 or None in lengths:
            raise ValueError(f"{AREA_RULE}, got {text[:60]!r}.")
        left, top, width, height = (length for length in lengths if length)
        if not width.value or not height.value:
            raise ValueError(f"{AREA_RULE}; width and height must be more than 0, got {text[:60]!r}.")
        return cls(",".join(parts), left, top, width, height)

    def inside(self, image: Size) -> Area:
        """Return the area in pixels of an image.

        Raises:
            InvalidInput: The area is not inside the image.
        """
        left, right = _edges(self.left, self.width, image.width)
        top, bottom = _edges(self.top, self.height, image.height)
        if right > image.width or bottom > image.height:
            size = f"{image.width} x {image.height}"
            raise InvalidInput(f"crop: must be inside the image of {size} pixels, got {self.text}.")
        return Area(left, top, right - left, bottom - top)


def _length(text: str) -> Length | None:
    match = _LENGTH.fullmatch(text)
    return match and Length(Fraction(match[1] or match[2]), match[1] is None)


def _edges(start: Length, extent: Length, side: int) -> tuple[int, int]:
    """Return the first pixel and the pixel after the last one; at least one pixel inside the side if the start is."""
    first = start.pixels(side)
    begin, end = round_half_up(first), round_half_up(first + extent.pixels(side))
    if begin == end:
        begin, end = (begin - 1, end) if begin == side else (begin, begin + 1)
    return begin, end
