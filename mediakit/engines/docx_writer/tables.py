"""Tables: header rows that repeat, merged cells, and columns as wide as their content."""

from collections.abc import Iterator
from typing import Any, Protocol

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.elements import Element, qn, set_property, w
from mediakit.engines.markdown.html.table_grid import Cell, Grid, build_grid, table_rows

MAX_COLUMNS = 63
"""Columns of a table in Word."""

MAX_KEPT_ROWS = 10
"""Tables with more rows can break over pages."""

_CELL_PADDING = 240
"""Space at both sides of a cell's content, in twips."""

_MIN_COLUMN = 400
_CHARACTER = 145
"""Width of a character, in twips."""

_BOLD = 1.15
"""Width of bold text in relation to regular text."""

_LONGEST_WORD = 24
_MEASURED_ROWS = 200


class WriteCell(Protocol):
    """Writes the content of cells."""

    def __call__(self, cell: HtmlElement | None, width: int, align: str, *, is_header: bool) -> list[Element]:
        """Return the content of a cell, an empty one for None. `width` is in twips, `align` a value of CSS."""


def write_table(element: HtmlElement, room: int, write_cell: WriteCell, *, indent: int, rtl: bool) -> Element | None:
    """Return a table without its caption, or None if it has no cells.

    `room` is its largest width and `indent` its indentation, in twips. With `rtl`, the first column is the rightmost.
    """
    rows = table_rows(element)
    grid = [row[:MAX_COLUMNS] for row in build_grid(rows)]
    if not grid or not grid[0]:
        return None
    headers = _header_rows(rows)
    widths = _column_widths(grid, room)
    look: dict[str, Any] = {"val": "0620" if headers else "0600", "firstRow": int(headers > 0), "lastRow": 0}
    look |= {"firstColumn": 0, "lastColumn": 0, "noHBand": 1, "noVBand": 1}
    properties = [
        w("tblStyle", val="TableGrid"),
        *([w("bidiVisual")] if rtl else []),
        w("tblW", w=sum(widths), type="dxa"),
        *([w("tblInd", w=indent, type="dxa")] if indent else []),
        w("tblLayout", type="autofit"),
        w("tblLook", **look),
    ]
    table = w("tbl", w("tblPr", *properties), w("tblGrid", *(w("gridCol", w=width) for width in widths)))
    # rows that stay on the page of the next one: all of a short table, else the header and the first row
    kept = len(grid) - 1 if len(grid) <= MAX_KEPT_ROWS else headers + 1
    for index in range(len(grid)):
        header = [w("tblHeader")] if index < headers else []
        row = w("tr", w("trPr", w("cantSplit"), *header), *_cells(grid, index, headers, widths, write_cell))
        if index < kept:
            for paragraph in row.iter(qn("w:p")):
                set_property(paragraph, w("keepNext"))
        table.append(row)
    return table


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


def _cells(grid: Grid, index: int, headers: int, widths: list[int], write_cell: WriteCell) -> Iterator[Element]:
    """Yield the cells of a row."""
    for start, end, cell in _grid_cells(grid[index]):
        width = sum(widths[start:end])
        properties = [w("tcW", w=width, type="dxa")]
        if end - start > 1:
            properties.append(w("gridSpan", val=end - start))
        continues = cell is not None and _is_at(grid, index - 1, start, cell)
        if continues:
            properties.append(w("vMerge"))
        elif cell is not None and _is_at(grid, index + 1, start, cell):
            properties.append(w("vMerge", val="restart"))
        shown = cell.element if cell is not None and not continues else None
        is_header = index < headers or (cell is not None and cell.element.tag == "th")
        align = ""
        if shown is not None:
            style = (shown.get("style") or "").replace(" ", "")
            align = (shown.get("align") or style.partition("text-align:")[2].partition(";")[0]).lower()
        content = write_cell(shown, width - _CELL_PADDING, align, is_header=is_header)
        yield w("tc", w("tcPr", *properties), *content)


def _is_at(grid: Grid, index: int, column: int, cell: Cell) -> bool:
    """Return whether a cell covers a position."""
    if not 0 <= index < len(grid):
        return False
    other = grid[index][column]
    return other is not None and other.element is cell.element


def _grid_cells(row: list[Cell | None]) -> Iterator[tuple[int, int, Cell | None]]:
    """Yield the first column, the column after the last and the cell, for each cell of a row."""
    start = 0
    while start < len(row):
        cell, end = row[start], start + 1
        while cell and end < len(row) and (other := row[end]) and other.element is cell.element:
            end += 1
        yield start, end, cell
        start = end


def _column_widths(grid: Grid, total: int) -> list[int]:
    """Return the widths of the columns, in twips: as wide as their content, and in all at most `total`."""
    natural, least = [_MIN_COLUMN] * len(grid[0]), [_MIN_COLUMN] * len(grid[0])  # without breaks; one after each word
    for row in grid[:_MEASURED_ROWS]:
        for start, end, cell in _grid_cells(row):
            if cell is None or end - start > 1:
                continue
            words = [_length(word) for word in cell.element.text_content().split()]
            scale = _CHARACTER * (_BOLD if cell.element.tag == "th" else 1)
            longest = min(_LONGEST_WORD, max(words, default=0))
            natural[start] = max(natural[start], round((sum(words) + len(words)) * scale) + _CELL_PADDING)
            least[start] = max(least[start], round((longest + 1) * scale) + _CELL_PADDING)
    if sum(natural) <= total:
        return natural
    smallest = [min(width, total // len(natural)) for width in least]
    rest = total - sum(smallest)
    wishes = [wish - width for wish, width in zip(natural, smallest, strict=True)]
    every = sum(wishes) or 1
    return [max(1, width + rest * wish // every) for width, wish in zip(smallest, wishes, strict=True)]


def _length(word: str) -> int:
    """Return the width of a word in average characters. East Asian characters count twice."""
    return len(word) + sum(1 for character in word if "\u2e80" <= character <= "\uffdc" or character >= "\U0001f000")
