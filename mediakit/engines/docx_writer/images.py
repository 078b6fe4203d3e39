"""Images of data URIs, and their size on the page."""

import base64
import binascii
import hashlib
import io
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from mediakit.engines.docx_writer.package import Package
from mediakit.engines.docx_writer.wordml import EMU_PER_PIXEL, NAMESPACES, make, w
from mediakit.engines.docx_writer.xml_tree import Element

if TYPE_CHECKING:
    from PIL import Image

MAX_PIXELS = 50_000_000
MAX_ALT_CHARACTERS = 2_000

_DATA_URI = re.compile(r"data:image/[^;,]*(?:;[^;,]*)*?(;base64)?,(.*)", re.IGNORECASE | re.DOTALL)
_KEPT = {"PNG": ("png", "image/png"), "JPEG": ("jpeg", "image/jpeg"), "GIF": ("gif", "image/gif")}
"""Formats that every Word shows. Others are converted to PNG."""

_DECODED = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "AVIF", "TIFF")
_UPRIGHT = 1
_ORIENTATION = 0x0112


class ImageError(ValueError):
    """The image cannot be in the document; the message says why."""


@dataclass(frozen=True)
class StoredImage:
    """An image part and its size in pixels."""

    part: str
    width: int
    height: int


@dataclass
class Images:
    """The images of a document. Equal images are stored once."""

    package: Package
    _stored_images: dict[str, StoredImage] = field(default_factory=dict)
    _drawings: int = 0

    def load(self, address: str) -> StoredImage:
        """Add the image of a data URI to the package.

        Raises:
            ImageError: It is not an image that can be in a document.
        """
        content = _decode(address)
        key = hashlib.sha256(content).hexdigest()
        if key not in self._stored_images:
            extension, media_type, stored, (width, height) = _read(content)
            name = f"word/media/image{len(self._stored_images) + 1}.{extension}"
            self.package.add_image(name, media_type, stored)
            self._stored_images[key] = StoredImage(name, width, height)
        return self._stored_images[key]

    def draw(self, image: StoredImage, story: str, size: tuple[int, int], alt: str, tooltip: str) -> Element:
        """Return a run with an image. `size` is in EMU; `story` is the part that shows it."""
        self._drawings += 1
        target = image.part.removeprefix("word/")
        relationship = self.package.related(story).add("image", target)
        name: dict[str, str | int] = {
            "id": self._drawings,
            "name": f"Image {self._drawings}",
            "descr": alt[:MAX_ALT_CHARACTERS],
        }
        if tooltip:
            name["title"] = tooltip[:MAX_ALT_CHARACTERS]
        extent = {"cx": size[0], "cy": size[1]}
        inline = make(
            "wp:inline",
            {"distT": 0, "distB": 0, "distL": 0, "distR": 0},
            make("wp:extent", extent),
            make("wp:docPr", name),
            make("wp:cNvGraphicFramePr", None, make("a:graphicFrameLocks", {"noChangeAspect": 1})),
            make("a:graphic", None, _graphic(relationship, extent, self._drawings)),
        )
        return w("r", w("drawing", inline))


def fit(image: StoredImage, wanted: tuple[int | None, int | None], room: tuple[int, int]) -> tuple[int, int]:
    """Return the size of an image in EMU.

    Args:
        image: The image.
        wanted: Width and height in CSS pixels, as far as the document says them.
        room: Largest width and height, in EMU. The image keeps its aspect ratio.
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


def _graphic(relationship: str, extent: dict[str, int], number: int) -> Element:
    shown = make(
        "pic:pic",
        None,
        make(
            "pic:nvPicPr",
            None,
            make("pic:cNvPr", {"id": number, "name": f"Image {number}"}),
            make("pic:cNvPicPr"),
        ),
        make(
            "pic:blipFill",
            None,
            make("a:blip", {"r:embed": relationship}),
            make("a:stretch", None, make("a:fillRect")),
        ),
        make(
            "pic:spPr",
            None,
            make("a:xfrm", None, make("a:off", {"x": 0, "y": 0}), make("a:ext", extent)),
            make("a:prstGeom", {"prst": "rect"}, make("a:avLst")),
        ),
    )
    return make("a:graphicData", {"uri": NAMESPACES["pic"]}, shown)


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


def _read(content: bytes) -> tuple[str, str, bytes, tuple[int, int]]:
    """Return the extension, the media type, the bytes to store and the size in pixels."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(content), formats=_DECODED) as image:
            if image.width * image.height <= MAX_PIXELS:
                return _stored(image, content)
    except Exception as error:  # Pillow raises errors of many classes for damaged images
        raise ImageError("its format is not supported or it is damaged") from error
    raise ImageError(f"it has more than {MAX_PIXELS // 1_000_000} megapixels")


def _stored(image: "Image.Image", content: bytes) -> tuple[str, str, bytes, tuple[int, int]]:
    from PIL import ImageOps

    kind = str(image.format)
    is_upright = image.getexif().get(_ORIENTATION, _UPRIGHT) == _UPRIGHT
    image.load()
    if kind in _KEPT and is_upright:
        return (*_KEPT[kind], content, image.size)
    upright = ImageOps.exif_transpose(image)
    buffer = io.BytesIO()
    upright.convert("RGBA" if upright.has_transparency_data else "RGB").save(buffer, "PNG")
    return "png", "image/png", buffer.getvalue(), upright.size
