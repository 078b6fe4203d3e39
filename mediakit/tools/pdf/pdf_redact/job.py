"""What travels to the worker and back: plain values, without pikepdf."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from mediakit.tools.pdf.pdf_redact.searching import MatchKind, Query

Mode = Literal["text", "image"]


@dataclass(frozen=True)
class Area:
    """A rectangle of a page as it is seen: origin top left, y down, points."""

    page: int
    """Page number, from 1."""
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class RedactJob:
    """A PDF, and what to remove from it."""

    content: bytes = field(repr=False)
    query: Query
    areas: Sequence[Area] = ()
    pages: str = ""
    """Page range; empty for all pages."""
    fill: str = "#000000"
    label: str = ""
    mode: Mode = "text"
    find_only: bool = False
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Match:
    """Where something was found; a match over two lines is two of them."""

    area: Area
    kind: MatchKind
    text: str = field(repr=False)


@dataclass(frozen=True)
class Redacted:
    """The result."""

    content: bytes = field(repr=False)
    """The PDF; empty if matches were only searched."""
    pages: int
    found: int
    """Places on pages; one over two lines counts once."""
    matches: list[Match]
    not_found: list[str]
    pages_touched: list[int]
    pages_as_images: list[int]
    pages_without_text: list[int]
    warnings: list[str]
