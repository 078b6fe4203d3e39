"""What travels to the worker and back: plain values."""

from dataclasses import dataclass, field
from typing import Literal

from mediakit.core.fields import Position

Format = Literal["jpeg", "png", "webp", "avif", "gif"]


@dataclass(frozen=True)
class WatermarkJob:
    """An image, its mark, and where the mark goes. Exactly one of text and mark is set."""

    file: bytes = field(repr=False)
    text: str | None = None
    mark: bytes | None = field(default=None, repr=False)
    position: Position = "right bottom"
    size_pct: float = 25.0
    margin_pct: float = 3.0
    opacity: float = 0.6
    tile: bool = False
    gap_pct: float = 50.0
    rotate: float = 0.0
    """Degrees, clockwise."""
    color: str | None = None
    format: Format | None = None
    quality: int | None = None


@dataclass(frozen=True)
class Watermarked:
    """The result."""

    content: bytes = field(repr=False)
    format: Format
    width: int
    height: int
    box: list[int] | None
    """Left, top, width and height of the mark in pixels; None if it is repeated."""
    frames: int
    warnings: list[str]
