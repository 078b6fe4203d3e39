"""Thumbnails of templates: stored images of the bundled templates, a file of own ones, or a drawn placeholder."""

from functools import cache
from html import escape
from pathlib import Path

import pybase64

from mediakit.engines.templates.manifest import Manifest

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
