"""What one look at a picture reads."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Corners from the code's own top left, clockwise as it is read."""

RETAIL = frozenset({"EAN13", "EAN8", "UPCA", "UPCE", "ISBN"})
MATRIX = frozenset(
    [
        "QRCode",
        "QRCodeModel1",
        "QRCodeModel2",
        "MicroQRCode",
        "RMQRCode",
        "DataMatrix",
        "Aztec",
        "AztecCode",
        "AztecRune",
        "MaxiCode",
        "PDF417",
        "CompactPDF417",
        "MicroPDF417",
    ]
)


@dataclass(frozen=True, slots=True)
class Sighting:
    """A code as one look read it."""

    format: str
    """Name of the symbology, as zxing-cpp writes it."""
    text: str
    """The text; group separators of GS1 are U+001D."""
    content: bytes
    """The bytes that the code holds."""
    quad: Quad
    content_type: str
    symbology_identifier: str
    """As ISO/IEC 15424 has it: `]Q1`."""
    ec_level: str
    extra: dict[str, Any] = field(default_factory=dict)
    """What zxing-cpp tells of single symbologies: version, unused error correction, digits of a UPC-E."""

    @property
    def key(self) -> tuple[str, bytes]:
        """What makes two sightings the same code, their places aside."""
        return self.format, self.content

    @property
    def linear(self) -> bool:
        """Whether it is made of bars alone, so that nothing corrects a misread."""
        return self.format not in MATRIX

    @property
    def width(self) -> float:
        """Pixels along the reading direction."""
        return math.dist(self.quad[0], self.quad[1])

    @property
    def height(self) -> float:
        """Pixels across the reading direction; for bars: how far lines beside each other agreed."""
        return min(math.dist(self.quad[0], self.quad[3]), math.dist(self.quad[1], self.quad[2]))

    @property
    def center(self) -> Point:
        """The middle of the four corners."""
        return sum(x for x, _ in self.quad) / 4, sum(y for _, y in self.quad) / 4

    @property
    def spare_correction(self) -> float | None:
        """Share of the error correction that was not needed, 0 to 1; None where the symbology has none to tell."""
        value = self.extra.get("UEC")
        return None if value is None else float(value)

    def near(self, other: "Sighting") -> bool:
        """Whether both may be the same code: their middles are closer than either is long."""
        reach = max(self.width, self.height, other.width, other.height)
        return math.dist(self.center, other.center) <= max(reach / 2, 8)

    def covers(self, other: "Sighting") -> bool:
        """Whether both lie on one spot; the middles of codes that do not overlap are farther apart."""
        across, along = max(self.height, other.height), max(self.width, other.width)
        return math.dist(self.center, other.center) <= min(across, along) / 2

    def moved(self, back: Callable[[Point], Point]) -> "Sighting":
        """Give it with its corners mapped into another picture."""
        first, second, third, fourth = (back(corner) for corner in self.quad)
        return replace(self, quad=(first, second, third, fourth))
