"""Tables: GitHub's syntax or HTML in Markdown, aligned columns in plain text, and the contents of layout tables."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from html import escape

from lxml.html import HtmlElement

from mediakit.engines.markdown import inline
from mediakit.engines.markdown.blocks import Block, row_line
from mediakit.engines.markdown.html import elements
from mediakit.engines.markdown.html.collector import BlockWriter, remove_invisible
from mediakit.engines.markdown.html.elements import IGNORED_ELEMENTS, is_hidden, tag_name, word_set
from mediakit.engines.markdown.html.formulas import formula_of_math
from mediakit.engines.markdown.html.table_grid import (
    Cell,
    build_grid,
    count_header_rows,
    is_layout_table,
    row_cells,
    table_rows,
)
from mediakit.engines.markdown.tokens import Token

_COMPLEX = word_set("ul ol menu dl pre blockquote table h1 h2 h3 h4 h5 h6")
"""Elements that a cell of a table in GitHub's syntax cannot hold."""

_KEPT = word_set(
    "p ul ol li dl dt dd blockquote h1 h2 h3 h4 h5 h6 em strong i b u s del sup sub code pre kbd samp mark small q"
)
"""Elements that are written without attributes. Of all others only the contents are written."""

_SPACE = re.compile(r"[ \t\r\n]+")
_SPAN = re.compile(r"[1-9]\d{0,3}")


def needs_html(rows: Sequence[HtmlElement]) -> bool:
    """Return whether a table has merged cells, or blocks in its cells."""
    return any(
        _span(cell, "rowspan") > 1
        or _span(cell, "colspan") > 1
        or (len(cell) > 0 and next(cell.iterdescendants(*_COMPLEX), None) is not None)
        for row in rows
        for cell in row_cells(row)
    )


def html_table(writer: BlockWriter, rows: Sequence[HtmlElement]) -> str:
    """Return a table as HTML without blank lines, which would end it in Markdown."""
    headers, index = count_header_rows(list(rows)), 0
    while index < headers < len(rows):  # cells of header rows span further rows
        headers = max(headers, index + max((_span(cell, "rowspan") for cell in row_cells(rows[index])), default=1))
        index += 1
    if headers >= len(rows) > 1:  # a head cannot be the whole table
        headers = 0
    lines = ["<table>"]
    for part, rows_of_part in (("thead", rows[:headers]), ("tbody", rows[headers:])):
        if rows_of_part:
            written = (_row(writer, row, "th" if part == "thead" else "") for row in rows_of_part)
            lines += [f"<{part}>", *written, f"</{part}>"]
    return "\n".join([*lines, "</table>"])


def _row(writer: BlockWriter, row: HtmlElement, tag: str) -> str:
    cells = []
    for cell in row_cells(row):
        cell_tag = tag or tag_name(cell)
        spans = "".join(f' {name}="{span}"' for name in ("rowspan", "colspan") if (span := _span(cell, name)) > 1)
        cells.append(f"<{cell_tag}{spans}>{_content(writer, cell).strip()}</{cell_tag}>")
    return f"<tr>{''.join(cells)}</tr>"


def _span(cell: HtmlElement, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return int(value) if _SPAN.fullmatch(value) else 1


def _content(writer: BlockWriter, element: HtmlElement) -> str:
    """Return the contents of an element. A lone paragraph is written without its element."""
    if len(element) == 1 and element[0].tag == "p" and not (element.text or "").strip():
        return _content(writer, element[0])
    pieces = [_text(element.text)]
    for child in element:
        pieces += (_element(writer, child), _text(child.tail))
    return "".join(pieces)


def _text(text: str | None) -> str:
    return escape(_SPACE.sub(" ", remove_invisible(text)), quote=False) if text else ""


def _element(writer: BlockWriter, element: HtmlElement) -> str:
    tag = tag_name(element)
    if not tag or is_hidden(element):
        return ""
    if tag == "math":
        return f"${escape(formula_of_math(element)[0], quote=False)}$"
    if tag in IGNORED_ELEMENTS:
        return ""
    write = _WRITERS.get(tag)
    if write:
        return write(writer, element)
    content = _content(writer, element)
    return f"<{tag}>{content.strip() if tag in _TRIMMED else content}</{tag}>" if tag in _KEPT else content


_TRIMMED = word_set("p ul ol li dl dt dd blockquote h1 h2 h3 h4 h5 h6")


def _link(writer: BlockWriter, element: HtmlElement) -> str:
    url, content = writer.collector.link_url(element), _content(writer, element)
    return f'<a href="{escape(url)}">{content}</a>' if url and content.strip() else content


def _image(writer: BlockWriter, element: HtmlElement) -> str:
    if not writer.options.include_images or elements.is_emoji(element):
        return escape(elements.alt_text(element)) if elements.is_text(element) else ""
    url = elements.image_url(element, writer.options)
    return f'<img src="{escape(url)}" alt="{escape(elements.alt_text(element))}">' if url else ""


def _code_block(_writer: BlockWriter, element: HtmlElement) -> str:
    lines = escape(element.text_content().strip("\n"), quote=False).splitlines()
    return f"<pre><code>{'<br>'.join(lines)}</code></pre>"


def _list(writer: BlockWriter, element: HtmlElement) -> str:
    start = element.get("start") or ""
    numbered = f' start="{start}"' if start.isdecimal() and start.isascii() and start != "1" else ""
    return f"<ol{numbered}>{_content(writer, element).strip()}</ol>"


_WRITERS: dict[str, Callable[[BlockWriter, HtmlElement], str]] = {
    "br": lambda _writer, _element: "<br>",
    "a": _link,
    "img": _image,
    "pre": _code_block,
    "table": lambda writer, element: html_table(writer, table_rows(element)).replace("\n", ""),
    "ol": _list,
}


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
    lines = [row_line(header), row_line(delimiters), *(row_line(row) for row in body)]
    return [*blocks, Block("table", "\n".join(lines), lines)]


def _layout_row(writer: BlockWriter, row: HtmlElement) -> list[Block]:
    """Return the contents of a row of a layout table. A number or bullet in its own cell starts the next text."""
    blocks = [block for cell in row_cells(row) for block in writer.write_children(cell) if block.text]
    match blocks:
        case [Block("text", marker), Block("text", text), *rest] if len(marker) <= MAX_MARKER_CHARACTERS:
            return [Block("text", f"{marker} {text}"), *rest]
    return blocks


def _cell_text(writer: BlockWriter, cell: Cell | None) -> str:
    if cell is None or not cell.is_origin:
        return ""
    tokens: list[Token] = []
    writer.collector.add_content(cell.element, tokens, block_break="\n")
    return inline.write_plain_text(tokens, line_break=" ") if writer.options.plain else inline.write_cell(tokens)


def _delimiter(cell: Cell | None) -> str:
    if cell is None:
        return "---"
    style = _ALIGNMENT_STYLE.search(cell.element.get("style") or "")
    return _DELIMITERS.get((style[1] if style else cell.element.get("align") or "").lower(), "---")


def _align_columns(rows: list[list[str]]) -> str:
    widths = [min(MAX_PADDED_WIDTH, max(map(_display_width, column))) for column in zip(*rows, strict=True)]
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
