"""The styles and links of the text in tables: the table finder returns the cells as plain text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from mediakit.engines.pdf.reading.markdown.hyphens import Hyphens
from mediakit.engines.pdf.reading.markdown.runs import Run, StyledLine, join_runs
from mediakit.engines.pdf.tables import Table

Cells = list[list[list[Run] | None]]
"""Runs of each cell; None for a place that another cell covers."""

_IGNORED = re.compile("[\\s\u00ad\u2010-]+")
"""Characters that cells may lack: spaces, and hyphens at the ends of lines."""

_WORDS = re.compile(r"\s*\S+\s*")


@dataclass
class _Cell:
    """A cell that is filled with the words of the page."""

    plain: str
    rest: str
    """Letters that are still to be found."""
    pieces: list[tuple[int, Run]] = field(default_factory=list)
    """Index of the line, and a word."""


def styled_cells(table: Table, lines: Sequence[StyledLine], hyphens: Hyphens) -> Cells:
    """Return the cells of a table with the styles of the lines inside it; plain text where a cell has other words."""
    cells = {
        (row, column): _Cell(text, _letters(text))
        for row, texts in enumerate(table.rows)
        for column, text in enumerate(texts)
        if text is not None
    }
    waiting = [cell for cell in cells.values() if cell.rest]
    for line in sorted(lines, key=lambda line: (round(line.y), line.x0)):
        last: _Cell | None = None
        for word in _words(line):
            letters = _letters(word.text)
            if not letters:  # a dash: it goes on with the cell before it, or is a whole cell, which is plain text
                if last and last.rest:
                    last.pieces.append((line.index, word))
                continue
            last = next((cell for cell in ([last] if last else []) + waiting if cell.rest.startswith(letters)), None)
            if last:
                last.pieces.append((line.index, word))
                last.rest = last.rest[len(letters) :]
        waiting = [cell for cell in waiting if cell.rest]
    return [
        [_runs(cell, hyphens) if (cell := cells.get((row, column))) else None for column in range(len(texts))]
        for row, texts in enumerate(table.rows)
    ]


def _words(line: StyledLine) -> Iterator[Run]:
    """Yield the words of a line."""
    for run in line.runs:
        for word in _WORDS.findall(run.text):
            yield replace(run, text=word)


def _runs(cell: _Cell, hyphens: Hyphens) -> list[Run]:
    if cell.rest or not cell.pieces:
        return [Run(cell.plain, 0, 0, 0, 0)] if cell.plain else []
    lines: dict[int, list[Run]] = {}
    for index, word in cell.pieces:
        lines.setdefault(index, []).append(word)
    return join_runs(lines.values(), hyphens)


def _letters(text: str) -> str:
    return _IGNORED.sub("", text)
