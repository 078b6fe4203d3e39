"""Notebook display of verdicts: facts of one value, or a table of several with the verdict first."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from mediakit.display.tables import MAX_SHOWN_ROWS, ShownColumn, facts_html, table_html

Row = Mapping[str, Any]
"""The fields of the result of a value."""

MAX_SHOWN_WARNINGS = 5

_FIRST = ("input", "normalized", "suggestion", "reason", "code")
"""The first columns of a table; the others follow in their order."""

_WARNING = "margin:0 0 6px;padding:6px 12px;border-left:3px solid #d97706;background:rgba(217,119,6,.1)"


def one_html(row: Row, warnings: Sequence[str]) -> str:
    """Return the verdict on one value as HTML; everything is escaped."""
    facts = ((name.replace("_", " ").capitalize(), _text(value) or "") for name, value in _shown(row))
    return facts_html("✓ Valid" if row["valid"] else "✗ Not valid", row["input"], facts, warnings)


def several_html(rows: Sequence[Row], duplicates: Sequence[Sequence[int]], warnings: Sequence[str]) -> str:
    """Return the verdicts on several values as HTML; everything is escaped.

    Args:
        rows: The results.
        duplicates: Places of values with the same normal form.
        warnings: Sentences to show above the table.
    """
    names = sorted((name for name in (rows[0] if rows else ()) if name != "valid"), key=_place)
    shown = [{name: _text(row[name]) for name in names} for row in rows[:MAX_SHOWN_ROWS]]
    verdicts = ["✓ valid" if row["valid"] else "✗ not valid" for row in rows[:MAX_SHOWN_ROWS]]
    names = [name for name in names if name == "input" or any(row[name] for row in shown)]
    columns = [ShownColumn("verdict", ""), *(ShownColumn(name, "") for name in names)]
    cells = [[verdict, *(row[name] or "" for name in names)] for verdict, row in zip(verdicts, shown, strict=True)]
    notes = "".join(f'<div style="{_WARNING}">{escape(each)}</div>' for each in warnings[:MAX_SHOWN_WARNINGS])
    return notes + table_html(columns, cells, _caption(rows, duplicates), len(rows))


def _place(name: str) -> int:
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def _shown(row: Row) -> Iterator[tuple[str, Any]]:
    return ((name, value) for name, value in row.items() if name not in ("input", "valid"))


def _caption(rows: Sequence[Row], duplicates: Sequence[Sequence[int]]) -> str:
    valid = sum(row["valid"] for row in rows)
    parts = [f"{valid:,} of {len(rows):,} valid", f"{len(rows) - valid:,} not valid"]
    repeated = sum(map(len, duplicates))
    return ", ".join(parts + ([f"{repeated:,} are duplicates"] if repeated else []))


def _text(value: Any) -> str | None:
    """Return a value as a cell shows it; None for nothing."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return None if value is None else str(value)
