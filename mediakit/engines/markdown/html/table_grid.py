"""The structure of HTML tables: rows, header rows, merged cells, and tables that are used only for layout."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import has_text, is_hidden, tag_name

MAX_COLUMNS = 100
MAX_SPANNED_CELLS = 200_000
"""Maximum positions that the cells of one table can cover."""

MAX_LAYOUT_ROWS = 50
"""Maximum number of rows whose cells are examined."""

MAX_PARAGRAPHS, MAX_DIVISIONS = 3, 6
"""Numbers of `p` and `div` elements in a cell of data. A cell with more is a column of a layout."""

MIN_LABELED_COLUMNS = 3
"""Tables with two columns are often lists of properties, without column labels."""

MAX_LABEL_CHARACTERS = 60
MAX_HEADER_CHARACTERS = 200
"""Longer header cells are columns of a layout."""

MAX_COMPARED_ROWS = 20
MIN_LONG_CHARACTERS = 100
"""Length from which a text is not data if its table has only one row."""

_VALUE = re.compile(r"[^\w\s]?\s?\d|[-\u2013]$")
"""Start of a number, also with a currency sign, or a dash in its place."""

_NUMBER = re.compile(r"\s*(\d{1,5})", re.ASCII)
_SECTION_ORDER = {"thead": 0, "tfoot": 2}


@dataclass(slots=True)
class Cell:
    """One position in a table: a cell, or a position that a merged cell covers."""

    element: HtmlElement
    is_origin: bool = True
    """Whether this is the first position of the cell."""


Grid = list[list[Cell | None]]


def table_rows(table: HtmlElement) -> list[HtmlElement]:
    """Return the visible rows of a table with the head first and the foot last. Rows of nested tables are omitted.

    A head, body or foot with cells outside of a row is a row itself, as browsers show it.
    """
    rows: list[HtmlElement] = []
    for child in sorted(table, key=lambda section: _SECTION_ORDER.get(tag_name(section), 1)):
        tag = tag_name(child)
        if tag not in ("tr", "thead", "tbody", "tfoot") or is_hidden(child):
            continue
        if tag == "tr" or next(child.iterchildren("td", "th"), None) is not None:
            rows.append(child)
        if tag != "tr":
            rows += [row for row in child.iterchildren("tr") if not is_hidden(row)]
    return rows


def row_cells(row: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the visible cells of a row."""
    return (cell for cell in row.iterchildren("td", "th") if not is_hidden(cell))


def build_grid(rows: list[HtmlElement]) -> Grid:
    """Place cells in a grid, with each merged cell in all positions that it covers (WHATWG HTML 4.9.12)."""
    grid: Grid = [[] for _ in rows]
    remaining_positions = MAX_SPANNED_CELLS
    for index, row in enumerate(rows):
        column = 0
        for cell in row_cells(row):
            while column < len(grid[index]) and grid[index][column] is not None:
                column += 1
            column_span, row_span = _span(cell, "colspan", MAX_COLUMNS), _span(cell, "rowspan", len(rows) - index)
            if column_span * row_span > remaining_positions:
                column_span = row_span = 1
            remaining_positions -= column_span * row_span
            end = column + column_span
            if column < MAX_COLUMNS:
                for line in grid[index : index + row_span]:
                    line.extend([None] * (end - len(line)))
                    line[column:end] = [Cell(cell, is_origin=False)] * column_span
                grid[index][column] = Cell(cell)
            column = end
    width = min(MAX_COLUMNS, max((len(row) for row in grid), default=0))
    return [[*row[:width], *[None] * (width - len(row))] for row in grid]


def _span(cell: HtmlElement, attribute: str, maximum: int) -> int:
    value = cell.get(attribute)
    if value is None:
        return 1
    match = _NUMBER.match(value)
    number = int(match[1]) if match else 1
    if number == 0:
        return maximum if attribute == "rowspan" else 1
    return max(1, min(number, maximum))


def count_header_rows(rows: list[HtmlElement]) -> int:
    """Return how many rows at the top are column headers."""
    count = 0
    for row in rows:
        cells = list(row_cells(row))
        parent = row.getparent()
        is_in_head = parent is not None and parent.tag == "thead"
        if not cells or not (is_in_head or all(cell.tag == "th" for cell in cells)):
            break
        count += 1
    if count == 0 and len(rows) > 1:
        return int(all(_is_bold(cell) for cell in row_cells(rows[0])) or _is_above_numbers(rows))
    return count


def _is_above_numbers(rows: list[HtmlElement]) -> bool:
    """Return whether the first row has labels of at least three columns, one of them with only numbers below."""
    texts = [[cell.text_content().strip() for cell in row_cells(row)] for row in rows[: MAX_COMPARED_ROWS + 1]]
    labels, *body = texts
    if len(labels) < MIN_LABELED_COLUMNS or len(set(labels)) < len(labels) or len(body) < 2:
        return False
    if not all(label and len(label) <= MAX_LABEL_CHARACTERS and not _VALUE.match(label) for label in labels):
        return False
    if any(len(row) != len(labels) for row in body):
        return False
    return any(all(_VALUE.match(row[column]) for row in body) for column in range(1, len(labels)))


def _is_bold(cell: HtmlElement) -> bool:
    text = cell.text_content().strip()
    bold = "".join(element.text_content() for element in cell.iter("b", "strong")).strip()
    return bool(text) and bold == text


def is_layout_table(table: HtmlElement, rows: list[HtmlElement]) -> bool:
    """Return whether a table is used only for layout and contains no tabular data."""
    if (table.get("role") or "").lower() in ("presentation", "none"):
        return True
    return not _has_column_headers(rows) and _looks_like_layout(table, rows)


def _looks_like_layout(table: HtmlElement, rows: list[HtmlElement]) -> bool:
    if next(table.iterdescendants("table", "pre", "h1", "h2", "h3", "hr", "section", "article"), None) is not None:
        return True
    has_headers = next(table.iter("th"), None) is not None
    if max((sum(1 for _ in row_cells(row)) for row in rows), default=0) < 2 and not has_headers:
        return True
    if table.find("caption") is None and not has_headers and _has_at_most_one_text_per_row(rows):
        return True
    if not has_headers and (_is_one_row_of_text(rows) or _has_indented_rows(rows)):
        return True
    return any(
        len(cell.findall("p")) > MAX_PARAGRAPHS or len(cell.findall("div")) > MAX_DIVISIONS
        for row in rows[:MAX_LAYOUT_ROWS]
        for cell in row_cells(row)
    )


def _has_column_headers(rows: list[HtmlElement]) -> bool:
    """Return whether a table has labeled columns or rows, so that it contains data, also if cells contain blocks.

    Short labels count: some pages use `th` for the columns of their layout.
    """
    if len(rows) < 2:
        return False
    cells = [list(row_cells(row)) for row in rows[:MAX_LAYOUT_ROWS]]
    while len(cells) > 2 and len(cells[0]) == 1 and cells[0][0].tag == "th":  # a title above the header
        rows, cells = rows[1:], cells[1:]
    top = [cell for cell in cells[0] if cell.text_content().strip()]
    head = rows[0].getparent()
    is_in_head = head is not None and head.tag == "thead"
    is_labeled = len(cells[0]) > 1 and (is_in_head or all(cell.tag == "th" for cell in cells[0]))
    if is_labeled and len(top) >= len(cells[0]) - 1:
        widths = [sum(_span(cell, "colspan", MAX_COLUMNS) for cell in row) for row in cells]
        is_regular = 2 * sum(width == widths[0] for width in widths) > len(widths)
        return is_regular and all(len(cell.text_content().strip()) <= MAX_HEADER_CHARACTERS for cell in top)
    firsts = [row[0] for row in cells if len(row) > 1]
    return len(firsts) == len(cells) and all(
        cell.tag == "th" and 0 < len(cell.text_content().strip()) <= MAX_HEADER_CHARACTERS for cell in firsts
    )


def _has_at_most_one_text_per_row(rows: list[HtmlElement]) -> bool:
    texts = (cell for row in rows for cell in row_cells(row) if has_text(cell))
    return next(islice(texts, len(rows), None), None) is None


def _is_one_row_of_text(rows: list[HtmlElement]) -> bool:
    filled = [row for row in rows if row.text_content().strip()]
    return len(filled) == 1 and any(
        len(cell.text_content().strip()) >= MIN_LONG_CHARACTERS for cell in row_cells(filled[0])
    )


def _has_indented_rows(rows: list[HtmlElement]) -> bool:
    """Return whether at least a third of the rows begin with an empty merged cell, which only indents them."""
    firsts = [first for row in rows if (first := next(row_cells(row), None)) is not None]
    indented = sum(_span(first, "colspan", MAX_COLUMNS) > 1 and not first.text_content().strip() for first in firsts)
    return indented > 1 and 3 * indented >= len(firsts)
