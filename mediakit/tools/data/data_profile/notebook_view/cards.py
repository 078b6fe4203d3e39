"""The card of a column."""

from collections.abc import Iterator, Mapping
from typing import Any

from mediakit.tools.data.data_profile.notebook_view import charts, marks

_CARD = (
    f"box-sizing:border-box;min-width:0;border:1px solid {marks.LINE};border-radius:8px;padding:11px 13px 12px;"
    "display:flex;flex-direction:column;gap:8px"
)
_CHIP = f"flex:none;border-radius:4px;padding:0 6px;font-size:11px;line-height:18px;background:{marks.FILL}"
_EXAMPLES = 4
_WORDS = {"email": "e-mail", "url": "URL", "iban": "IBAN", "uuid": "UUID", "id": "ID"}


def card(column: Mapping[str, Any], rows: int) -> str:
    """Return the card of a column: what it is, how full it is, its values, its statistics.

    Args:
        column: The profile of the column.
        rows: The number of rows.
    """
    facts = "".join(_fact(name, value) for name, value in _facts(column))
    grid = f'<div style="display:flex;gap:14px;margin-top:auto">{facts}</div>' if facts else ""
    return f'<div style="{_CARD}">{_head(column, rows)}{_values(column)}{grid}</div>'


def _head(column: Mapping[str, Any], rows: int) -> str:
    chips = f'<span style="{_CHIP}">{column["type"]}</span>'
    if column["semantic"]:
        chips += f'<span style="{_CHIP}">{_WORDS.get(column["semantic"], column["semantic"])}</span>'
    name = marks.text(column["name"])
    title = (
        f'<div style="display:flex;gap:5px;align-items:center"><span dir="auto" title="{name}" '
        f'style="font-weight:600;font-size:14px;margin-right:auto;{marks.CUT}">{name}</span>{chips}</div>'
    )
    return f"<div>{title}{_counts(column, rows)}</div>"


def _counts(column: Mapping[str, Any], rows: int) -> str:
    """Return how many values there are, and the problems of the column."""
    parts = []
    if column["problems"]:
        sentences = marks.text(" ".join(column["problems"]))
        parts.append(
            f'<span title="{sentences}" style="color:{marks.FAIR};font-weight:600">'
            f"{marks.counted(len(column['problems']), 'problem')}</span>"
        )
    distinct = "all different" if column["unique"] else f"{column['distinct']:,} distinct"
    parts.append(f'<span style="{marks.MUTED}">{distinct}</span>' if column["count"] else "")
    nulls = "no nulls" if not column["nulls"] else f"{marks.share(column['nulls'], rows)} null"
    if column["nulls"] or not column["problems"]:
        parts.append(f'<span style="{marks.MUTED}">{nulls}</span>')
    line = f'<span aria-hidden="true" style="{marks.MUTED}">&nbsp;· </span>'.join(filter(None, parts))
    full = 100 * column["count"] / rows if rows else 0
    gauge = (
        f'<div aria-hidden="true" style="height:2px;margin-top:5px;border-radius:1px;background:'
        f"linear-gradient(90deg,{marks.ACCENT} {full:.1f}%,{marks.LINE} {full:.1f}%)"
        '"></div>'
    )
    return f'<div style="font-size:12px;margin-top:2px;{marks.CUT}">{line}</div>{gauge}'


def _values(column: Mapping[str, Any]) -> str:
    """Return the values as a chart, or a few of them where all are different."""
    if column["histogram"]:
        is_moment = column["type"] in ("date", "datetime")
        return f"<div>{charts.histogram(column['histogram'], column['name'], is_moment=is_moment)}</div>"
    if not column["top"]:
        return f'<div style="font-size:12px;{marks.MUTED}">no values</div>' if not column["count"] else ""
    if not column["unique"]:
        return charts.frequent_values(column["top"], column["count"], column["distinct"])
    examples = "".join(
        f'<div dir="auto" title="{marks.shown(one["value"])}" style="{marks.CUT}">{marks.shown(one["value"])}</div>'
        for one in column["top"][:_EXAMPLES]
    )
    return f'<div style="font-size:12px;line-height:1.6;{marks.MUTED}">{examples}</div>'


def _facts(column: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if column["mean"] is not None:
        yield "mean", marks.number(column["mean"])
        yield "median", marks.number(column["median"])
        if column["std"] is not None:
            yield "std", marks.number(column["std"])
        if column["outliers"] and column["outliers"]["count"]:
            yield "outliers", f"{column['outliers']['count']:,}"
        elif column["zeros"]:
            yield "zeros", f"{column['zeros']:,}"
    elif column["type"] == "text" and column["max_length"] is not None:
        low, high = column["min_length"], column["max_length"]
        yield "characters", f"{low:,}" if low == high else f"{low:,} – {high:,}"
    elif column["formats"] and column["formats"] != ["ymd"]:
        yield "written", ", ".join(column["formats"])
    elif column["type"] == "time" and column["min"] is not None:
        yield "from", marks.text(column["min"])
        yield "to", marks.text(column["max"])


def _fact(name: str, value: str) -> str:
    return (
        f'<div style="min-width:0"><div style="font-size:11px;line-height:1.3;{marks.MUTED}">{name}</div>'
        f'<div style="font-size:12.5px;line-height:1.35;{marks.CUT}" title="{value}">{value}</div></div>'
    )
