"""Notebook display of a comparison: the verdict above the image."""

from collections.abc import Mapping
from html import escape
from typing import Any

import pybase64

from mediakit.display.tables import facts_html
from mediakit.results.result import Bundle
from mediakit.tools.images.image_compare.drawing import COLORS, IGNORED
from mediakit.tools.images.image_compare.matching import ANTIALIASED, DIFFERENT
from mediakit.tools.images.image_compare.result import ComparisonResult, Differences

_IMAGE = "max-width:100%;height:auto;margin-top:10px;border:1px solid rgba(128,128,128,.3)"
_SMALL = "margin-top:6px;font:12px/1.5 system-ui,sans-serif;color:inherit"
_MAX_LISTED = 5

_MEANINGS = {
    COLORS[DIFFERENT]: "different",
    COLORS[ANTIALIASED]: "smoothed edges, not counted",
    COLORS[IGNORED]: "ignored",
}


def bundle(result: ComparisonResult | Differences) -> Bundle:
    """Return the MIME bundle of a comparison: the numbers as HTML, and the image."""
    image = result if isinstance(result, ComparisonResult) else None
    data, metadata = ({}, {}) if image is None else image._bundle()
    regions = [_region(one["box"], one["pixels"]) for one in result.regions]
    offset = result.offset
    rest = len(regions) - _MAX_LISTED
    more = f" and {rest} more" if rest > 0 else ""
    facts = (
        ("Similarity", f"{result.similarity:.4f}"),
        ("Hash distance", f"{result.hash_distance} of 64 bits"),
        ("Shift", f"{offset[0]}, {offset[1]} pixels" if any(offset) else ""),
        ("Regions", "; ".join(regions[:_MAX_LISTED]) + more),
    )
    verdict = f"{'✓' if result.same else '≠'} {result.verdict}"
    head = facts_html(verdict, f"{result.width} × {result.height}", facts, result.meta["warnings"])
    legend = _legend() if image is not None and image.mime_type == "image/png" else ""
    return {**data, "text/html": f"<div>{head}{_image(data, result.alt)}{legend}</div>"}, metadata


def _region(box: list[int], pixels: int) -> str:
    left, top, width, height = box
    return f"{width} × {height} at {left}, {top} ({pixels:,} {'pixel' if pixels == 1 else 'pixels'})"


def _legend() -> str:
    """Return the meaning of the colors."""
    meanings = (
        f'<span style="white-space:nowrap;margin-right:14px"><span style="color:rgb{color}">■</span> {text}</span>'
        for color, text in _MEANINGS.items()
    )
    return f'<div style="{_SMALL}">{"".join(meanings)}</div>'


def _image(data: Mapping[str, Any], alt: str) -> str:
    for kind, content in data.items():
        if kind.startswith("image/"):
            source = f"data:{kind};base64,{pybase64.b64encode(content).decode()}"
            return f'<img src="{source}" alt="{escape(alt or "Differences of the images")}" style="{_IMAGE}">'
    return ""
