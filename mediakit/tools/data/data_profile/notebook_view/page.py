"""The whole view of a profile."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mediakit.results.result import Bundle
from mediakit.tools.data.data_profile.notebook_view import charts, marks
from mediakit.tools.data.data_profile.notebook_view.cards import card
from mediakit.tools.data.data_profile.result import ProfileResult

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


def bundle(profile: ProfileResult) -> Bundle:
    """Return the MIME bundle of a profile. Everything is shown as text."""
    rows = profile.rows
    cards = "".join(card(column, rows) for column in profile.columns[:MAX_CARDS])
    more = _more(len(profile.columns) - MAX_CARDS, "column")
    parts = [
        _head(profile),
        "".join(_note(warning) for warning in profile.meta["warnings"]),
        _problems(profile.problems),
        _schema_errors(profile),
        f'<div style="{_GRID}">{cards}</div>{more}',
        _correlations(profile.correlations),
    ]
    html = f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{"".join(parts)}</div>'
    return {"text/html": html}, {}


def _head(profile: ProfileResult) -> str:
    size = f"{marks.counted(profile.rows, 'row')} × {marks.counted(len(profile.columns), 'column')}"
    if profile.meta.get("sampled"):
        size += f", sampled from {profile.meta['rows']:,} rows"
    facts = " · ".join(_facts(profile))
    return (
        f'<div style="display:flex;gap:14px;align-items:center;margin:2px 0 12px">{charts.ring(profile.score)}'
        f'<div><div style="font-size:16px;font-weight:600;line-height:1.35">{size}</div>'
        f'<div style="{marks.MUTED}">{facts}</div></div></div>'
    )


def _facts(profile: ProfileResult) -> Iterator[str]:
    yield marks.counted(len(profile.problems), "problem") if profile.problems else "no problems"
    nulls = sum(column["nulls"] for column in profile.columns)
    if nulls:
        yield f"{marks.share(nulls, profile.rows * len(profile.columns))} of the cells null"
    if profile.duplicate_rows:
        yield marks.counted(profile.duplicate_rows, "duplicate row")
    if profile.empty_rows:
        yield marks.counted(profile.empty_rows, "empty row")
    if profile.key_candidates:
        yield f"key: {marks.text(' + '.join(profile.key_candidates[0]))}"
    if profile.constant_columns:
        yield f"constant: {_names(profile.constant_columns)}"
    if profile.empty_columns:
        yield f"empty: {_names(profile.empty_columns)}"


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


def _schema_errors(profile: ProfileResult) -> str:
    count = profile.schema_error_count
    if not count:
        return ""
    lines = "".join(
        f'<div style="{_PROBLEM};border-left-color:{marks.POOR};background:rgba(220,38,38,.07)">'
        f"{_place(error)}{marks.text(error['message'])}</div>"
        for error in profile.schema_errors[:MAX_SCHEMA_ERRORS]
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
