"""Draw charts beside Altair's and tables beside great_tables', of the same data: `python -m bench.side_by_side FOLDER`.

Each pair is one PNG file, ours on the left. They are to be looked at: no number says which one a reader understands.
"""

import argparse
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import altair as alt
import pandas as pd
import vl_convert
from great_tables import GT
from PIL import Image

import mediakit
from bench.chart import MONTHS, SERIES
from bench.table_image import ROWS

WIDTH, HEIGHT, GAP = 640, 400, 24

MONTHLY = pd.DataFrame({"month": MONTHS, **{series["name"]: series["data"] for series in SERIES}})
LANGUAGES = pd.DataFrame(
    {
        "language": ["Python", "JavaScript", "TypeScript", "Go", "Rust", "C++"],
        "share": [31.2, 24.8, 17.5, 9.1, 8.3, 9.1],
    }
)
SIZES = pd.DataFrame({"step": ["Seen", "Opened", "Clicked", "Bought"], "people": [1_000_000, 7800, 36, 7]})
DAYS = pd.DataFrame(
    {"day": pd.date_range("2026-01-01", periods=120), "price": [100 + n % 17 - n // 9 for n in range(120)]}
)
HEIGHTS = pd.DataFrame(
    {
        "height (cm)": [150 + n * 7 % 45 for n in range(60)],
        "weight (kg)": [48 + n * 7 % 45 * 0.8 + n * 5 % 11 for n in range(60)],
        "team": ["Red" if n % 2 else "Blue" for n in range(60)],
    }
)
RESULTS = pd.DataFrame(
    {"Gene": ["BRCA1", "TP53", "EGFR"], "p": [2.6e-20, 0.9067, 0.00621], "Fold change": [-2.31, 0.04, 12.5]}
)
SHOPS = pd.DataFrame(
    {
        "Shop": ["Berlin Mitte", "Lisboa Baixa", "Kraków"],
        "Postcode": ["01067", "1100-053", "31-000"],
        "Revenue": [1234567.5, 98765.25, None],
        "Satisfied with service (%)": [91.5, 88.25, 100],
    }
)

CHARTS: dict[str, tuple[Any, pd.DataFrame, dict[str, Any]]] = {
    "bar": ("bar", LANGUAGES, {}),
    "bar-sizes": ("bar", SIZES, {}),
    "bar-series": ("bar", MONTHLY, {}),
    "line": ("line", MONTHLY, {}),
    "timeline": ("timeline", DAYS, {}),
    "area": ("area", MONTHLY, {"stacked": True}),
    "scatter": ("scatter", HEIGHTS, {}),
    "pie": ("pie", LANGUAGES, {}),
}
TABLES = {"long": pd.DataFrame(ROWS[:8]), "results": RESULTS, "shops": SHOPS, "languages": LANGUAGES}


def draw_pairs() -> Iterator[tuple[str, Image.Image]]:
    """Yield the name and the image of each pair."""
    for name, (kind, frame, options) in CHARTS.items():
        ours = mediakit.chart(kind, frame, title=name, width=WIDTH, height=HEIGHT, **options).content
        yield f"chart-{name}", _beside(ours, _altair_chart(kind, frame, name))
    for name, frame in TABLES.items():
        html = GT(frame).tab_header(name).as_raw_html()
        theirs = mediakit.capture(html=html, width=900, height=HEIGHT, device_scale_factor=2).content
        yield f"table-{name}", _beside(mediakit.table_image(frame, title=name).content, theirs)


def _altair_chart(kind: str, frame: pd.DataFrame, title: str) -> bytes:
    """Return the chart that a user of Altair writes in one line, as PNG."""
    x, *numbers = frame.columns
    long = frame.melt(x, var_name="series", value_name="value")
    made: Any
    if kind == "scatter":
        made = alt.Chart(frame).mark_circle().encode(x=x, y=numbers[0], color=numbers[1])
    elif kind == "pie":
        made = alt.Chart(frame).mark_arc().encode(theta=numbers[0], color=x)
    else:
        chart: Any = alt.Chart(long)
        made = {"bar": chart.mark_bar, "area": chart.mark_area}.get(kind, chart.mark_line)()
        made = made.encode(x=alt.X(x, sort=None), y="value", color="series" if len(numbers) > 1 else alt.Undefined)
        if kind == "bar" and len(numbers) > 1:
            made = made.encode(xOffset="series")
    drawn = made.properties(width=WIDTH - 120, height=HEIGHT - 80, title=title)
    return bytes(vl_convert.vegalite_to_png(drawn.to_json()))


def _beside(left: bytes, right: bytes) -> Image.Image:
    """Return two images in one, on white."""
    images = [Image.open(BytesIO(content)).convert("RGB") for content in (left, right)]
    size = sum(image.width for image in images) + GAP, max(image.height for image in images)
    sheet = Image.new("RGB", size, "white")
    sheet.paste(images[0], (0, 0))
    sheet.paste(images[1], (images[0].width + GAP, 0))
    return sheet


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.side_by_side", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of the PNG files")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, image in draw_pairs():
        image.save(folder / f"{name}.png")


if __name__ == "__main__":
    main()
