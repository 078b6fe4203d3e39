"""Where a mark goes on a page as it is seen, in points from the top left."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import pikepdf
from pikepdf import Dictionary, Matrix

from mediakit.core.fields import Position
from mediakit.engines.pdf.drawn_lines import TEXT_POINTS, Mark
from mediakit.engines.pdf.page_content import make_form, operands
from mediakit.engines.pdf.scaling import POINTS_PER_MM
from mediakit.tools.pdf.pdf_stamp.tool import PdfStampRequest


def offset(
    position: Position, room: tuple[float, float], size: tuple[float, float], margin: float
) -> tuple[float, float]:
    """Return left and top of a box in an area; a box that fits never leaves the area, whatever the margin."""
    words = position.split()

    def on_axis(free: float, start: str, end: str) -> float:
        if start not in words and end not in words:
            return free / 2
        return max(0.0, min(free, margin if start in words else free - margin))

    return on_axis(room[0] - size[0], "left", "right"), on_axis(room[1] - size[1], "top", "bottom")


LEAST_ROOM = 1 / 3
"""Part of a page's side that text can use, whatever the margin."""

AUTO_POINTS = 72.0
"""Largest font size of rotated or tiled text whose size is not set."""

DEFAULT_MM = 40.0


@dataclass(frozen=True)
class Placed:
    """A mark with its scale and center on a page."""

    mark: Mark
    scale: float
    x: float
    y: float
    shrunk: bool
    """Whether the mark is smaller than requested, because it does not fit the page."""


def text_room(request: PdfStampRequest, page: tuple[float, float]) -> tuple[float, float]:
    """Return width and height that text can use on a page."""
    margin = request.margin * POINTS_PER_MM
    width, height = (max(side - 2 * margin, side * LEAST_ROOM) for side in page)
    return width, height


def place(request: PdfStampRequest, mark: Mark, page: tuple[float, float]) -> Placed:
    """Return the place of a mark on a page of this size."""
    across, down = turned_size(mark, request.rotate)
    room = text_room(request, page) if request.text is not None else page
    fitting = min(room[0] / across, room[1] / down)
    wanted = None  # that which fills the page
    if request.text is not None:
        wanted = text_scale(request)
    elif request.pdf is None or request.size is not None:
        wanted = (request.size or DEFAULT_MM) * POINTS_PER_MM / mark.width
    scale = fitting if wanted is None else min(wanted, fitting)
    box = across * scale, down * scale
    margin = 0.0 if request.pdf is not None and request.size is None else request.margin * POINTS_PER_MM
    left, top = offset("center" if request.tile else request.position, page, box, margin)
    shrunk = wanted is not None and not _is_automatic(request) and scale < wanted * 0.999
    return Placed(mark, scale, left + box[0] / 2, top + box[1] / 2, shrunk)


def text_scale(request: PdfStampRequest) -> float:
    """Return the scale of text marks for the requested size of the font, or the largest automatic one."""
    return (request.size or (AUTO_POINTS if _is_automatic(request) else TEXT_POINTS)) / TEXT_POINTS


def turned_size(mark: Mark, degrees: float) -> tuple[float, float]:
    """Return width and height of the upright rectangle around a rotated mark."""
    cosine, sine = (abs(part) for part in unit_vector(degrees))
    return mark.width * cosine + mark.height * sine, mark.width * sine + mark.height * cosine


def placed_box(placed: Placed, degrees: float) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a placed mark that is rotated."""
    across, down = (side * placed.scale / 2 for side in turned_size(placed.mark, degrees))
    return placed.x - across, placed.y - down, placed.x + across, placed.y + down


def mark_matrix(mark: Mark, scale: float, degrees: float, x: float, y: float) -> Matrix:
    """Return the matrix that puts a mark, turned clockwise, on a page as it is seen; x and y are from its top left."""
    cosine, sine = (part * scale for part in unit_vector(degrees))
    centered = Matrix(1, 0, 0, 1, -mark.width / 2, -mark.height / 2)
    return centered @ Matrix(cosine, sine, sine, -cosine, x, y)


def unit_vector(degrees: float) -> tuple[float, float]:
    """Return cosine and sine, exact for quarter turns."""
    radians = math.radians(degrees)
    return round(math.cos(radians), 12), round(math.sin(radians), 12)


def _is_automatic(request: PdfStampRequest) -> bool:
    return request.text is not None and request.size is None and (request.tile or request.rotate != 0)


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

    One mark lies at the center of the page, and every other row is shifted by half a step.
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
    spread = max(1.0, math.sqrt(page[0] * page[1] / (step[0] * step[1]) / MAX_TILES))
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
