"""Render the image of the README with the tools that it shows: `python docs/readme_image.py`."""

# ruff: noqa: INP001  # a script, not part of a package

import html
from pathlib import Path

import mediakit
from mediakit.samples import LANDSCAPE, LOGO

TARGET = Path(__file__).parent / "images" / "tools.jpg"
WIDTH, HEIGHT = 1000, 576

STYLE = """<!doctype html>
<style>
  * { box-sizing: border-box; margin: 0; }
  body { width: 1000px; height: 576px; zoom: 2; padding: 22px; background: #f3f1ea; color: #1d1c19;
         display: grid; gap: 16px; grid-template-columns: repeat(12, 1fr);
         grid-template-rows: 235px 1fr; font-family: system-ui, sans-serif; }
  figure { display: flex; flex-direction: column; background: #fff; border-radius: 12px; overflow: hidden; min-width: 0;
           min-height: 0; box-shadow: 0 1px 2px #1d1c1914, 0 10px 24px -16px #1d1c1955; }
  div { flex: 1; display: grid; place-items: center; padding: 10px; min-height: 0; }
  .whole div { padding: 0; place-items: stretch; }
  .whole img { width: 100%; height: 100%; object-fit: cover; object-position: top; }
  img { display: block; max-width: 100%; max-height: 100%; min-height: 0; }
  figcaption { flex: none; padding: 7px 12px 8px; border-top: 1px solid #eceae2; color: #0d6b60;
               font: 10.5px/1.3 ui-monospace, "DejaVu Sans Mono", monospace; white-space: nowrap; overflow: hidden; }
</style>
"""


def render() -> mediakit.ImageResult:
    """Return an image of seven results, each with its call below."""
    share = mediakit.capture(
        template="og",
        data={
            "title": "A year of soup, in seven charts",
            "description": "What 3,412 lunches taught us.",
            "accent": "#0d6b60",
        },
    )
    code = mediakit.qr("https://example.com/trail", style="rounded", logo=LOGO, dark="#1e3a5f", size=480)
    seasons, visitors = ["Spring", "Summer", "Autumn", "Winter"], {"2025": [12, 30, 18, 9], "2026": [15, 34, 21, 11]}
    chart = mediakit.chart("bar", seasons, visitors, title="Visitors, in thousands", values=True, width=580, height=400)
    totals = mediakit.invoice_data([("Logo design", 1, 400), ("Web page", 3, 150), ("Hosting, a year", 1, 96)], tax=20)
    award = mediakit.capture(
        template="certificate",
        data={"recipient": "Ada Lovelace", "course": "Notes on the Analytical Engine", "accent": "#0f766e"},
    )
    tiles = (
        (5, "whole", 'capture(template="og", data=...)', share),
        (4, "", 'chart("bar", seasons, visitors)', chart),
        (3, "", "qr(link, logo=LOGO)", code),
        (3, "whole", 'pdf(template="invoice")', mediakit.capture(template="invoice", data=totals)),
        (4, "", 'pdf(template="certificate")', award),
        (2, "", "barcode(isbn)", mediakit.barcode("978020137962", type="ean13", scale=4)),
        (3, "whole", "images(photo, width=520, ...)", _photo()),
    )
    figures = "".join(_figure(*tile) for tile in tiles)
    return mediakit.capture(STYLE + figures, width=2 * WIDTH, height=2 * HEIGHT, format="jpeg", quality=86)


def _photo() -> mediakit.ImageResult:
    return mediakit.images(LANDSCAPE, width=520, height=560, position="attention", format="png")


def _figure(columns: int, css_class: str, call: str, result: mediakit.ImageResult) -> str:
    image = f'<div><img src="{result.data_uri()}" alt=""></div>'
    caption = f"<figcaption>{html.escape(call)}</figcaption>"
    return f'<figure class="{css_class}" style="grid-column: span {columns}">{image}{caption}</figure>'


if __name__ == "__main__":
    print(render().save(TARGET))  # noqa: T201  # prints the path
