"""`table_image` measured alone: PNG, SVG and PDF of small, long and colored tables.

The `save` of great_tables drives a browser through Selenium, which the other packages of the benchmarks do not have.
"""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

import vl_convert
from PIL import Image

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import ours

NAMES = ("Austria", "Bosnia and Herzegovina", "Chile", "Denmark", "Estonia", "France", "Ghana", "Hungary")
ROWS: list[dict[str, Any]] = [
    {
        "country": f"{NAMES[n % 8]} {n}",
        "people": 1000.5 * n,
        "growth": n / 700 - 0.05,
        "day": f"2026-03-{n % 28 + 1:02d}",
    }
    for n in range(50)
]
STYLED = [
    {"name": "country", "bold": True},
    {"name": "people", "bar": True},
    {"name": "growth", "number_format": "+.1%", "color_scale": ["#ffffff", "#1d4ed8"]},
    "day",
]


def with_mediakit(values: Mapping[str, Any]) -> Job:
    return lambda: mediakit.table_image(**values).content


def read_back(_case: Case, content: bytes) -> str:
    """Return the format and the size of the image."""
    if content.startswith(b"%PDF"):
        return "PDF"
    is_svg = content.lstrip().startswith(b"<svg")
    with Image.open(BytesIO(vl_convert.svg_to_png(content.decode()) if is_svg else content)) as image:
        return f"{'SVG' if is_svg else 'PNG'}, {image.width} x {image.height}"


BENCHES = [
    Bench(
        tool=f"table_image: {kind.upper()}",
        about="Four columns: text, numbers, percentages and dates; PNG with two pixels in a CSS pixel.",
        cases=[
            Case("8 rows", {"rows": ROWS[:8], "format": kind}),
            Case("50 rows", {"rows": ROWS, "format": kind}),
            Case("50 rows, bars and colors", {"rows": ROWS, "columns": STYLED, "format": kind}),
        ],
        ours=ours("bench.table_image:with_mediakit"),
        peers=[],
        inspect=read_back,
    )
    for kind in ("png", "svg", "pdf")
]
