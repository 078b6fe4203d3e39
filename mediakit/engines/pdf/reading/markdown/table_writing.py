"""Writes tables: GitHub's syntax, HTML where cells are merged."""

import html
from collections.abc import Iterator, Sequence

from mediakit.engines.markdown.blocks import Block
from mediakit.engines.markdown.inline import write_cell
from mediakit.engines.markdown.tokens import normalize_tokens
from mediakit.engines.pdf.reading.markdown.elements import TableOf
from mediakit.engines.pdf.reading.markdown.inline_tokens import tokens
from mediakit.engines.pdf.reading.markdown.runs import Run

TAGS = {"strong": "b", "em": "i", "link": "a"}
"""HTML tags of marks that have another name."""


def write_table(table: TableOf) -> Block:
    """Return a table as a block."""
    if not table.cells or not table.cells[0]:
        return Block("table", "")
    if table.spans:
        return Block("table", _html(table))
    rows = [
        [_cell(runs or [], is_head=index < table.header_rows) for runs in row] for index, row in enumerate(table.cells)
    ]
    head, body = (rows[0], rows[1:]) if table.header_rows else ([""] * len(rows[0]), rows)
    lines = [_line(head), _line(["---"] * len(head)), *map(_line, body)]
    return Block("table", "\n".join(lines), lines)


def _cell(runs: Sequence[Run], *, is_head: bool) -> str:
    return write_cell(tokens(runs, plain_bold=is_head))


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _html(table: TableOf) -> str:
    spans = {
        (span.row, span.column): _attribute("colspan", span.columns) + _attribute("rowspan", span.rows)
        for span in table.spans
    }
    lines = ["<table>"]
    for index, row in enumerate(table.cells):
        tag = "th" if index < table.header_rows else "td"
        cells = (
            f"<{tag}{spans.get((index, column), '')}>{_html_text(runs, is_head=tag == 'th')}</{tag}>"
            for column, runs in enumerate(row)
            if runs is not None
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join([*lines, "</table>"])


def _attribute(name: str, count: int) -> str:
    return f' {name}="{count}"' if count > 1 else ""


def _html_text(runs: Sequence[Run], *, is_head: bool) -> str:
    return " ".join("".join(_html_pieces(runs, is_head=is_head)).split())


def _html_pieces(runs: Sequence[Run], *, is_head: bool) -> Iterator[str]:
    for token in normalize_tokens(tokens(runs, plain_bold=is_head)):
        name = TAGS.get(token.mark, token.mark)
        if token.kind == "open":
            yield f'<a href="{html.escape(token.text)}">' if name == "a" else f"<{name}>"
        elif token.kind == "close":
            yield f"</{name}>"
        elif token.kind == "raw":
            yield f"<code>{html.escape(token.text.strip('`').strip(), quote=False)}</code>"
        else:
            yield html.escape(token.text, quote=False)
