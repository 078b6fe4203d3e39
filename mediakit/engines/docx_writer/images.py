"""Images of Word files: those that every Word shows, and those of data URIs with their size on the page."""

import base64
import binascii
import hashlib
import io
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from docx.opc.packuri import PackURI
from docx.oxml.shape import CT_Inline
from docx.parts.image import ImagePart
from docx.shared import Emu

from mediakit.engines.docx_writer.elements import EMU_PER_PIXEL, Element, w

if TYPE_CHECKING:
    from PIL import Image

MAX_PIXELS = 50_000_000
MAX_ALT_CHARACTERS = 2_000

_DATA_URI = re.compile(r"data:image/[^;,]*(?:;[^;,]*)*?(;base64)?,(.*)", re.IGNORECASE | re.DOTALL)
_KEPT = {"PNG": "png", "JPEG": "jpeg", "GIF": "gif"}
"""Formats that every Word shows. Others are converted to PNG."""

_DECODED = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "AVIF", "TIFF")
_ORIENTATION = 0x0112
"""EXIF tag: how the camera was held."""
_JPEG_QUALITY = 92
SCREEN_DPI = 96.0


class ImageError(ValueError):
    """The image cannot be in the document; the message says why."""


@dataclass(frozen=True)
class WordImage:
    """An image that Word shows."""

    content: bytes
    extension: str
    """That of the file, which is the subtype of the media type as well."""
    width: int
    height: int
    dpi: float


@dataclass(frozen=True)
class StoredImage:
    """An image part and its size in pixels."""

    part: ImagePart
    width: int
    height: int


class Images:
    """The images of a document. Equal images are stored once."""

    def __init__(self) -> None:
        self._stored: dict[str, StoredImage] = {}
        self._drawings = 0

    def load(self, address: str) -> StoredImage:
        """Return the image of a data URI as a part of the document.

        Raises:
            ImageError: It is not an image that can be in a document.
        """
        content = _decode(address)
        key = hashlib.sha256(content).hexdigest()
        if key not in self._stored:
            image = word_image(content)
            name = PackURI(f"/word/media/image{len(self._stored) + 1}.{image.extension}")
            # python-docx reads no size from JPEG images without JFIF or Exif data, so the part is made here.
            part = ImagePart(name, f"image/{image.extension}", image.content)
            self._stored[key] = StoredImage(part, image.width, image.height)
        return self._stored[key]

    def draw(self, relationship: str, size: tuple[int, int], alt: str, tooltip: str) -> Element:
        """Return a run with an image. `size` is in EMU."""
        self._drawings += 1
        drawing = new_drawing(self._drawings, f"Image {self._drawings}", relationship, size, alt[:MAX_ALT_CHARACTERS])
        if tooltip:
            drawing[0].docPr.set("title", tooltip[:MAX_ALT_CHARACTERS])  # type: ignore[attr-defined]  # it is inline
        return w("r", drawing)


def new_drawing(identifier: int, name: str, relationship: str, size: tuple[int, int], alt: str) -> Element:
    """Return an image in the text of a run. `size` is in EMU."""
    inline = CT_Inline.new_pic_inline(identifier, relationship, name, Emu(size[0]), Emu(size[1]))
    for side in "TBLR":  # without them, some readers put space around the image
        inline.set(f"dist{side}", "0")
    inline.docPr.set("name", name)
    inline.docPr.set("descr", alt)
    return w("drawing", inline)


def fit(image: StoredImage, wanted: tuple[int | None, int | None], room: tuple[int, int]) -> tuple[int, int]:
    """Return the size of an image in EMU, at most that of the room, with the aspect ratio of the image.

    The wanted width and height are in CSS pixels, as far as the document says them.
    """
    width, height = wanted
    ratio = image.width / image.height
    if width and height:
        size: tuple[float, float] = (width, height)
    elif width or height:
        size = (width or (height or 0) * ratio, height or (width or 0) / ratio)
    else:
        size = (image.width, image.height)
    scale = min(1, room[0] / (size[0] * EMU_PER_PIXEL), room[1] / (size[1] * EMU_PER_PIXEL))
    return max(1, round(size[0] * EMU_PER_PIXEL * scale)), max(1, round(size[1] * EMU_PER_PIXEL * scale))


def _decode(address: str) -> bytes:
    match = _DATA_URI.fullmatch(address.strip())
    if not match:
        raise ImageError("only data URIs are stored in DOCX; images are not fetched")
    data = unquote_to_bytes(match[2])
    if not match[1]:
        return data
    compact = b"".join(data.split())
    try:
        return base64.b64decode(compact + b"=" * (-len(compact) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ImageError("its data URI is not valid base64") from error


def word_image(content: bytes) -> WordImage:
    """Return an upright image of a kind that every Word shows.

    Raises:
        ImageError: It is not an image of a known kind, is damaged, or has more than 50 megapixels.
    """
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(content), formats=_DECODED) as image:
                if image.width * image.height <= MAX_PIXELS:
                    return _shown(image, content)
    except Exception as error:  # Pillow raises errors of many classes for damaged images
        raise ImageError("its format is not supported or it is damaged") from error
    raise ImageError(f"it has more than {MAX_PIXELS // 1_000_000} megapixels")


def _shown(image: "Image.Image", content: bytes) -> WordImage:
    from PIL import ImageOps

    image.load()
    try:
        dpi = float(image.info["dpi"][0])
    except (TypeError, ValueError, ZeroDivisionError, LookupError):  # anything can be in a file
        dpi = SCREEN_DPI
    dpi = dpi if 30 <= dpi <= 2400 else SCREEN_DPI
    if image.format in _KEPT and image.getexif().get(_ORIENTATION, 1) in (0, 1):
        return WordImage(content, _KEPT[image.format], *image.size, dpi)
    upright, kind = ImageOps.exif_transpose(image), "JPEG" if image.format == "JPEG" else "PNG"
    if kind == "PNG":
        upright = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    upright.save(buffer := io.BytesIO(), kind, quality=_JPEG_QUALITY)
    return WordImage(buffer.getvalue(), kind.lower(), *upright.size, dpi)
