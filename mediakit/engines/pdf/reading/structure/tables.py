"""The tables of a page, the styles of their text, and whether they go on on the next page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import pymupdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.reading.pages import Box, PdfFile
from mediakit.engines.pdf.reading.structure.elements import Hyphens, Run, StyledLine, TableOf, join_runs
from mediakit.engines.pdf.reading.structure.tag_tree import Path, Tag, TagTree
from mediakit.engines.pdf.reading.structure.tagged import TaggedDocument, has_separate_columns
from mediakit.engines.pdf.tables import Table, find_tables

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


MOST_OVERLAP = 1.0
"""Points by which two tables may overlap."""


@dataclass(frozen=True)
class PageTable:
    """A table of a page."""

    table: Table
    element: Path | None = None
    """Its element in the structure tree, which may have rows on several pages; None if it has no tags."""


def page_tables(file: PdfFile, index: int) -> list[PageTable]:
    """Return the tables of a page, from top to bottom."""
    page = file.document[index]
    shown = find_tables(page)
    tagged = list(_tagged(file, page, shown))
    rest = [PageTable(table) for table in shown if not any(_overlap(table.box, each.table.box) for each in tagged)]
    return sorted([*tagged, *rest], key=lambda each: (each.table.box[1], each.table.box[0]))


def _tagged(file: PdfFile, page: pymupdf.Page, shown: Sequence[Table]) -> Iterator[PageTable]:
    """Yield the tables that tags describe."""
    if not isinstance(file.source.root.get(Name.StructTreeRoot), Dictionary):
        return
    tree = TagTree(file)
    tree.read(page)
    if not any(tree.root.lines()):
        return
    document = TaggedDocument(tree)
    for path, tag in tree.innermost("Table"):
        found = document.table(tag)
        if found and len(found.cells) > 1 and len(found.cells[0]) > 1 and has_separate_columns(found):
            yield PageTable(_table(found, _box(tag), shown), path)


def _table(found: TableOf, box: Box, shown: Sequence[Table]) -> Table:
    """Return a tagged table; what its tags do not say is as in the table of the same size that the layout shows."""
    rows = [
        [None if runs is None else "".join(run.text for run in runs).strip() for runs in row] for row in found.cells
    ]
    size = len(rows), len(rows[0])
    same = next(
        (each for each in shown if _overlap(each.box, box) and (len(each.rows), len(each.rows[0])) == size), None
    )
    header_rows = min(found.header_rows, len(rows) - 1) or (same.header_rows if same else 0)
    return Table(rows, header_rows, same.box if same else box, 1.0, found.spans)


def _box(tag: Tag) -> Box:
    """Return the box of the rows of a table."""
    lines = [line for child in tag.tags if child.name != "Caption" for line in child.lines()]
    return (
        min(line.x0 for line in lines),
        min(line.y0 for line in lines),
        max(line.x1 for line in lines),
        max(line.y1 for line in lines),
    )


def _overlap(one: Box, other: Box) -> bool:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width > MOST_OVERLAP and height > MOST_OVERLAP


MOST_LINES = 3
"""Lines between a table and the edge of its page: a running header or footer, a page number, a repeated title."""

SAME_WIDTH = 0.05
"""Share of the width by which the edges of both parts may differ."""


def goes_on(file: PdfFile, index: int, last: PageTable, known: dict[int, list[PageTable]]) -> bool:
    """Return whether the last table of a page goes on at the top of the next page.

    Args:
        file: The PDF.
        index: Index of the table's page.
        last: The last table of the page.
        known: Receives the tables of the next page, by its index.
    """
    following = known[index + 1] = page_tables(file, index + 1)
    if last.element and any(found.element == last.element for found in following):
        return True
    below = [line for line in file.read(index) if line.y0 > last.table.box[3]]
    if len({round(line.y1) for line in below}) > MOST_LINES:
        return False
    if not following or not _is_same_kind(last.table, following[0].table):
        return False
    above = [line for line in file.read(index + 1) if line.y1 < following[0].table.box[1]]
    return len({round(line.y1) for line in above}) <= MOST_LINES


def _is_same_kind(table: Table, other: Table) -> bool:
    """Return whether two tables have columns of the same number and at the same place."""
    if len(table.rows[0]) != len(other.rows[0]):
        return False
    slack = SAME_WIDTH * (table.box[2] - table.box[0])
    return abs(table.box[0] - other.box[0]) <= slack and abs(table.box[2] - other.box[2]) <= slack
