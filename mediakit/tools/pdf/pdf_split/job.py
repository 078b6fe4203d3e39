"""What travels to the worker and back: plain values, without pikepdf."""

from dataclasses import dataclass, field
from typing import Literal

Mode = Literal["every", "ranges", "size", "bookmarks", "blank"]


@dataclass(frozen=True)
class SplitJob:
    """A PDF, and where to split it."""

    file: bytes = field(repr=False)
    name: str
    """File name without its extension."""
    mode: Mode = "every"
    every: int = 1
    """Pages of a part."""
    ranges: list[str] = field(default_factory=list)
    """A page range for each part."""
    max_bytes: int = 0
    """Maximum size of a part."""
    level: int = 1
    """Level of the bookmarks at which parts begin."""
    filename: str = "{name}-{n}"
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True)
class SplitPart:
    """One of the PDFs."""

    content: bytes = field(repr=False)
    name: str
    """File name."""
    pages: str
    """Its pages in the file, such as `4-6`."""
    page_count: int
    title: str


@dataclass(frozen=True)
class Split:
    """The result."""

    parts: list[SplitPart]
    warnings: list[str]
