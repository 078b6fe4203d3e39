"""Sizes, areas and offsets: the five fits, the fixed positions, and content-aware crops.

The strategies `entropy` and `attention` are those of libvips' smartcrop, computed on a small copy, with its constants.
Attention scores edges, skin tones and saturated colors, like smartcrop.js.
"""

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, Self

from PIL import Image
from pydantic import BeforeValidator

from mediakit.core.fields import POSITION_SYNONYMS, normalize_position
from mediakit.core.fields import Position as FixedPosition
from mediakit.engines.raster.color import linearize
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


def plan(source: Size, width: int | None, height: int | None, fit: Fit, *, enlarge: bool = True) -> Plan:
    """Compute the sizes for an upright image. With one side given the other follows; with none it keeps its size.

    The aspect ratio is exact: a side is its share of the source, rounded half up, for every input format.
    """
    if width is None and height is None:
        return Plan(source, source)
    targets = zip((width, height), source, strict=True)
    factors = [Fraction(target, side) for target, side in targets if target is not None]
    if fit != "fill" or len(factors) == 1:
        factors = [min(factors) if fit in ("contain", "inside") else max(factors)] * 2
    if not enlarge:
        factors = [min(factor, Fraction(1)) for factor in factors]
    sides = zip(source, factors, strict=True)
    scaled = Size(*(max(1, round_half_up(side * factor)) for side, factor in sides))
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


def round_half_up(value: Fraction) -> int:
    """Return the nearest integer; halves are rounded up."""
    return math.floor(value + Fraction(1, 2))


def _place(outer: Size, inner: Size, position: Position, *, rounding: int) -> Offset:
    """Return the place of a rectangle in another one. Where it is centered, half a pixel is rounded up by 1."""
    sides = position.split()
    width, height = outer.width - inner.width, outer.height - inner.height
    left = 0 if "left" in sides else width if "right" in sides else (width + rounding) // 2
    top = 0 if "top" in sides else height if "bottom" in sides else (height + rounding) // 2
    return Offset(left, top)


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
        found = [match for part in parts if (match := _LENGTH.fullmatch(part))]
        if len(found) != 4 or len(parts) != 4:
            raise ValueError(f"{AREA_RULE}, got {text[:60]!r}.")
        left, top, width, height = (Length(Fraction(match[1] or match[2]), match[1] is None) for match in found)
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


def _edges(start: Length, extent: Length, side: int) -> tuple[int, int]:
    """Return the first pixel and the pixel after the last one; at least one pixel inside the side if the start is."""
    first = start.pixels(side)
    begin, end = round_half_up(first), round_half_up(first + extent.pixels(side))
    if begin == end:
        begin, end = (begin - 1, end) if begin == side else (begin, begin + 1)
    return begin, end


MAX_SEARCH_PIXELS = 2_000_000
"""Maximum pixels of the copy for the entropy search."""

_GRID_SIDE = 32
"""Side of the copy for the attention search, in pixels."""
_MAX_SLICES = 8
"""Maximum number of steps of the entropy search on the longer side."""
_SKIN_TONE = (0.78, 0.57, 0.44)
_MIN_LUMINANCE = 5.0
"""Colors with a Y (CIE XYZ) up to this value score 0."""
_WHITE = (95.047, 100.0, 108.8827)
_MATRIX = ((41.24, 35.76, 18.056), (21.26, 71.52, 7.22), (1.93, 11.92, 95.05))
"""From linear red, green and blue to CIE XYZ, with Y from 0 to 100 (IEC 61966-2-1)."""


def search_size(plan: Plan, strategy: Strategy) -> Size:
    """Return the size of the copy to search. For entropy, it is the size of the scaled image, up to a limit."""
    if strategy == "attention":
        return Size(_GRID_SIDE, _GRID_SIDE)
    factor = math.sqrt(MAX_SEARCH_PIXELS / plan.scaled.pixels)
    if factor >= 1:
        return plan.scaled
    return Size(*(max(1, round(side * factor)) for side in plan.scaled))


def find_crop(copy: Image.Image, plan: Plan, strategy: Strategy) -> Offset:
    """Return the top left corner of the crop with the highest score; `copy` is the whole image in `search_size`."""
    # Premultiplied, so that transparent areas do not score.
    bands = copy.convert("RGBA").convert("RGBa") if copy.mode in ("LA", "RGBA") else copy
    if strategy == "attention":
        return _by_attention(bands, plan)
    factors = [whole / small for whole, small in zip(plan.scaled, copy.size, strict=True)]
    sides = zip(plan.output, factors, copy.size, strict=True)
    crop_size = Size(*(min(limit, max(1, round(side / factor))) for side, factor, limit in sides))
    corner = _by_entropy(bands, crop_size)
    largest = (whole - kept for whole, kept in zip(plan.scaled, plan.output, strict=True))
    offsets = zip(corner, factors, largest, strict=True)
    return Offset(*(min(limit, round(position * factor)) for position, factor, limit in offsets))


def _by_entropy(image: Image.Image, size: Size) -> Offset:
    """Compare opposite edges, and remove the slice with the lower entropy until the size is reached."""
    left, top, right, bottom = 0, 0, *image.size
    step = max(math.ceil((right - size.width) / _MAX_SLICES), math.ceil((bottom - size.height) / _MAX_SLICES))
    while right - left > size.width or bottom - top > size.height:
        if slice_size := min(right - left - size.width, step):
            first = image.crop((left, top, left + slice_size, bottom)).entropy()
            last = image.crop((right - slice_size, top, right, bottom)).entropy()
            left, right = (left + slice_size, right) if first < last else (left, right - slice_size)
        if slice_size := min(bottom - top - size.height, step):
            first = image.crop((left, top, right, top + slice_size)).entropy()
            last = image.crop((left, bottom - slice_size, right, bottom)).entropy()
            top, bottom = (top + slice_size, bottom) if first < last else (top, bottom - slice_size)
    return Offset(left, top)


def _by_attention(grid: Image.Image, plan: Plan) -> Offset:
    """Return the crop centered on the point with the highest score, moved into the image if necessary."""
    import numpy as np

    (width, height), kept = plan.scaled, plan.output
    sigma = max(1.0, math.hypot(kept.width * _GRID_SIDE / width, kept.height * _GRID_SIDE / height) / 10)
    weights = np.exp(-(np.arange(_GRID_SIDE) ** 2) / (2 * sigma * sigma))
    mask = np.rint(20 * weights[weights >= 0.2])  # half of a Gaussian kernel, from its center
    scores = _scores(grid)
    for _ in range(2):  # blur along the rows and transpose, then the columns
        padded = np.pad(scores, ((0, 0), (len(mask) - 1, len(mask) - 1)), "edge")
        kernel = np.concatenate((mask[:0:-1], mask))
        scores = np.lib.stride_tricks.sliding_window_view(padded, len(kernel), axis=1).dot(kernel).T
    top, left = divmod(int(scores.argmax()), _GRID_SIDE)
    x, y = int(left * width / _GRID_SIDE), int(top * height / _GRID_SIDE)
    return Offset(
        max(0, min(width - kept.width, x - kept.width // 2)), max(0, min(height - kept.height, y - kept.height // 2))
    )


def _scores(grid: Image.Image) -> Any:
    """Score each point of the grid by edges, by likeness to skin, and by how red it is (a* of CIE Lab)."""
    import numpy as np

    bands = (grid.convert("RGB") if grid.mode == "L" else grid).split()[:3]
    xyz = linearize(np.stack([np.asarray(band) for band in bands], axis=2) / 255) @ np.transpose(_MATRIX)
    y = xyz[..., 1]
    around = np.pad(y, 1, "edge")
    edges = np.abs(4 * y - around[1:-1, :-2] - around[1:-1, 2:] - around[:-2, 1:-1] - around[2:, 1:-1])
    magnitude = np.maximum(np.linalg.norm(xyz, axis=2, keepdims=True), 1e-9)
    skin = 100 - 100 * np.linalg.norm(xyz / magnitude - _SKIN_TONE, axis=2)
    white = xyz[..., :2] / _WHITE[:2]
    lightness = np.where(white > 0.008856, np.cbrt(white), 7.787 * white + 16 / 116)
    redness = lightness[..., 0] - lightness[..., 1]
    return 5 * edges + np.where(y > _MIN_LUMINANCE, skin + 500 * redness, 0)
