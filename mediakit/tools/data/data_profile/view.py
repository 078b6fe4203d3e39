"""The profile in a notebook: what its template, `view.html`, writes, and in which words."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from mediakit.core.messages import counted
from mediakit.display import view_html
from mediakit.results.result import Bundle
from mediakit.tools.data.data_profile.tool import ProfileResult

_TEMPLATE = Path(__file__).parent / "view.html"
_LARGE, _SMALL = 1e15, 1e-4
_MAX_CHARACTERS = 200
_SEMANTIC_WORDS = {"email": "e-mail", "url": "URL", "iban": "IBAN", "uuid": "UUID", "id": "ID"}


def bundle(profile: ProfileResult) -> Bundle:
    """Return the MIME bundle of a profile. Everything is shown as text."""
    names = {"line": line, "shown": shown, "number": number, "moment": moment, "counted": counted}
    facts = {"facts": _facts, "facts_of_counts": _counts, "facts_of_profile": _of_profile, "size": _size}
    return {"text/html": view_html(_TEMPLATE, profile=profile, semantic_words=_SEMANTIC_WORDS, **names, **facts)}, {}


def line(value: object) -> str:
    """Return a value as text on one line."""
    text = " ".join(str(value)[: _MAX_CHARACTERS + 1].split())
    return text[:_MAX_CHARACTERS] + ("…" if len(text) > _MAX_CHARACTERS else "")


def shown(value: Any) -> str:
    """Return a value of a column as text: numbers with at most six digits of precision."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < _LARGE else f"{float(value):.4g}" if abs(value) < 10**300 else "huge"
    return number(value) if isinstance(value, float) else line(value)


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
        return line(value)
    return found.strftime("%Y-%m-%d %H:%M") if "T" in value else value


def share(part: float, whole: float) -> str:
    """Return a percentage; what is nearly none or nearly all is not rounded to it."""
    percentage = 100 * part / whole if whole else 0.0
    if 0 < percentage < 0.1:
        return "< 0.1 %"
    if 99.9 < percentage < 100:
        return "> 99.9 %"
    return f"{percentage:.1f} %".replace(".0 %", " %")


def _counts(column: Mapping[str, Any], rows: int) -> Iterator[str]:
    """Yield how many distinct values and how many nulls a column has."""
    if column["count"]:
        yield "all different" if column["unique"] else f"{column['distinct']:,} distinct"
    if column["nulls"] or not column["problems"]:
        yield f"{share(column['nulls'], rows)} null" if column["nulls"] else "no nulls"


def _facts(column: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield names and values of the statistics of a column."""
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
        yield "from", line(column["min"])
        yield "to", line(column["max"])


def _size(profile: ProfileResult) -> str:
    size = f"{counted(profile.rows, 'row')} × {counted(len(profile.columns), 'column')}"
    return f"{size}, sampled from {profile.meta['rows']:,} rows" if profile.meta.get("sampled") else size


def _of_profile(profile: ProfileResult) -> Iterator[str]:
    """Yield what is known of the whole table."""
    yield counted(len(profile.problems), "problem") if profile.problems else "no problems"
    nulls = sum(column["nulls"] for column in profile.columns)
    if nulls:
        yield f"{share(nulls, profile.rows * len(profile.columns))} of the cells null"
    if profile.duplicate_rows:
        yield counted(profile.duplicate_rows, "duplicate row")
    if profile.empty_rows:
        yield counted(profile.empty_rows, "empty row")
    if profile.key_candidates:
        yield f"key: {line(' + '.join(profile.key_candidates[0]))}"
    for what, names in (("constant", profile.constant_columns), ("empty", profile.empty_columns)):
        if names:
            rest = f" and {len(names) - 3} more" if len(names) > 3 else ""
            yield f"{what}: {', '.join(map(line, names[:3]))}{rest}"
