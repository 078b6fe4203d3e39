"""HTML previews of templates for notebooks and the page `/templates`: thumbnails, sizes and keys."""

from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path

import pybase64

from mediakit.engines.templates.manifest import Manifest

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
