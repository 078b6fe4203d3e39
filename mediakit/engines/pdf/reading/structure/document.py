"""Reads the elements of a document from its tags, or from the layout of its pages."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pymupdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.reading.pages import PdfFile, read_links
from mediakit.engines.pdf.reading.reading_order import columns
from mediakit.engines.pdf.reading.structure.blocks import split_blocks
from mediakit.engines.pdf.reading.structure.elements import (
    STYLED,
    Element,
    Hyphens,
    Run,
    Shape,
    StyledLine,
    TableOf,
    read_styled,
)
from mediakit.engines.pdf.reading.structure.layout import Headings, Structure
from mediakit.engines.pdf.reading.structure.rows import Column, Measures, Row, make_rows, set_margins
from mediakit.engines.pdf.reading.structure.tables import styled_cells
from mediakit.engines.pdf.reading.structure.tag_tree import TagTree
from mediakit.engines.pdf.reading.structure.tagged import TaggedDocument, is_usable
from mediakit.engines.pdf.reading.text import Furniture
from mediakit.engines.pdf.tables import Table, find_tables

MAX_MONO = 0.6
"""Share of the letters of a fixed-width font; with more, aligned lines are code."""

ADJACENT_EMS = 0.6
"""Space between words of one line, in sizes of the font, at most."""


def is_table(inside: Sequence[StyledLine], outside: Sequence[StyledLine]) -> bool:
    """Return whether lines are a table, not code and not a part of running text.

    Args:
        inside: The lines in the box that was found.
        outside: The other lines of the page.
    """
    letters = sum(len(run.text.strip()) for line in inside for run in line.runs)
    mono = sum(len(run.text.strip()) for line in inside for run in line.runs if run.mono)
    top = min((line.y for line in inside), default=0.0)
    has_plain_header = not any(run.mono for line in inside if line.y - top < 1 for run in line.runs if run.text.strip())
    is_code = mono > MAX_MONO * letters and not has_plain_header
    return letters > 0 and not is_code and not any(_cuts(line, outside) for line in inside)


def _cuts(line: StyledLine, outside: Sequence[StyledLine]) -> bool:
    """Return whether the text of a line goes on outside."""
    space = ADJACENT_EMS * line.size
    return any(
        abs(other.y - line.y) < 0.1 * line.size and -space < max(other.x0 - line.x1, line.x0 - other.x1) < space
        for other in outside
    )


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
    found = [column for page in pages for column in _columns(page)]
    set_margins(found)
    measures = Measures(found)
    blocks = [block for column in found for block in split_blocks(column, measures)]
    headings = Headings(blocks, measures, _outline(file.document))
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
    lines, shapes = read_styled(file.text(page, _flags(page)), links)
    file.note(page, "".join([line.text for line in lines]))
    small = [shape for shape in shapes if shape.width < MAX_BULLET and shape.height < MAX_BULLET]
    return _Page(page.number, [line for line in lines if not line.is_vertical], small[:MAX_BULLETS])


def _flags(page: pymupdf.Page) -> int:
    """Return what MuPDF collects: no shapes of pages that are large drawings."""
    content: bytes = page.read_contents()  # type: ignore[no-untyped-call]
    return int(STYLED if len(content) > MAX_DRAWING_BYTES else STYLED | pymupdf.TEXT_COLLECT_VECTORS)


def _tables(page: pymupdf.Page) -> list[Table]:
    try:
        return find_tables(page)
    except pymupdf.mupdf.FzErrorBase:  # the page is damaged
        return []


def _take_tables(page: pymupdf.Page, content: _Page, tables: list[tuple[Table, list[StyledLine]]]) -> None:
    """Replace the lines of each table by one line that stands for it; columns of vertical writing are in no table."""
    if any(line.is_column for line in content.lines):
        return
    for table in _tables(page) if content.lines else ():
        inside = [line for line in content.lines if _is_inside(line, table.box)]
        outside = [line for line in content.lines if not _is_inside(line, table.box)]
        if not is_table(inside, outside):
            continue
        x0, y0, x1, y1 = table.box
        index = min(line.index for line in inside)
        mark = StyledLine(x0, y0, x1, y1, PLACEHOLDER, inside[0].size, index, [], y1)
        mark.runs = [Run(PLACEHOLDER, x0, x1, y1, float(len(tables)))]
        content.lines = [*outside, mark]
        tables.append((table, inside))


def _is_inside(line: StyledLine, box: tuple[float, float, float, float]) -> bool:
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _columns(page: _Page) -> list[Column]:
    return [
        Column(page.number, rows, min(row.bullet_x for row in rows), max(row.x1 for row in rows))
        for lines in columns(page.lines)
        if (rows := _rows(lines, page.shapes))
    ]


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


def _outline(document: pymupdf.Document) -> list[tuple[int, str]]:
    return [(level, title) for level, title, *_ in document.get_toc(simple=True)]
