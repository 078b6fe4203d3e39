"""A picture beside what it was made from, as a notebook shows the two: small, and without scripts."""

import io
from html import escape
from typing import TYPE_CHECKING

import pybase64
from PIL import ExifTags, Image, ImageOps

from mediakit.core.messages import readable_size

if TYPE_CHECKING:
    from mediakit.results.image import ImageResult

SIDE = 440
"""Pixels that a side of either picture has at most on the page."""

DENSITY = 2
"""Pixels drawn for each of those, so that fine screens show fine pictures."""

MOST_PIXELS = 25_000_000
"""Larger originals are not decoded again just to be shown."""

_FIGURE = (
    '<figure style="display:inline-block;margin:0 20px 8px 0;vertical-align:top">'
    '<img src="{source}" width="{width}" height="{height}" alt="{alt}" style="max-width:100%;height:auto;{ground}">'
    '<figcaption style="margin-top:6px;font:13px/1.4 system-ui,sans-serif;opacity:.85">'
    "<b>{title}</b> &nbsp;{facts}</figcaption></figure>"
)
_NAMES = {"WEBP": "WebP"}
_CHECKERS = "background:repeating-conic-gradient(#0000001a 0% 25%,#ffffff1a 0% 50%) 0 0/16px 16px"


def side_by_side(result: "ImageResult") -> str | None:
    """Give both pictures as HTML; None where there is no original, or one that is too large to decode again."""
    if result.before is None:
        return None
    try:
        with Image.open(io.BytesIO(result.before)) as before, Image.open(io.BytesIO(result.content)) as after:
            if max(before.width * before.height, after.width * after.height) > MOST_PIXELS:
                return None
            figures = _figure("Before", before, result.before), _figure("After", after, result.content, result.alt)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None  # Pillow alone does not read what the tool's stricter or patient reader did.
    return f"<div>{''.join(figures)}</div>"


def _figure(title: str, image: Image.Image, content: bytes, alt: str = "") -> str:
    kind, size = image.format or "", _upright_size(image)
    small = _preview(image)
    scale = min(1.0, SIDE / max(size))
    return _FIGURE.format(
        source=f"data:image/webp;base64,{pybase64.b64encode(small).decode()}",
        width=max(1, round(size[0] * scale)),
        height=max(1, round(size[1] * scale)),
        alt=escape(alt or title),
        ground=_CHECKERS if image.has_transparency_data else "",
        title=escape(title),
        facts=escape(f"{_NAMES.get(kind, kind)} · {size[0]} × {size[1]} · {readable_size(len(content))}"),
    )


def _upright_size(image: Image.Image) -> tuple[int, int]:
    turned = image.getexif().get(ExifTags.Base.Orientation, 1) in (5, 6, 7, 8)
    return image.size[::-1] if turned else image.size


def _preview(image: Image.Image) -> bytes:
    """Draw it small; WebP, because transparency is kept and photographs stay light."""
    image.draft(None, (SIDE * DENSITY, SIDE * DENSITY))
    picture = ImageOps.exif_transpose(image)
    picture = picture.convert("RGBA" if picture.has_transparency_data else "RGB")
    picture.thumbnail((SIDE * DENSITY, SIDE * DENSITY))
    target = io.BytesIO()
    picture.save(target, "WEBP", quality=80, method=2)
    return target.getvalue()
