"""A scan report as HTML without scripts, for notebooks in light and dark themes."""

import html
from collections.abc import Mapping, Sequence
from typing import Final

import pybase64

from mediakit.scan_check.photo_check import FAIR_SCORE, GOOD_SCORE, PhotoCheck

BOX: Final = "font:13px/1.45 system-ui,sans-serif;max-width:560px"
_CELL: Final = "border:0;padding:3px 4px;text-align:center;vertical-align:middle;background:none;white-space:nowrap"
_HEAD: Final = f"{_CELL};font-weight:400;font-size:12px"
_PHOTO: Final = "display:block;width:64px;height:64px;object-fit:cover;border-radius:4px;margin:0 auto 3px"
_MARK: Final = (
    "display:inline-block;min-width:38px;padding:0 5px;border-radius:9px;font-size:12px;font-weight:600;color:{};"
    "background:{}"
)
_GOOD, _FAIR, _BAD = ("#ffffff", "#1a7f37"), ("#1f2328", "#f2b134"), ("#ffffff", "#b3261e")
"""Colors of text and background."""


def summary(score: int, verdict: str, min_size_mm: float | None) -> str:
    """Return the score, what it means, and the smallest size."""
    color, background = _GOOD if score >= GOOD_SCORE else _FAIR if score >= FAIR_SCORE else _BAD
    badge = f"padding:1px 9px;border-radius:11px;font-weight:700;color:{color};background:{background}"
    size = f" from a width of {min_size_mm:g} mm" if min_size_mm else ""
    return (
        f'<div style="margin:0 0 4px"><span style="{badge}">{score}</span> '
        f'<b style="margin-left:4px">{verdict}</b>{size}</div>'
    )


def advice_list(advice: Sequence[str]) -> str:
    """Return the advice as a list; empty if there is none."""
    if not advice:
        return ""
    items = "".join(f'<li style="margin:2px 0">{html.escape(text)}</li>' for text in advice)
    return f'<ul style="margin:4px 0 6px;padding:0 0 0 18px">{items}</ul>'


def photo_table(checks: Sequence[PhotoCheck], photos: Mapping[str, bytes]) -> str:
    """Return a table of print sizes and conditions; empty if there are no checks.

    Args:
        checks: Which photos were read.
        photos: A photo of each condition as PNG.
    """
    conditions = list(dict.fromkeys(check.condition for check in checks))
    if not conditions:
        return ""
    head = "".join(f'<th scope="col" style="{_HEAD}">{_photo(photos.get(name))}{name}</th>' for name in conditions)
    rows = []
    for size in dict.fromkeys(check.size_mm for check in checks):
        cells = "".join(_cell(check) for check in checks if check.size_mm == size)
        rows.append(f'<tr style="background:none"><th scope="row" style="{_HEAD}">{size:g} mm</th>{cells}</tr>')
    corner = f'<td style="{_CELL}"></td>'
    return (
        f'<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:0">'
        f'<thead><tr style="background:none">{corner}{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>'
    )


def _photo(png: bytes | None) -> str:
    if png is None:
        return ""
    return f'<img alt="" src="data:image/png;base64,{pybase64.b64encode(png).decode()}" style="{_PHOTO}">'


def _cell(check: PhotoCheck) -> str:
    if check.read == check.photos:
        text, colors = "yes", _GOOD
    else:
        text, colors = (f"{check.read} of {check.photos}", _FAIR) if check.read else ("no", _BAD)
    return f'<td style="{_CELL}"><span style="{_MARK.format(*colors)}">{text}</span></td>'
