"""PDF structure: open, check, assemble and save. Everything here runs in worker processes."""

from dataclasses import dataclass, field
from typing import Any

HEADER_BYTES = 1024
"""The header `%PDF-` may follow up to this many bytes (PDF 1.7, appendix H, note 13)."""


def is_pdf(content: bytes) -> bool:
    """Return whether the first bytes are those of a PDF: names and media types are not trusted."""
    return b"%PDF-" in content[:HEADER_BYTES]


@dataclass(frozen=True)
class MadePdf:
    """A PDF that a worker made."""

    content: bytes = field(repr=False)
    meta: dict[str, Any]
    """What the result's `meta` holds."""


@dataclass(frozen=True)
class Thumbnail:
    """An image of a page."""

    content: bytes = field(repr=False)
    """WebP."""
    width: float
    """Width of the page as it is seen, in points."""
    height: float


@dataclass(frozen=True)
class Thumbnails:
    """Images of some pages of a PDF."""

    count: int
    """Pages of the PDF."""
    pages: list[Thumbnail]
