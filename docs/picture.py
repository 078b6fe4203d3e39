"""Draw the README's picture with the tools that it shows: `python docs/picture.py`."""

# ruff: noqa: INP001  # a script beside the documents, not a package

import html
from pathlib import Path

import mediakit
from mediakit.samples import LANDSCAPE
from mediakit.tools.capture import CARD

PICTURE = Path(__file__).parent / "images" / "tools.webp"

PAGE = """<!doctype html>
<style>
  * { box-sizing: border-box; margin: 0; }
  body { width: 1000px; height: 380px; zoom: 2; padding: 24px; background: #faf9f5; color: #1d1c19;
         display: grid; grid-template-columns: 1fr 1fr 1.45fr; gap: 18px; font-family: system-ui, sans-serif; }
  figure { display: flex; flex-direction: column; background: #fff; border: 1px solid #e4e0d5; border-radius: 12px;
           overflow: hidden; box-shadow: 0 8px 24px -14px #1d1c1933; }
  pre { flex: none; height: 112px; padding: 14px 16px; border-bottom: 1px solid #e4e0d5; color: #0d6b60;
        font: 11.5px/1.55 ui-monospace, "DejaVu Sans Mono", monospace; }
  div { flex: 1; display: grid; place-items: center; padding: 16px; }
  img { display: block; max-width: 100%; max-height: 190px; border-radius: 5px; }
</style>
"""
QR = """mediakit.qr(
    "https://example.com",
    dark="#0d6b60",
)"""
IMAGES = """mediakit.images(
    Path("landscape.jpg"),
    width=400, height=400,
    position="attention",
)"""
CAPTURE = """mediakit.capture('''
  <style>...</style>
  <h1>Seven charts that explain the year</h1>
  <p>From one notebook, in an afternoon</p>
''')"""


def draw() -> mediakit.ImageResult:
    """Draw each call above what it makes."""
    shown = (
        (QR, mediakit.qr("https://example.com", dark="#0d6b60")),
        (IMAGES, mediakit.images(LANDSCAPE, width=400, height=400, position="attention", format="png")),
        (CAPTURE, mediakit.capture(CARD)),
    )
    figures = "".join(_figure(code, result) for code, result in shown)
    return mediakit.capture(PAGE + figures, width=2000, height=760, format="webp", quality=82)


def _figure(code: str, result: mediakit.ImageResult) -> str:
    return f'<figure><pre>{html.escape(code)}</pre><div><img src="{result.data_uri()}" alt=""></div></figure>'


if __name__ == "__main__":
    print(draw().save(PICTURE))  # noqa: T201  # says what it wrote
