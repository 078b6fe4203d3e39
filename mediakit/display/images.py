"""How images and PDFs are shown in a notebook: small previews for every front end, originals beside them, galleries."""

import io
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import Any

import pybase64
from PIL import ExifTags, Image, ImageDraw, ImageOps

from mediakit.core.messages import readable_size
from mediakit.display import view
from mediakit.errors import InvalidInput
from mediakit.installation import required

MAX_STORED_BYTES = 1_000_000
MAX_STORED_SIDE = 2000
"""A notebook stores a preview of at most this many bytes, and pixels on each side; `.save()` writes the full file."""

SUPPORTED_EVERYWHERE = ("image/png", "image/jpeg")
"""Media types that every front end, exporter and file host shows."""

SVG = "image/svg+xml"
PDF = "application/pdf"
PIXEL_RATIO = 2
"""Pixels per CSS pixel of rendered SVGs and of previews before and after, for high-density screens."""

MAX_SIDE = 440
"""Maximum length of the longer side of a preview before or after, in CSS pixels."""

MAX_PIXELS = 25_000_000
"""Images with more pixels get no previews before and after, because decoding them again takes too long."""

CAPTION_STYLE = "font-size:12px;opacity:.75;padding:2px 0 6px;white-space:pre-line"

_ROTATED_ORIENTATIONS = (5, 6, 7, 8)
"""EXIF orientations that swap width and height."""


Bundle = tuple[dict[str, Any], dict[str, Any]]
"""A MIME bundle and its metadata, as IPython's display protocol has them."""


def fits(content: bytes, size: tuple[int, int]) -> bool:
    """Return whether a notebook stores a whole image."""
    return len(content) <= MAX_STORED_BYTES and max(size) <= MAX_STORED_SIDE


def decode(content: bytes, mime_type: str, *, scale: float = 1) -> Image.Image:
    """Return a decoded image; SVGs are rendered at their own size times `scale`.

    Raises:
        InvalidInput: The image is damaged.
    """
    with _damage_as_error("image"):
        image = Image.open(io.BytesIO(_render_svg(content, scale) if mime_type == SVG else content))
        image.load()
    return image


def size(content: bytes, mime_type: str) -> tuple[int, int]:
    """Return width and height, in pixels, from the file's header.

    Raises:
        InvalidInput: The image is damaged.
    """
    with (
        _damage_as_error("image"),
        Image.open(io.BytesIO(_render_svg(content) if mime_type == SVG else content)) as image,
    ):
        return image.size


@contextmanager
def _damage_as_error(kind: str) -> Iterator[None]:
    """Raise the exceptions that libraries have for damaged files as an error that says so."""
    try:
        yield
    except Exception as error:
        raise InvalidInput(f"content: the {kind} is damaged and cannot be read.") from error


def bundle(
    content: bytes,
    mime_type: str,
    size: tuple[int, int],
    *,
    alt: str = "",
    pixel_ratio: int = 1,
    original: bytes | None = None,
) -> Bundle:
    """Return the MIME bundle of an image, without its plain text.

    `size` is in pixels, of which `pixel_ratio` are in one CSS pixel. The image `original`, from which it was converted,
    is displayed beside it.
    """
    is_whole, (width, height) = fits(content, size), size
    if not is_whole or mime_type not in SUPPORTED_EVERYWHERE:
        scale = min(PIXEL_RATIO, MAX_STORED_SIDE / max(size)) if is_whole and mime_type == SVG else 1
        shown_type, shown = preview(decode(content, mime_type, scale=scale))
    else:
        shown_type, shown = mime_type, content
    data: dict[str, Any] = {shown_type: shown}
    if mime_type == SVG and len(content) <= MAX_STORED_BYTES:
        data[SVG] = content.decode()
    about: dict[str, Any] = {"alt": alt or f"Image of {width} × {height} pixels"}
    if pixel_ratio > 1 or (mime_type == SVG and is_whole):
        about |= {"width": width // pixel_ratio, "height": height // pixel_ratio}
    both = original is not None and side_by_side(original, content, alt)
    data["text/html"] = both or img(*((SVG, content) if SVG in data else (shown_type, shown)), about)
    return data, {kind: about for kind in data if kind.startswith("image/")}


def img(mime_type: str, content: bytes, about: Mapping[str, Any]) -> str:
    """Return an HTML element of an image: notebook front ends read the text alternative only there."""
    size = f' width="{about["width"]}"' if "width" in about else ""
    style = "max-width:100%;height:auto"
    return f'<img alt="{escape(about["alt"])}" src="{_data_uri(mime_type, content)}"{size} style="{style}">'


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
    preview = _webp(_upright(image, MAX_SIDE * PIXEL_RATIO))
    scale = min(1.0, MAX_SIDE / max(width, height))
    return view(
        "figure",
        title=title,
        about=f"{label} · {width} × {height} · {readable_size(len(content))}",
        source=_data_uri("image/webp", preview),
        width=max(1, round(width * scale)),
        height=max(1, round(height * scale)),
        alt=alt or title,
        is_transparent=image.has_transparency_data,
    )


def _upright(image: Image.Image, side: int) -> Image.Image:
    """Return an image with its orientation applied, reduced to a side."""
    image.draft(None, (2 * side, 2 * side))
    upright = ImageOps.exif_transpose(image)
    upright = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    upright.thumbnail((side, side))
    return upright


def _webp(image: Image.Image) -> bytes:
    """Return a preview as WebP, which supports transparency and compresses photographs well."""
    target = io.BytesIO()
    image.save(target, "WEBP", quality=80, method=2)
    return target.getvalue()


THUMBNAIL_SIDE = 400
"""Longer side of a thumbnail, in pixels. It is displayed at half this size, for high-density screens."""

MAX_GALLERY_BYTES = 1_000_000
"""Maximum size of all thumbnails in a gallery. The cards after this limit have no thumbnail."""


@dataclass(frozen=True)
class Card:
    """A result in a gallery."""

    facts: str
    alt: str
    thumbnail: bytes
    """A WebP; empty for a card without an image."""

    def to_dict(self) -> dict[str, str]:
        """Return the card as texts, to store it."""
        return {"facts": self.facts, "alt": self.alt, "thumbnail": pybase64.b64encode(self.thumbnail).decode()}

    @classmethod
    def from_dict(cls, stored: Mapping[str, str]) -> "Card":
        """Return a card that was stored.

        Raises:
            ValueError: It is damaged.
        """
        thumbnail = pybase64.b64decode(stored.get("thumbnail", ""), validate=True)
        return cls(stored.get("facts", ""), stored.get("alt", ""), thumbnail)


def thumbnail(bundle: Mapping[str, Any]) -> bytes:
    """Return a small WebP of the PNG or JPEG in a MIME bundle; empty bytes if it has neither."""
    kinds = [kind for kind in SUPPORTED_EVERYWHERE if bundle.get(kind)]
    return file_thumbnail(bundle[kinds[0]], kinds[0]) if kinds else b""


def has_thumbnail(mime_type: str) -> bool:
    """Return whether files of a type are drawn for a thumbnail: images and PDFs."""
    return mime_type == PDF or mime_type.startswith("image/")


def file_thumbnail(content: bytes, mime_type: str, side: int = THUMBNAIL_SIDE) -> bytes:
    """Return a small WebP of an image, or of the first page of a PDF; empty bytes for a file that cannot be drawn.

    Its longer side has at most `side` pixels.
    """
    if not has_thumbnail(mime_type):
        return b""
    try:
        if mime_type == PDF:
            return _webp(_small_page(content, side))
        return _webp(_upright(Image.open(io.BytesIO(_render_svg(content) if mime_type == SVG else content)), side))
    except Exception:  # noqa: BLE001  # each library has errors of its own for a damaged file
        return b""


def _small_page(content: bytes, side: int) -> Image.Image:
    with _open(content) as document:
        longer = max(document[0].rect.width, document[0].rect.height)
        pixels = document[0].get_pixmap(dpi=max(1, int(72 * side / longer)), alpha=False)
        return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def gallery_html(cards: Iterable[tuple[str, Card]]) -> str:
    """Return titles and cards as HTML. Only thumbnails within `MAX_GALLERY_BYTES` are kept in memory."""
    remaining, parts = MAX_GALLERY_BYTES, []
    for name, card in cards:
        remaining -= len(card.thumbnail)
        source = _data_uri("image/webp", card.thumbnail) if card.thumbnail and remaining > 0 else ""
        parts.append(view("card", name=name, facts=card.facts, source=source, alt=card.alt or name))
    return f"<div>{''.join(parts)}</div>"


def _data_uri(mime_type: str, content: bytes) -> str:
    return f"data:{mime_type};base64,{pybase64.b64encode(content).decode()}"


PREVIEW_DPI = (72, 48, 36)
"""Resolution of a preview of one, two and three pages."""

PAGE_GAP = 24
"""Pixels between two pages of a preview."""

PAGE_BORDER_COLOR = (128, 128, 128, 120)
"""A border separates white pages from a white background."""

MAX_PAGE_PIXELS = 100_000_000


def count_pages(content: bytes) -> int:
    """Return the number of pages of a PDF.

    Raises:
        InvalidInput: The PDF is damaged, or PyMuPDF is not installed.
    """
    with _open(content) as document:
        return int(document.page_count)


def render_page(content: bytes, page: int, dpi: int, password: str | None = None) -> Image.Image:
    """Return an image of a page on white; the first page is 1.

    Raises:
        InvalidInput: The page does not exist, its image would be too large, or the PDF needs a password.
    """
    with _open(content) as document:
        if document.needs_pass and not document.authenticate(password or ""):
            raise InvalidInput(f"password: {'is required to open' if password is None else 'does not open'} the PDF.")
        if not 1 <= page <= document.page_count:
            raise InvalidInput(f"page: must be between 1 and {document.page_count}, got {page}.")
        paper = document[page - 1].rect
        if dpi < 1 or paper.width * paper.height * (dpi / 72) ** 2 > MAX_PAGE_PIXELS:
            raise InvalidInput(f"dpi: must result in an image of 1 to {MAX_PAGE_PIXELS:,} pixels, got {dpi}.")
        pixels = document[page - 1].get_pixmap(dpi=dpi, alpha=False)
        return Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def pdf_bundle(content: bytes, *, pages: int, text: str, alt: str = "") -> Bundle:
    """Return the MIME bundle of a PDF's first pages and its metadata.

    Without PyMuPDF, and for pages that it cannot draw, the bundle is text alone. Most front ends
    cannot show a PDF itself, so the PDF is not in the bundle.
    """
    data: dict[str, Any] = {"text/plain": text}
    shown = min(pages, len(PREVIEW_DPI))
    try:
        with _open(content) as document:
            is_locked = document.needs_pass
        if is_locked:  # the pages would be readable in the stored notebook
            return {**data, "text/html": view("locked", text=text)}, {}
        dpi = PIXEL_RATIO * PREVIEW_DPI[shown - 1]
        pages_image = _side_by_side([render_page(content, page, dpi) for page in range(1, shown + 1)])
    except (ImportError, InvalidInput, RuntimeError, ValueError, IndexError):
        return data, {}
    width, height = (side // PIXEL_RATIO for side in pages_image.size)
    mime_type, encoded = preview(pages_image)
    first = "Page 1" if shown == 1 else f"Pages 1 to {shown}"
    unit = "page" if pages == 1 else "pages"
    about = {"width": width, "height": height, "alt": alt or f"{first} of a PDF of {pages} {unit}"}
    return {**data, mime_type: encoded, "text/html": img(mime_type, encoded, about)}, {mime_type: about}


def _side_by_side(pages: list[Image.Image]) -> Image.Image:
    width = sum(page.width for page in pages) + PAGE_GAP * (len(pages) - 1)
    canvas = Image.new("RGBA", (width, max(page.height for page in pages)))
    pen, left = ImageDraw.Draw(canvas), 0
    for page in pages:
        canvas.paste(page, (left, 0))
        pen.rectangle((left, 0, left + page.width - 1, page.height - 1), outline=PAGE_BORDER_COLOR)
        left += page.width + PAGE_GAP
    return canvas


_mupdf = threading.RLock()
"""Held while a document is open: batches draw thumbnails in threads, and MuPDF allows one thread at a time."""


@contextmanager
def _open(content: bytes) -> Iterator[Any]:
    with required("The image of a PDF page", "PyMuPDF"):
        import pymupdf
    with _mupdf:
        with _damage_as_error("PDF"):
            document = pymupdf.open(stream=content, filetype="pdf")  # type: ignore[no-untyped-call]
        with document:
            yield document
