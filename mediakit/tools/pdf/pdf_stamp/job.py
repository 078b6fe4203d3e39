"""What travels to the worker and back: plain values, without pikepdf."""

from dataclasses import dataclass, field
from typing import Literal

from mediakit.engines.pdf.numbering import NumberFormat
from mediakit.tools.pdf.pdf_stamp.positions import Position

Layer = Literal["over", "under"]
Font = Literal["sans", "serif", "mono"]


@dataclass(frozen=True)
class StampJob:
    """A PDF, its stamp, and where the stamp goes. Exactly one of text, image, qr and pdf is set."""

    file: bytes = field(repr=False)
    filename: str = ""
    date: str = ""
    """Today, for `{date}`."""
    text: str | None = None
    image: bytes | None = field(default=None, repr=False)
    qr: str | None = None
    pdf: bytes | None = field(default=None, repr=False)
    position: Position = "center"
    pages: str | None = None
    layer: Layer = "over"
    opacity: float = 1.0
    rotate: float = 0.0
    """Degrees, clockwise."""
    tile: bool = False
    size: float | None = None
    """Points for text, else the width in millimeters."""
    margin: float = 10.0
    """Millimeters."""
    color: str = "#000000"
    font: Font = "sans"
    start: int = 1
    number_format: NumberFormat = "1"
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Stamped:
    """The result."""

    content: bytes = field(repr=False)
    pages: int
    stamped: int
    """Number of pages that have the stamp."""
    warnings: list[str]
