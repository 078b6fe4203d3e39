"""The list of all templates with their thumbnails: as a Python sequence, for notebooks, as an HTML page and as JSON."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, overload

import pybase64

from mediakit.core.introspection import PublicNames
from mediakit.engines.templates.manifest import Manifest
from mediakit.engines.templates.registry import TEMPLATES, add_template, unknown_template
from mediakit.engines.templates.template import Template
from mediakit.errors import NotFound

PAGE_HEAD = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Templates</title>
<meta name="viewport" content="width=device-width"><style>
  :root { color-scheme: light dark; }
  body { max-width: 1120px; margin: 48px auto; padding: 0 24px; font-family: system-ui, sans-serif; }
  h1 { font-size: 34px; letter-spacing: -0.02em; margin-bottom: 6px; }
  .lead { margin: 0 0 32px; opacity: 0.75; }
</style></head><body><h1>Templates</h1>
<p class="lead">Send <code>template</code>, <code>style</code>, <code>data</code> and <code>lang</code>
to a tool that renders HTML.
Missing keys keep their example text; an empty text hides its element.</p>"""


class TemplateCatalog(PublicNames, Sequence[Template]):
    """The templates as a sequence that a notebook displays; `templates()["og"]` returns one by its name."""

    def __init__(self, templates: Sequence[Template]) -> None:
        self._templates = tuple(templates)

    @overload
    def __getitem__(self, index: int | str) -> Template: ...
    @overload
    def __getitem__(self, index: slice) -> "TemplateCatalog": ...
    def __getitem__(self, index: int | str | slice) -> "Template | TemplateCatalog":
        """Return a template by name or index.

        Raises:
            NotFound: No template has this name.
        """
        if isinstance(index, slice):
            return TemplateCatalog(self._templates[index])
        if isinstance(index, str):
            found = next((template for template in self._templates if template.name == index), None)
            if found is None:
                raise NotFound(f"template: {unknown_template(index)}")
            return found
        return self._templates[index]

    def __len__(self) -> int:
        return len(self._templates)

    def __iter__(self) -> Iterator[Template]:
        return iter(self._templates)

    def __repr__(self) -> str:
        rows = (f"{t.name:<12} {t.width} x {t.height:<5} {t.description}" for t in self._templates)
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        return preview_html(self._templates)

    def page(self) -> str:
        """Return the templates as an HTML page that loads nothing from the network."""
        return f"{PAGE_HEAD}{preview_html(self._templates)}</body></html>"

    def describe(self) -> list[dict[str, Any]]:
        """Return a JSON-serializable description of each template."""
        return [_description(template) for template in self._templates]


class Templates(PublicNames):
    """Lists the templates, and adds own ones: `mediakit.templates()`, `mediakit.templates.add("my-certificate")`."""

    def __call__(self) -> TemplateCatalog:
        """List the templates: sizes, keys, limits and example texts; a notebook also shows thumbnails."""
        return TemplateCatalog(tuple(TEMPLATES.values()))

    def add(self, folder: str | Path) -> Template:
        """Add an own template, which can then be used by the name of its folder.

        Call it again after you have changed the files of the folder.

        Args:
            folder: A folder with `template.toml` and `template.html`. `mediakit template copy` creates one.

        Raises:
            InvalidInput: A file has a problem, or the name is one of a template of mediakit.
        """
        return add_template(folder)

    def __repr__(self) -> str:
        return f"<mediakit.templates: {', '.join(TEMPLATES)}>"


templates = Templates()


def _description(template: Template) -> dict[str, Any]:
    return {
        "name": template.name,
        "description": template.description,
        "width": template.width,
        "height": template.height,
        "pdf_format": template.pdf_format,
        "landscape": template.landscape,
        "styles": list(template.styles),
        "keys": [
            {
                "name": key.name,
                "max_length": key.max_length,
                "examples": {"en": key.en, "es": key.es},
                "format": key.format,
                "main": key.main,
            }
            for key in template.by_name.values()
        ],
    }


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
  .mk-templates ul { display: flex; gap: 8px; margin: 8px 0 0; padding: 0; list-style: none; }
  .mk-templates li { flex: 0 1 96px; min-width: 0; margin: 0; font-size: 12.5px; }
  .mk-templates li img { height: 72px; padding: 5px; border-radius: 7px; }
  .mk-templates summary { cursor: pointer; margin-top: 4px; }
</style>"""


def preview_html(templates: Iterable[Manifest]) -> str:
    """Return a grid of templates with thumbnails, sizes and keys as HTML."""
    return f'{STYLE}<div class="mk-templates">{"".join(map(_figure, templates))}</div>'


def _figure(template: Manifest) -> str:
    rows = "".join(
        f"<tr><td>{key.name}</td><td>{key.max_length}</td><td>{escape(key.en)}</td><td>{escape(key.es)}</td></tr>"
        for key in template.by_name.values()
    )
    return (
        f'<figure><img src="{thumbnail_uri(template)}" alt="Template {template.name}"><figcaption>'
        f"<code>{template.name}</code> · {template.width} × {template.height} · PDF {template.pdf_format}<br>"
        f"{escape(template.description)}{_styles(template)}"
        f"<details><summary>{len(template.by_name)} keys</summary><table>"
        f"<tr><th>Key</th><th>Max. length</th><th>English</th><th>Spanish</th></tr>{rows}</table></details>"
        "</figcaption></figure>"
    )


def _styles(template: Manifest) -> str:
    """Return the thumbnails of all styles; empty if there is one."""
    if len(template.styles) == 1:
        return ""
    items = "".join(
        f'<li><img src="{thumbnail_uri(template, style)}" alt="">{escape(style)}</li>' for style in template.styles
    )
    return f'<ul aria-label="Styles of {template.name}">{items}</ul>'


FOLDER = Path(__file__).parent / "thumbnails"
OWN_TYPES = {".webp": "image/webp", ".png": "image/png", ".jpg": "image/jpeg"}
"""Media types of thumbnails in the folder of an own template."""


def own_thumbnail_path(template: Manifest, style: str) -> Path:
    """Return the path of the thumbnail of an own template: `thumbnail.webp`, or `STYLE.webp` for a further style."""
    return template.folder / ("thumbnail.webp" if style == template.styles[0] else f"{style}.webp")


def thumbnail_path(name: str, lang: str, style: str | None = None) -> Path:
    """Return the path of the thumbnail of a bundled template. Only the first style, None, has one in Spanish."""
    return FOLDER / (f"{name}.{style}.{lang}.webp" if style else f"{name}.{lang}.webp")


def thumbnail_uri(template: Manifest, style: str | None = None) -> str:
    """Return the thumbnail of a style as a data: URI; default the first style."""
    further = None if style in (None, template.styles[0]) else style
    if template.is_bundled:
        files = {thumbnail_path(template.name, "en", further): "image/webp"}
    else:
        first = own_thumbnail_path(template, style or template.styles[0])
        files = {first.with_suffix(suffix): media_type for suffix, media_type in OWN_TYPES.items()}
    for file, media_type in files.items():
        if file.is_file():
            return _file_uri(file, media_type, file.stat().st_mtime_ns)
    return _placeholder(template, style or template.styles[0])


@cache
def _file_uri(file: Path, media_type: str, _modified: int) -> str:
    return f"data:{media_type};base64,{pybase64.b64encode(file.read_bytes()).decode()}"


def _placeholder(template: Manifest, style: str) -> str:
    """Return a drawing with the aspect ratio and the name of the template."""
    width, height = template.width, template.height
    size = min(width / max(6, 0.62 * len(template.name)), height / 5)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
        f'<path fill="#fff" d="M0 0h{width}v{height}H0z"/><g text-anchor="middle" fill="#14171c">'
        f'<text x="50%" y="50%" font-size="{size:g}">{escape(template.name)}</text>'
        f'<text x="50%" y="50%" dy="{size:g}" font-size="{size / 2:g}" opacity="0.6">{escape(style)}</text>'
        "</g></svg>"
    )
    return f"data:image/svg+xml;base64,{pybase64.b64encode(svg.encode()).decode()}"
