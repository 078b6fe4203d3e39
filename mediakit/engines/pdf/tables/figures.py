"""Charts, diagrams and forms: texts in rows and columns that are not tables."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from mediakit.engines.pdf.tables.draft import Draft
from mediakit.engines.pdf.tables.rulings import Drawings
from mediakit.engines.pdf.tables.words import Box, Matrix, is_inside, transform

if TYPE_CHECKING:
    import pymupdf

FEWEST_SLANTED = 3
"""Slanted lines in a figure; a table has at most one, in its first cell."""

FIELD_SHARE = 0.25
"""Form fields for each text, from which it is a form."""

MAX_FIELDS = 2_000


class Figures:
    """Drawings and form fields of a page."""

    def __init__(self, page: pymupdf.Page, drawings: Drawings, matrix: Matrix) -> None:
        """Take the drawings; form fields are read when they are needed first.

        Args:
            page: The page.
            drawings: Its drawings.
            matrix: Maps its unrotated points to the coordinates of drafts.
        """
        self._page = page
        self._slanted = drawings.figures
        self._matrix = matrix

    def cover(self, draft: Draft) -> bool:
        """Return whether a candidate is a figure or a form."""
        size = max((word.size for cell in draft.cells for word in cell.words), default=0.0)
        slanted = [box for box in self._slanted if _side(box) > size and is_inside(_middle(box), draft.box)]
        if len(slanted) >= FEWEST_SLANTED:
            return True
        fields = sum(is_inside(_middle(box), draft.box) for box in self._fields)
        return fields >= max(2, FIELD_SHARE * sum(bool(cell.words) for cell in draft.cells))

    @cached_property
    def _fields(self) -> list[Box]:
        """Boxes of form fields."""
        found: list[Box] = []
        field: Any = self._page.first_widget
        while field is not None and len(found) < MAX_FIELDS:
            found.append(transform(self._matrix, field.rect))
            field = field.next
        return found


def _side(box: Box) -> float:
    return max(box[2] - box[0], box[3] - box[1])


def _middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
