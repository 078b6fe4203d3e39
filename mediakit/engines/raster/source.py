"""Reads image files. The header is checked first, so that images with too many pixels are not decoded."""

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
from mediakit.engines.raster.formats import InputFormat, detect_format
from mediakit.engines.raster.geometry import Size
from mediakit.errors import InvalidInput, MediakitError

MAX_PIXELS = 50_000_000
"""Maximum pixels of an image, or of all frames of an animation."""


class _FirstTiffPage(TiffImageFile):
    """The first page of a TIFF. Further pages and metadata, which may be hostile, are not read."""

    def load_end(self) -> None:
        ImageOps.exif_transpose(self, in_place=True)


# Image.open() is not used, because it tries formats by name and warns about sizes that are rejected here anyway.
_READERS: dict[InputFormat, type[ImageFile.ImageFile]] = {
    "png": PngImageFile,
    "jpeg": JpegImageFile,
    "webp": WebPImageFile,
    "avif": AvifImageFile,
    "gif": GifImageFile,
    "tiff": _FirstTiffPage,
}

_STRUCTURE_CHECKS: dict[InputFormat, Callable[[bytes], None]] = {
    "png": structure.check_png,
    "jpeg": structure.check_jpeg,
    "webp": structure.check_webp,
}

_TRANSPOSE_METHODS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""Operation that makes an image upright, by EXIF orientation (CIPA DC-008, 4.6.5.1)."""

_warnings_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class SourceImage:
    """An image file whose header was read."""

    content: bytes = field(repr=False)
    format: InputFormat
    width: int
    """Pixels, after the EXIF orientation is applied."""
    height: int
    frames: int
    """Number of frames; more than 1 for animated GIF, WebP and AVIF. Pages of a TIFF are not frames."""
    has_alpha: bool
    orientation: int
    """EXIF orientation to apply, 1 to 8; 1: upright."""

    @property
    def size(self) -> Size:
        """Width and height, after the EXIF orientation is applied."""
        return Size(self.width, self.height)

    @property
    def animated(self) -> bool:
        """Whether the image has several frames."""
        return self.frames > 1


def read_header(content: bytes) -> SourceImage:
    """Read the header of an image without decoding its pixels.

    Raises:
        InvalidInput: The file format is not supported, or the file is too large, truncated or damaged.
    """
    kind = detect_format(content)
    if check := _STRUCTURE_CHECKS.get(kind):
        check(content)
    image, orientation = open_image(content, kind)
    width, height = image.size if orientation < 5 else image.size[::-1]
    if width * height > MAX_PIXELS:
        raise too_many_pixels(width * height)
    frames = _frames(content, kind, image)
    return SourceImage(content, kind, width, height, frames, image.has_transparency_data, orientation)


def too_many_pixels(pixels: int) -> InvalidInput:
    """Return the error for an image that is too large to decode."""
    return InvalidInput(f"file: must have at most {MAX_PIXELS / 1e6:.0f} megapixels, got {pixels / 1e6:.1f}.")


def open_image(content: bytes, kind: InputFormat) -> tuple[ImageFile.ImageFile, int]:
    """Open an image without decoding it, and return the image and its EXIF orientation."""
    with damage_as_invalid_input(kind), _without_warnings():
        image = _READERS[kind](BytesIO(content))
        return image, _orientation(image, kind)


def apply_orientation(image: Image.Image, orientation: int) -> Image.Image:
    """Rotate and flip an image so that it is upright."""
    method = _TRANSPOSE_METHODS.get(orientation)
    return image if method is None else image.transpose(method)


@contextmanager
def damage_as_invalid_input(kind: InputFormat) -> Iterator[None]:
    """Convert every exception that Pillow raises for a damaged file to `InvalidInput`."""
    try:
        yield
    except (MediakitError, MemoryError):
        raise
    except Exception as error:
        if "truncated" in str(error).lower():
            raise structure.truncated_file() from error
        raise InvalidInput(f"file: is damaged and cannot be decoded as {kind.upper()}.") from error


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Suppress Pillow's warnings about odd metadata. The lock is needed because warning filters are process-wide."""
    with _warnings_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _orientation(image: ImageFile.ImageFile, kind: InputFormat) -> int:
    if kind == "png" and "exif" not in image.info:
        return 1  # Pillow would decode the whole image to find EXIF data after the pixels.
    orientation = 1
    with suppress(Exception):  # Broken EXIF does not make the image unreadable.
        orientation = image.getexif().get(ExifTags.Base.Orientation, 1)
    # Pillow applies the orientation of a TIFF itself.
    return orientation if orientation in _TRANSPOSE_METHODS and kind != "tiff" else 1


def _frames(content: bytes, kind: InputFormat, image: ImageFile.ImageFile) -> int:
    if kind == "gif":
        return structure.count_gif_frames(content)
    return int(image.n_frames) if isinstance(image, WebPImageFile | AvifImageFile) else 1
