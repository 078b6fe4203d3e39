"""Cuts areas out of polygons and lines."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from mediakit.tools.pdf.pdf_redact.marks import Box

Point = tuple[float, float]
Polygon = list[Point]

CURVE_STEPS = 16
"""Lines that stand for a Bézier curve."""


def curve(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    """Return points of a cubic Bézier curve, without its start."""
    points: list[Point] = []
    for step in range(1, CURVE_STEPS + 1):
        t = step / CURVE_STEPS
        weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3
        corners = (start, first, second, end)
        points.append(
            (
                sum(weight * x for weight, (x, _) in zip(weights, corners, strict=True)),
                sum(weight * y for weight, (_, y) in zip(weights, corners, strict=True)),
            )
        )
    return points


def cut_polygons(polygons: Iterable[Polygon], area: Box) -> list[Polygon]:
    """Return the parts of filled polygons outside of an area; together they are filled by the same rule."""
    left, bottom, right, top = area
    found: list[Polygon] = []
    for polygon in polygons:
        middle = _half(_half(polygon, 0, left, 1), 0, right, -1)
        parts = (
            _half(polygon, 0, left, -1),
            _half(polygon, 0, right, 1),
            _half(middle, 1, bottom, -1),
            _half(middle, 1, top, 1),
        )
        found += [part for part in parts if len(part) > 2]
    return found


def cut_lines(lines: Iterable[Polygon], area: Box) -> list[Polygon]:
    """Return the parts of lines outside of an area."""
    return [part for line in lines for part in _outside(line, area)]


def _half(polygon: Sequence[Point], axis: int, edge: float, sign: int) -> Polygon:
    """Return the part of a polygon on one side of an edge (Sutherland and Hodgman)."""
    found: Polygon = []
    for start, end in zip([*polygon[-1:], *polygon[:-1]], polygon, strict=True):
        before, after = sign * (start[axis] - edge), sign * (end[axis] - edge)
        if (before < 0) != (after < 0):
            found.append(_between(start, end, before / (before - after)))
        if after >= 0:
            found.append(end)
    return found


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])


def _outside(line: Polygon, area: Box) -> Iterator[Polygon]:
    part: Polygon = line[:1]
    for start, end in pairwise(line):
        inside = _inside(start, end, area)
        if inside is None:
            part.append(end)
            continue
        if inside[0] > 0:
            part.append(_between(start, end, inside[0]))
        if len(part) > 1:
            yield part
        part = [_between(start, end, inside[1]), end] if inside[1] < 1 else [end]
    if len(part) > 1:
        yield part


def _inside(start: Point, end: Point, area: Box) -> tuple[float, float] | None:
    """Return which part of a line is in an area (Liang and Barsky), or None if no part is."""
    first, last = 0.0, 1.0
    for axis in (0, 1):
        length = end[axis] - start[axis]
        low, high = area[axis] - start[axis], area[axis + 2] - start[axis]
        if not length:
            if low > 0 or high < 0:
                return None
            continue
        enters, leaves = sorted((low / length, high / length))
        first, last = max(first, enters), min(last, leaves)
    return (first, last) if first < last else None
