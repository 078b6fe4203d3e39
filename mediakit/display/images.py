"""How a picture shows itself in a notebook: one image every front end can draw, small enough to store."""

import io
from typing import TYPE_CHECKING, Any

from PIL import Image

from mediakit.display.comparison import side_by_side

if TYPE_CHECKING:
    from mediakit.results.image import ImageResult

STORED_BYTES = 1_000_000
STORED_SIDE = 2000
"""A notebook keeps a preview of at most this many bytes and pixels a side; `.save()` writes the full file."""

EVERYWHERE = ("image/png", "image/jpeg")
"""What every front end, exporter and file host shows."""

SVG = "image/svg+xml"


def opened(content: bytes, mime_type: str, *, finer: float = 1) -> Image.Image:
    """Decode a picture; an SVG is drawn at its own size, or finer."""
    image = Image.open(io.BytesIO(_drawn(content, finer) if mime_type == SVG else content))
    image.load()
    return image


def size(content: bytes, mime_type: str) -> tuple[int, int]:
    """Read width and height, in pixels, from the file's header."""
    with Image.open(io.BytesIO(_drawn(content) if mime_type == SVG else content)) as image:
        return image.size


def fits(result: "ImageResult") -> bool:
    """Tell whether a notebook keeps the whole picture."""
    return len(result.content) <= STORED_BYTES and max(result.width, result.height) <= STORED_SIDE


def bundle(result: "ImageResult") -> tuple[dict[str, Any], dict[str, Any]]:
    """Give the MIME bundle of a result and its metadata, as IPython's display protocol has them."""
    mime_type, content = _stored(result)
    data: dict[str, Any] = {"text/plain": repr(result), mime_type: content}
    if result.mime_type == SVG and len(result.content) <= STORED_BYTES:
        data[SVG] = result.content.decode()
    if both := side_by_side(result):
        data["text/html"] = both
    about: dict[str, Any] = {"alt": result.alt or f"Picture of {result.extent} pixels"}
    if result.density > 1:
        about |= {"width": result.width // result.density, "height": result.height // result.density}
    elif result.mime_type == SVG and fits(result):
        about |= {"width": result.width, "height": result.height}
    return data, {kind: about for kind in data if kind.startswith("image/")}


def _stored(result: "ImageResult") -> tuple[str, bytes]:
    if fits(result) and result.mime_type in EVERYWHERE:
        return result.mime_type, result.content
    if fits(result) and result.mime_type == SVG:
        return preview(opened(result.content, SVG, finer=_finer(result)))
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


def _finer(result: "ImageResult") -> float:
    """Say how much finer a drawing is kept than it is shown, for sharp screens."""
    return min(2, STORED_SIDE / max(result.width, result.height))


def _drawn(svg: bytes, finer: float = 1) -> bytes:
    import vl_convert

    return bytes(vl_convert.svg_to_png(svg.decode(), scale=finer))
