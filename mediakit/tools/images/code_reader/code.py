"""Codes: the entries of a `CodesResult`."""

from typing import Any, Literal

import pybase64

from mediakit.results.item import Item

Point = tuple[int, int]

Mark = tuple[int, int | None, list[Point]]
"""Number, page and corners of a code, for an overlay."""


class Position(Item):
    """Corners of a code in pixels, in its reading direction."""

    top_left: Point
    top_right: Point
    bottom_right: Point
    bottom_left: Point


class Box(Item):
    """The upright rectangle around a code, in pixels."""

    x: int
    y: int
    width: int
    height: int


class Gs1Element(Item):
    """A field of a GS1 code."""

    ai: str
    """Application identifier."""
    title: str | None
    """Data title, such as GTIN or BATCH/LOT."""
    value: str


class Code(Item):
    """A decoded code."""

    format: str
    """Code type, such as QRCode, EAN13 or Code128."""
    text: str
    """The decoded text; GS1 separators are U+001D."""
    bytes_base64: str
    """The encoded bytes, in base64."""
    content_type: Literal["text", "binary", "mixed", "gs1", "iso15434", "unknown_eci"]
    symbology_identifier: str
    """Symbology identifier (ISO/IEC 15424), as `]Q1`."""
    page: int | None
    """Page of a PDF, or of a TIFF with several pages, from 1; None for other images."""
    position: Position
    """Corners in the upright image, or in the page rendered at `scale`."""
    box: Box
    orientation: int
    """Clockwise rotation in degrees, -179 to 180."""
    ec_level: str | None
    """Error correction level, if the code type has one."""
    version: str | None
    """Version (size) of the symbol, if the code type has several."""
    gtin: str | None
    """GTIN in 14 digits, if the code has one."""
    add_on: str | None
    """The two or five digits beside a retail code."""
    gs1: list[Gs1Element] | None
    """Fields of a GS1 code."""
    parsed: dict[str, Any] | None
    """Parsed text by `type`: url, wifi, contact, event, email, phone, sms, location or payment."""
    confidence: Literal["high", "medium"]
    """high: decoded in the first pass or repeatedly; medium: decoded in a few additional passes."""

    @property
    def content(self) -> bytes:
        """The encoded bytes."""
        return pybase64.b64decode(self.bytes_base64)

    def __str__(self) -> str:
        return self.text
