"""Previews of an image before and after a conversion, as HTML without scripts."""

import io
from html import escape

import pybase64
from PIL import ExifTags, Image, ImageOps

from mediakit.core.messages import readable_size

MAX_SIDE = 440
"""Maximum length of the longer side of each preview, in CSS pixels."""

PIXEL_RATIO = 2
"""Preview pixels per CSS pixel, for high-density screens."""

MAX_PIXELS = 25_000_000
"""Images with more pixels get no preview, because decoding them again takes too long."""

_FIGURE = (
    '<figure style="display:inline-block;margin:0 20px 8px 0;vertical-align:top">'
    '<img src="{source}" width="{width}" height="{height}" alt="{alt}" style="max-width:100%;height:auto;{background}">'
    '<figcaption style="margin-top:6px;font:13px/1.4 system-ui,sans-serif;opacity:.85">'
    "<b>{title}</b> &nbsp;{facts}</figcaption></figure>"
)
_FORMAT_LABELS = {"WEBP": "WebP"}
_CHECKERBOARD = "background:repeating-conic-gradient(#0000001a 0% 25%,#ffffff1a 0% 50%) 0 0/16px 16px"
_ROTATED_ORIENTATIONS = (5, 6, 7, 8)
"""EXIF orientations that swap width and height."""


def side_by_side(before: bytes, after: bytes, alt: str) -> str | None:
    """Return previews of both images as HTML; None if an image is too large or Pillow cannot decode it."""
    try:
        with Image.open(io.BytesIO(before)) as original, Image.open(io.BytesIO(after)) as result:
            if max(original.width * original.height, result.width * result.height) > MAX_PIXELS:
                return None
            figures = _figure("Before", original, before), _figure("After", result, after, alt)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    return f"<div>{''.join(figures)}</div>"


def _figure(title: str, image: Image.Image, content: bytes, alt: str = "") -> str:
    label, (width, height) = image.format or "", _upright_size(image)
    preview = _preview(image)
    scale = min(1.0, MAX_SIDE / max(width, height))
    return _FIGURE.format(
        source=f"data:image/webp;base64,{pybase64.b64encode(preview).decode()}",
        width=max(1, round(width * scale)),
        height=max(1, round(height * scale)),
        alt=escape(alt or title),
        background=_CHECKERBOARD if image.has_transparency_data else "",
        title=escape(title),
        facts=escape(f"{_FORMAT_LABELS.get(label, label)} · {width} × {height} · {readable_size(len(content))}"),
    )


def _upright_size(image: Image.Image) -> tuple[int, int]:
    orientation = image.getexif().get(ExifTags.Base.Orientation, 1)
    return image.size[::-1] if orientation in _ROTATED_ORIENTATIONS else image.size


def _preview(image: Image.Image) -> bytes:
    """Return a small preview as WebP, which supports transparency and compresses photographs well."""
    side = MAX_SIDE * PIXEL_RATIO
    image.draft(None, (side, side))
    upright = ImageOps.exif_transpose(image)
    upright = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    upright.thumbnail((side, side))
    target = io.BytesIO()
    upright.save(target, "WEBP", quality=80, method=2)
    return target.getvalue()
