"""The profile in a notebook: problems first, then a card for each column."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from html import escape
from math import pi
from typing import Any

from mediakit.core.messages import counted
from mediakit.results.result import Bundle
from mediakit.tools.data.data_profile.tool import ProfileResult

ACCENT = "#3b82f6"
GOOD, FAIR, POOR = "#16a34a", "#d97706", "#dc2626"
LINE = "rgba(128,128,128,.28)"
FILL = "rgba(128,128,128,.13)"
BAR = "rgba(59,130,246,.24)"
MUTED = "opacity:.72"
CUT = "overflow:hidden;text-overflow:ellipsis;white-space:nowrap"

_LARGE = 1e15
_SMALL = 1e-4
_FAIR_SCORE, _GOOD_SCORE = 70, 90
_MAX_CHARACTERS = 200


def text(value: object) -> str:
    """Return a value as escaped text on one line."""
    line = " ".join(str(value)[: _MAX_CHARACTERS + 1].split())
    return escape(line[:_MAX_CHARACTERS]) + ("…" if len(line) > _MAX_CHARACTERS else "")


def shown(value: Any) -> str:
    """Return a value of a column as text: numbers with at most six digits of precision."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < _LARGE else f"{float(value):.4g}" if abs(value) < 10**300 else "huge"
    return number(value) if isinstance(value, float) else text(value)


def number(value: float) -> str:
    """Return a number with grouped thousands, cut to what a person reads."""
    if value and not _SMALL <= abs(value) < _LARGE:
        return f"{value:.3e}"
    if value.is_integer():
        return f"{value:,.0f}"
    digits = 0 if abs(value) >= 1_000 else 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 4
    return f"{value:,.{digits}f}"


def moment(value: str) -> str:
    """Return a date or a datetime without its seconds."""
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return text(value)
    return found.strftime("%Y-%m-%d %H:%M") if "T" in value else value


def share(part: float, whole: float) -> str:
    """Return a percentage; what is nearly none or nearly all is not rounded to it."""
    percentage = 100 * part / whole if whole else 0.0
    if 0 < percentage < 0.1:
        return "< 0.1 %"
    if 99.9 < percentage < 100:
        return "> 99.9 %"
    return f"{percentage:.1f} %".replace(".0 %", " %")


def score_color(score: int) -> str:
    """Return the color of a score."""
    return GOOD if score >= _GOOD_SCORE else FAIR if score >= _FAIR_SCORE else POOR


_WIDTH, _HEIGHT = 240, 72
_LEAST_HEIGHT = 1.5
"""Height of a bar of few rows, so that it is not mistaken for an empty one."""

_RADIUS = 19.0
_LABEL = "display:flex;justify-content:space-between;gap:8px;font-size:11px;margin-top:3px"


def histogram(bins: Sequence[Mapping[str, Any]], name: str, *, is_moment: bool) -> str:
    """Return a histogram as SVG, with its ends below."""
    write = moment if is_moment else number
    highest = max(one["count"] for one in bins) or 1
    step = _WIDTH / len(bins)
    bars = "".join(_bar(one, place * step, step, highest, write) for place, one in enumerate(bins))
    low, high = write(bins[0]["from"]), write(bins[-1]["to"])
    label = f"Histogram of {text(name)} from {low} to {high}"
    ends = f"<span>{low}</span><span>{high}</span>" if len(bins) > 1 else f"<span>{low}</span>"
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" '
        f'style="display:block;width:100%;height:{_HEIGHT}px;border-bottom:1px solid {LINE}">{bars}</svg>'
        f'<div style="{_LABEL};{MUTED}">{ends}</div>'
    )


def _bar(one: Mapping[str, Any], left: float, step: float, highest: int, write: Any) -> str:
    count = one["count"]
    height = max(_LEAST_HEIGHT, _HEIGHT * count / highest) if count else 0.0
    title = f"{write(one['from'])} – {write(one['to'])}: {count:,}"
    return (
        f'<rect x="{left + 0.75:.2f}" y="{_HEIGHT - height:.2f}" width="{step - 1.5:.2f}" height="{height:.2f}" '
        f'rx="1" fill="{ACCENT}"><title>{title}</title></rect>'
    )


def frequent_values(top: Sequence[Mapping[str, Any]], count: int, distinct: int) -> str:
    """Return the most frequent values as bars of their share."""
    highest = top[0]["count"]
    lines = "".join(_line(one, highest) for one in top)
    others = count - sum(one["count"] for one in top)
    rest = ""
    if others:
        more = counted(distinct - len(top), "other value")
        rest = f'<div style="{_LABEL};{MUTED}"><span>{more}</span><span>{others:,}</span></div>'
    return f"<div>{lines}{rest}</div>"


def _line(one: Mapping[str, Any], highest: int) -> str:
    width = 100 * one["count"] / highest
    value = shown(one["value"])
    filled = f"linear-gradient(90deg,{BAR} {width:.1f}%,transparent {width:.1f}%)"
    return (
        f'<div style="display:flex;justify-content:space-between;gap:10px;margin:0 0 3px;padding:1px 6px;'
        f'border-radius:3px;font-size:12px;background:{filled}">'
        f'<span dir="auto" title="{value}" style="{CUT}">{value or "(empty)"}</span>'
        f"<span>{one['count']:,}</span></div>"
    )


def ring(score: int) -> str:
    """Return the score as a ring with its number."""
    length = 2 * pi * _RADIUS
    color = score_color(score)
    return (
        f'<svg role="img" aria-label="Score {score} of 100" viewBox="0 0 48 48" '
        'style="width:52px;height:52px;flex:none">'
        f'<circle cx="24" cy="24" r="{_RADIUS}" fill="none" stroke="rgba(128,128,128,.22)" stroke-width="5"/>'
        f'<circle cx="24" cy="24" r="{_RADIUS}" fill="none" stroke="{color}" stroke-width="5" stroke-linecap="round" '
        f'stroke-dasharray="{length * score / 100:.2f} {length:.2f}" transform="rotate(-90 24 24)"/>'
        '<text x="24" y="28.5" text-anchor="middle" font-size="13" font-weight="600" fill="currentColor">'
        f"{score}</text></svg>"
    )


_CARD = (
    f"box-sizing:border-box;min-width:0;border:1px solid {LINE};border-radius:8px;padding:11px 13px 12px;"
    "display:flex;flex-direction:column;gap:8px"
)
_CHIP = f"flex:none;border-radius:4px;padding:0 6px;font-size:11px;line-height:18px;background:{FILL}"
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
    name = text(column["name"])
    title = (
        f'<div style="display:flex;gap:5px;align-items:center"><span dir="auto" title="{name}" '
        f'style="font-weight:600;font-size:14px;margin-right:auto;{CUT}">{name}</span>{chips}</div>'
    )
    return f"<div>{title}{_counts(column, rows)}</div>"


def _counts(column: Mapping[str, Any], rows: int) -> str:
    """Return how many values there are, and the problems of the column."""
    parts = []
    if column["problems"]:
        sentences = text(" ".join(column["problems"]))
        parts.append(
            f'<span title="{sentences}" style="font-weight:600;border-bottom:2px solid {FAIR}">'
            f"{counted(len(column['problems']), 'problem')}</span>"
        )
    distinct = "all different" if column["unique"] else f"{column['distinct']:,} distinct"
    parts.append(f'<span style="{MUTED}">{distinct}</span>' if column["count"] else "")
    nulls = "no nulls" if not column["nulls"] else f"{share(column['nulls'], rows)} null"
    if column["nulls"] or not column["problems"]:
        parts.append(f'<span style="{MUTED}">{nulls}</span>')
    line = f'<span aria-hidden="true" style="{MUTED}">&nbsp;· </span>'.join(filter(None, parts))
    full = 100 * column["count"] / rows if rows else 0
    gauge = (
        f'<div aria-hidden="true" style="height:2px;margin-top:5px;border-radius:1px;background:'
        f"linear-gradient(90deg,{ACCENT} {full:.1f}%,{LINE} {full:.1f}%)"
        '"></div>'
    )
    return f'<div style="font-size:12px;margin-top:2px;{CUT}">{line}</div>{gauge}'


def _values(column: Mapping[str, Any]) -> str:
    """Return the values as a chart, or a few of them where all are different."""
    if column["histogram"]:
        is_moment = column["type"] in ("date", "datetime")
        return f"<div>{histogram(column['histogram'], column['name'], is_moment=is_moment)}</div>"
    if not column["top"]:
        return f'<div style="font-size:12px;{MUTED}">no values</div>' if not column["count"] else ""
    if not column["unique"]:
        return frequent_values(column["top"], column["count"], column["distinct"])
    examples = "".join(
        f'<div dir="auto" title="{shown(one["value"])}" style="{CUT}">{shown(one["value"])}</div>'
        for one in column["top"][:_EXAMPLES]
    )
    return f'<div style="font-size:12px;line-height:1.6;{MUTED}">{examples}</div>'


def _facts(column: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if column["mean"] is not None:
        yield "mean", number(column["mean"])
        yield "median", number(column["median"])
        if column["std"] is not None:
            yield "std", number(column["std"])
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
        yield "from", text(column["min"])
        yield "to", text(column["max"])


def _fact(name: str, value: str) -> str:
    return (
        f'<div style="min-width:0"><div style="font-size:11px;line-height:1.3;{MUTED}">{name}</div>'
        f'<div style="font-size:12.5px;line-height:1.35;{CUT}" title="{value}">{value}</div></div>'
    )


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
    lines = "".join(map(_problem, profile.problems[:MAX_PROBLEMS]))
    parts = [
        _page_head(profile),
        "".join(_note(warning) for warning in profile.meta["warnings"]),
        lines,
        _more(len(profile.problems) - MAX_PROBLEMS, "problem"),
        _schema_errors(profile),
        f'<div style="{_GRID}">{cards}</div>{more}',
        _correlations(profile.correlations),
    ]
    html = f'<div class="tex2jax_ignore mathjax_ignore" style="{_BOX}">{"".join(parts)}</div>'
    return {"text/html": html}, {}


def _page_head(profile: ProfileResult) -> str:
    size = f"{counted(profile.rows, 'row')} × {counted(len(profile.columns), 'column')}"
    if profile.meta.get("sampled"):
        size += f", sampled from {profile.meta['rows']:,} rows"
    facts = " · ".join(_page_facts(profile))
    return (
        f'<div style="display:flex;gap:14px;align-items:center;margin:2px 0 12px">{ring(profile.score)}'
        f'<div><div style="font-size:16px;font-weight:600;line-height:1.35">{size}</div>'
        f'<div style="{MUTED}">{facts}</div></div></div>'
    )


def _page_facts(profile: ProfileResult) -> Iterator[str]:
    yield counted(len(profile.problems), "problem") if profile.problems else "no problems"
    nulls = sum(column["nulls"] for column in profile.columns)
    if nulls:
        yield f"{share(nulls, profile.rows * len(profile.columns))} of the cells null"
    if profile.duplicate_rows:
        yield counted(profile.duplicate_rows, "duplicate row")
    if profile.empty_rows:
        yield counted(profile.empty_rows, "empty row")
    if profile.key_candidates:
        yield f"key: {text(' + '.join(profile.key_candidates[0]))}"
    if profile.constant_columns:
        yield f"constant: {_names(profile.constant_columns)}"
    if profile.empty_columns:
        yield f"empty: {_names(profile.empty_columns)}"


def _names(names: Sequence[str]) -> str:
    rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(text(name) for name in names[:3]) + rest


def _problem(problem: Mapping[str, Any]) -> str:
    rows = problem["rows"]
    more = "…" if problem["count"] > len(rows) else ""
    where = (
        f"{'row' if problem['count'] == 1 else 'rows'} {', '.join(f'{row:,}' for row in rows)}{more}" if rows else ""
    )
    return (
        f'<div style="{_PROBLEM};border-left-color:{FAIR}"><div style="display:flex;gap:14px">'
        f'<span dir="auto" style="margin-right:auto;overflow-wrap:anywhere">{text(problem["sentence"])}</span>'
        f'<span style="flex:none;font-size:12px;{MUTED}">{where}</span></div>'
        f'<div style="font-size:12px;{MUTED}">Fix: {text(problem["fix"])}</div></div>'
    )


def _note(warning: str) -> str:
    return f'<div style="margin:0 0 6px;font-size:12px;{MUTED}">{text(warning)}</div>'


def _schema_errors(profile: ProfileResult) -> str:
    count = profile.schema_error_count
    if not count:
        return ""
    lines = "".join(
        f'<div style="{_PROBLEM};border-left-color:{POOR};background:rgba(220,38,38,.07)">'
        f"{_place(error)}{text(error['message'])}</div>"
        for error in profile.schema_errors[:MAX_SCHEMA_ERRORS]
    )
    title = f'<div style="{_SECTION}">{counted(count, "error")} of the schema</div>'
    return title + lines + _more(count - MAX_SCHEMA_ERRORS, "error")


def _place(error: Mapping[str, Any]) -> str:
    row = f"row {error['row']:,}" if error["row"] is not None else "table"
    column = f", {text(error['column'])}" if error["column"] is not None else ""
    return f'<span style="{MUTED}">{row}{column}:</span> '


def _correlations(pairs: Sequence[Mapping[str, Any]]) -> str:
    if not pairs:
        return ""
    lines = "".join(map(_pair, pairs[:MAX_CORRELATIONS]))
    head = f'<div style="{_SECTION}">Correlations</div>'
    return head + lines + _more(len(pairs) - MAX_CORRELATIONS, "pair")


def _pair(pair: Mapping[str, Any]) -> str:
    value = pair["pearson"] if pair["pearson"] is not None else pair["spearman"]
    color = ACCENT if value >= 0 else FAIR
    bar = f"linear-gradient(90deg,{color} {100 * abs(value):.0f}%,{FILL} {100 * abs(value):.0f}%)"
    known = [f"{name} {pair[name]:+.2f}" for name in ("pearson", "spearman") if pair[name] is not None]
    return (
        '<div style="display:grid;grid-template-columns:minmax(0,20em) 90px minmax(0,1fr);gap:12px;align-items:center;'
        f'font-size:12px;line-height:1.8"><span style="{CUT}">{text(pair["a"])} · {text(pair["b"])}'
        f'</span><span aria-hidden="true" style="height:6px;border-radius:3px;background:{bar}"></span>'
        f'<span style="{MUTED}">{", ".join(known)}</span></div>'
    )


def _more(count: int, noun: str) -> str:
    if count <= 0:
        return ""
    return f'<div style="margin:6px 0 0;{MUTED}">and {count:,} more {noun}{"" if count == 1 else "s"}</div>'
