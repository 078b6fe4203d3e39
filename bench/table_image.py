"""`table_image` compared with the styled tables of pandas: HTML of small, long tables, with bars.

Images are not compared: other packages take a screenshot of their HTML, with a browser.
"""

from collections.abc import Mapping
from typing import Any

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import ours, python_peer

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
    {"name": "growth", "number_format": "+.1%"},
    "day",
]


def with_mediakit(values: Mapping[str, Any]) -> Job:
    return lambda: mediakit.table_image(**values).content


def with_pandas(values: Mapping[str, Any]) -> Job:
    import pandas as pd

    frame = pd.DataFrame(values["rows"])

    def styled() -> bytes:
        style = frame.style.format({"people": "{:,.1f}", "growth": "{:+.1%}"}).hide()
        if "columns" in values:
            style = style.bar("people")
        return style.to_html().encode()

    return styled


def read_back(_case: Case, content: bytes) -> str:
    """Return the number of rows."""
    return f"HTML, {content.count(b'<tr') - 1} rows"


BENCHES = [
    Bench(
        tool="table_image",
        about="Four columns as HTML: text, numbers, percentages and dates.",
        cases=[
            Case("8 rows", {"rows": ROWS[:8], "format": "html"}),
            Case("50 rows", {"rows": ROWS, "format": "html"}),
            Case("50 rows, bars", {"rows": ROWS, "columns": STYLED, "format": "html"}),
        ],
        ours=ours("bench.table_image:with_mediakit"),
        peers=[python_peer("pandas", "bench.table_image:with_pandas")],
        inspect=read_back,
    )
]
