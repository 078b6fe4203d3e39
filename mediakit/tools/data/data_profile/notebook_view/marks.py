"""Colors and text of the notebook view. Everything reads on a light and on a dark background."""

from datetime import datetime
from html import escape
from typing import Any

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


def counted(count: int, noun: str) -> str:
    """Return a number and its noun."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def score_color(score: int) -> str:
    """Return the color of a score."""
    return GOOD if score >= _GOOD_SCORE else FAIR if score >= _FAIR_SCORE else POOR
