"""HTML of tables for notebooks, in light and dark: rows of a table, and facts about a file."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

MAX_SHOWN_ROWS = 20
MAX_SHOWN_COLUMNS = 30
MAX_SHOWN_CHARACTERS = 80
"""Characters of a cell; the whole text is its tooltip."""

MAX_TOOLTIP_CHARACTERS = 1000

_BOX = "overflow-x:auto;max-width:100%;font:13px/1.45 system-ui,sans-serif"
_TABLE = "border-collapse:collapse;margin:0;font-variant-numeric:tabular-nums"
_LINE = "border:0;border-bottom:1px solid rgba(128,128,128,.28);padding:4px 12px;white-space:pre;vertical-align:top"
_HEAD = f"{_LINE};border-bottom:2px solid rgba(128,128,128,.45);font-weight:600"
_MUTED = "opacity:.75"
_FACTS_BOX = "max-width:56em;font:13px/1.5 system-ui,sans-serif;color:inherit"
_FACTS_TABLE = f"{_TABLE};margin:8px 0 0;font-size:13px;color:inherit"
_FACTS_LINE = (
    "padding:5px 18px 5px 0;border:0;border-top:1px solid rgba(128,128,128,.3);text-align:left;vertical-align:top"
)
_FACT_NAME = f"font-weight:400;white-space:nowrap;{_MUTED}"
_TITLE = "font-size:15px;font-weight:600"
_WARNING = "margin:8px 0 0;padding:6px 12px;border-left:3px solid #d97706;background:rgba(217,119,6,.1)"


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
    body = "".join(
        f'<tr style="background:none">{"".join(map(_cell, shown, row))}</tr>' for row in rows[:MAX_SHOWN_ROWS]
    )
    lines = [f'<div style="margin:0 0 6px">{escape(caption)}</div>']
    lines.append(f'<table style="{_TABLE}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>')
    omitted = (total - min(len(rows), MAX_SHOWN_ROWS), "row"), (len(columns) - len(shown), "column")
    more = " and ".join(f"{count:,} more {unit}{'s' if count > 1 else ''}" for count, unit in omitted if count > 0)
    if more:
        lines.append(f'<div style="margin:6px 0 0;{_MUTED}">and {more}</div>')
    return f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{"".join(lines)}</div>'


def _head(column: ShownColumn) -> str:
    name = f'<div dir="auto">{_cut(column.name)}</div>'
    return f'<th style="{_HEAD}{_align(column)}">{name}<div style="font-weight:400;{_MUTED}">{column.type}</div></th>'


def _cell(column: ShownColumn, cell: str | None) -> str:
    if cell is None:
        return f'<td style="{_LINE}{_align(column)}"><i style="{_MUTED}">null</i></td>'
    is_cut = len(cell) > MAX_SHOWN_CHARACTERS or "\n" in cell
    title = f' title="{escape(cell[:MAX_TOOLTIP_CHARACTERS])}"' if is_cut else ""
    return f'<td dir="auto" style="{_LINE}{_align(column)}"{title}>{_cut(cell)}</td>'


def _align(column: ShownColumn) -> str:
    return ";text-align:right" if column.is_right_aligned else ";text-align:left"


def _cut(text: str) -> str:
    """Return a text on one line, escaped, with an ellipsis where it is longer than shown."""
    line = " ↵ ".join(text[: MAX_SHOWN_CHARACTERS + 1].splitlines())
    return escape(line[:MAX_SHOWN_CHARACTERS]) + ("…" if len(text) > MAX_SHOWN_CHARACTERS else "")


def facts_html(title: str, subtitle: str, facts: Iterable[tuple[str, str]], warnings: Iterable[str] = ()) -> str:
    """Return facts as HTML; facts without a value are omitted. Everything is shown as text.

    Its two classes, as those of all views, disable TeX rendering of text between dollar signs.

    Args:
        title: What the facts are about.
        subtitle: Shown beside the title.
        facts: Names and values.
        warnings: Sentences, shown between the title and the facts.
    """
    rows = "".join(
        f'<tr style="background:none"><th scope="row" style="{_FACTS_LINE};{_FACT_NAME}">'
        f'{escape(name)}</th><td dir="auto" style="{_FACTS_LINE};overflow-wrap:anywhere">{escape(value)}</td></tr>'
        for name, value in facts
        if value
    )
    notes = "".join(f'<div style="{_WARNING}">{escape(warning)}</div>' for warning in warnings)
    head = f'<span style="{_TITLE}">{escape(title)}</span> <span style="{_MUTED}">{escape(subtitle)}</span>'
    table = f'<table style="{_FACTS_TABLE}"><tbody>{rows}</tbody></table>'
    return f'<div class="tex2jax_ignore mathjax_ignore" style="{_FACTS_BOX}">{head}{notes}{table}</div>'
