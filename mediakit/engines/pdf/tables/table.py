"""A table as it was found on a page: plain values."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Span:
    """A cell that covers more than one row or column."""

    row: int
    """Index of the cell's first row."""
    column: int
    """Index of the cell's first column."""
    rows: int
    """Number of rows, at least 1."""
    columns: int
    """Number of columns, at least 1."""


@dataclass(frozen=True)
class Table:
    """A table of a page."""

    rows: list[list[str | None]]
    """Text of each cell, empty for an empty cell; None for a place that the cell to its left or above covers. All rows
    have the same length."""
    header_rows: int
    """Number of rows at the top that name the columns; 0 if none do."""
    box: tuple[float, float, float, float]
    """Left, top, right and bottom in points of the page as it is seen, from its top left corner."""
    confidence: float
    """How sure it is that this is a table, from 0 to 1."""
    spans: list[Span] = field(default_factory=list)
    """Cells that cover more than one row or column."""
