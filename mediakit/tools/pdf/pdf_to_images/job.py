"""What travels to the workers and back: plain values, without MuPDF."""

from dataclasses import dataclass, field
from typing import Literal

ImageFormat = Literal["png", "jpeg", "webp"]
Combine = Literal["none", "column", "grid"]


@dataclass(frozen=True)
class DrawJob:
    """Pages to draw, and how."""

    file: bytes = field(repr=False)
    pages: str | None
    dpi: int
    width: int | None
    """Pixels of each page, instead of `dpi`."""
    format: ImageFormat
    quality: int
    combine: Combine
    transparent: bool
    annotations: bool
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class DrawnPage:
    """An image of a page."""

    index: int
    """The page, from 0."""
    label: str | None
    """What viewers show as its number; None for a PDF without page labels."""
    width: int
    height: int
    content: bytes = field(repr=False)
    """The encoded image; empty if the pages are combined."""


@dataclass(frozen=True)
class Drawn:
    """What a worker has drawn."""

    pages: list[DrawnPage]
    rest: list[int]
    """Pages, from 0, that were checked, but are left to other workers."""
    combined: bytes = field(default=b"", repr=False)
    """The image of all pages, if they are combined."""
    last: int = 0
    """Number of the last page of the selection."""
    warnings: list[str] = field(default_factory=list)
