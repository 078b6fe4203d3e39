"""Moves what lies on a page: annotations, and the destinations that lead to it."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.destinations import holders, page_of
from mediakit.engines.pdf.geometry import Placement, is_number, read_numbers, rounded
from mediakit.engines.pdf.objects import dictionary, items
from mediakit.engines.pdf.source import PageKey, Source

NO_ROTATE = 0b10000
"""Annotation flag: the appearance stays upright when the page is turned."""

Mover = Callable[[Sequence[Any]], Sequence[Any] | None]
"""Returns the new items of a destination: a page, the kind of view and its numbers."""

_FONT_SIZE = re.compile(rb"([\d.]+)(\s+Tf)")


def move_destinations(source: Source, moved: Mover) -> None:
    """Replace the destinations of links, bookmarks, actions and names that lead to pages of the PDF.

    Args:
        source: The PDF.
        moved: Returns the new items of a destination, or None to leave it as it is.
    """
    for holder, key in holders(source, source.pages):
        if (new := _moved(source, holder[key], moved)) is not None:
            holder[key] = new
    seen: set[PageKey] = set()
    for value in source.named_destinations.values():
        if value.is_indirect and value.objgen in seen:
            continue
        seen.add(value.objgen)
        if isinstance(value, Dictionary):
            if (new := _moved(source, value.get(Name.D), moved)) is not None:
                value.D = new
        elif (new := _moved(source, value, moved)) is not None:
            _overwrite(value, new)


def _moved(source: Source, target: object, moved: Mover) -> pikepdf.Object | None:
    page = page_of(source, target) if isinstance(target, Array) else None
    new = None if page is None else moved([page, *items(target)[1:]])
    return None if new is None else Array(list(new))


def _overwrite(array: pikepdf.Object, new: pikepdf.Object) -> None:
    """Replace the items of an array that others refer to."""
    del array[:]
    array.extend(new)


def move_annotation(annotation: pikepdf.Object, placement: Placement) -> None:
    """Move, scale and turn an annotation."""
    if rectangle := read_numbers(annotation.get(Name.Rect)):
        annotation.Rect = Array(rounded(placement.box(rectangle)))
    for key in (Name.QuadPoints, Name.Vertices, Name.L, Name.CL):
        move_numbers(annotation, key, placement)
    if strokes := items(annotation.get(Name.InkList)):
        annotation.InkList = Array([Array(rounded(placement.pairs(read_numbers(stroke)))) for stroke in strokes])
    if Name.RD in annotation:
        annotation.RD = Array(rounded(placement.margins(read_numbers(annotation.RD))))
    _scale_border(annotation, placement.scale)
    _scale_font(annotation, placement.scale)
    if placement.turn and not int(annotation.get(Name.F, 0)) & NO_ROTATE:
        _turn_appearances(annotation, placement)


def move_numbers(holder: pikepdf.Object, key: Name, placement: Placement) -> None:
    """Move points that are given as x and y in turn."""
    if numbers := read_numbers(holder.get(key)):
        holder[key] = Array(rounded(placement.pairs(numbers)))


def _turn_appearances(annotation: pikepdf.Object, placement: Placement) -> None:
    """Turn the appearances; viewers fit them into the rectangle (ISO 32000-2, 12.5.5, algorithm 8)."""
    turn = pikepdf.Matrix(*Placement(1, 0, 0, placement.turn).matrix)
    for look in dictionary(annotation.get(Name.AP)).values():
        for form in [look] if isinstance(look, Stream) else dictionary(look).values():
            if isinstance(form, Stream):
                matrix = pikepdf.Matrix(form.Matrix) if Name.Matrix in form else pikepdf.Matrix()
                form.Matrix = (matrix @ turn).as_array()


def _scale_border(annotation: pikepdf.Object, scale: float) -> None:
    style = annotation.get(Name.BS)
    if isinstance(style, Dictionary) and Name.W in style:
        annotation.BS = Dictionary({**dict(style.items()), "/W": round(float(style.W) * scale, 4)})
    border = items(annotation.get(Name.Border))
    if len(border) >= 3 and all(is_number(value) for value in border[:3]):
        annotation.Border = Array([*rounded([float(value) * scale for value in border[:3]]), *border[3:]])


def _scale_font(annotation: pikepdf.Object, scale: float) -> None:
    """Scale the font size of a text field or a free text annotation, own or inherited."""
    holder, appearance = annotation, annotation.get(Name.DA)
    for _ in range(20):
        if isinstance(appearance, String) or not isinstance(holder.get(Name.Parent), Dictionary):
            break
        holder = holder.Parent
        appearance = holder.get(Name.DA)
    if isinstance(appearance, String):
        scaled = _FONT_SIZE.sub(lambda match: b"%g%s" % (float(match[1]) * scale, match[2]), bytes(appearance))
        if scaled != bytes(appearance):
            annotation.DA = String(scaled)
