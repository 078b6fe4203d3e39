"""Finds the tables of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mediakit.engines.pdf.tables.draft import Draft, without_empty
from mediakit.engines.pdf.tables.figures import Figures
from mediakit.engines.pdf.tables.grids import Grid, find_grids
from mediakit.engines.pdf.tables.header_rows import header_rows
from mediakit.engines.pdf.tables.lattice import grid_table
from mediakit.engines.pdf.tables.lines import Line, read_lines
from mediakit.engines.pdf.tables.prose import cuts_text, without_prose
from mediakit.engines.pdf.tables.rulings import Drawings, read_drawings
from mediakit.engines.pdf.tables.runs import Run, find_runs
from mediakit.engines.pdf.tables.scoring import LEAST_CONFIDENCE, confidence
from mediakit.engines.pdf.tables.stacks import find_stacks
from mediakit.engines.pdf.tables.stream import run_table
from mediakit.engines.pdf.tables.table import Span, Table
from mediakit.engines.pdf.tables.words import Matrix, PageText, is_inside, read_words, transform

if TYPE_CHECKING:
    import pymupdf


def find_tables(page: pymupdf.Page) -> list[Table]:
    """Return the tables of a page, from top to bottom.

    Grids of rulings come first. In the rest of the page, lines whose gaps are above one another are candidates, and
    lines between rulings of one width. Candidates that are charts, forms, lists, code or running text are rejected.
    A page that MuPDF cannot run has none.
    """
    import pymupdf

    try:
        text = read_words(page)
        drawings = read_drawings(page, text.matrix) if text.words else Drawings()
    except (RuntimeError, pymupdf.mupdf.FzErrorBase):
        return []
    if not text.words:
        return []
    search = _Search(text, drawings, Figures(page, drawings, text.matrix))
    search.add_grids()
    search.add_lines()
    found = sorted(search.found, key=lambda item: (item[0].box[1], item[0].box[0]))
    seen = _seen(page, text.matrix)
    return [_table(draft, sure, seen) for draft, sure in found]


class _Search:
    """The tables found so far, and the words that belong to none."""

    def __init__(self, text: PageText, drawings: Drawings, figures: Figures) -> None:
        self.found: list[tuple[Draft, float]] = []
        self._words = text.words
        self._turned = text.turned
        self._drawings = drawings
        self._figures = figures

    def add_grids(self) -> None:
        """Add the tables whose rulings cross."""
        grids = find_grids(self._drawings.horizontal, self._drawings.vertical)
        stripes = Counter(_columns(grid) for grid in grids if len(grid.ys) == 2)
        for grid in grids:
            if len(grid.ys) == 2 and stripes[_columns(grid)] > 1:
                continue  # a row with a background, of a table without rulings
            box = (grid.xs[0], grid.ys[0], grid.xs[-1], grid.ys[-1])
            inside = [word for word in self._words if is_inside(word.middle, box)]
            if not inside or cuts_text(box, inside, self._words):
                continue
            turned = [word for word in self._turned if is_inside(word.middle, box)]
            if self._add(grid_table(grid, inside, turned)):
                taken = {id(word) for word in inside}
                self._words = [word for word in self._words if id(word) not in taken]

    def add_lines(self) -> None:
        """Add the tables without a grid: first those that gaps show, then those that rulings between rows show."""
        rulings = self._drawings.horizontal
        lines = read_lines(self._words, self._drawings.vertical)
        candidates = without_prose(lines, rulings)
        start = len(self.found)
        for run in find_runs(candidates, rulings):
            self._add(run_table(run, rulings, _others(run, candidates)))
        for inside in find_stacks(rulings, lines):
            boxes = [draft.box for draft, _ in self.found[start:]]
            if not any(box[1] < line.middle < box[3] for line in inside for box in boxes):
                self._add(run_table(Run(inside), rulings, []))

    def _add(self, found: Draft | None) -> bool:
        """Add a candidate that is a table, and return whether it is."""
        if found is None:
            return False
        draft = without_empty(found)
        sure = confidence(draft)
        is_table = sure >= LEAST_CONFIDENCE and not self._figures.cover(draft)
        if is_table:
            self.found.append((draft, sure))
        return is_table


def _columns(grid: Grid) -> tuple[int, ...]:
    """Return the boundaries of the columns in whole points."""
    return tuple(map(round, grid.xs))


def _others(run: Run, lines: Sequence[Line]) -> list[Line]:
    """Return the lines that are not in a run."""
    inside = {id(line) for line in run.lines}
    return [line for line in lines if id(line) not in inside]


def _seen(page: pymupdf.Page, matrix: Matrix) -> Matrix:
    """Return the matrix from the coordinates of the words to the page as it is seen."""
    import pymupdf

    back = ~pymupdf.Matrix(*matrix) * page.rotation_matrix  # type: ignore[no-untyped-call]
    return (back.a, back.b, back.c, back.d, back.e, back.f)


def _table(draft: Draft, sure: float, seen: Matrix) -> Table:
    spans = [
        Span(cell.row, cell.column, cell.last_row - cell.row + 1, cell.last_column - cell.column + 1)
        for cell in draft.cells
        if cell.last_row > cell.row or cell.last_column > cell.column
    ]
    return Table(draft.texts(), header_rows(draft), transform(seen, draft.box), round(sure, 2), spans)
