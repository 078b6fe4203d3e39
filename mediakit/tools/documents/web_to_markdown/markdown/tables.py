"""Tables: GitHub's where cells hold lines, aligned columns in plain text, and blocks where a table only lays out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown import inline
from mediakit.tools.documents.web_to_markdown.markdown.blocks import Block
from mediakit.tools.documents.web_to_markdown.markdown.elements import is_hidden, name
from mediakit.tools.documents.web_to_markdown.markdown.tokens import Token

if TYPE_CHECKING:
    from mediakit.tools.documents.web_to_markdown.markdown.writer import Writer

WIDEST = 100
"""Columns; a table has no more, whatever its cells claim to span."""

MOST_CELLS = 200_000
"""Cells that spans may fill."""

_ALIGNMENT = re.compile(r"text-align\s*:\s*(left|right|center)", re.IGNORECASE)
_NUMBER = re.compile(r"\s*(\d{1,5})", re.ASCII)
_SECTIONS = {"thead": 0, "tfoot": 2}
_RULES = {"left": ":---", "right": "---:", "center": ":---:"}


@dataclass(slots=True)
class Cell:
    """One place in a table: a cell, or what a merged cell covers."""

    element: HtmlElement
    first: bool = True
    """Whether this is the place where the cell's text stands."""


Grid = list[list[Cell | None]]


def written(writer: Writer, element: HtmlElement, _before: Block | None) -> list[Block]:
    """Write a table."""
    rows = list(_rows(element))
    caption = element.find("caption")
    blocks = writer.blocks(caption) if caption is not None and not is_hidden(caption) else []
    if is_layout(element, rows):
        return blocks + [block for row in rows for cell in _cells(row) for block in writer.blocks(cell)]
    grid = grid_of(rows)
    text = [[_text(writer, cell) for cell in row] for row in grid]
    filled = [column for column in range(len(text[0])) if any(row[column] for row in text)] if text else []
    if not filled:
        return blocks
    text = [[row[column] for column in filled] for row in text]  # columns that only keep a distance are left out
    rules = [_rule(grid[0][column]) for column in filled]
    if writer.style.plain:
        return [*blocks, Block("table", _aligned(text))]
    headed = header_rows(rows) > 0
    head, body = (text[0], text[1:]) if headed else ([""] * len(text[0]), text)
    lines = [_line(head), _line(rules), *(_line(row) for row in body)]
    return [*blocks, Block("table", "\n".join(lines), lines)]


def grid_of(rows: list[HtmlElement]) -> Grid:
    """Put cells where they stand once merged ones cover their neighbours (WHATWG HTML 4.9.12)."""
    grid: Grid = [[] for _ in rows]
    budget = MOST_CELLS
    for index, row in enumerate(rows):
        column = 0
        for cell in _cells(row):
            while column < len(grid[index]) and grid[index][column] is not None:
                column += 1
            across, down = _span(cell, "colspan", WIDEST), _span(cell, "rowspan", len(rows) - index)
            if across * down > budget:
                across = down = 1
            budget -= across * down
            for line in range(index, index + down):
                _place(grid[line], column, across, cell, first=line == index)
            column += across
    width = min(WIDEST, max((len(row) for row in grid), default=0))
    return [[*row[:width], *[None] * (width - len(row))] for row in grid]


def header_rows(rows: list[HtmlElement]) -> int:
    """Count the rows at the top that name the columns."""
    count = 0
    for row in rows:
        cells = list(_cells(row))
        parent = row.getparent()
        in_head = parent is not None and parent.tag == "thead"
        if not cells or not (in_head or all(cell.tag == "th" for cell in cells)):
            break
        count += 1
    if count == 0 and len(rows) > 1 and all(_is_bold(cell) for cell in _cells(rows[0])):
        return 1
    return count


def is_layout(table: HtmlElement, rows: list[HtmlElement]) -> bool:
    """Tell whether a table only puts things beside each other."""
    if (table.get("role") or "").lower() in ("presentation", "none"):
        return True
    if next(table.iterdescendants("table", "pre", "h1", "h2", "h3", "hr", "section", "article"), None) is not None:
        return True
    counts = [sum(1 for _ in _cells(row)) for row in rows]
    if max(counts, default=0) < 2 and next(table.iter("th"), None) is None:
        return True
    if table.find("caption") is None and next(table.iter("th"), None) is None and _is_sparse(rows):
        return True
    return any(len(cell.findall("p")) > 3 or len(cell.findall("div")) > 6 for row in rows[:50] for cell in _cells(row))


def _is_sparse(rows: list[HtmlElement]) -> bool:
    """Tell whether there is no more than one text a row, so that there are no columns to read."""
    texts = sum(1 for row in rows for cell in _cells(row) if cell.text_content().strip())
    return texts <= len(rows)


def rows_of(table: HtmlElement) -> list[HtmlElement]:
    """Give the rows of a table, those of tables inside it left out."""
    return list(_rows(table))


def _rows(table: HtmlElement) -> Iterator[HtmlElement]:
    """Give the rows in the order in which they are shown: the head first, the foot last."""
    for child in sorted(table, key=lambda each: _SECTIONS.get(name(each), 1)):
        tag = name(child)
        if tag == "tr" and not is_hidden(child):
            yield child
        elif tag in ("thead", "tbody", "tfoot") and not is_hidden(child):
            yield from (row for row in child.iterchildren("tr") if not is_hidden(row))


def _cells(row: HtmlElement) -> Iterator[HtmlElement]:
    return (cell for cell in row.iterchildren("td", "th") if not is_hidden(cell))


def _place(row: list[Cell | None], column: int, across: int, cell: HtmlElement, *, first: bool) -> None:
    if column >= WIDEST:
        return
    row += [None] * (column + across - len(row))
    for place in range(column, column + across):
        row[place] = Cell(cell, first and place == column)


def _span(cell: HtmlElement, attribute: str, most: int) -> int:
    stated = cell.get(attribute)
    if stated is None:
        return 1
    match = _NUMBER.match(stated)
    number = int(match[1]) if match else 1
    if number == 0:
        return most if attribute == "rowspan" else 1
    return max(1, min(number, most))


def _text(writer: Writer, cell: Cell | None) -> str:
    if cell is None or not cell.first:
        return ""
    tokens: list[Token] = []
    writer.collector.content(cell.element, tokens, block_break="\n")
    return inline.plain(tokens, line_break=" ") if writer.style.plain else inline.cell(tokens)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _rule(cell: Cell | None) -> str:
    if cell is None:
        return "---"
    style = _ALIGNMENT.search(cell.element.get("style") or "")
    return _RULES.get((style[1] if style else cell.element.get("align") or "").lower(), "---")


def _is_bold(cell: HtmlElement) -> bool:
    text = cell.text_content().strip()
    bold = "".join(each.text_content() for each in cell.iter("b", "strong")).strip()
    return bool(text) and bold == text


def _aligned(rows: list[list[str]]) -> str:
    widths = [min(40, max(_width(row[column]) for row in rows)) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(text + " " * (width - _width(text)) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
        if any(row)
    )


def _width(text: str) -> int:
    """Count the columns that a text takes in a fixed-width font (Unicode TR 11)."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    marks = sum(unicodedata.combining(character) > 0 for character in text)
    return len(text) + wide - marks
