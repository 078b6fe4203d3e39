"""How the rows of a table look in a notebook: HTML that reads well in light and dark."""

import html
from collections.abc import Sequence
from dataclasses import dataclass

MAX_SHOWN_ROWS = 20
MAX_SHOWN_COLUMNS = 30
MAX_SHOWN_CHARACTERS = 80
"""Characters of a cell; the whole text is its tooltip."""

MAX_TOOLTIP_CHARACTERS = 1000

_BOX = "overflow-x:auto;max-width:100%;font:13px/1.45 system-ui,sans-serif"
_TABLE = "border-collapse:collapse;margin:0;font-variant-numeric:tabular-nums"
_LINE = "border:0;border-bottom:1px solid rgba(128,128,128,.28);padding:4px 12px;white-space:pre;vertical-align:top"
_HEAD = f"{_LINE};border-bottom:2px solid rgba(128,128,128,.45);font-weight:600"
_MUTED = "opacity:.6"


@dataclass(frozen=True)
class ShownColumn:
    """A column as a notebook shows it."""

    name: str
    type: str
    is_right_aligned: bool = False


def table_html(columns: Sequence[ShownColumn], rows: Sequence[Sequence[str | None]], caption: str, total: int) -> str:
    """Return the first rows of a table as HTML.

    Args:
        columns: The columns.
        rows: Cells of each row as text; None is null.
        caption: A line above the table.
        total: The number of rows of the whole table.
    """
    shown = columns[:MAX_SHOWN_COLUMNS]
    head = "".join(_head(column) for column in shown)
    body = "".join(_row(shown, row) for row in rows[:MAX_SHOWN_ROWS])
    lines = [f'<div style="margin:0 0 6px">{html.escape(caption)}</div>']
    lines.append(f'<table style="{_TABLE}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>')
    more = _more(total - min(len(rows), MAX_SHOWN_ROWS), len(columns) - len(shown))
    if more:
        lines.append(f'<div style="margin:6px 0 0;{_MUTED}">{more}</div>')
    return f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{"".join(lines)}</div>'


def _head(column: ShownColumn) -> str:
    name = f'<div dir="auto">{_cut(column.name)}</div>'
    return f'<th style="{_HEAD}{_align(column)}">{name}<div style="font-weight:400;{_MUTED}">{column.type}</div></th>'


def _row(columns: Sequence[ShownColumn], row: Sequence[str | None]) -> str:
    cells = "".join(_cell(column, cell) for column, cell in zip(columns, row, strict=False))
    return f'<tr style="background:none">{cells}</tr>'


def _cell(column: ShownColumn, cell: str | None) -> str:
    if cell is None:
        return f'<td style="{_LINE}{_align(column)}"><span style="opacity:.4">null</span></td>'
    title = f' title="{html.escape(cell[:MAX_TOOLTIP_CHARACTERS])}"' if _is_cut(cell) else ""
    return f'<td dir="auto" style="{_LINE}{_align(column)}"{title}>{_cut(cell)}</td>'


def _align(column: ShownColumn) -> str:
    return ";text-align:right" if column.is_right_aligned else ";text-align:left"


def _is_cut(text: str) -> bool:
    return len(text) > MAX_SHOWN_CHARACTERS or "\n" in text


def _cut(text: str) -> str:
    """Return a text on one line, escaped, with an ellipsis where it is longer than shown."""
    line = " ↵ ".join(text[: MAX_SHOWN_CHARACTERS + 1].splitlines())
    return html.escape(line[:MAX_SHOWN_CHARACTERS]) + ("…" if len(text) > MAX_SHOWN_CHARACTERS else "")


def _more(rows: int, columns: int) -> str:
    parts = [f"{rows:,} more {'row' if rows == 1 else 'rows'}"] if rows > 0 else []
    parts += [f"{columns:,} more {'column' if columns == 1 else 'columns'}"] if columns > 0 else []
    return f"and {' and '.join(parts)}" if parts else ""
