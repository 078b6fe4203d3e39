"""Paper sizes and page layouts: page size, margins and content area."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

PaperFormat = Literal["A4", "A3", "A5", "Letter", "Legal", "Tabloid"]

SIZES_MM: Mapping[PaperFormat, tuple[float, float]] = {
    "A4": (210, 297),
    "A3": (297, 420),
    "A5": (148, 210),
    "Letter": (215.9, 279.4),
    "Legal": (215.9, 355.6),
    "Tabloid": (279.4, 431.8),
}
"""Width and height in portrait orientation, in millimeters (ISO 216, ANSI/ASME Y14.1)."""

MIN_CONTENT_MM = 10
"""Smallest width and height of the content area, in millimeters."""

MIN_HEADER_MARGIN_MM = 10
"""Smallest margin that can hold a header or a footer, in millimeters."""


@dataclass(frozen=True)
class Margins:
    """Page margins, in millimeters."""

    top: float = 0
    right: float = 0
    bottom: float = 0
    left: float = 0


@dataclass(frozen=True)
class PageLayout:
    """Size, orientation and margins of a page."""

    paper: PaperFormat = "A4"
    landscape: bool = False
    margins: Margins = Margins()

    @property
    def width(self) -> float:
        """Width of the page in its orientation, in millimeters."""
        return SIZES_MM[self.paper][1 if self.landscape else 0]

    @property
    def height(self) -> float:
        """Height of the page in its orientation, in millimeters."""
        return SIZES_MM[self.paper][0 if self.landscape else 1]

    @property
    def content_size(self) -> tuple[float, float]:
        """Width and height of the content area between the margins, in millimeters."""
        margins = self.margins
        return self.width - margins.left - margins.right, self.height - margins.top - margins.bottom

    def check_margins(self) -> None:
        """Check that the margins leave enough space for content.

        Raises:
            ValueError: The content area is less than `MIN_CONTENT_MM` wide or high.
        """
        width, height = self.content_size
        margins = self.margins
        if width < MIN_CONTENT_MM:
            raise ValueError(self._margin_error({"left": margins.left, "right": margins.right}, self.width, "wide"))
        if height < MIN_CONTENT_MM:
            raise ValueError(self._margin_error({"top": margins.top, "bottom": margins.bottom}, self.height, "high"))

    def _margin_error(self, margins: Mapping[str, float], side: float, dimension: str) -> str:
        given = " and ".join(f"{mm:g} mm {name}" for name, mm in margins.items())
        names = " and ".join(margins)
        page = f"{self.paper}{' in landscape' if self.landscape else ''} is {side:g} mm {dimension}"
        return f"margin: {names} must be at most {side - MIN_CONTENT_MM:g} mm together, got {given}; {page}."
