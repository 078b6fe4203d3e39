"""Reads the elements of a document, tables included, from its tags or from the layout of its pages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import pymupdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.reading.pages import Box, PdfFile, Shape, read_links
from mediakit.engines.pdf.reading.reading_order import columns
from mediakit.engines.pdf.reading.structure.blocks import Column, Measures, Row, make_rows, set_margins, split_blocks
from mediakit.engines.pdf.reading.structure.elements import (
    STYLED,
    Element,
    Hyphens,
    Run,
    StyledLine,
    TableOf,
    join_runs,
    read_styled,
)
from mediakit.engines.pdf.reading.structure.layout import Headings, Structure
from mediakit.engines.pdf.reading.structure.tag_tree import Path, Tag, TagTree
from mediakit.engines.pdf.reading.structure.tagged import TaggedDocument, has_separate_columns, is_usable
from mediakit.engines.pdf.reading.text import Furniture
from mediakit.engines.pdf.tables import Table, find_tables
from mediakit.engines.pdf.tables.words import is_inside

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
        for word in [replace(run, text=word) for run in line.runs for word in _WORDS.findall(run.text)]:
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
            yield PageTable(_table(found, tag, shown), path)


def _table(found: TableOf, tag: Tag, shown: Sequence[Table]) -> Table:
    """Return a tagged table; what its tags do not say is as in the table of the same size that the layout shows."""
    lines = [line for child in tag.tags if child.name != "Caption" for line in child.lines()]
    x0, y0 = min(line.x0 for line in lines), min(line.y0 for line in lines)
    box = (x0, y0, max(line.x1 for line in lines), max(line.y1 for line in lines))
    rows = [
        [None if runs is None else "".join(run.text for run in runs).strip() for runs in row] for row in found.cells
    ]
    size = len(rows), len(rows[0])
    same = next(
        (each for each in shown if _overlap(each.box, box) and (len(each.rows), len(each.rows[0])) == size), None
    )
    header_rows = min(found.header_rows, len(rows) - 1) or (same.header_rows if same else 0)
    return Table(rows, header_rows, same.box if same else box, 1.0, found.spans)


def _overlap(one: Box, other: Box) -> bool:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return width > MOST_OVERLAP and height > MOST_OVERLAP


MOST_LINES = 3
"""Lines between a table and the edge of its page: a running header or footer, a page number, a repeated title."""

SAME_WIDTH = 0.05
"""Share of the width by which the edges of both parts may differ."""


def goes_on(file: PdfFile, index: int, last: PageTable, known: dict[int, list[PageTable]]) -> bool:
    """Return whether the last table of a page goes on at the top of the next one, whose tables are added to `known`."""
    following = known[index + 1] = page_tables(file, index + 1)
    if last.element and any(found.element == last.element for found in following):
        return True
    below = [line for line in file.read(index) if line.y0 > last.table.box[3]]
    if len({round(line.y1) for line in below}) > MOST_LINES:
        return False
    if not following or len(last.table.rows[0]) != len(following[0].table.rows[0]):
        return False
    (x0, _, x1, _), (left, top, right, _) = last.table.box, following[0].table.box
    if max(abs(x0 - left), abs(x1 - right)) > SAME_WIDTH * (x1 - x0):
        return False
    above = [line for line in file.read(index + 1) if line.y1 < top]
    return len({round(line.y1) for line in above}) <= MOST_LINES


MAX_MONO = 0.6
"""Share of the letters of a fixed-width font; with more, aligned lines are code."""


def is_code(lines: Sequence[StyledLine]) -> bool:
    """Return whether lines that are aligned as in a table are code."""
    letters = sum(len(run.text.strip()) for line in lines for run in line.runs)
    mono = sum(len(run.text.strip()) for line in lines for run in line.runs if run.mono)
    top = min(line.y for line in lines)
    has_plain_header = not any(run.mono for line in lines if line.y - top < 1 for run in line.runs if run.text.strip())
    return mono > MAX_MONO * letters and not has_plain_header


MAX_BULLETS = 2000
"""Small shapes of a page that may be bullets."""

MAX_BULLET = 12.0
"""Points."""

MAX_DRAWING_BYTES = 4_000_000
"""Bytes of a page's content; those of a page of text and tables are less than a tenth."""

PLACEHOLDER = "\ufffc"
"""Text of the line that stands for a table."""


@dataclass
class _Page:
    number: int
    lines: list[StyledLine]
    shapes: list[Shape]
    tables: list[int] = field(default_factory=list)


def read_document(file: PdfFile, *, keeps_headers: bool) -> list[Element]:
    """Return the elements of the selected pages, in reading order: by the tags if there are good ones, else by layout.

    Running headers are in no element of a tagged PDF, so the layout is read if they are kept.
    """
    if not keeps_headers and isinstance(file.source.root.get(Name.StructTreeRoot), Dictionary):
        tree = TagTree(file)
        for page in file.pages():
            file.note(page, tree.read(page))
        if is_usable(tree):
            return TaggedDocument(tree).elements()
    return _read_layout(file, keeps_headers=keeps_headers)


def _read_layout(file: PdfFile, *, keeps_headers: bool) -> list[Element]:
    found_tables: list[tuple[Table, list[StyledLine]]] = []
    pages = [_read_page(file, page) for page in file.pages()]
    if not keeps_headers:
        furniture = Furniture(file, {page.number: page.lines for page in pages})
        for page in pages:
            page.lines = furniture.remove(page.number, page.lines)
    for page in pages:
        _take_tables(file.document[page.number], page, found_tables)
    found = [
        Column(page.number, rows, min(row.bullet_x for row in rows), max(row.x1 for row in rows))
        for page in pages
        for lines in columns(page.lines)
        if (rows := _rows(lines, page.shapes))
    ]
    set_margins(found)
    measures = Measures(found)
    blocks = [block for column in found for block in split_blocks(column, measures)]
    outline = [(level, title) for level, title, *_ in file.document.get_toc(simple=True)]
    headings = Headings(blocks, measures, outline)
    hyphens = Hyphens(row.text for column in found for row in column.rows if row.table is None)
    tables = [
        TableOf(styled_cells(table, lines, hyphens), table.header_rows, table.spans) for table, lines in found_tables
    ]
    structure = Structure(measures, headings, hyphens, tables)
    for block in blocks:
        structure.add(block)
    return structure.elements


def _read_page(file: PdfFile, page: pymupdf.Page) -> _Page:
    links = [link for link in read_links(file.document, page) if link.url]
    is_drawing = len(page.read_contents()) > MAX_DRAWING_BYTES  # type: ignore[no-untyped-call]
    flags = STYLED if is_drawing else STYLED | pymupdf.TEXT_COLLECT_VECTORS
    lines, shapes = read_styled(file.text(page, flags), links)
    file.note(page, "".join([line.text for line in lines]))
    small = [shape for shape in shapes if shape.width < MAX_BULLET and shape.height < MAX_BULLET]
    return _Page(page.number, [line for line in lines if not line.is_vertical], small[:MAX_BULLETS])


def _take_tables(page: pymupdf.Page, content: _Page, tables: list[tuple[Table, list[StyledLine]]]) -> None:
    """Replace the lines of each table by one line that stands for it; columns of vertical writing are in no table."""
    if any(line.is_column for line in content.lines):
        return
    for table in find_tables(page) if content.lines else ():
        inside: list[StyledLine] = []
        outside: list[StyledLine] = []
        for line in content.lines:
            middle = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
            (inside if is_inside(middle, table.box) else outside).append(line)
        if not inside or is_code(inside):
            continue
        x0, y0, x1, y1 = table.box
        index = min(line.index for line in inside)
        mark = StyledLine(x0, y0, x1, y1, PLACEHOLDER, inside[0].size, index, [], y1)
        mark.runs = [Run(PLACEHOLDER, x0, x1, y1, float(len(tables)))]
        content.lines = [*outside, mark]
        tables.append((table, inside))


def _rows(lines: Sequence[StyledLine], shapes: Sequence[Shape]) -> list[Row]:
    """Return the rows of a column; those between two tables together."""
    found: list[Row] = []
    pending: list[StyledLine] = []
    for line in lines:
        if line.text != PLACEHOLDER:
            pending.append(line)
            continue
        found += make_rows(pending, shapes)
        pending = []
        row = Row(line.runs, line.x0, line.y0, line.x1, line.y1, line.y1, line.size)
        row.bullet_x, row.table = line.x0, round(line.runs[0].size)
        found.append(row)
    return found + make_rows(pending, shapes)
