"""The whole view of a profile."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mediakit.tools.data.data_profile.notebook_view import charts, marks
from mediakit.tools.data.data_profile.notebook_view.cards import card

MAX_CARDS = 60
MAX_PROBLEMS = 20
MAX_SCHEMA_ERRORS = 10
MAX_CORRELATIONS = 8

_BOX = "max-width:72em;font:13px/1.5 system-ui,sans-serif;color:inherit;font-variant-numeric:tabular-nums"
_GRID = "display:grid;grid-template-columns:repeat(auto-fill,minmax(225px,1fr));gap:10px;margin-top:14px"
_PROBLEM = (
    "padding:7px 12px;border-left:3px solid;background:rgba(217,119,6,.08);margin:0 0 4px;border-radius:0 4px 4px 0"
)
_SECTION = "font-weight:600;margin:16px 0 6px"


def html(fields: Mapping[str, Any], meta: Mapping[str, Any]) -> str:
    """Return a profile as HTML. Everything is shown as text.

    Args:
        fields: The fields of the response.
        meta: Its meta.
    """
    rows = fields["rows"]
    cards = "".join(card(column, rows) for column in fields["columns"][:MAX_CARDS])
    more = _more(len(fields["columns"]) - MAX_CARDS, "column")
    parts = [
        _head(fields, meta),
        "".join(_note(warning) for warning in meta["warnings"]),
        _problems(fields["problems"]),
        _schema_errors(fields),
        f'<div style="{_GRID}">{cards}</div>{more}',
        _correlations(fields["correlations"]),
    ]
    return f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{"".join(parts)}</div>'


def _head(fields: Mapping[str, Any], meta: Mapping[str, Any]) -> str:
    size = f"{marks.counted(fields['rows'], 'row')} × {marks.counted(len(fields['columns']), 'column')}"
    if meta.get("sampled"):
        size += f", sampled from {meta['rows']:,} rows"
    facts = " · ".join(_facts(fields))
    return (
        f'<div style="display:flex;gap:14px;align-items:center;margin:2px 0 12px">{charts.ring(fields["score"])}'
        f'<div><div style="font-size:16px;font-weight:600;line-height:1.35">{size}</div>'
        f'<div style="{marks.MUTED}">{facts}</div></div></div>'
    )


def _facts(fields: Mapping[str, Any]) -> Iterator[str]:
    yield marks.counted(len(fields["problems"]), "problem") if fields["problems"] else "no problems"
    nulls = sum(column["nulls"] for column in fields["columns"])
    if nulls:
        yield f"{marks.share(nulls, fields['rows'] * len(fields['columns']))} of the cells null"
    if fields["duplicate_rows"]:
        yield marks.counted(fields["duplicate_rows"], "duplicate row")
    if fields["empty_rows"]:
        yield marks.counted(fields["empty_rows"], "empty row")
    if fields["key_candidates"]:
        yield f"key: {marks.text(' + '.join(fields['key_candidates'][0]))}"
    if fields["constant_columns"]:
        yield f"constant: {_names(fields['constant_columns'])}"
    if fields["empty_columns"]:
        yield f"empty: {_names(fields['empty_columns'])}"


def _names(names: Sequence[str]) -> str:
    rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(marks.text(name) for name in names[:3]) + rest


def _problems(problems: Sequence[Mapping[str, Any]]) -> str:
    lines = "".join(map(_problem, problems[:MAX_PROBLEMS]))
    return lines + _more(len(problems) - MAX_PROBLEMS, "problem")


def _problem(problem: Mapping[str, Any]) -> str:
    rows = problem["rows"]
    more = "…" if problem["count"] > len(rows) else ""
    where = (
        f"{'row' if problem['count'] == 1 else 'rows'} {', '.join(f'{row:,}' for row in rows)}{more}" if rows else ""
    )
    return (
        f'<div style="{_PROBLEM};border-left-color:{marks.FAIR}"><div style="display:flex;gap:14px">'
        f'<span dir="auto" style="margin-right:auto;overflow-wrap:anywhere">{marks.text(problem["sentence"])}</span>'
        f'<span style="flex:none;font-size:12px;{marks.MUTED}">{where}</span></div>'
        f'<div style="font-size:12px;{marks.MUTED}">Fix: {marks.text(problem["fix"])}</div></div>'
    )


def _note(warning: str) -> str:
    return f'<div style="margin:0 0 6px;font-size:12px;{marks.MUTED}">{marks.text(warning)}</div>'


def _schema_errors(fields: Mapping[str, Any]) -> str:
    count = fields["schema_error_count"]
    if not count:
        return ""
    lines = "".join(
        f'<div style="{_PROBLEM};border-left-color:{marks.POOR};background:rgba(220,38,38,.07)">'
        f"{_place(error)}{marks.text(error['message'])}</div>"
        for error in fields["schema_errors"][:MAX_SCHEMA_ERRORS]
    )
    title = f'<div style="{_SECTION}">{marks.counted(count, "error")} of the schema</div>'
    return title + lines + _more(count - MAX_SCHEMA_ERRORS, "error")


def _place(error: Mapping[str, Any]) -> str:
    row = f"row {error['row']:,}" if error["row"] is not None else "table"
    column = f", {marks.text(error['column'])}" if error["column"] is not None else ""
    return f'<span style="{marks.MUTED}">{row}{column}:</span> '


def _correlations(pairs: Sequence[Mapping[str, Any]]) -> str:
    if not pairs:
        return ""
    lines = "".join(map(_pair, pairs[:MAX_CORRELATIONS]))
    head = f'<div style="{_SECTION}">Correlations</div>'
    return head + lines + _more(len(pairs) - MAX_CORRELATIONS, "pair")


def _pair(pair: Mapping[str, Any]) -> str:
    value = pair["pearson"] if pair["pearson"] is not None else pair["spearman"]
    color = marks.ACCENT if value >= 0 else marks.FAIR
    bar = f"linear-gradient(90deg,{color} {100 * abs(value):.0f}%,{marks.FILL} {100 * abs(value):.0f}%)"
    known = [f"{name} {pair[name]:+.2f}" for name in ("pearson", "spearman") if pair[name] is not None]
    return (
        '<div style="display:grid;grid-template-columns:minmax(0,20em) 90px minmax(0,1fr);gap:12px;align-items:center;'
        f'font-size:12px;line-height:1.8"><span style="{marks.CUT}">{marks.text(pair["a"])} · {marks.text(pair["b"])}'
        f'</span><span aria-hidden="true" style="height:6px;border-radius:3px;background:{bar}"></span>'
        f'<span style="{marks.MUTED}">{", ".join(known)}</span></div>'
    )


def _more(count: int, noun: str) -> str:
    if count <= 0:
        return ""
    return f'<div style="margin:6px 0 0;{marks.MUTED}">and {count:,} more {noun}{"" if count == 1 else "s"}</div>'
