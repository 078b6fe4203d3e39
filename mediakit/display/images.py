"""How images are shown in a notebook: a small preview for every front end, the original beside it, galleries."""

import html
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import pybase64
from PIL import ExifTags, Image, ImageOps

from mediakit.core.messages import readable_size

MAX_STORED_BYTES = 1_000_000
MAX_STORED_SIDE = 2000
"""A notebook stores a preview of at most this many bytes, and pixels on each side; `.save()` writes the full file."""

SUPPORTED_EVERYWHERE = ("image/png", "image/jpeg")
"""Media types that every front end, exporter and file host shows."""

SVG = "image/svg+xml"
PIXEL_RATIO = 2
"""Pixels per CSS pixel of rendered SVGs and of previews before and after, for high-density screens."""

MAX_SIDE = 440
"""Maximum length of the longer side of a preview before or after, in CSS pixels."""

MAX_PIXELS = 25_000_000
"""Images with more pixels get no previews before and after, because decoding them again takes too long."""

CAPTION_STYLE = "font-size:12px;opacity:.75;padding:2px 0 6px;white-space:pre-line"

_FIGURE = (
    '<figure style="display:inline-block;margin:0 20px 8px 0;vertical-align:top">'
    '<img src="{source}" width="{width}" height="{height}" alt="{alt}" style="max-width:100%;height:auto;{background}">'
    '<figcaption style="margin-top:6px;font:13px/1.4 system-ui,sans-serif;opacity:.85">'
    "<b>{title}</b> &nbsp;{facts}</figcaption></figure>"
)
_CHECKERBOARD = "background:repeating-conic-gradient(#0000001a 0% 25%,#ffffff1a 0% 50%) 0 0/16px 16px"
_ROTATED_ORIENTATIONS = (5, 6, 7, 8)
"""EXIF orientations that swap width and height."""


@dataclass(frozen=True)
class DisplayedImage:
    """An image to show."""

    content: bytes
    mime_type: str
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    text: str
    """The plain text representation."""
    alt: str = ""
    pixel_ratio: int = 1
    """Image pixels in a CSS pixel."""
    original: bytes | None = None
    """The original image of a conversion, displayed beside the result."""

    @property
    def fits(self) -> bool:
        """Whether a notebook stores the whole image."""
        return len(self.content) <= MAX_STORED_BYTES and max(self.width, self.height) <= MAX_STORED_SIDE


def decode(content: bytes, mime_type: str, *, scale: float = 1) -> Image.Image:
    """Return a decoded image; SVGs are rendered at their own size times `scale`."""
    image = Image.open(io.BytesIO(_render_svg(content, scale) if mime_type == SVG else content))
    image.load()
    return image


def size(content: bytes, mime_type: str) -> tuple[int, int]:
    """Return width and height, in pixels, from the file's header."""
    with Image.open(io.BytesIO(_render_svg(content) if mime_type == SVG else content)) as image:
        return image.size


def bundle(image: DisplayedImage) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the MIME bundle of an image and its metadata, as IPython's display protocol has them."""
    mime_type, content = _stored(image)
    data: dict[str, Any] = {"text/plain": image.text, mime_type: content}
    if image.mime_type == SVG and len(image.content) <= MAX_STORED_BYTES:
        data[SVG] = image.content.decode()
    about: dict[str, Any] = {"alt": image.alt or f"Image of {image.width} × {image.height} pixels"}
    if image.pixel_ratio > 1:
        about |= {"width": image.width // image.pixel_ratio, "height": image.height // image.pixel_ratio}
    elif image.mime_type == SVG and image.fits:
        about |= {"width": image.width, "height": image.height}
    both = image.original is not None and side_by_side(image.original, image.content, image.alt)
    data["text/html"] = both or img(*((SVG, image.content) if SVG in data else (mime_type, content)), about)
    return data, {kind: about for kind in data if kind.startswith("image/")}


def img(mime_type: str, content: bytes, about: Mapping[str, Any]) -> str:
    """Return an HTML element of an image: notebook front ends read the text alternative only there.

    Args:
        mime_type: The media type.
        content: The image.
        about: `alt`, and `width` and `height` where it has more pixels than it is displayed with.
    """
    size = f' width="{about["width"]}"' if "width" in about else ""
    source = f"data:{mime_type};base64,{pybase64.b64encode(content).decode()}"
    style = "max-width:100%;height:auto"
    return f'<img alt="{escape(about["alt"])}" src="{source}"{size} style="{style}">'


def preview(image: Image.Image) -> tuple[str, bytes]:
    """Return media type and bytes of a preview: a PNG if it is small enough, else a JPEG reduced until it is."""
    image.thumbnail((MAX_STORED_SIDE, MAX_STORED_SIDE))
    encoded = _encode(image, "PNG")
    if len(encoded) <= MAX_STORED_BYTES:
        return "image/png", encoded
    flat = Image.new("RGB", image.size, "white")
    flat.paste(image, mask=image.getchannel("A") if "A" in image.getbands() else None)
    encoded = _encode(flat, "JPEG")
    while len(encoded) > MAX_STORED_BYTES:
        flat = flat.reduce(2)
        encoded = _encode(flat, "JPEG")
    return "image/jpeg", encoded


def _stored(image: DisplayedImage) -> tuple[str, bytes]:
    if image.fits and image.mime_type in SUPPORTED_EVERYWHERE:
        return image.mime_type, image.content
    if image.fits and image.mime_type == SVG:
        scale = min(PIXEL_RATIO, MAX_STORED_SIDE / max(image.width, image.height))
        return preview(decode(image.content, SVG, scale=scale))
    return preview(decode(image.content, image.mime_type))


def _encode(image: Image.Image, image_format: str) -> bytes:
    target = io.BytesIO()
    image.save(target, image_format)
    return target.getvalue()


def _render_svg(svg: bytes, scale: float = 1) -> bytes:
    import vl_convert

    return bytes(vl_convert.svg_to_png(svg.decode(), scale=scale))


def display(data: Mapping[str, Any], metadata: Mapping[str, Any], caption: str) -> None:
    """Display a MIME bundle, and a caption below it.

    The caption is an output of its own, because front ends show one representation of each output.
    """
    import IPython.display

    show: Any = IPython.display.display
    show(dict(data), metadata=dict(metadata), raw=True)
    show({"text/plain": caption, "text/html": f'<div style="{CAPTION_STYLE}">{escape(caption)}</div>'}, raw=True)


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
    label = "WebP" if image.format == "WEBP" else image.format or ""
    orientation = image.getexif().get(ExifTags.Base.Orientation, 1)
    width, height = image.size[::-1] if orientation in _ROTATED_ORIENTATIONS else image.size
    preview = _small_webp(image)
    scale = min(1.0, MAX_SIDE / max(width, height))
    return _FIGURE.format(
        source=f"data:image/webp;base64,{pybase64.b64encode(preview).decode()}",
        width=max(1, round(width * scale)),
        height=max(1, round(height * scale)),
        alt=escape(alt or title),
        background=_CHECKERBOARD if image.has_transparency_data else "",
        title=escape(title),
        facts=escape(f"{label} · {width} × {height} · {readable_size(len(content))}"),
    )


def _small_webp(image: Image.Image) -> bytes:
    """Return a small preview as WebP, which supports transparency and compresses photographs well."""
    side = MAX_SIDE * PIXEL_RATIO
    image.draft(None, (side, side))
    upright = ImageOps.exif_transpose(image)
    upright = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    upright.thumbnail((side, side))
    target = io.BytesIO()
    upright.save(target, "WEBP", quality=80, method=2)
    return target.getvalue()


THUMBNAIL_SIDE = 400
"""Longer side of a thumbnail, in pixels. It is displayed at half this size, for high-density screens."""

MAX_GALLERY_BYTES = 1_000_000
"""Maximum size of all thumbnails in a gallery. The cards after this limit have no thumbnail."""

CARD_STYLE = "display:inline-block;vertical-align:top;width:216px;margin:0 12px 16px 0;font-size:12px;line-height:1.45"
IMAGE_STYLE = "max-width:200px;max-height:200px;border:1px solid rgba(128,128,128,.35);border-radius:4px"


@dataclass(frozen=True)
class Card:
    """A result in a gallery."""

    title: str
    facts: str
    alt: str
    thumbnail: bytes
    """A WebP; empty for a card without an image."""


def thumbnail(bundle: Mapping[str, Any]) -> bytes:
    """Return a small WebP of the PNG or JPEG in a MIME bundle; empty bytes if it has neither."""
    content = bundle.get("image/png") or bundle.get("image/jpeg")
    if not content:
        return b""
    with Image.open(io.BytesIO(content)) as opened:
        image = opened.convert("RGBA")
    image.thumbnail((THUMBNAIL_SIDE, THUMBNAIL_SIDE))
    target = io.BytesIO()
    image.save(target, "WEBP", quality=80)
    return target.getvalue()


def gallery_html(cards: Iterable[Card]) -> str:
    """Return cards as HTML. Only thumbnails within `MAX_GALLERY_BYTES` are kept in memory."""
    remaining, parts = MAX_GALLERY_BYTES, []
    for card in cards:
        remaining -= len(card.thumbnail)
        image, title, facts = "", html.escape(card.title), html.escape(card.facts)
        if card.thumbnail and remaining > 0:
            source = f"data:image/webp;base64,{pybase64.b64encode(card.thumbnail).decode()}"
            image = f'<img alt="{html.escape(card.alt)}" src="{source}" style="{IMAGE_STYLE}"><br>'
        about = f'<b>{title}</b><br><span style="opacity:.75">{facts}</span>'
        parts.append(f'<div style="{CARD_STYLE}">{image}{about}</div>')
    return f"<div>{''.join(parts)}</div>"
