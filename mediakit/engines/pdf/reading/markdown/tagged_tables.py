"""Tables of tagged PDFs."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from mediakit.engines.pdf.reading.markdown.elements import TableOf
from mediakit.engines.pdf.reading.markdown.runs import Run
from mediakit.engines.pdf.reading.markdown.tag_tree import Tag
from mediakit.engines.pdf.tables import Span

Cells = list[list[Run] | None]

Extent = tuple[float, float]
"""Left and right end of text, in points."""

MAX_CELLS = 100_000
"""Cells of a table, covered ones included."""

MOST_OVERLAP = 1.0
"""Points by which the texts of two columns may overlap."""


def read_table(table: Tag, runs_of: Callable[[Tag], list[Run]]) -> TableOf | None:
    """Return a table, or None if it has no text.

    Tags of empty cells are often missing, so the cells of a row that is too short are placed below those of full rows.

    Args:
        table: The element.
        runs_of: Returns the text of a cell.
    """
    rows = [
        (group.name == "THead", [(cell, runs_of(cell)) for cell in row.tags if cell.name in ("TH", "TD")])
        for group in (table, *table.tags)
        for row in group.tags
        if row.name == "TR"
    ]
    grid = _Grid(rows)
    return (grid if grid.is_complete else _Grid(rows, grid.extents())).table()


def has_separate_columns(table: TableOf) -> bool:
    """Return whether the texts of columns are beside one another, as they are unless tags are missing."""
    known = sorted(extent for extent in _extents(table.cells, table.spans) if extent)
    return all(left[1] - right[0] <= MOST_OVERLAP for left, right in pairwise(known))


class _Grid:
    """The cells of a table by row and column."""

    def __init__(
        self, rows: Sequence[tuple[bool, Sequence[tuple[Tag, list[Run]]]]], extents: Sequence[Extent | None] = ()
    ) -> None:
        self._extents = extents
        self._rows: list[Cells] = []
        self._spans: list[Span] = []
        self._covered: set[tuple[int, int]] = set()
        self._header_rows = 0
        for is_head, cells in rows:
            self._add(cells, is_head=is_head)

    @property
    def is_complete(self) -> bool:
        """Whether all rows have the same number of cells."""
        return len({len(row) for row in self._rows}) < 2

    def extents(self) -> list[Extent | None]:
        """Return the extent of the text of each column in the rows that are full."""
        width = max(map(len, self._rows))
        return _extents([row if len(row) == width else [] for row in self._rows], self._spans)

    def table(self) -> TableOf | None:
        """Return the table; None if it has no text."""
        if not any(runs for row in self._rows for runs in row):
            return None
        width = max(map(len, self._rows))
        last = len(self._rows)
        spans = [Span(span.row, span.column, min(span.rows, last - span.row), span.columns) for span in self._spans]
        padded: list[list[list[Run] | None]] = [[*row, *([[]] * (width - len(row)))] for row in self._rows]
        merged = [span for span in spans if span.rows > 1 or span.columns > 1]
        return TableOf(padded, self._header_rows, merged)

    def _add(self, found: Sequence[tuple[Tag, list[Run]]], *, is_head: bool) -> None:
        index = len(self._rows)
        cells: Cells = []
        self._rows.append(cells)
        for cell, runs in found:
            self._fill(index, cells, 0)
            self._fill(index, cells, self._start(len(cells), cell.columns, _extent(runs)))
            self._cover(index, len(cells), cell)
            cells += [runs, *[None] * (cell.columns - 1)]
        self._fill(index, cells, 0)
        if self._header_rows == index and (is_head or (found and all(cell.name == "TH" for cell, _ in found))):
            self._header_rows += 1

    def _start(self, column: int, columns: int, text: Extent | None) -> int:
        """Return the column, from one on, below whose text that of a cell is."""
        best, most = column, 0.0
        for start in range(column, len(self._extents) - columns + 1) if text else ():
            known = [extent for extent in self._extents[start : start + columns] if extent]
            shared = _shared(text, (min(known)[0], max(extent[1] for extent in known))) if text and known else 0.0
            if shared > most:
                best, most = start, shared
        return best

    def _fill(self, index: int, cells: Cells, column: int) -> None:
        """Add places up to a column, and those that cells above cover."""
        while len(cells) < column or (index, len(cells)) in self._covered:
            cells.append(None if (index, len(cells)) in self._covered else [])

    def _cover(self, row: int, column: int, cell: Tag) -> None:
        if cell.rows * cell.columns == 1 or len(self._covered) + cell.rows * cell.columns > MAX_CELLS:
            cell.rows = cell.columns = 1
            return
        self._spans.append(Span(row, column, cell.rows, cell.columns))
        self._covered |= {(row + down, column + right) for down in range(cell.rows) for right in range(cell.columns)}


def _extents(rows: Sequence[Cells], spans: Sequence[Span]) -> list[Extent | None]:
    """Return the extent of the text of each column, without cells over several columns."""
    wide = {(span.row, span.column) for span in spans if span.columns > 1}
    found: list[Extent | None] = [None] * max(map(len, rows), default=0)
    for index, row in enumerate(rows):
        for column, runs in enumerate(row):
            extent = _extent(runs or [])
            if extent and (index, column) not in wide:
                known = found[column] or extent
                found[column] = (min(known[0], extent[0]), max(known[1], extent[1]))
    return found


def _extent(runs: Sequence[Run]) -> Extent | None:
    shown = [run for run in runs if run.text.strip()]
    return (min(run.x0 for run in shown), max(run.x1 for run in shown)) if shown else None


def _shared(one: Extent, other: Extent) -> float:
    return min(one[1], other[1]) - max(one[0], other[0])
