"""Areas of an image, written as `left,top,width,height` in pixels or percent."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Self

from mediakit.engines.raster.geometry import Size, round_half_up
from mediakit.errors import InvalidInput

RULE = "must be left,top,width,height in pixels or percent, such as 100,50,640,480 or 10%,0%,80%,100%"

_LENGTH = re.compile(r"(\d{1,5})|(\d{1,3}(?:\.\d{1,6})?)%", re.ASCII)


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
            raise ValueError(f"{RULE}, got {text[:60]!r}.")
        left, top, width, height = (length for length in lengths if length)
        if not width.value or not height.value:
            raise ValueError(f"{RULE}; width and height must be more than 0, got {text[:60]!r}.")
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
