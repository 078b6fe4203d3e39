"""Tables: GitHub's syntax in Markdown, aligned columns in plain text, and only the contents of layout tables."""

import re
import unicodedata

from lxml.html import HtmlElement

from mediakit.engines.markdown import inline
from mediakit.engines.markdown.blocks import Block
from mediakit.engines.markdown.html.block_writer import BlockWriter
from mediakit.engines.markdown.html.elements import is_hidden
from mediakit.engines.markdown.html.html_tables import html_table, needs_html
from mediakit.engines.markdown.html.table_grid import (
    Cell,
    build_grid,
    count_header_rows,
    is_layout_table,
    row_cells,
    table_rows,
)
from mediakit.engines.markdown.tokens import Token

MAX_PADDED_WIDTH = 40
"""Characters to which the columns of a plain text table are aligned."""

MAX_MARKER_CHARACTERS = 4
"""Length of a number or a bullet in its own cell."""

_ALIGNMENT_STYLE = re.compile(r"text-align\s*:\s*(left|right|center)", re.IGNORECASE)
_DELIMITERS = {"left": ":---", "right": "---:", "center": ":---:"}


def write_table(writer: BlockWriter, element: HtmlElement, _previous: Block | None) -> list[Block]:
    """Write a table."""
    rows = table_rows(element)
    caption = element.find("caption")
    blocks = writer.write_children(caption) if caption is not None and not is_hidden(caption) else []
    if writer.options.keep_tables:
        if not writer.options.plain and needs_html(rows):
            return [*blocks, Block("table", html_table(writer, rows))]
    elif is_layout_table(element, rows):
        return blocks + [block for row in rows for block in _layout_row(writer, row)]
    elif not writer.options.plain and any(next(row.iter("table"), None) is not None for row in rows):
        return [*blocks, Block("table", html_table(writer, rows))]
    grid = build_grid(rows)
    texts = [[_cell_text(writer, cell) for cell in row] for row in grid]
    columns = [column for column in range(len(texts[0])) if any(row[column] for row in texts)] if texts else []
    if not columns:
        return blocks
    if writer.options.keep_tables:
        columns = list(range(len(texts[0])))
    else:
        texts = [[row[column] for column in columns] for row in texts]  # empty columns are used only for spacing
    if writer.options.plain:
        return [*blocks, Block("table", _align_columns(texts))]
    delimiters = [_delimiter(grid[0][column]) for column in columns]
    header, body = (texts[0], texts[1:]) if count_header_rows(rows) else ([""] * len(texts[0]), texts)
    lines = [_line(header), _line(delimiters), *(_line(row) for row in body)]
    return [*blocks, Block("table", "\n".join(lines), lines)]


def _layout_row(writer: BlockWriter, row: HtmlElement) -> list[Block]:
    """Return the contents of a row of a layout table. A number or bullet in its own cell starts the next text."""
    blocks = [block for cell in row_cells(row) for block in writer.write_children(cell) if block.text]
    if len(blocks) > 1 and blocks[0].kind == blocks[1].kind == "text" and len(blocks[0].text) <= MAX_MARKER_CHARACTERS:
        first, second, *rest = blocks
        return [Block("text", f"{first.text} {second.text}"), *rest]
    return blocks


def _cell_text(writer: BlockWriter, cell: Cell | None) -> str:
    if cell is None or not cell.is_origin:
        return ""
    tokens: list[Token] = []
    writer.collector.add_content(cell.element, tokens, block_break="\n")
    return inline.write_plain_text(tokens, line_break=" ") if writer.options.plain else inline.write_cell(tokens)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _delimiter(cell: Cell | None) -> str:
    if cell is None:
        return "---"
    style = _ALIGNMENT_STYLE.search(cell.element.get("style") or "")
    return _DELIMITERS.get((style[1] if style else cell.element.get("align") or "").lower(), "---")


def _align_columns(rows: list[list[str]]) -> str:
    widths = [min(MAX_PADDED_WIDTH, max(_display_width(row[column]) for row in rows)) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(text + " " * (width - _display_width(text)) for text, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
        if any(row)
    )


def _display_width(text: str) -> int:
    """Return the number of columns that a text takes in a fixed-width font (Unicode TR 11)."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    marks = sum(unicodedata.combining(character) > 0 for character in text)
    return len(text) + wide - marks
