"""How a picture shows itself in a notebook: one image every front end can draw, small enough to store."""

import io
from typing import TYPE_CHECKING, Any

from PIL import Image

from mediakit.core.comparison import side_by_side

if TYPE_CHECKING:
    from mediakit.core.results import ImageResult

STORED_BYTES = 1_000_000
STORED_SIDE = 2000
"""A notebook keeps a preview of at most this many bytes and pixels a side; `.save()` writes the full file."""

EVERYWHERE = ("image/png", "image/jpeg")
"""What every front end, exporter and file host shows."""

SVG = "image/svg+xml"


def opened(content: bytes, mime_type: str) -> Image.Image:
    """Decode a picture; an SVG is drawn at its own size."""
    image = Image.open(io.BytesIO(_drawn(content) if mime_type == SVG else content))
    image.load()
    return image


def size(content: bytes, mime_type: str) -> tuple[int, int]:
    """Read width and height, in pixels, from the file's header."""
    with Image.open(io.BytesIO(_drawn(content) if mime_type == SVG else content)) as image:
        return image.size


def bundle(result: "ImageResult") -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the MIME bundle of a result and its metadata, as IPython's display protocol has them."""
    mime_type, content = _stored(result)
    data: dict[str, Any] = {"text/plain": _plain(result, content), mime_type: content}
    if result.mime_type == SVG and len(result.content) <= STORED_BYTES:
        data[SVG] = result.content.decode()
    if both := side_by_side(result):
        data["text/html"] = both
    return data, {kind: {"alt": result.alt} for kind in data if result.alt and kind.startswith("image/")}


def _stored(result: "ImageResult") -> tuple[str, bytes]:
    fits = len(result.content) <= STORED_BYTES and max(result.width, result.height) <= STORED_SIDE
    if fits and result.mime_type in EVERYWHERE:
        return result.mime_type, result.content
    if fits and result.mime_type == SVG:
        return "image/png", _drawn(result.content)
    return preview(result.to_pil())


def preview(image: Image.Image) -> tuple[str, bytes]:
    """Give media type and bytes; a picture shrinks until its PNG is small enough, and a JPEG if it stays too large."""
    image.thumbnail((STORED_SIDE, STORED_SIDE))
    encoded = _encode(image, "PNG")
    if len(encoded) <= STORED_BYTES:
        return "image/png", encoded
    flat = Image.new("RGB", image.size, "white")
    flat.paste(image, mask=image.getchannel("A") if "A" in image.getbands() else None)
    encoded = _encode(flat, "JPEG")
    while len(encoded) > STORED_BYTES:
        flat = flat.reduce(2)
        encoded = _encode(flat, "JPEG")
    return "image/jpeg", encoded


def _encode(image: Image.Image, kind: str) -> bytes:
    target = io.BytesIO()
    image.save(target, kind)
    return target.getvalue()


def _plain(result: "ImageResult", stored: bytes) -> str:
    if stored is result.content or result.mime_type == SVG:
        return repr(result)
    return f"{result!r}\nThis is a preview; .save('picture.{result.extension}') writes the full file."


def _drawn(svg: bytes) -> bytes:
    import vl_convert

    return bytes(vl_convert.svg_to_png(svg.decode()))
