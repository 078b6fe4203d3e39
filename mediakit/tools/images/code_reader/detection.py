"""Detections: codes as one pass decodes them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Corners, clockwise from the top left of the code in its reading direction."""

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
class Detection:
    """A code as one pass decoded it."""

    format: str
    """Name of the symbology in zxing-cpp."""
    text: str
    """The text; group separators of GS1 are U+001D."""
    content: bytes
    """The encoded bytes."""
    quad: Quad
    content_type: str
    symbology_identifier: str
    """Symbology identifier (ISO/IEC 15424), as `]Q1`."""
    ec_level: str
    extra: dict[str, Any] = field(default_factory=dict)
    """Symbology-specific facts of zxing-cpp: version, unused error correction, digits of a UPC-E."""

    @property
    def key(self) -> tuple[str, bytes]:
        """Identity of the code, regardless of its position."""
        return self.format, self.content

    @property
    def linear(self) -> bool:
        """Whether the code is linear, so that no error correction detects a misread."""
        return self.format not in MATRIX

    @property
    def width(self) -> float:
        """Pixels along the reading direction."""
        return math.dist(self.quad[0], self.quad[1])

    @property
    def height(self) -> float:
        """Pixels across the reading direction; for linear codes the height over which scan lines agreed."""
        return min(math.dist(self.quad[0], self.quad[3]), math.dist(self.quad[1], self.quad[2]))

    @property
    def center(self) -> Point:
        """Mean of the four corners."""
        return sum(x for x, _ in self.quad) / 4, sum(y for _, y in self.quad) / 4

    @property
    def spare_correction(self) -> float | None:
        """Unused share of the error correction, 0 to 1; None if the symbology does not report it."""
        value = self.extra.get("UEC")
        return None if value is None else float(value)

    def is_near(self, other: "Detection") -> bool:
        """Return whether both may be the same code: their centers are closer than the length of either."""
        reach = max(self.width, self.height, other.width, other.height)
        return math.dist(self.center, other.center) <= max(reach / 2, 8)

    def overlaps(self, other: "Detection") -> bool:
        """Return whether two codes overlap, judged by the distance of their centers."""
        across, along = max(self.height, other.height), max(self.width, other.width)
        return math.dist(self.center, other.center) <= min(across, along) / 2

    def mapped(self, back: Callable[[Point], Point]) -> "Detection":
        """Return the detection with its corners mapped to another image."""
        first, second, third, fourth = (back(corner) for corner in self.quad)
        return replace(self, quad=(first, second, third, fourth))
