"""A table that is being built: boundaries, and cells with their words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from mediakit.engines.pdf.tables.lines import group_rows
from mediakit.engines.pdf.tables.words import Box, Word, text_of

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
