"""Whether a table goes on on the next page."""

from mediakit.engines.pdf.reading.page_tables import PageTable, page_tables
from mediakit.engines.pdf.reading.pdf_file import PdfFile
from mediakit.engines.pdf.tables import Table

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
