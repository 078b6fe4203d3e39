"""Opens and decodes image files within limits. The header is checked first, so that huge images are not decoded."""

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from PIL import ExifTags, Image, ImageFile, ImageOps
from PIL.AvifImagePlugin import AvifImageFile
from PIL.BmpImagePlugin import BmpImageFile
from PIL.GifImagePlugin import GifImageFile
from PIL.IcoImagePlugin import IcoImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.TiffImagePlugin import TiffImageFile
from PIL.WebPImagePlugin import WebPImageFile

from mediakit.engines import png
from mediakit.engines.raster import structure
from mediakit.engines.raster.formats import NAMES, ImageFormat, InputFormat, detect_format
from mediakit.engines.raster.geometry import Size
from mediakit.errors import InvalidInput, MediakitError
from mediakit.installation import required
from mediakit.results.item import ResultWarning

MAX_PIXELS = 50_000_000
"""Maximum pixels of an image, or of all frames of an animation that is converted."""
MAX_FRAMES_PIXELS = 200_000_000
"""Maximum pixels of all frames of an animation that is only inspected."""


class _Gif(GifImageFile):
    """A GIF whose first frame is transparent where it does not cover the canvas, as in browsers."""

    def load_end(self) -> None:
        super().load_end()
        extent = self.dispose_extent
        if self.tell() == 0 and extent and extent != (0, 0, *self.size):
            frame = self.convert("RGBA")
            canvas = Image.new("RGBA", self.size)
            canvas.paste(frame.crop(extent), extent[:2])
            self.im, self._mode, self.palette = canvas.im, "RGBA", None
            self.info.pop("transparency", None)


class _Png(PngImageFile):
    """A PNG whose transparent color has the scale of its pixels; Pillow compares other values of some depths."""

    def load_end(self) -> None:
        content, transparent = self.fp.getvalue(), self.info.get("transparency")  # type: ignore[union-attr]
        super().load_end()
        if transparent is None:
            return
        if content[24] == 16:
            from mediakit.engines.raster.samples import read_png, with_pixels

            with_pixels(self, read_png(content))
        elif content[25] == 0 and content[24] > 1:
            self.info["transparency"] = transparent * 255 // ((1 << content[24]) - 1)


class TiffPage(TiffImageFile):
    """A page of a TIFF. `samples` reads 12 or 16 bits per channel; metadata, which may be hostile, is not read."""

    is_deep = False

    def _setup(self) -> None:
        super()._setup()
        tags = self.tag_v2
        bits = tags.get(_TIFF_BITS, (1,))
        is_planar = tags.get(_TIFF_PLANES) == _SEPARATE_PLANES and len(bits) > 1
        is_integer = set(tags.get(_TIFF_SAMPLE_FORMAT, (1,))) == {1}
        is_known = bits in ((12,), (16,)) or (bits in ((16,) * 3, (16,) * 4) and self.mode in ("RGB", "RGBA"))
        self.is_deep = is_known and is_integer and not is_planar
        if is_planar and self.mode == "LA":
            raise OSError("unknown pixel mode")  # Pillow takes the gray plane for alpha, or knows no plane of alpha.
        if is_planar and bits[0] == 16:  # Pillow takes the bytes of uncompressed planes for samples.
            self.use_load_libtiff = True
            self.tile = [structure.libtiff_tile(f"{self.mode};16N", self._tile_size, tags.offset)]

    def load(self) -> Any:
        """Decode the page."""
        if self.is_deep and self._im is None:
            from mediakit.engines.raster.samples import read_tiff, with_pixels

            with_pixels(self, read_tiff(self))
            self.tile = []
        return super().load()

    def load_end(self) -> None:
        """Make the page upright."""
        ImageOps.exif_transpose(self, in_place=True)


# Image.open() is not used, because it tries formats by name and warns about sizes that are rejected here anyway.
_READERS: dict[ImageFormat, Callable[[BytesIO], ImageFile.ImageFile]] = {
    "png": _Png,
    "jpeg": JpegImageFile,
    "webp": WebPImageFile,
    "avif": AvifImageFile,
    "gif": _Gif,
    "tiff": TiffPage,
    "bmp": BmpImageFile,
    "ico": IcoImageFile,
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

_TIFF_BITS, _TIFF_PLANES, _TIFF_SAMPLE_FORMAT = 258, 284, 339
_SEPARATE_PLANES = 2
_warnings_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class SourceImage:
    """An image file whose header was read."""

    content: bytes = field(repr=False)
    """The file; its end was added if only that was missing."""
    format: InputFormat
    width: int
    """Pixels, after the EXIF orientation is applied."""
    height: int
    frames: int
    """Number of frames; more than 1 for animated GIF, WebP, AVIF and PNG. Pages of a TIFF are not frames."""
    has_alpha: bool
    orientation: int
    """EXIF orientation to apply, 1 to 8; 1: upright."""
    bits: int = 8
    """Bits per channel."""
    warnings: tuple[ResultWarning, ...] = ()
    """What is not as expected: the missing end of the file, pages that are not decoded. Each begins with `file:`."""

    @property
    def size(self) -> Size:
        """Width and height, after the EXIF orientation is applied."""
        return Size(self.width, self.height)

    @property
    def animated(self) -> bool:
        """Whether the image has several frames."""
        return self.frames > 1

    @property
    def deep_pixels(self) -> bool:
        """Whether all bits of channels with more than 8 can be read: of a still PNG, and of a gray or RGB TIFF."""
        if self.format == "png":
            return self.bits == 16 and not self.animated
        return self.format == "tiff" and bool(getattr(open_image(self.content, "tiff")[0], "is_deep", False))


@dataclass(frozen=True)
class DecodedImage:
    """The decoded first frame of an image, upright."""

    image: Image.Image
    source: ImageFile.ImageFile
    """The same image as it is stored; its `info` has what the decoder read beside the pixels."""
    decoded_percent: int | None
    """Share of the rows that were decoded, if the file is truncated; None if all were."""
    warning: str = ""
    """What was missing at the end of a file whose first frame has all rows, as a sentence without a subject."""

    @property
    def truncated(self) -> bool:
        """Whether rows or frames are missing."""
        return self.decoded_percent is not None or self.warning.startswith("is truncated")


def read_header(content: bytes) -> SourceImage:
    """Read the header of an image without decoding its pixels.

    Raises:
        InvalidInput: The file format is not supported, or the file is too large, truncated or damaged.
    """
    kind = detect_format(content)
    content, missing = structure.completed(content, kind)
    image, orientation = open_image(content, kind)
    width, height = image.size if orientation < 5 else image.size[::-1]
    check_pixels(width * height, "file")
    found: list[ResultWarning] = []
    if missing:
        found.append({"code": "end_missing", "message": f"file: {missing}"})
    if kind == "tiff" and (pages := structure.page_count(content)) > 1:
        found.append({"code": "first_page_only", "message": f"file: has {pages} pages; only the first page is used."})
    frames = int(image.n_frames) if isinstance(image, WebPImageFile | AvifImageFile) else 1
    if kind == "gif":
        frames = structure.count_gif_frames(content)
    elif kind == "png":
        frames = structure.timing_of(content, kind).frames
    is_partial = isinstance(image, GifImageFile) and image.dispose_extent not in (None, (0, 0, *image.size))
    has_alpha, bits = image.has_transparency_data or is_partial, bits_of(content, kind, image)
    return SourceImage(content, kind, width, height, frames, has_alpha, orientation, bits, tuple(found))


def depth_warnings(source: SourceImage, format_that_keeps: str = "") -> list[ResultWarning]:
    """Return the warning for a result with 8 bits per channel if the image has more."""
    if source.bits <= 8:
        return []
    keeps = f"; {format_that_keeps} keeps them" if format_that_keeps else ""
    message = f"file: has {source.bits} bits per channel, the result has 8{keeps}."
    return [{"code": "reduced_bit_depth", "message": message}]


def check_pixels(pixels: int, field: str, frames: int = 1) -> None:
    """Reject an image with too many pixels.

    Raises:
        InvalidInput: It has more than 50 megapixels, or 200 in all frames together.
    """
    if pixels > MAX_PIXELS:
        raise InvalidInput(f"{field}: must have at most {MAX_PIXELS / 1e6:.0f} megapixels, got {pixels / 1e6:.1f}.")
    if pixels * frames > MAX_FRAMES_PIXELS:
        megapixels = f"{pixels * frames / 1e6:.1f}".removesuffix(".0")
        raise InvalidInput(f"{field}: has {megapixels} megapixels in {frames} frames, at most 200.")


def check_frames(source: SourceImage, max_pixels: int, hint: str = "") -> None:
    """Reject an animation that takes too long to decode; `hint` is a further sentence of the error.

    Raises:
        InvalidInput: It has more than 1000 frames, or too many pixels in all frames together.
    """
    pixels = source.size.pixels * source.frames
    error = f"must have at most {max_pixels / 1e6:.0f} megapixels in all frames together, got {pixels / 1e6:.1f}"
    if source.frames > structure.MAX_FRAMES:
        raise InvalidInput(f"file: has more than {structure.MAX_FRAMES} frames. {hint}".rstrip())
    if pixels > max_pixels:
        raise InvalidInput(f"file: {error} in {source.frames} frames. {hint}".rstrip())


def open_image(content: bytes, kind: ImageFormat, field: str = "file") -> tuple[ImageFile.ImageFile, int]:
    """Open an image without decoding it, and return the image and the EXIF orientation to apply."""
    if kind == "webp" and (canvas := structure.webp_size(content)):
        check_pixels(canvas[0] * canvas[1], field)
    with damage_as_invalid_input(kind, field, content), _without_warnings():
        image = _reader(kind, field)(BytesIO(content))
        if kind == "png" and (exif := next((span for span in png.spans(content) if span[0] == b"eXIf"), None)):
            image.info["exif"] = content[exif[1] : exif[2]]  # Pillow finds EXIF after the pixels when it decodes them.
        orientation = orientation_of(image)
        return image, orientation if kind != "tiff" else 1  # Pillow turns a TIFF itself.


def orientation_of(image: Image.Image) -> int:
    """Return the EXIF orientation of an image that is not decoded, 1 to 8; 1 if it has none."""
    if isinstance(image, PngImageFile) and "exif" not in image.info:
        return 1  # Pillow would decode the image to search for it.
    with suppress(Exception):  # broken EXIF does not make the image unreadable
        found = image.getexif().get(ExifTags.Base.Orientation, 1)
        return found if found in _TRANSPOSE_METHODS else 1
    return 1


def apply_orientation(image: Image.Image, orientation: int) -> Image.Image:
    """Rotate and flip an image so that it is upright."""
    method = _TRANSPOSE_METHODS.get(orientation)
    return image if method is None else image.transpose(method)


def decode_partly(content: bytes, kind: ImageFormat, field: str = "file") -> DecodedImage:
    """Decode the first frame of an image, as much as there is of it.

    Raises:
        InvalidInput: The file is damaged, but not just cut off, or has too many pixels.
    """
    missing = ""
    try:
        content, missing = structure.completed(content, kind)
        if kind == "gif":
            structure.count_gif_frames(content)
    except InvalidInput as error:
        if kind == "png" and (damaged := structure.png_damaged_after_percent(content)) is not None:
            raise InvalidInput(f"{field}: is damaged after {damaged} % of its rows.") from None
        frames = structure.timing_of(content, kind).frames
        missing = error.message.removeprefix("file: ").removesuffix(" Send the whole file.")
        missing = f"is truncated after frame {frames}." if frames > 1 else missing
    if kind == "jpeg":
        structure.check_jpeg(content)
    image, _ = open_image(content, kind, field)
    check_pixels(image.width * image.height, field)
    percent = None
    try:
        with _without_warnings():
            image.load()
    except MemoryError:
        raise
    except Exception as error:
        image = _decode_rest(content, kind, field)
        percent = structure.jpeg_rows_percent(content) if kind == "jpeg" else _decoded_percent(image, kind)
        percent = min(99, percent)
        if not is_truncated(content, kind, str(error)):
            raise InvalidInput(f"{field}: is damaged after {percent} % of its rows.") from error
        missing = ""
    orientation = 1 if kind == "tiff" else orientation_of(image)  # Pillow turns a TIFF itself.
    return DecodedImage(apply_orientation(image, orientation), image, percent, missing)


def is_truncated(content: bytes, kind: ImageFormat, message: str = "") -> bool:
    """Return whether a file ends before its data do."""
    if kind == "png":
        return b"IEND" not in content[-64:]
    if kind == "jpeg":
        return not structure.check_jpeg(content).is_complete
    return (kind != "webp" and "truncated" in message.lower()) or structure.is_cut(content, kind)


def bits_of(content: bytes, kind: ImageFormat, image: Image.Image) -> int:
    """Return the bits per channel of an opened image."""
    if kind == "png":
        return content[24] if content[25] != 3 else 8
    if kind == "tiff":
        bits = getattr(image, "tag_v2", {}).get(_TIFF_BITS, 1)
        bits = bits[0] if isinstance(bits, tuple) and bits else bits
        return bits if isinstance(bits, int) and 0 < bits <= 64 else 8
    if kind in ("avif", "heic"):
        return structure.avif_samples(content)[0]
    return 8


@contextmanager
def damage_as_invalid_input(kind: ImageFormat, field: str = "file", content: bytes = b"") -> Iterator[None]:
    """Convert every exception that Pillow raises for a damaged file to `InvalidInput`; the content may be cut off."""
    try:
        yield
    except (MediakitError, MemoryError):
        raise
    except Exception as error:
        if "truncated" in str(error).lower() or (content and structure.is_cut(content, kind)):
            with naming(field):  # A JPEG with rows is completed before it is opened.
                raise structure.truncated_file(0 if kind == "jpeg" else None) from error
        if str(error) == "unknown pixel mode":
            raise InvalidInput(
                f"{field}: has pixels of a rare kind of {NAMES[kind]}, which cannot be decoded."
            ) from error
        raise InvalidInput(f"{field}: is damaged and cannot be decoded as {NAMES[kind]}.") from error


@contextmanager
def naming(field: str) -> Iterator[None]:
    """Name another field in errors that begin with `file:`."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(error.message.replace("file:", f"{field}:", 1)) from error


@contextmanager
def _without_warnings() -> Iterator[None]:
    """Suppress Pillow's warnings about odd metadata. The lock is needed because warning filters are process-wide."""
    with _warnings_lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _reader(kind: ImageFormat, field: str) -> Callable[[BytesIO], Any]:
    if kind != "heic":
        return _READERS[kind]
    with required(f"{field}: a HEIC image", "pillow-heif", module="pillow_heif"):
        from pillow_heif import HeifImageFile  # type: ignore[import-not-found,unused-ignore]  # optional
    return HeifImageFile  # type: ignore[no-any-return,unused-ignore]


def _decode_rest(content: bytes, kind: ImageFormat, field: str) -> ImageFile.ImageFile:
    """Decode a damaged image; rows that are missing stay empty. Only for worker processes: the setting is global."""
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    try:
        with damage_as_invalid_input(kind, field, content), _without_warnings():
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
