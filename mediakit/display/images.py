"""How an image is shown in a notebook: a preview that every front end can show and that is small enough to store."""

import io
from dataclasses import dataclass
from typing import Any

from PIL import Image

from mediakit.display.comparison import side_by_side

MAX_STORED_BYTES = 1_000_000
MAX_STORED_SIDE = 2000
"""A notebook stores a preview of at most this many bytes, and pixels on each side; `.save()` writes the full file."""

SUPPORTED_EVERYWHERE = ("image/png", "image/jpeg")
"""Media types that every front end, exporter and file host shows."""

SVG = "image/svg+xml"
SVG_SCALE = 2
"""SVGs are stored as PNGs of this scale, for high-density screens."""


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
    if image.original is not None and (both := side_by_side(image.original, image.content, image.alt)):
        data["text/html"] = both
    about: dict[str, Any] = {"alt": image.alt or f"Image of {image.width} × {image.height} pixels"}
    if image.pixel_ratio > 1:
        about |= {"width": image.width // image.pixel_ratio, "height": image.height // image.pixel_ratio}
    elif image.mime_type == SVG and image.fits:
        about |= {"width": image.width, "height": image.height}
    return data, {kind: about for kind in data if kind.startswith("image/")}


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
        scale = min(SVG_SCALE, MAX_STORED_SIDE / max(image.width, image.height))
        return preview(decode(image.content, SVG, scale=scale))
    return preview(decode(image.content, image.mime_type))


def _encode(image: Image.Image, image_format: str) -> bytes:
    target = io.BytesIO()
    image.save(target, image_format)
    return target.getvalue()


def _render_svg(svg: bytes, scale: float = 1) -> bytes:
    import vl_convert

    return bytes(vl_convert.svg_to_png(svg.decode(), scale=scale))
