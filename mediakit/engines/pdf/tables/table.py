"""A table: while it is built, as plain values, and the names of its columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mediakit.engines.pdf.tables.lines import group_rows
from mediakit.engines.pdf.tables.words import Box, Word, text_of


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


Rows = Sequence[Sequence[str | None]]


def column_names(rows: Rows, header_rows: int) -> list[str]:
    """Return the name of each column: the texts above one another in the header, each once."""
    header = [[" ".join(text.split()) if text is not None else None for text in row] for row in rows[:header_rows]]
    names: list[list[str]] = [[] for _ in (rows[0] if rows else ())]
    for index, row in enumerate(header):
        for column, name in enumerate(names):
            text = _covering(header, index, column) if row[column] is None else row[column]
            if text and text not in name[-1:]:
                name.append(text)
    return [" ".join(parts) for parts in names]


def _covering(rows: Rows, row: int, column: int) -> str | None:
    """Return the text of the cell that covers a place: of the one above if it has text, else of the one to the left."""
    above = rows[row - 1][column] if row else None
    if above is not None:
        return above
    return next((text for text in reversed(rows[row][:column]) if text is not None), None)


_BULLET = re.compile(r"[•‣◦▪▫■□●○∙\uf0b7\uf0a7\uf0d8]|[(\[]?\d{1,2}[.)]$")
_LEADERS = re.compile(r"(?:\s*[.…_]){4,}\s*$|\s+\.(?:\s*\.)+\s*$")


@dataclass
class Cell:
    """A cell, as first and last row and column, with its words."""

    row: int
    column: int
    last_row: int
    last_column: int
    words: list[Word] = field(default_factory=list)
    turned: list[Word] = field(default_factory=list)
    """Words that run up or down, in reading order."""

    @property
    def text(self) -> str:
        """The text, its lines joined."""
        return " ".join(filter(None, [cell_text(self.words), *(word.text for word in self.turned)]))

    @property
    def has_text(self) -> bool:
        """Whether there are words."""
        return bool(self.words or self.turned)


@dataclass
class Draft:
    """Cells that cover a grid of rows and columns."""

    rows: int
    columns: int
    cells: list[Cell]
    box: Box
    header_rows: int | None = None
    """Rows above a ruling that ends the header; None if there is no such ruling."""
    ruled: bool = False
    """Whether rulings separate both rows and columns."""
    has_rulings: bool = False
    """Whether rulings are below the header or between rows."""
    has_ruled_rows: bool = False
    """Whether a ruling is between any two rows."""
    has_bold_header: bool = False
    """Whether a bold heading names each column, above rows that are not bold."""

    def texts(self) -> list[list[str | None]]:
        """Return the text of each place; None where another place's cell covers it."""
        table: list[list[str | None]] = [[""] * self.columns for _ in range(self.rows)]
        for cell in self.cells:
            for row in range(cell.row, cell.last_row + 1):
                for column in range(cell.column, cell.last_column + 1):
                    table[row][column] = None
            table[cell.row][cell.column] = cell.text
        return table


def cell_text(words: Sequence[Word]) -> str:
    """Return words as text: lines joined with spaces, items of lists on lines of their own."""
    text = ""
    for row in group_rows(words):
        line = text_of(row)
        if not text:
            text = line
        elif _BULLET.match(row[0].text):
            text += "\n" + line
        elif re.search(r"\w[-\u00ad]$", text) and line[:1].isalnum():
            text = (text[:-1] if line[0].islower() else text) + line
        else:
            text += " " + line
    return _LEADERS.sub("", text)


def without_empty(draft: Draft) -> Draft:
    """Return the draft without rows and columns that have no text."""
    rows = sorted({cell.row for cell in draft.cells if cell.has_text})
    columns = sorted({cell.column for cell in draft.cells if cell.has_text})
    row_at = {row: index for index, row in enumerate(rows)}
    column_at = {column: index for index, column in enumerate(columns)}
    cells = []
    for cell in draft.cells:
        inside = [row_at[row] for row in range(cell.row, cell.last_row + 1) if row in row_at]
        across = [column_at[column] for column in range(cell.column, cell.last_column + 1) if column in column_at]
        if inside and across:
            cells.append(Cell(inside[0], across[0], inside[-1], across[-1], cell.words, cell.turned))
    header = None if draft.header_rows is None else sum(row < draft.header_rows for row in rows)
    return replace(draft, rows=len(rows), columns=len(columns), cells=cells, header_rows=header)
