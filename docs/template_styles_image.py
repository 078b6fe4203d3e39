"""Render the image of the styles of all templates: `python docs/template_styles_image.py`."""

# ruff: noqa: INP001  # a script, not part of a package

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import mediakit
from mediakit.engines.templates import TEMPLATES, Template, TemplateName

TARGET = Path(__file__).parent / "images" / "template-styles.jpg"
WIDTH = 1000

ROWS = (
    {"certificate": 216},
    {"invoice": 250, "receipt": 250},
    {"og": 116},
    {"youtube": 172},
    {"social": 250},
)
"""The rows of the image: names of templates, and the height of their images in pixels."""

TEXTS = {
    "certificate": {"verify_url": "https://example.com/verify/OLI-2026-0042"},
    "receipt": {"code": "1024-0042"},
}
"""Texts by template; all others are the examples."""

PAGE = """<!doctype html>
<style>
  * { box-sizing: border-box; margin: 0; }
  body { display: grid; gap: 18px; width: 1000px; padding: 22px; zoom: 2;
         background: #f3f1ea; color: #1d1c19;
         font: 10.5px/1.3 ui-monospace, "DejaVu Sans Mono", monospace; }
  div { display: flex; gap: 12px; justify-content: space-evenly; }
  img { display: block; margin: 0 auto; border-radius: 4px;
        box-shadow: 0 0 0 1px #1d1c1914, 0 8px 20px -14px #1d1c1966; }
  figcaption { padding-top: 7px; text-align: center; }
</style>
"""


def figures(template: Template, height: int) -> Iterator[str]:
    """Yield an image of each style with its name."""
    name = cast("TemplateName", template.name)
    for style in template.styles:
        full = mediakit.capture(template=name, style=style, data=TEXTS.get(name, {}))
        image = mediakit.images(full, height=2 * height, format="png")
        caption = f"<figcaption>{name} · {style}</figcaption>"
        yield f'<figure><img src="{image.data_uri()}" height="{height}" alt="">{caption}</figure>'


def render() -> mediakit.ImageResult:
    """Return an image of all styles."""
    rows = ("".join("".join(figures(TEMPLATES[name], height)) for name, height in row.items()) for row in ROWS)
    content = "".join(f"<div>{row}</div>" for row in rows)
    return mediakit.capture(PAGE + content, width=2 * WIDTH, height=600, full_page=True, format="jpeg", quality=84)


if __name__ == "__main__":
    print(render().save(TARGET))  # noqa: T201  # prints the path
