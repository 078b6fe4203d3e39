"""Tables: header rows that repeat, merged cells and alignment."""

from collections.abc import Iterator
from dataclasses import replace

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.block_writer import BlockWriter
from mediakit.engines.docx_writer.flow import ALIGNMENTS, Alignment, Flow
from mediakit.engines.docx_writer.paragraphs import is_paragraph, paragraph, set_property
from mediakit.engines.docx_writer.spacing import spaced
from mediakit.engines.docx_writer.table_widths import CELL_PADDING, column_widths, grid_cells
from mediakit.engines.docx_writer.wordml import properties, w
from mediakit.engines.docx_writer.xml_tree import Element
from mediakit.engines.markdown.html.table_grid import Cell, Grid, build_grid, table_rows

MAX_COLUMNS = 63
"""Columns of a table in Word."""

MAX_KEPT_ROWS = 10
"""Tables with more rows can break over pages."""


def write_table(writer: BlockWriter, element: HtmlElement, flow: Flow) -> list[Element]:
    """Write a table, with its caption above it."""
    found: list[Element] = []
    for caption in element.iterchildren("caption"):
        found += writer.write(caption, flow)
    rows = table_rows(element)
    grid = [row[:MAX_COLUMNS] for row in build_grid(rows)]
    if not grid or not grid[0]:
        return found
    return [*found, _TableWriter(writer, flow, grid, _header_rows(rows)).write()]


def _header_rows(rows: list[HtmlElement]) -> int:
    """Return how many rows at the top are in `thead`, or have only `th` cells."""
    count = 0
    for row in rows:
        parent = row.getparent()
        cells = list(row.iterchildren("td", "th"))
        in_head = parent is not None and parent.tag == "thead"
        if not (in_head or (cells and all(cell.tag == "th" for cell in cells))):
            break
        count += 1
    return count if count < len(rows) else min(count, 1)


class _TableWriter:
    """Writes the rows and cells of one table."""

    def __init__(self, writer: BlockWriter, flow: Flow, grid: Grid, headers: int) -> None:
        self.writer = writer
        self.flow = flow
        self.grid = grid
        self.headers = headers
        self.widths = column_widths(grid, flow.text_width)

    def write(self) -> Element:
        """Return the table."""
        columns = w("tblGrid", *(w("gridCol", w=width) for width in self.widths))
        return w("tbl", self._properties(), columns, *(self._row(index) for index in range(len(self.grid))))

    def _properties(self) -> Element:
        found = [
            w("tblStyle", val="TableGrid"),
            w("tblW", w=sum(self.widths), type="dxa"),
            w("tblLayout", type="autofit"),
        ]
        if self.flow.rtl:
            found.append(w("bidiVisual"))
        if self.flow.indent:
            found.append(w("tblInd", w=self.flow.indent, type="dxa"))
        first = "1" if self.headers else "0"
        look = {"val": "0620" if self.headers else "0600", "firstRow": first, "lastRow": "0", "firstColumn": "0"}
        found.append(w("tblLook", **look, lastColumn="0", noHBand="1", noVBand="1"))
        return properties("w:tblPr", found)

    def _row(self, index: int) -> Element:
        header = [w("tblHeader")] if index < self.headers else []
        row = w("tr", w("trPr", w("cantSplit"), *header), *self._cells(index))
        if self._keeps_next(index):
            for each in row.iter("w:p"):
                set_property(each, w("keepNext"))
        return row

    def _keeps_next(self, index: int) -> bool:
        """Return whether a row stays on the page of the next one: in a short table, and below a header."""
        last = len(self.grid) - 1
        return index < last if last < MAX_KEPT_ROWS else index <= self.headers

    def _cells(self, index: int) -> Iterator[Element]:
        for start, end, cell in grid_cells(self.grid[index]):
            width = sum(self.widths[start:end])
            found = [w("tcW", w=width, type="dxa")]
            if end - start > 1:
                found.append(w("gridSpan", val=end - start))
            continues = cell is not None and self._is_at(index - 1, start, cell)
            if continues or (cell is not None and self._is_at(index + 1, start, cell)):
                found.append(w("vMerge") if continues else w("vMerge", val="restart"))
            shown = None if continues else cell
            is_header = index < self.headers or (cell is not None and cell.element.tag == "th")
            yield w("tc", properties("w:tcPr", found), *self._content(shown, width, is_header=is_header))

    def _content(self, cell: Cell | None, width: int, *, is_header: bool) -> list[Element]:
        text_format = replace(self.flow.format, bold=True) if is_header else self.flow.format
        align = _alignment(cell.element) if cell else None
        place = replace(
            self.flow, width=width - CELL_PADDING, indent=0, style=None, list_level=-1, align=align, format=text_format
        )
        content = spaced(self.writer.write(cell.element, place)) if cell else []
        if not content or not is_paragraph(content[-1]):
            content.append(paragraph(self.writer.story, place, []))
        return content

    def _is_at(self, index: int, column: int, cell: Cell) -> bool:
        """Return whether a cell covers a position."""
        if not 0 <= index < len(self.grid):
            return False
        other = self.grid[index][column]
        return other is not None and other.element is cell.element


def _alignment(element: HtmlElement) -> Alignment | None:
    style = (element.get("style") or "").replace(" ", "")
    return ALIGNMENTS.get((element.get("align") or style.partition("text-align:")[2].partition(";")[0]).lower())
