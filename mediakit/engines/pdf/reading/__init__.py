"""Reads the content of PDFs: text in reading order, Markdown, tables, words, links and images.

Here is what to extract, and what was extracted, as plain data: importing this package does not import PyMuPDF.
`extraction.extract` runs in a worker process.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

What = Literal["text", "markdown", "tables", "words", "links", "images"]
Format = Literal["json", "csv", "xlsx", "markdown"]

MAX_CHARS = 200_000
"""Default of `max_chars`."""


@dataclass(frozen=True)
class ExtractOptions:
    """What to extract."""

    pages: str | None = None
    what: What = "text"
    format: Format = "json"
    layout: bool = False
    headers: bool = True
    escape_formulas: bool = True
    max_chars: int = MAX_CHARS
    password: str | None = field(default=None, repr=False)
    stem: str = "document"
    """Name of files that are made, without extension."""


@dataclass(frozen=True)
class MadeFile:
    """A file that was made of the content: a table, a workbook, or a ZIP file."""

    content: bytes = field(repr=False)
    name: str
    mime_type: str


@dataclass
class Extracted:
    """What was extracted."""

    pages: int = 0
    """Pages of the PDF."""
    title: str | None = None
    author: str | None = None
    created: str | None = None
    """ISO 8601, as exact as it is."""
    modified: str | None = None
    length: int = 0
    truncated: bool = False
    content: str | None = None
    """Text or Markdown."""
    items: list[dict[str, Any]] | None = None
    """Words, links or tables, as in the response."""
    file: MadeFile | None = None
    pages_without_text: list[int] = field(default_factory=list)
    unmapped: float = 0.0
    warnings: list[str] = field(default_factory=list)
