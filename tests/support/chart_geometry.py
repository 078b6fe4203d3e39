"""Positions of the texts of an SVG chart, read from the file and measured with the original font."""

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree as ET

from PIL import ImageFont

from mediakit.engines.drawing.typeface import UNITS, typeface
from mediakit.engines.fonts import SUBSETS, _spans, font_path

SVG = "{http://www.w3.org/2000/svg}"
TOP, BOTTOM = 0.7, 0.18
"""Height of letters above and below the baseline, in em; a little less than ascenders and descenders."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Placed:
    """A line of text and the corners of its rectangle."""

    content: str
    full: str
    corners: tuple[Point, ...]

    def overlaps(self, other: "Placed") -> bool:
        """Return whether two lines overlap, by the separating axis theorem."""
        for one, two in (*_sides(self.corners)[:2], *_sides(other.corners)[:2]):
            axis = (two[1] - one[1], one[0] - two[0])
            first, second = (_projection(each.corners, axis) for each in (self, other))
            if first[1] <= second[0] + 1e-6 or second[1] <= first[0] + 1e-6:
                return False
        return True


def parsed(svg: bytes) -> ET.Element:
    """Return the root element of an SVG file."""
    return ET.fromstring(svg.decode())


def placed(svg: bytes) -> list[Placed]:
    """Return every line of text with its position."""
    return [_placed(text, group) for group in parsed(svg).iter(f"{SVG}g") for text in group.iter(f"{SVG}text")]


def has_only_numbers(svg: bytes) -> bool:
    """Return whether no attribute of an element contains NaN or infinity."""
    shapes = (value for each in parsed(svg).iter() for value in each.attrib.values())
    return not any(word in value for value in shapes for word in ("nan", "inf"))


def line_texts(svg: bytes) -> list[str]:
    """Return the content of all lines of text."""
    return [line.content for line in placed(svg)]


def overlaps(lines: list[Placed]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of lines that overlap."""
    for place, one in enumerate(lines):
        yield from ((one.content, other.content) for other in lines[:place] if one.overlaps(other))


def outside(lines: list[Placed], width: int, height: int) -> Iterator[str]:
    """Yield the lines that leave the image."""
    for line in lines:
        if any(not (-0.5 <= x <= width + 0.5 and -0.5 <= y <= height + 0.5) for x, y in line.corners):
            yield line.content


def _placed(text: ET.Element, group: ET.Element) -> Placed:
    title = text.find(f"{SVG}title")
    content = (title.tail if title is not None else text.text) or ""
    size, weight = float(group.get("font-size", "")), int(group.get("font-weight", "400"))
    width = sum(_em_width(char, weight) for char in content) * size
    x, y = float(text.get("x", "")), float(text.get("y", ""))
    left = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[group.get("text-anchor", "start")]
    top, bottom = y - TOP * size, y + BOTTOM * size
    corners = [(left, top), (left + width, top), (left + width, bottom), (left, bottom)]
    rotation = re.match(r"rotate\((-?[\d.]+) ", text.get("transform", "rotate(0 "))
    assert rotation
    angle = math.radians(float(rotation[1]))
    full = (title.text if title is not None else content) or ""
    return Placed(content, full, tuple(_rotated(corner, (x, y), angle) for corner in corners))


@cache
def _em_width(char: str, weight: int) -> float:
    """Return the advance in the font file, else in the typeface of charts, else an estimate for system fonts."""
    if unicodedata.category(char) in ("Mn", "Me", "Cf", "Cc"):
        return 0.0
    covering = (name for name in SUBSETS if any(first <= ord(char) <= last for first, last in _spans(name)))
    if subset := next(covering, None):
        font = ImageFont.truetype(font_path("sans", subset), 1000, layout_engine=ImageFont.Layout.BASIC)
        font.set_variation_by_axes([weight])
        return font.getlength(char) / 1000
    own = typeface(600 if weight == 600 else 400)
    if char in own:
        return own.advance(char) / UNITS
    return 1.3 if ord(char) >= 0x1F000 else 1.0 if unicodedata.east_asian_width(char) in "WFA" else 0.62


def _rotated(point: Point, around: Point, angle: float) -> Point:
    x, y = point[0] - around[0], point[1] - around[1]
    sine, cosine = math.sin(angle), math.cos(angle)
    return around[0] + x * cosine - y * sine, around[1] + x * sine + y * cosine


def _sides(corners: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))


def _projection(corners: tuple[Point, ...], axis: Point) -> tuple[float, float]:
    along = [x * axis[0] + y * axis[1] for x, y in corners]
    return min(along), max(along)
