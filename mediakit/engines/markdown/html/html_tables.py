"""Tables as HTML, for what GitHub's syntax cannot hold: merged cells, and lists, code or tables in cells."""

import re
from collections.abc import Callable, Sequence
from html import escape

from lxml.html import HtmlElement

from mediakit.engines.markdown.html import images
from mediakit.engines.markdown.html.block_writer import BlockWriter
from mediakit.engines.markdown.html.collector import remove_invisible
from mediakit.engines.markdown.html.elements import IGNORED_ELEMENTS, is_hidden, tag_name, word_set
from mediakit.engines.markdown.html.formulas import find_formula
from mediakit.engines.markdown.html.table_grid import count_header_rows, row_cells, table_rows

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
    return any(_is_complex(cell) for row in rows for cell in row_cells(row))


def _is_complex(cell: HtmlElement) -> bool:
    if any(_span(cell, name) > 1 for name in ("rowspan", "colspan")):
        return True
    return len(cell) > 0 and next(cell.iterdescendants(*_COMPLEX), None) is not None


def html_table(writer: BlockWriter, rows: Sequence[HtmlElement]) -> str:
    """Return a table as HTML without blank lines, which would end it in Markdown."""
    headers = _head_rows(rows)
    head = [_row(writer, row, "th") for row in rows[:headers]]
    body = [_row(writer, row, "") for row in rows[headers:]]
    lines = ["<table>"]
    if head:
        lines += ["<thead>", *head, "</thead>"]
    if body:
        lines += ["<tbody>", *body, "</tbody>"]
    return "\n".join([*lines, "</table>"])


def _head_rows(rows: Sequence[HtmlElement]) -> int:
    """Return the number of header rows, with those that cells of header rows span. A head cannot be the whole table."""
    headers, index = count_header_rows(list(rows)), 0
    while index < headers < len(rows):
        headers = max(headers, index + max((_span(cell, "rowspan") for cell in row_cells(rows[index])), default=1))
        index += 1
    return headers if headers < len(rows) or len(rows) == 1 else 0


def _row(writer: BlockWriter, row: HtmlElement, tag: str) -> str:
    cells = [_cell(writer, cell, tag or tag_name(cell)) for cell in row_cells(row)]
    return f"<tr>{''.join(cells)}</tr>"


def _cell(writer: BlockWriter, cell: HtmlElement, tag: str) -> str:
    spans = "".join(f' {name}="{_span(cell, name)}"' for name in ("rowspan", "colspan") if _span(cell, name) > 1)
    return f"<{tag}{spans}>{_content(writer, cell).strip()}</{tag}>"


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
    formula = find_formula(element)
    if formula is not None:
        return f"${escape(formula[0], quote=False)}$"
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
    if not writer.options.include_images or images.is_emoji(element):
        return escape(images.alt_text(element)) if images.is_text(element) else ""
    url = images.image_url(element, writer.options)
    return f'<img src="{escape(url)}" alt="{escape(images.alt_text(element))}">' if url else ""


def _code_block(_writer: BlockWriter, element: HtmlElement) -> str:
    lines = escape(element.text_content().strip("\n"), quote=False).splitlines()
    return f"<pre><code>{'<br>'.join(lines)}</code></pre>"


def _table(writer: BlockWriter, element: HtmlElement) -> str:
    return html_table(writer, table_rows(element)).replace("\n", "")


def _list(writer: BlockWriter, element: HtmlElement) -> str:
    start = element.get("start") or ""
    numbered = f' start="{start}"' if start.isdecimal() and start.isascii() and start != "1" else ""
    return f"<ol{numbered}>{_content(writer, element).strip()}</ol>"


_WRITERS: dict[str, Callable[[BlockWriter, HtmlElement], str]] = {
    "br": lambda _writer, _element: "<br>",
    "a": _link,
    "img": _image,
    "pre": _code_block,
    "table": _table,
    "ol": _list,
}
