"""Sheets of paper: their sizes, their margins, and the room that is left."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

PaperFormat = Literal["A4", "A3", "A5", "Letter", "Legal", "Tabloid"]

SIZES: Mapping[PaperFormat, tuple[float, float]] = {
    "A4": (210, 297),
    "A3": (297, 420),
    "A5": (148, 210),
    "Letter": (215.9, 279.4),
    "Legal": (215.9, 355.6),
    "Tabloid": (279.4, 431.8),
}
"""Width and height in millimetres, upright (ISO 216, ANSI/ASME Y14.1)."""

LEAST_ROOM = 10
"""Millimetres each way that margins must leave to the page."""

HEADER_ROOM = 10
"""Millimetres of margin that a header or a footer stands in."""


@dataclass(frozen=True)
class Margins:
    """Empty edges, in millimetres."""

    top: float = 0
    right: float = 0
    bottom: float = 0
    left: float = 0


@dataclass(frozen=True)
class Sheet:
    """A sheet as it lies, with its margins."""

    paper: PaperFormat = "A4"
    landscape: bool = False
    margins: Margins = Margins()

    @property
    def width(self) -> float:
        """Width in millimetres, as it lies."""
        return SIZES[self.paper][1 if self.landscape else 0]

    @property
    def height(self) -> float:
        """Height in millimetres, as it lies."""
        return SIZES[self.paper][0 if self.landscape else 1]

    @property
    def room(self) -> tuple[float, float]:
        """Width and height, in millimetres, that the margins leave."""
        edges = self.margins
        return self.width - edges.left - edges.right, self.height - edges.top - edges.bottom

    def require_room(self) -> None:
        """Refuse margins that leave no room.

        Raises:
            ValueError: Less than `LEAST_ROOM` is left in width or in height.
        """
        across, down = self.room
        edges = self.margins
        if across < LEAST_ROOM:
            raise ValueError(self._refusal({"left": edges.left, "right": edges.right}, self.width, "wide"))
        if down < LEAST_ROOM:
            raise ValueError(self._refusal({"top": edges.top, "bottom": edges.bottom}, self.height, "high"))

    def _refusal(self, edges: Mapping[str, float], side: float, word: str) -> str:
        taken = " and ".join(f"{millimetres:g} mm {name}" for name, millimetres in edges.items())
        sheet = f"{self.paper} {'in landscape ' if self.landscape else ''}is {side:g} mm {word}"
        return f"margin: {taken} leave no room; {sheet}, so together they may take {side - LEAST_ROOM:g} mm."
