"""Cuts areas out of the vector graphics of pages: filled shapes and lines."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, pairwise
from typing import Any

import numpy as np
import pikepdf
from pikepdf import Dictionary, Matrix, Name, Object, Operator, Stream

from mediakit.engines.pdf.geometry import form_matrix
from mediakit.engines.pdf.objects import dictionary, dictionary_of
from mediakit.tools.pdf.pdf_redact.page_text import Box, around, meet
from mediakit.tools.pdf.pdf_redact.stream_text import MAX_FORM_DEPTH

Point = tuple[float, float]
Polygon = list[Point]

CURVE_STEPS = 16
"""Lines that stand for a Bézier curve."""


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


CONSTRUCTING = {"m": 2, "l": 2, "c": 6, "v": 4, "y": 4, "h": 0, "re": 4}
"""Path operators, and how many numbers they take."""

CONTROLS = {"c": (1, 2, 3), "v": (0, 1, 2), "y": (1, 2, 2)}
"""The points of curves after their start, among the start and the points of the operator."""

CLIPPING = {"W", "W*"}
FILLING = {"f": "f", "F": "f", "f*": "f*", "B": "f", "B*": "f*", "b": "f", "b*": "f*"}
"""Painting operators that fill, and the operator that only fills by the same rule."""

STROKING = {"S", "s", "B", "B*", "b", "b*"}
CLOSING = {"s", "b", "b*"}
PAINTING = {*FILLING, *STROKING, "n"}

Instruction = pikepdf.ContentStreamInstruction


def remove_vectors(pdf: pikepdf.Pdf, page: pikepdf.Page, areas: Sequence[Box]) -> None:
    """Remove what is drawn with lines and shapes in areas of a page."""
    resources = page.obj.get(Name.Resources)
    if not areas or not isinstance(resources, Dictionary):
        return
    page.obj.Resources = Dictionary(dict(resources.items()))
    content = _Walk(pdf, areas, page.obj.Resources).run(page.obj, Matrix(), 0)
    if content is not None:
        page.obj.Contents = pdf.make_stream(content)


class _Walk:
    def __init__(self, pdf: pikepdf.Pdf, areas: Sequence[Box], resources: Object) -> None:
        self._pdf, self._areas, self._resources = pdf, areas, resources
        self._changed = False

    def run(self, content: Object, matrix: Matrix, depth: int) -> bytes | None:
        """Return the changed content, or None if nothing changes."""
        stack: list[Matrix] = []
        kept: list[Any] = []
        path: list[Any] = []
        for item in pikepdf.parse_content_stream(content):
            name, operands = str(item.operator), list(item.operands)
            if name in CONSTRUCTING or name in CLIPPING:
                path.append(item)
            elif name in PAINTING:
                kept += self._painted(path, item, matrix)
                path = []
            elif name == "Do" and operands and depth < MAX_FORM_DEPTH:
                kept.append(Instruction([self._form(operands[0], matrix, depth)], item.operator))
            else:
                matrix = _next_matrix(name, operands, matrix, stack)
                kept.append(item)
        return pikepdf.unparse_content_stream([*kept, *path]) if self._changed else None

    def _painted(self, path: list[Any], painting: Any, matrix: Matrix) -> list[Any]:
        """Return the instructions of a path, or those of its parts outside of the areas."""
        operator, outline = str(painting.operator), _outline(path)
        unchanged = [*path, painting]
        if operator == "n" or not outline or any(str(each.operator) in CLIPPING for each in path):
            return unchanged
        lines = [[matrix.transform(point) for point in line] for line in outline]
        box = around((x, y, x, y) for line in lines for x, y in line)
        areas = [area for area in self._areas if meet(area, (box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1))]
        is_background = operator not in STROKING and [str(each.operator) for each in path] == ["re"]
        if not areas or (is_background and _holds(box, areas)):
            return unchanged
        try:
            inverse = matrix.inverse()
        except ValueError:
            return unchanged
        self._changed = True
        drawn: list[Any] = []
        if operator in FILLING:
            polygons = lines
            for area in areas:
                polygons = cut_polygons(polygons, area)
            drawn += _drawn(polygons, inverse, FILLING[operator], close=True)
        if operator in STROKING:
            strokes = [[*line, line[0]] if operator in CLOSING else line for line in lines]
            for area in areas:
                strokes = [part for line in strokes for part in _outside(line, area)]
            drawn += _drawn(strokes, inverse, "S", close=False)
        return drawn

    def _form(self, name: Any, matrix: Matrix, depth: int) -> Any:
        """Return the name of a form, of a changed copy if it draws in an area."""
        forms = dictionary(self._resources.get(Name.XObject))
        form = forms.get(name) if isinstance(name, Name) else None
        if not isinstance(form, Stream) or form.get(Name.Subtype) != Name.Form:
            return name
        inner = form_matrix(form) @ matrix
        own = form.get(Name.Resources)
        resources = dictionary_of(dict((own if isinstance(own, Dictionary) else self._resources).items()))
        content = _Walk(self._pdf, self._areas, resources).run(form, inner, depth + 1)
        if content is None:
            return name
        copy = self._pdf.make_stream(content)
        for key, value in form.items():
            if key not in ("/Length", "/Filter", "/DecodeParms"):
                copy[key] = value
        copy.Resources = resources
        free = next(free for number in count() if (free := f"/Form{number}") not in forms)
        self._resources.XObject = dictionary_of({**dict(forms.items()), free: copy})
        self._changed = True
        return Name(free)


def _next_matrix(operator: str, operands: Sequence[Any], matrix: Matrix, stack: list[Matrix]) -> Matrix:
    """Return the matrix after an instruction."""
    if operator == "q":
        stack.append(matrix)
    elif operator == "Q" and stack:
        return stack.pop()
    elif operator == "cm" and len(numbers := _numbers(operands)) == 6:
        return Matrix(*numbers) @ matrix
    return matrix


def _outline(path: Sequence[Any]) -> list[Polygon]:
    """Return the points of a path, with lines for its curves."""
    lines: list[Polygon] = []
    for item in path:
        name, numbers = str(item.operator), _numbers(list(item.operands))
        if len(numbers) != CONSTRUCTING.get(name):
            continue
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if name == "re":
            (x, y), (width, height) = points
            lines.append([(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)])
        elif name == "m":
            lines.append(points)
        elif lines:
            corners = [lines[-1][-1], *points]
            if name in CONTROLS:
                lines[-1] += _curve(corners[0], *(corners[index] for index in CONTROLS[name]))
            else:
                lines[-1] += points or lines[-1][:1]  # `h` closes a line
    return lines


def _curve(*corners: Point) -> list[Point]:
    """Return points of a cubic Bézier curve, without its start."""
    t = np.arange(1, CURVE_STEPS + 1)[:, None] / CURVE_STEPS
    weights = np.hstack(((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3))
    return [(float(x), float(y)) for x, y in weights @ np.array(corners)]


def _numbers(operands: Sequence[Any]) -> list[float]:
    try:
        return [float(operand) for operand in operands]
    except (TypeError, ValueError):
        return []


def _holds(box: Box, areas: Sequence[Box]) -> bool:
    """Return whether a background holds all areas whole: it says nothing about what is in them."""
    return all(box[0] <= area[0] and box[1] <= area[1] and area[2] <= box[2] and area[3] <= box[3] for area in areas)


def _drawn(lines: Sequence[Polygon], inverse: Matrix, operator: str, *, close: bool) -> list[Instruction]:
    found: list[Instruction] = []
    for line in lines:
        for place, point in enumerate(line):
            x, y = inverse.transform(point)
            found.append(Instruction([round(x, 4), round(y, 4)], Operator("l" if place else "m")))
        if close:
            found.append(Instruction([], Operator("h")))
    return [*found, Instruction([], Operator(operator))] if found else []
