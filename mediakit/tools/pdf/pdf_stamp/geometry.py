"""Where a mark goes on a page as it is seen, in points from the top left."""

import math
from dataclasses import dataclass

from pikepdf import Matrix

from mediakit.engines.pdf.scaling import POINTS_PER_MM
from mediakit.tools.pdf.pdf_stamp.mark import Mark
from mediakit.tools.pdf.pdf_stamp.positions import offset
from mediakit.tools.pdf.pdf_stamp.request import PdfStampRequest

LEAST_ROOM = 1 / 3
"""Part of a page's side that text can use, whatever the margin."""

AUTO_POINTS = 72.0
"""Largest font size of rotated or tiled text whose size is not set."""

TEXT_POINTS = 12.0
"""Font size of text marks at scale 1, and the default."""

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
    wanted = _wanted_scale(request, mark)
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
    """Return the matrix that maps a mark to a page as it is seen.

    Args:
        mark: The mark.
        scale: Its scale.
        degrees: Rotation about its center, clockwise.
        x: Its center from the left.
        y: Its center from the top.
    """
    cosine, sine = (part * scale for part in unit_vector(degrees))
    centered = Matrix(1, 0, 0, 1, -mark.width / 2, -mark.height / 2)
    return centered @ Matrix(cosine, sine, sine, -cosine, x, y)


def unit_vector(degrees: float) -> tuple[float, float]:
    """Return cosine and sine, exact for quarter turns."""
    radians = math.radians(degrees)
    return round(math.cos(radians), 12), round(math.sin(radians), 12)


def _is_automatic(request: PdfStampRequest) -> bool:
    return request.text is not None and request.size is None and (request.tile or request.rotate != 0)


def _wanted_scale(request: PdfStampRequest, mark: Mark) -> float | None:
    """Return the requested scale, or None for that which fills the page."""
    if request.text is not None:
        return text_scale(request)
    if request.pdf is not None and request.size is None:
        return None
    return (request.size or DEFAULT_MM) * POINTS_PER_MM / mark.width
