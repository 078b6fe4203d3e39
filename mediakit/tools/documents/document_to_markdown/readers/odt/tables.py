"""Tables of OpenDocument: repeated rows and cells, header rows and merged cells (OpenDocument 1.3, 9.1)."""

from collections.abc import Callable, Iterator

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.odt.names import TABLE, Element, count

MAX_COLUMNS = 100
MAX_CELLS = 200_000
_GROUPS = (f"{TABLE}table-header-rows", f"{TABLE}table-row-group", f"{TABLE}table-rows")


def write_table(table: Element, target: HtmlElement, read_cell: Callable[[Element, HtmlElement], None]) -> None:
    """Write the rows of a table into a `table` element."""
    remaining = MAX_CELLS
    for row, is_header in _rows(table, is_header=False):
        for _ in range(count(row.get(f"{TABLE}number-rows-repeated"), 1, 1 if _is_empty(row) else 1000)):
            remaining -= _write_row(row, target, "th" if is_header else "td", read_cell)
            if remaining < 0:
                return


def _write_row(row: Element, target: HtmlElement, tag: str, read_cell: Callable[[Element, HtmlElement], None]) -> int:
    line = etree.SubElement(target, "tr")
    written = 0
    for cell in row.iterchildren(f"{TABLE}table-cell"):
        repeated = count(cell.get(f"{TABLE}number-columns-repeated"), 1, MAX_COLUMNS)
        for _ in range(min(repeated, MAX_COLUMNS - written)):
            element = etree.SubElement(line, tag)
            for name, attribute in (("colspan", "columns"), ("rowspan", "rows")):
                span = count(cell.get(f"{TABLE}number-{attribute}-spanned"), 1, 1000)
                if span > 1:
                    element.set(name, str(span))
            read_cell(cell, element)
            written += 1
    return written


def _rows(parent: Element, *, is_header: bool) -> Iterator[tuple[Element, bool]]:
    for child in parent:
        if child.tag == f"{TABLE}table-row":
            yield child, is_header
        elif child.tag in _GROUPS:
            yield from _rows(child, is_header=is_header or child.tag == _GROUPS[0])


def _is_empty(row: Element) -> bool:
    return not any(text.strip() for text in row.itertext())
