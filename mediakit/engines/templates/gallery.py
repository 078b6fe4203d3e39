"""The templates as a list to look at: names, sizes, keys and thumbnails."""

from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, overload

import pybase64

from mediakit.engines.templates import TEMPLATES, Template

FOLDER = Path(__file__).parent

STYLE = """<style>
  .mk-templates { display: grid; grid-template-columns: repeat(auto-fill, minmax(290px, 1fr)); gap: 26px;
    font-family: system-ui, sans-serif; }
  .mk-templates figure { margin: 0; }
  .mk-templates img { display: block; width: 100%; height: 240px; object-fit: contain; border-radius: 10px;
    background: #8a94a31f; padding: 14px; box-sizing: border-box; }
  .mk-templates figcaption { margin-top: 10px; line-height: 1.45; font-size: 14px; }
  .mk-templates code { font-size: 15px; font-weight: 650; }
  .mk-templates table { width: 100%; margin-top: 8px; font-size: 12.5px; border-collapse: collapse; }
  .mk-templates :is(td, th) { padding: 4px 8px 4px 0; text-align: left; vertical-align: top;
    border-bottom: 1px solid #8a94a340; overflow-wrap: anywhere; background: none; }
  .mk-templates summary { cursor: pointer; margin-top: 4px; }
</style>"""

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Templates</title>
<meta name="viewport" content="width=device-width"><style>
  :root { color-scheme: light dark; }
  body { max-width: 1120px; margin: 48px auto; padding: 0 24px; font-family: system-ui, sans-serif; }
  h1 { font-size: 34px; letter-spacing: -0.02em; margin-bottom: 6px; }
  .lead { margin: 0 0 32px; opacity: 0.75; }
</style></head><body><h1>Templates</h1>
<p class="lead">Send <code>template</code>, <code>data</code> and <code>lang</code> to a tool that draws HTML.
Keys left out keep their example text; an empty text hides its element.</p>"""


class Gallery(Sequence[Template]):
    """The templates, as a sequence that shows itself; `templates()["og"]` gives one by its name."""

    def __init__(self, templates: Sequence[Template]) -> None:
        self._templates = tuple(templates)

    @overload
    def __getitem__(self, index: int | str) -> Template: ...
    @overload
    def __getitem__(self, index: slice) -> "Gallery": ...
    def __getitem__(self, index: int | str | slice) -> "Template | Gallery":
        """Give a template by name or place."""
        if isinstance(index, slice):
            return Gallery(self._templates[index])
        if isinstance(index, str):
            return {template.name: template for template in self._templates}[index]
        return self._templates[index]

    def __len__(self) -> int:
        return len(self._templates)

    def __iter__(self) -> Iterator[Template]:
        return iter(self._templates)

    def __repr__(self) -> str:
        rows = (f"{t.name:<12} {t.width} x {t.height:<5} {t.description}" for t in self._templates)
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        return f'{STYLE}<div class="mk-templates">{"".join(map(_figure, self._templates))}</div>'

    def page(self) -> str:
        """Give the gallery as an HTML page that loads nothing from elsewhere."""
        return f"{PAGE}{self._repr_html_()}</body></html>"

    def describe(self) -> list[dict[str, Any]]:
        """Give what a program needs to know of each template."""
        return [_description(template) for template in self._templates]


def templates() -> Gallery:
    """List the templates: sizes, keys, limits and examples, with thumbnails in a notebook."""
    return Gallery(tuple(TEMPLATES.values()))


def thumbnail(template: Template, lang: str) -> Path:
    """Name the file of a template's thumbnail."""
    return FOLDER / "thumbnails" / f"{template.name}.{lang}.webp"


def _description(template: Template) -> dict[str, Any]:
    return {
        "name": template.name,
        "description": template.description,
        "width": template.width,
        "height": template.height,
        "pdf_format": template.pdf_format,
        "landscape": template.landscape,
        "keys": [
            {"name": key.name, "max_length": key.max_length, "examples": {"en": key.en, "es": key.es}}
            for key in template.by_name.values()
        ],
    }


def _figure(template: Template) -> str:
    rows = "".join(
        f"<tr><td>{key.name}</td><td>{key.max_length}</td><td>{escape(key.en)}</td><td>{escape(key.es)}</td></tr>"
        for key in template.by_name.values()
    )
    return (
        f'<figure><img src="{_image(template.name)}" alt="The template {template.name}"><figcaption>'
        f"<code>{template.name}</code> · {template.width} × {template.height} · PDF {template.pdf_format}<br>"
        f"{escape(template.description)}<details><summary>{len(template.by_name)} keys</summary><table>"
        f"<tr><th>Key</th><th>At most</th><th>English</th><th>Spanish</th></tr>{rows}</table></details>"
        "</figcaption></figure>"
    )


@cache
def _image(name: str) -> str:
    content = thumbnail(TEMPLATES[name], "en").read_bytes()
    return f"data:image/webp;base64,{pybase64.b64encode(content).decode()}"
