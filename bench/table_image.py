"""`table_image` compared with pandas and great_tables: small tables, long ones, and with bars.

pandas makes HTML. great_tables makes PNG files with nokap, which starts the Chrome of `CHROME_PATH`, or one it finds.
"""

import tempfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

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
            style = style.bar(["people"])
        return style.to_html().encode()

    return styled


def with_great_tables(values: Mapping[str, Any]) -> Job:
    import pandas as pd
    from great_tables import GT

    frame = pd.DataFrame(values["rows"])
    file = Path(tempfile.mkdtemp()) / "table.png"

    def saved() -> bytes:
        GT(frame).fmt_number("people", decimals=1).fmt_percent("growth", decimals=1).gtsave(file)
        return file.read_bytes()

    return saved


def read_back(_case: Case, content: bytes) -> str:
    """Return the number of rows of HTML, or the size of a PNG."""
    if content.startswith(b"\x89PNG"):
        with Image.open(BytesIO(content)) as image:
            return f"PNG, {image.width} x {image.height}"
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
    ),
    Bench(
        tool="table_image: PNG",
        about="The same columns as PNG. mediakit draws without a browser; great_tables starts one for each table.",
        cases=[
            Case("8 rows", {"rows": ROWS[:8], "format": "png"}),
            Case("50 rows", {"rows": ROWS, "format": "png"}),
        ],
        ours=ours("bench.table_image:with_mediakit"),
        peers=[python_peer("great-tables", "bench.table_image:with_great_tables", "nokap")],
        inspect=read_back,
    ),
]
