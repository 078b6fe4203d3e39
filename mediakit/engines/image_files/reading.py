"""Opens and decodes image files with limits on their size."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import ExifTags, Image, ImageFile
from PIL.AvifImagePlugin import AvifImageFile
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.IcoImagePlugin import IcoImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile
from PIL.WebPImagePlugin import WebPImageFile

from mediakit.engines.image_files import png_damage
from mediakit.engines.image_files.formats import NAMES, ImageFormat
from mediakit.engines.raster import structure
from mediakit.engines.raster.source import apply_orientation
from mediakit.errors import InvalidInput
from mediakit.installation import required

MAX_PIXELS = 50_000_000
"""Maximum pixels of an image."""
MAX_FRAMES_PIXELS = 200_000_000
"""Maximum pixels of all frames of an animation."""

_READERS: dict[ImageFormat, Callable[[BytesIO], ImageFile.ImageFile]] = {
    "png": PngImageFile,
    "jpeg": JpegImageFile,
    "webp": WebPImageFile,
    "avif": AvifImageFile,
    "gif": GifImageFile,
    "tiff": TiffImageFile,
    "bmp": BmpImageFile,
    "ico": IcoImageFile,
}

_ORIENTATIONS = range(1, 9)


@dataclass(frozen=True)
class DecodedImage:
    """The decoded first frame of an image, upright."""

    image: Image.Image
    source: ImageFile.ImageFile
    """The same image as it is stored; its `info` has what the decoder read beside the pixels."""
    decoded_percent: int | None
    """Share of the rows that were decoded, if the file is truncated; None if it is whole."""


def open_image(content: bytes, kind: ImageFormat, field: str = "file") -> ImageFile.ImageFile:
    """Open an image without decoding its pixels.

    Raises:
        InvalidInput: The file is damaged, or its pixels are too many.
    """
    if kind == "jpeg":
        structure.check_jpeg(content)
    with _damage_named(kind, field):
        image: ImageFile.ImageFile = _reader(kind, field)(BytesIO(content))
    check_pixels(image.width * image.height, field)
    return image


def check_pixels(pixels: int, field: str, frames: int = 1) -> None:
    """Reject an image with too many pixels.

    Raises:
        InvalidInput: It has more than 50 megapixels, or 200 in all frames together.
    """
    if pixels > MAX_PIXELS:
        raise InvalidInput(f"{field}: has {_megapixels(pixels)} megapixels, at most 50.")
    if pixels * frames > MAX_FRAMES_PIXELS:
        raise InvalidInput(f"{field}: has {_megapixels(pixels * frames)} megapixels in {frames} frames, at most 200.")


def orientation_of(image: Image.Image) -> int:
    """Return the EXIF orientation of an image that is not decoded, 1 to 8; 1 if it has none."""
    with suppress(Exception), _without_warnings():  # broken EXIF does not make the image unreadable
        found = image.getexif().get(ExifTags.Base.Orientation, 1)
        return found if found in _ORIENTATIONS else 1
    return 1


def decode(image: ImageFile.ImageFile, content: bytes, kind: ImageFormat, field: str = "file") -> DecodedImage:
    """Decode the first frame of an opened image, as much as there is of it.

    Raises:
        InvalidInput: The file is damaged, but not just cut off.
    """
    percent = None
    if kind == "png" and (damaged := png_damage.damaged_after_percent(content)) is not None:
        raise InvalidInput(f"{field}: is damaged after {damaged} % of its rows.")
    try:
        with _without_warnings():
            image.load()
    except MemoryError:
        raise
    except Exception as error:
        image = _decode_rest(content, kind, field)
        percent = _decoded_percent(image, kind)
        if not is_truncated(content, kind, str(error)):
            raise InvalidInput(f"{field}: is damaged after {percent} % of its rows.") from error
    orientation = 1 if kind == "tiff" else orientation_of(image)  # Pillow turns a TIFF itself.
    return DecodedImage(apply_orientation(image, orientation), image, percent)


def is_truncated(content: bytes, kind: ImageFormat, message: str = "") -> bool:
    """Return whether a file ends before its data do."""
    if kind == "png":
        with suppress(InvalidInput):
            structure.check_png(content)
            return False
        return b"IEND" not in content[-64:]
    if kind == "webp":
        return int.from_bytes(content[4:8], "little") + 8 > len(content)
    if kind == "jpeg":
        return b"\xff\xd9" not in content[-4096:]
    return "truncated" in message.lower() or (kind == "avif" and _is_cut_container(content))


def _is_cut_container(content: bytes) -> bool:
    position = 0
    while position + 8 <= len(content):
        size = int.from_bytes(content[position : position + 4])
        if size < 8:  # 0: to the end of the file, 1: a size of 64 bits
            return False
        position += size
    return position > len(content)


def _decode_rest(content: bytes, kind: ImageFormat, field: str) -> ImageFile.ImageFile:
    """Decode a damaged image; rows that are missing stay empty."""
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    try:
        with _damage_named(kind, field):
            image: ImageFile.ImageFile = _reader(kind, field)(BytesIO(content))
            image.load()
            return image
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = False


def _decoded_percent(image: Image.Image, kind: ImageFormat) -> int:
    """Return the share of the rows before those that are all equal to the last one, in percent, 0 to 99."""
    import numpy as np

    pixels = np.asarray(image).reshape(image.height, -1)
    if kind == "bmp":  # the last row comes first
        pixels = pixels[::-1]
    differing = np.flatnonzero((pixels != pixels[-1]).any(axis=1))
    interlaced = kind == "gif"
    rows = len(differing) if interlaced or not len(differing) else int(differing[-1]) + 1
    return min(99, rows * 100 // image.height)


def _reader(kind: ImageFormat, field: str) -> Callable[[BytesIO], Any]:
    if kind != "heic":
        return _READERS[kind]
    with required(f"{field}: a HEIC image", "pillow-heif", module="pillow_heif"):
        from pillow_heif import HeifImageFile  # type: ignore[import-not-found,unused-ignore]  # optional
    return HeifImageFile  # type: ignore[no-any-return,unused-ignore]


@contextmanager
def _damage_named(kind: ImageFormat, field: str) -> Iterator[None]:
    try:
        with _without_warnings():
            yield
    except (InvalidInput, MemoryError):
        raise
    except Exception as error:
        raise InvalidInput(f"{field}: is damaged and cannot be decoded as {NAMES[kind]}.") from error


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Suppress Pillow's warnings about odd metadata."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _megapixels(pixels: int) -> str:
    return f"{pixels / 1e6:.1f}".removesuffix(".0")
