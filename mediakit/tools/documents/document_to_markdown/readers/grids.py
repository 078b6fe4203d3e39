"""Grids of texts as blocks: a table in Markdown, cells between tabs in text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from mediakit.engines.markdown.blocks import Block
from mediakit.engines.markdown.html.options import MarkdownOptions
from mediakit.engines.markdown.inline import link_destination
from mediakit.engines.markdown.pipe_tables import cell_text, delimiter_line, row_line
from mediakit.tools.documents.document_to_markdown.document import ReadOptions

MAX_BLANK = 50
"""Consecutive blank rows or columns that are kept. Longer gaps, before a lone cell far away, are closed."""

Row = Mapping[int, str]
"""The cells with text of a row, by column."""


@dataclass
class Grid:
    """The cells with text of a sheet, and the room that is left for them."""

    room: int
    """Characters that cells may still have."""
    rows: dict[int, Row] = field(default_factory=dict)
    links: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """Addresses that cells link to, by row and column."""
    is_cut: bool = False
    """Whether cells were omitted because there was no room."""

    def add(self, row: int, cells: Row) -> bool:
        """Add a row, and return whether there is room for more."""
        if self.room <= 0:
            self.is_cut = True
            return False
        if cells:
            self.rows[row] = cells
            self.room -= sum(map(len, cells.values())) + 3 * len(cells)
        return True

    def block(self, options: ReadOptions) -> tuple[Block | None, list[str]]:
        """Return the used range as a table, and warnings. None if all cells are empty."""
        if not self.rows:
            return None, []
        columns, closed_columns = _without_gaps(sorted({column for row in self.rows.values() for column in row}))
        places, closed_rows = _without_gaps(sorted(self.rows))
        lines = list(self._lines(places, columns, options))
        warnings = [
            f"{count:,} blank {noun}{'' if count == 1 else 's'} between cells were omitted."
            for count, noun in ((closed_rows, "row"), (closed_columns, "column"))
            if count
        ]
        return Block("table", "\n".join(lines), lines), warnings

    def _lines(self, places: Sequence[int], columns: Sequence[int], options: ReadOptions) -> Iterator[str]:
        """Yield the lines of the table until there are more characters than wanted."""
        length = 0
        for index, place in enumerate(places):
            row = self.rows.get(place, {})
            if options.plain:
                line = "\t".join([" ".join(row.get(column, "").split()) for column in columns]).rstrip("\t")
            else:
                line = row_line([self._cell(place, column, row) for column in columns])
            yield line
            if index == 0 and not options.plain:
                yield delimiter_line(len(columns))
            length += len(line)
            if length > options.max_chars:
                return

    def _cell(self, place: int, column: int, row: Row) -> str:
        if column not in row:
            return ""
        text = cell_text(row[column])
        url = MarkdownOptions().link_url(self.links.get((place, column)))
        return f"[{text}]({link_destination(url).replace('|', '%7C')})" if url and "](" not in text else text


def grid_of(rows: Sequence[Sequence[str]], options: ReadOptions) -> Grid:
    """Return the grid of rows of texts."""
    grid = Grid(options.max_chars)
    for place, row in enumerate(rows):
        if not grid.add(place, {column: text for column, text in enumerate(row) if text.strip()}):
            break
    return grid


def _without_gaps(used: Sequence[int]) -> tuple[list[int], int]:
    """Return the places from the first used one to the last one, without long gaps, and how many were omitted."""
    places, closed = list(used[:1]), 0
    for before, after in pairwise(used):
        gap = after - before - 1
        if gap <= MAX_BLANK:
            places += range(before + 1, after)
        else:
            closed += gap
        places.append(after)
    return places, closed
