"""The parts of a document, as tags or the layout say, before they are written as Markdown."""

from __future__ import annotations

from dataclasses import dataclass, field

from mediakit.engines.pdf.reading.markdown.runs import Run
from mediakit.engines.pdf.tables import Span


@dataclass
class Paragraph:
    """A paragraph."""

    runs: list[Run]


@dataclass
class Heading:
    """A heading; its level is 1 to 6."""

    runs: list[Run]
    level: int


@dataclass
class Code:
    """A code block."""

    text: str


@dataclass
class Item:
    """An item of a list."""

    number: int | None = None
    """None for a bullet."""
    parts: list[Element] = field(default_factory=list)


@dataclass
class ListOf:
    """A list."""

    items: list[Item]


@dataclass
class Quote:
    """A block quote."""

    parts: list[Element]


@dataclass
class TableOf:
    """A table."""

    cells: list[list[list[Run] | None]]
    """Runs of each cell; None for a place that another cell covers."""
    header_rows: int = 0
    spans: list[Span] = field(default_factory=list)


@dataclass
class Figure:
    """A figure that is described by a text."""

    alt: str


Element = Paragraph | Heading | Code | ListOf | Quote | TableOf | Figure
