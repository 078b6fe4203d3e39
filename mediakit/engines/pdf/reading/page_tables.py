"""The tables of a page: those that its tags describe, and in the rest of the page those that its layout shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pymupdf
from pikepdf import Dictionary, Name

from mediakit.engines.pdf.reading.lines import Box
from mediakit.engines.pdf.reading.markdown.elements import TableOf
from mediakit.engines.pdf.reading.markdown.tag_tree import Path, Tag, TagTree
from mediakit.engines.pdf.reading.markdown.tagged import TaggedDocument
from mediakit.engines.pdf.reading.markdown.tagged_tables import has_separate_columns
from mediakit.engines.pdf.reading.pdf_file import PdfFile
from mediakit.engines.pdf.tables import Table, find_tables

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
