"""The geometry of pages: boxes, sizes as they are seen, and how points move when a page is scaled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import pikepdf
from pikepdf import Name

from mediakit.engines.pdf.objects import items

LARGEST_BOX = 14_400.0
"""Points; the largest side that readers accept (PDF 1.7, annex C)."""


_TURNS: Mapping[int, tuple[int, int, int, int]] = {
    0: (1, 0, 0, 1),
    90: (0, -1, 1, 0),
    180: (-1, 0, 0, -1),
    270: (0, 1, -1, 0),
}
"""The first four numbers of the matrix that turns clockwise by so many degrees."""


@dataclass(frozen=True)
class Placement:
    """How a point of a page moves: turned, scaled, then shifted."""

    scale: float
    right: float
    up: float
    turn: int = 0
    """Degrees clockwise: 0, 90, 180 or 270."""

    @property
    def matrix(self) -> tuple[float, float, float, float, float, float]:
        """The six numbers of the matrix that does the same."""
        a, b, c, d = (number * self.scale for number in _TURNS[self.turn])
        return a, b, c, d, self.right, self.up

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point comes to lie."""
        a, b, c, d, e, f = self.matrix
        return a * x + c * y + e, b * x + d * y + f

    def pairs(self, numbers: Sequence[float]) -> list[float]:
        """Return where points come to lie that are given as x and y in turn."""
        return [
            value for x, y in zip(numbers[::2], numbers[1::2], strict=False) for value in self.point(float(x), float(y))
        ]

    def box(self, numbers: Sequence[float]) -> list[float]:
        """Return where a rectangle comes to lie that is given by two corners: left, bottom, right and top."""
        corners = self.pairs(numbers[:4])
        across, along = corners[::2], corners[1::2]
        return [min(across), min(along), max(across), max(along)]

    def margins(self, numbers: Sequence[float]) -> list[float]:
        """Return what left, top, right and bottom margins become."""
        turned = -(self.turn // 90)
        return [number * self.scale for number in (*numbers[turned:], *numbers[:turned])]


def seen_size(page: pikepdf.Page) -> tuple[float, float]:
    """Return width and height in points of a page as it is seen."""
    left, bottom, right, top = visible_box(page)
    unit = user_unit(page.obj)
    width, height = (right - left) * unit, (top - bottom) * unit
    return (height, width) if is_turned(page) else (width, height)


def seen_matrix(page: pikepdf.Page) -> pikepdf.Matrix:
    """Return the matrix that maps points of a page as it is seen to its user space.

    A page as it is seen has its origin at the top left, x to the right and y down, in points of 1/72 inch; rotation,
    crop box and user unit count.
    """
    left, bottom, right, top = visible_box(page)
    point = 1 / user_unit(page.obj)
    match page.rotation % 360:
        case 90:
            return pikepdf.Matrix(0, point, point, 0, left, bottom)
        case 180:
            return pikepdf.Matrix(-point, 0, 0, point, right, bottom)
        case 270:
            return pikepdf.Matrix(0, -point, -point, 0, right, top)
    return pikepdf.Matrix(point, 0, 0, -point, left, top)


def visible_box(page: pikepdf.Page) -> tuple[float, float, float, float]:
    """Return the visible part of a page: its crop box within its media box, on US Letter if that makes no sense."""
    media, crop = read_box(page.obj.get(Name.MediaBox)), read_box(page.obj.get(Name.CropBox))
    media = media or (0.0, 0.0, 612.0, 792.0)
    if crop is None:
        return media
    both = (max(media[0], crop[0]), max(media[1], crop[1]), min(media[2], crop[2]), min(media[3], crop[3]))
    return both if both[2] > both[0] and both[3] > both[1] else media


def has_useless_crop(page: pikepdf.Page) -> bool:
    """Return whether a page has a crop box that leaves nothing to see, which readers ignore."""
    crop = page.obj.get(Name.CropBox)
    seen = visible_box(page)
    return crop is not None and seen != read_box(crop) and seen == read_box(page.obj.get(Name.MediaBox))


def is_turned(page: pikepdf.Page) -> bool:
    """Return whether width and height are swapped when the page is seen."""
    return page.rotation % 180 == 90


def user_unit(page: pikepdf.Object) -> float:
    """Return the size of a unit of a page's user space, in points."""
    unit = page.get(Name.UserUnit)
    return float(unit) if is_number(unit) and float(unit) > 0 else 1.0  # type: ignore[arg-type]


def read_box(value: object) -> tuple[float, float, float, float] | None:
    """Return left, bottom, right and top of a box, or None for one that makes no sense."""
    numbers = read_numbers(value)
    if len(numbers) != 4:
        return None
    left, bottom, right, top = numbers
    box = (min(left, right), min(bottom, top), max(left, right), max(bottom, top))
    sound = all(abs(edge) <= LARGEST_BOX * 10 for edge in box)
    return box if sound and box[2] - box[0] >= 1 and box[3] - box[1] >= 1 else None


def read_numbers(value: object) -> list[float]:
    """Return the numbers of an array, or none if it holds anything else."""
    found = items(value)
    return [float(item) for item in found] if all(is_number(item) for item in found) else []


def form_matrix(form: pikepdf.Object) -> pikepdf.Matrix:
    """Return the matrix of a form or a pattern; the identity if it has none."""
    numbers = read_numbers(form.get(Name.Matrix))
    return pikepdf.Matrix(*numbers) if len(numbers) == 6 else pikepdf.Matrix()


def is_number(value: object) -> bool:
    """Return whether a value is a number of a PDF."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def rounded(numbers: Sequence[float]) -> list[float]:
    """Return numbers with four decimals."""
    return [round(number, 4) for number in numbers]
