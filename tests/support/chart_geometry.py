"""Where the texts of a chart's SVG really are: read back from the file, measured with the font itself."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from mediakit.engines.templates.fonts import FACES, em_width
from mediakit.tools.images.chart.typeface import UNITS, typeface

SVG = "{http://www.w3.org/2000/svg}"
TOP, BOTTOM = 0.7, 0.18
"""How far letters reach above and below their line, in em; a little less than ascenders and descenders do."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Placed:
    """A line of text and the corners of what it covers."""

    content: str
    full: str
    corners: tuple[Point, ...]

    def meets(self, other: "Placed") -> bool:
        """Tell whether two lines overlap (separating axes)."""
        for one, two in (*_sides(self.corners)[:2], *_sides(other.corners)[:2]):
            axis = (two[1] - one[1], one[0] - two[0])
            mine, theirs = (_shadow(each.corners, axis) for each in (self, other))
            if mine[1] <= theirs[0] + 1e-6 or theirs[1] <= mine[0] + 1e-6:
                return False
        return True


def parsed(svg: bytes) -> ET.Element:
    """Parse the file, as strictly as XML is."""
    return ET.fromstring(svg.decode())


def placed(svg: bytes) -> list[Placed]:
    """Give every line of text with its place."""
    return [_placed(text, group) for group in parsed(svg).iter(f"{SVG}g") for text in group.iter(f"{SVG}text")]


def words(svg: bytes) -> list[str]:
    """Give the lines of text as they are written."""
    return [line.content for line in placed(svg)]


def overlaps(lines: list[Placed]) -> Iterator[tuple[str, str]]:
    """Give the pairs of lines that overlap."""
    for place, one in enumerate(lines):
        yield from ((one.content, other.content) for other in lines[:place] if one.meets(other))


def outside(lines: list[Placed], width: int, height: int) -> Iterator[str]:
    """Give the lines that leave the picture."""
    for line in lines:
        if any(not (-0.5 <= x <= width + 0.5 and -0.5 <= y <= height + 0.5) for x, y in line.corners):
            yield line.content


def _placed(text: ET.Element, group: ET.Element) -> Placed:
    title = text.find(f"{SVG}title")
    content = (title.tail if title is not None else text.text) or ""
    size, weight = float(group.get("font-size", "")), int(group.get("font-weight", "400"))
    wide = sum(_em_width(char, weight) for char in content) * size
    x, y = float(text.get("x", "")), float(text.get("y", ""))
    left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[group.get("text-anchor", "start")]
    top, bottom = y - TOP * size, y + BOTTOM * size
    corners = [(left, top), (left + wide, top), (left + wide, bottom), (left, bottom)]
    turn = re.match(r"rotate\((-?[\d.]+) ", text.get("transform", "rotate(0 "))
    assert turn
    angle = math.radians(float(turn[1]))
    full = (title.text if title is not None else content) or ""
    return Placed(content, full, tuple(_turned(corner, (x, y), angle) for corner in corners))


def _em_width(char: str, weight: int) -> float:
    """Measure with the font's file, or where that lacks a letter that charts have, with theirs."""
    own = typeface(600 if weight == 600 else 400)
    if char in own and not any(face.family == "sans" and face.draws(char) for face in FACES):
        return own.advance(char) / UNITS
    return em_width(char, "sans", weight)


def _turned(point: Point, around: Point, angle: float) -> Point:
    x, y = point[0] - around[0], point[1] - around[1]
    sine, cosine = math.sin(angle), math.cos(angle)
    return around[0] + x * cosine - y * sine, around[1] + x * sine + y * cosine


def _sides(corners: tuple[Point, ...]) -> list[tuple[Point, Point]]:
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))


def _shadow(corners: tuple[Point, ...], axis: Point) -> tuple[float, float]:
    along = [x * axis[0] + y * axis[1] for x, y in corners]
    return min(along), max(along)
