"""The picture that was sent: opened by its header alone, decoded once its size is known to be safe."""

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO

from PIL import ExifTags, Image, ImageFile, ImageOps
from PIL.AvifImagePlugin import AvifImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile
from PIL.WebPImagePlugin import WebPImageFile

from mediakit.engines.raster import structure
from mediakit.engines.raster.formats import InputFormat, recognise
from mediakit.errors import InvalidInput, MediakitError

MAX_PIXELS = 50_000_000
"""Pixels of one picture, or of all frames of an animation."""


class _FirstPage(TiffImageFile):
    """The first page of a TIFF; further pages and metadata, which may be hostile, stay unread."""

    def load_end(self) -> None:
        ImageOps.exif_transpose(self, in_place=True)


# The classes themselves, because Image.open() tries formats by name and warns about sizes we refuse anyway.
_READERS: dict[InputFormat, type[ImageFile.ImageFile]] = {
    "png": PngImageFile,
    "jpeg": JpegImageFile,
    "webp": WebPImageFile,
    "avif": AvifImageFile,
    "gif": GifImageFile,
    "tiff": _FirstPage,
}

_STRUCTURE: dict[InputFormat, Callable[[bytes], None]] = {
    "png": structure.check_png,
    "jpeg": structure.check_jpeg,
    "webp": structure.check_webp,
}

_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""How a picture is stored, by EXIF orientation (CIPA DC-008, 4.6.5.1), and what turns it upright."""

_opening = threading.Lock()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of which only the header was read."""

    content: bytes = field(repr=False)
    format: InputFormat
    width: int
    """Pixels, after the EXIF orientation is applied."""
    height: int
    frames: int
    """More than one in an animated GIF, WebP or AVIF; the pages of a TIFF do not count."""
    has_alpha: bool
    orientation: int
    """EXIF orientation that is still to be applied, 1 to 8; 1: upright."""

    @property
    def animated(self) -> bool:
        """Whether the picture moves."""
        return self.frames > 1


def read(content: bytes) -> Picture:
    """Read the header of a picture; its pixels stay untouched.

    Raises:
        InvalidInput: It is none of the six formats, too large, cut short or damaged.
    """
    kind = recognise(content)
    if check := _STRUCTURE.get(kind):
        check(content)
    image, orientation = open_image(content, kind)
    width, height = image.size if orientation < 5 else image.size[::-1]
    if width * height > MAX_PIXELS:
        raise too_many_pixels(width * height)
    frames = _frames(content, kind, image)
    return Picture(content, kind, width, height, frames, image.has_transparency_data, orientation)


def too_many_pixels(pixels: int) -> InvalidInput:
    """Make the refusal of a picture that is too large to decode."""
    return InvalidInput(f"file: has {pixels / 1e6:.1f} megapixels; at most {MAX_PIXELS / 1e6:.0f} are allowed.")


def open_image(content: bytes, kind: InputFormat) -> tuple[ImageFile.ImageFile, int]:
    """Open a picture without decoding it, and tell its EXIF orientation."""
    with refusing_damage(kind), _quietly():
        image = _READERS[kind](BytesIO(content))
        return image, _orientation(image, kind)


def upright(image: Image.Image, orientation: int) -> Image.Image:
    """Turn a picture so that its first row is the top."""
    method = _UPRIGHT.get(orientation)
    return image if method is None else image.transpose(method)


@contextmanager
def refusing_damage(kind: InputFormat) -> Iterator[None]:
    """Turn whatever Pillow raises over a hostile file into one refusal."""
    try:
        yield
    except (MediakitError, MemoryError):
        raise
    except Exception as error:
        if "truncated" in str(error).lower():
            raise structure.cut_short() from error
        raise InvalidInput(f"file: is damaged and cannot be read as {kind.upper()}.") from error


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep Pillow's warnings about odd metadata from the user; warning filters belong to the whole process."""
    with _opening, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _orientation(image: ImageFile.ImageFile, kind: InputFormat) -> int:
    if kind == "png" and "exif" not in image.info:
        return 1  # Pillow would decode the whole picture to look for EXIF behind it.
    orientation = 1
    with suppress(Exception):  # Broken EXIF does not make the picture unreadable.
        orientation = image.getexif().get(ExifTags.Base.Orientation, 1)
    # Pillow turns a TIFF upright by itself.
    return orientation if orientation in _UPRIGHT and kind != "tiff" else 1


def _frames(content: bytes, kind: InputFormat, image: ImageFile.ImageFile) -> int:
    if kind == "gif":
        return structure.gif_frames(content)
    return int(image.n_frames) if isinstance(image, WebPImageFile | AvifImageFile) else 1
