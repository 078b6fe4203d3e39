"""`chart` compared with Chart.js on @napi-rs/canvas: five types at 800 x 500 pixels, as PNG and SVG.

Timelines, scatter and area charts of 2000 points are measured alone.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import vl_convert
from PIL import Image

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import node_peer, ours

TYPES = ("bar", "line", "pie", "doughnut", "radar")
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
SERIES: list[dict[str, Any]] = [
    {"name": "Berlin", "data": [43, 48, 61, 55, 72, 81, 90, 87, 69, 58, 47, 64]},
    {"name": "Lisbon", "data": [31, 35, 44, 58, 66, 84, 97, 99, 82, 61, 42, 38]},
    {"name": "Tokyo", "data": [52, 49, 63, 78, 74, 60, 66, 71, 77, 80, 68, 73]},
]
DATA = {
    "labels": MONTHS,
    "series": SERIES,
    "title": "Visitors to our stores, in thousands",
    "width": 800,
    "height": 500,
}

LONG_DATA = {
    **DATA,
    "labels": [str(number) for number in range(2000)],
    "series": [
        {**each, "data": [each["data"][number // 9 % 12] + number % 9 for number in range(2000)]} for each in SERIES
    ],
}


def with_mediakit(values: Mapping[str, Any]) -> Job:
    return lambda: mediakit.chart(**values).content


def read_back(_case: Case, content: bytes) -> str:
    """Return the format and the size of the image."""
    is_svg = content.lstrip().startswith(b"<svg")
    with Image.open(BytesIO(vl_convert.svg_to_png(content.decode()) if is_svg else content)) as image:
        return f"{'SVG' if is_svg else 'PNG'}, {image.width} x {image.height}"


BENCHES = [
    Bench(
        tool=f"chart: {kind.upper()}",
        about="Three series of twelve numbers, 800 x 500 pixels; Chart.js always renders PNG.",
        cases=[Case(name, {"type": name, "format": kind, **DATA}) for name in TYPES],
        ours=ours("bench.chart:with_mediakit"),
        peers=[node_peer("chart.js", "chart.cjs", "@napi-rs/canvas")],
        inspect=read_back,
    )
    for kind in ("png", "svg")
]
BENCHES.append(
    Bench(
        tool="chart: 2000 points",
        about="Three series of 2000 numbers on an axis of numbers, 800 x 500 pixels, PNG.",
        cases=[Case(name, {"type": name, "format": "png", **LONG_DATA}) for name in ("timeline", "scatter", "area")],
        ours=ours("bench.chart:with_mediakit"),
        peers=[node_peer("chart.js", "chart.cjs", "@napi-rs/canvas")],
        inspect=read_back,
    )
)
