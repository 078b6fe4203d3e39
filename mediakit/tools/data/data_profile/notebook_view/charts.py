"""The small charts of a profile: histograms, bars of frequent values, the ring of the score."""

from collections.abc import Mapping, Sequence
from math import pi
from typing import Any

from mediakit.tools.data.data_profile.notebook_view import marks

_WIDTH, _HEIGHT = 240, 72
_LEAST_HEIGHT = 1.5
"""Height of a bar of few rows, so that it is not mistaken for an empty one."""

_RADIUS = 19.0
_LABEL = "display:flex;justify-content:space-between;gap:8px;font-size:11px;margin-top:3px"


def histogram(bins: Sequence[Mapping[str, Any]], name: str, *, is_moment: bool) -> str:
    """Return a histogram as SVG, with its ends below."""
    write = marks.moment if is_moment else marks.number
    highest = max(one["count"] for one in bins) or 1
    step = _WIDTH / len(bins)
    bars = "".join(_bar(one, place * step, step, highest, write) for place, one in enumerate(bins))
    low, high = write(bins[0]["from"]), write(bins[-1]["to"])
    label = f"Histogram of {marks.text(name)} from {low} to {high}"
    ends = f"<span>{low}</span><span>{high}</span>" if len(bins) > 1 else f"<span>{low}</span>"
    return (
        f'<svg role="img" aria-label="{label}" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" '
        f'style="display:block;width:100%;height:{_HEIGHT}px;border-bottom:1px solid {marks.LINE}">{bars}</svg>'
        f'<div style="{_LABEL};{marks.MUTED}">{ends}</div>'
    )


def _bar(one: Mapping[str, Any], left: float, step: float, highest: int, write: Any) -> str:
    count = one["count"]
    height = max(_LEAST_HEIGHT, _HEIGHT * count / highest) if count else 0.0
    title = f"{write(one['from'])} – {write(one['to'])}: {count:,}"
    return (
        f'<rect x="{left + 0.75:.2f}" y="{_HEIGHT - height:.2f}" width="{step - 1.5:.2f}" height="{height:.2f}" '
        f'rx="1" fill="{marks.ACCENT}"><title>{title}</title></rect>'
    )


def frequent_values(top: Sequence[Mapping[str, Any]], count: int, distinct: int) -> str:
    """Return the most frequent values as bars of their share."""
    highest = top[0]["count"]
    lines = "".join(_line(one, highest) for one in top)
    others = count - sum(one["count"] for one in top)
    rest = ""
    if others:
        more = marks.counted(distinct - len(top), "other value")
        rest = f'<div style="{_LABEL};{marks.MUTED}"><span>{more}</span><span>{others:,}</span></div>'
    return f"<div>{lines}{rest}</div>"


def _line(one: Mapping[str, Any], highest: int) -> str:
    width = 100 * one["count"] / highest
    value = marks.shown(one["value"])
    filled = f"linear-gradient(90deg,{marks.BAR} {width:.1f}%,transparent {width:.1f}%)"
    return (
        f'<div style="display:flex;justify-content:space-between;gap:10px;margin:0 0 3px;padding:1px 6px;'
        f'border-radius:3px;font-size:12px;background:{filled}">'
        f'<span dir="auto" title="{value}" style="{marks.CUT}">{value or "(empty)"}</span>'
        f"<span>{one['count']:,}</span></div>"
    )


def ring(score: int) -> str:
    """Return the score as a ring with its number."""
    length = 2 * pi * _RADIUS
    color = marks.score_color(score)
    return (
        f'<svg role="img" aria-label="Score {score} of 100" viewBox="0 0 48 48" '
        'style="width:52px;height:52px;flex:none">'
        f'<circle cx="24" cy="24" r="{_RADIUS}" fill="none" stroke="rgba(128,128,128,.22)" stroke-width="5"/>'
        f'<circle cx="24" cy="24" r="{_RADIUS}" fill="none" stroke="{color}" stroke-width="5" stroke-linecap="round" '
        f'stroke-dasharray="{length * score / 100:.2f} {length:.2f}" transform="rotate(-90 24 24)"/>'
        '<text x="24" y="28.5" text-anchor="middle" font-size="13" font-weight="600" fill="currentColor">'
        f"{score}</text></svg>"
    )
