"""Repeats a mark over a page."""

import math
from collections.abc import Iterator

import pikepdf
from pikepdf import Dictionary, Matrix

from mediakit.engines.pdf.form_xobjects import make_form, operands
from mediakit.tools.pdf.pdf_stamp.geometry import Placed, mark_matrix, turned_size, unit_vector

MAX_TILES = 1000
"""Marks on a page; smaller marks are further apart."""

TEXT_GAPS = (2.5, 2.5)
"""Space beside and below text, in heights of the text."""

OTHER_GAPS = (0.5, 0.5)
"""Space beside and below everything else, in heights."""


def tiled(
    pdf: pikepdf.Pdf, placed: Placed, degrees: float, page: tuple[float, float], *, is_text: bool
) -> pikepdf.Object:
    """Return a form that shows a mark all over a page; its space is that of the page as it is seen.

    Every other row is shifted by half a step.

    Args:
        pdf: The PDF of the mark.
        placed: The mark, of which one lies at the center of the page.
        degrees: Rotation, clockwise.
        page: Width and height of the page.
        is_text: Whether the mark is text.
    """
    matrix = mark_matrix(placed.mark, placed.scale, degrees, 0, 0)
    parts = [
        f"q {operands(matrix @ Matrix(1, 0, 0, 1, x, y))} cm /Mark Do Q"
        for x, y in _centers(placed, degrees, page, TEXT_GAPS if is_text else OTHER_GAPS)
    ]
    resources = Dictionary(XObject=Dictionary(Mark=placed.mark.form))
    return make_form(pdf, "\n".join(parts).encode(), (0, 0, *page), resources)


def _centers(
    placed: Placed, degrees: float, page: tuple[float, float], gaps: tuple[float, float]
) -> Iterator[tuple[float, float]]:
    width, height = placed.mark.width * placed.scale, placed.mark.height * placed.scale
    step = width + gaps[0] * height, height + gaps[1] * height
    spread = max(1.0, math.sqrt(_area_in_steps(page, step) / MAX_TILES))
    across, down = step[0] * spread, step[1] * spread
    reach = math.hypot(*page) / 2 + math.hypot(width, height) / 2
    box = [side * placed.scale / 2 for side in turned_size(placed.mark, degrees)]
    cosine, sine = unit_vector(degrees)
    rows, columns = math.ceil(reach / down), math.ceil(reach / across) + 1
    for row in range(-rows, rows + 1):
        for column in range(-columns, columns + 1):
            u, v = (column + row % 2 / 2) * across, row * down
            x, y = page[0] / 2 + u * cosine - v * sine, page[1] / 2 + u * sine + v * cosine
            if -box[0] < x < page[0] + box[0] and -box[1] < y < page[1] + box[1]:
                yield x, y


def _area_in_steps(page: tuple[float, float], step: tuple[float, float]) -> float:
    return page[0] * page[1] / (step[0] * step[1])
