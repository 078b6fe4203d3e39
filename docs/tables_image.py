"""Render the image of the table gallery: `python docs/tables_image.py`."""

# ruff: noqa: INP001  # a script, not part of a package

from html import escape
from pathlib import Path
from typing import Any

import pybase64

import mediakit

TARGET = Path(__file__).parent / "images" / "tables.jpg"
WIDTH = 1180
HOURS = (6, 9, 12, 15, 18, 21)

TABLES: tuple[dict[str, Any], ...] = (
    dict(mediakit.table_image.examples[0].values),
    {
        "rows": [
            {"party": "Union", "seats": 208, "change": 12},
            {"party": "Social Democrats", "seats": 120, "change": -86},
            {"party": "Greens", "seats": 85, "change": -33},
            {"party": "The Left", "seats": 64, "change": 25},
        ],
        "columns": [
            {"name": "party", "label": "Party"},
            {"name": "seats", "label": "Seats", "bar": True},
            {"name": "change", "label": "Change", "bar": True, "number_format": "+d"},
        ],
        "title": "Seats after the election",
        "accent": "#c2410c",
    },
    {
        "rows": [
            {"month": month, **{str(hour): (place * 7 + hour * 5) % 37 + 2.5 for hour in HOURS}}
            for place, month in enumerate(("January", "February", "March", "April", "May"))
        ],
        "columns": [
            "month",
            *(
                {
                    "name": str(hour),
                    "label": f"{hour}:00",
                    "color_scale": ["#fff7ec", "#7f0000"],
                    "align": "center",
                    "spanner": "Hour of day",
                }
                for hour in HOURS
            ),
        ],
        "title": "Visitors by hour",
    },
    dict(mediakit.table_image.examples[1].values),
    {
        "rows": [
            {"المدينة": "القاهرة", "السكان": 10100166, "البلد": "مصر"},
            {"المدينة": "الرياض (العاصمة)", "السكان": 7676654, "البلد": "السعودية"},
            {"المدينة": "بيروت", "السكان": 361366, "البلد": "لبنان"},
        ],
        "title": "مدن الشرق الأوسط",
        "theme": "minimal",
    },
    {
        "rows": [["Plan", "Price", "Storage"], ["Free", 0, "1 GB"], ["Pro", 9.5, "100 GB"], ["Team", 24, None]],
        "columns": ["Plan", {"name": "Price", "prefix": "$", "number_format": ",.2f"}, "Storage"],
        "theme": "grid",
    },
    {**mediakit.table_image.examples[2].values, "format": "png"},
)

PAGE = """<!doctype html>
<style>
  body { margin: 0; padding: 24px; background: #e9ebef; display: flex; flex-wrap: wrap; gap: 20px;
         align-items: flex-start; justify-content: center; }
  img { display: block; border-radius: 6px; box-shadow: 0 1px 3px #0003; }
</style>"""


def main() -> None:
    """Write the image."""
    images = []
    for values in TABLES:
        image = mediakit.table_image(**values)
        source = f"data:image/png;base64,{pybase64.b64encode(image.content).decode()}"
        width = image.width // image.pixel_ratio
        images.append(f'<img src="{source}" width="{width}" alt="{escape(image.alt)}">')
    page = mediakit.capture(PAGE + "".join(images), width=WIDTH, height=100, full_page=True, format="jpeg", quality=88)
    page.save(TARGET)


if __name__ == "__main__":
    main()
