"""The appearance that a widget has, and where it is drawn (ISO 32000-2, 12.5.5)."""

import pikepdf
from pikepdf import Dictionary, Name, Stream

from mediakit.engines.pdf.geometry import read_numbers

HIDDEN_FLAGS = 0b100010
"""Annotation flags Hidden (2) and NoView (6)."""

Box = tuple[float, float, float, float]


def is_visible(widget: pikepdf.Object) -> bool:
    """Return whether a widget is shown on screen."""
    flags = widget.get(Name.F, 0)
    return not (isinstance(flags, int) and flags & HIDDEN_FLAGS)


def normal_appearance(widget: pikepdf.Object) -> pikepdf.Object | None:
    """Return the normal appearance of an annotation in its present state."""
    looks = widget.get(Name.AP)
    normal = looks.get(Name.N) if isinstance(looks, Dictionary) else None
    if isinstance(normal, Dictionary):
        state = widget.get(Name.AS)
        normal = normal.get(str(state) if isinstance(state, Name) else "/Off")
    return normal if isinstance(normal, Stream) else None


def placement(form: pikepdf.Object, rectangle: object) -> tuple[float, ...] | None:
    """Return the matrix that puts an appearance into its rectangle, or None if one of them has no size."""
    box, inner = corners(rectangle), corners(form.get(Name.BBox))
    if box is None or inner is None:
        return None
    matrix = read_numbers(form.get(Name.Matrix))
    moved = pikepdf.Matrix(*matrix) if len(matrix) == 6 else pikepdf.Matrix()
    around = moved.transform(pikepdf.Rectangle(*inner))
    if not around.width or not around.height or box[2] == box[0] or box[3] == box[1]:
        return None
    across, up = (box[2] - box[0]) / float(around.width), (box[3] - box[1]) / float(around.height)
    return across, 0.0, 0.0, up, box[0] - float(around.llx) * across, box[1] - float(around.lly) * up


def corners(rectangle: object) -> Box | None:
    """Return left, bottom, right and top of a rectangle, or None if it is none."""
    numbers = read_numbers(rectangle)
    if len(numbers) != 4:
        return None
    left, bottom, right, top = numbers
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)
