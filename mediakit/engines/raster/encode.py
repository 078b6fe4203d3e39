"""Image encoding: small files at request speed, equal bytes for equal pixels.

The second half encodes one image at a requested quality, or within a size limit in bytes.
"""

import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from typing import TYPE_CHECKING

from PIL import Image, ImageChops

from mediakit.engines import png
from mediakit.engines.raster.formats import OutputFormat
from mediakit.engines.raster.metadata import Metadata
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.engines.animations.frames import Animation
    from mediakit.engines.raster.deep import Deep

DEFAULT_QUALITY: dict[OutputFormat, int] = {"jpeg": 80, "webp": 80, "avif": 50}
"""The defaults of sharp. AVIF at 50 looks like JPEG at 80."""

MAX_FITTED_QUALITY = 95
"""Highest quality that `fit` tries by default. Higher qualities make larger files without a visible difference."""

_PALETTE_SIZES = (256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2)

_MAX_FLAT_COLORS = 4096
"""Number of colors up to which an image counts as flat graphics."""
_SMALL_IMAGE_PIXELS = 200_000
"""Pixels up to which slower settings are used; for larger images they save 3 % and take ten times as long."""

_WEBP_METHODS = {_SMALL_IMAGE_PIXELS: 4}
_AVIF_SPEEDS = {2_000_000: 6, 12_000_000: 8}


def encode(
    image: Image.Image, kind: OutputFormat, quality: int | None = None, metadata: Metadata | None = None
) -> bytes:
    """Encode a still image.

    Args:
        image: L, LA, RGB or RGBA, with empty `info`, which Pillow would write to the file.
        kind: Output format; JPEG takes no alpha.
        quality: 1 to 100 for the lossy formats; PNG is lossless and ignores it.
        metadata: Metadata to write; none by default.
    """
    quality = quality or DEFAULT_QUALITY.get(kind, 0)
    metadata = metadata or Metadata()
    extra = metadata.options()
    match kind:
        case "jpeg":
            optimize = image.width * image.height <= _SMALL_IMAGE_PIXELS
            return _save(image, "JPEG", quality=quality, optimize=optimize, **extra)
        case "webp":
            method = _effort(image, _WEBP_METHODS, default=2)
            return _save(image, "WEBP", quality=quality, method=method, **extra)
        case "avif":
            # Tiles and threads are fixed because the bytes depend on them.
            speed = _effort(image, _AVIF_SPEEDS, default=9)
            return _save(image, "AVIF", quality=quality, speed=speed, autotiling=False, max_threads=4, **extra)
        case "png":
            return png.insert(_encode_png(image), metadata.png_chunks())


def encode_jpeg_with_tables(
    image: Image.Image, tables: Mapping[int, Sequence[int]], subsampling: int, metadata: Metadata
) -> bytes:
    """Encode a JPEG with the quantization tables of another one, and so at its quality.

    Args:
        image: L or RGB.
        tables: The quantization tables, in the order in which Pillow reads them.
        subsampling: 0 for 4:4:4, 1 for 4:2:2, 2 for 4:2:0; -1 for the encoder's default.
        metadata: Metadata to write.
    """
    optimize = image.width * image.height <= _SMALL_IMAGE_PIXELS
    options = metadata.options()
    return _save(image, "JPEG", qtables=dict(tables), subsampling=subsampling, optimize=optimize, **options)


def encode_lossless_webp(image: Image.Image, metadata: Metadata) -> bytes:
    """Encode a WebP that keeps every pixel, including colors under full transparency."""
    is_small = image.width * image.height <= _SMALL_IMAGE_PIXELS
    effort = {"quality": 50, "method": 4} if is_small else {"quality": 0, "method": 0}
    return _save(image, "WEBP", lossless=True, exact=True, **effort, **metadata.options())


def encode_indexed_png(image: Image.Image, colors: int, metadata: Metadata | None = None) -> bytes:
    """Encode a PNG with a palette of at most `colors` entries, 2 to 256, with dithering."""
    method = Image.Quantize.FASTOCTREE if "A" in image.getbands() else Image.Quantize.MEDIANCUT
    full = image.convert("RGBA" if "A" in image.getbands() else "RGB")
    palette = full.quantize(colors, method)
    indexed = full.quantize(palette=palette) if full.mode == "RGB" else palette
    return png.insert(_save(indexed, "PNG", optimize=True), (metadata or Metadata()).png_chunks())


def encode_smallest_png(image: Image.Image, metadata: Metadata | None = None) -> bytes:
    """Encode a lossless PNG with the settings that compress best."""
    return png.insert(_save(_with_palette(image), "PNG", optimize=True), (metadata or Metadata()).png_chunks())


def _effort(image: Image.Image, settings: dict[int, int], *, default: int) -> int:
    """Choose an encoder setting by pixel count, so that large images take seconds, not minutes."""
    pixels = image.width * image.height
    return next((setting for limit, setting in settings.items() if pixels <= limit), default)


def _encode_png(image: Image.Image) -> bytes:
    """Encode PNG with the method that suits the content: flat graphics, photographs or gradients."""
    if image.getcolors(_MAX_FLAT_COLORS):
        return _save(_with_palette(image), "PNG")
    if png.is_photographic(image):
        return png.encode_photo(image)
    return _save(image, "PNG", compress_type=zlib.Z_RLE)


def _with_palette(image: Image.Image) -> Image.Image:
    """Convert an image of few colors, or of shades that fit into 4 bits, to a palette if that is lossless."""
    limit = {"RGB": 256, "L": 16}.get(image.mode)
    if limit is None or image.getcolors(limit) is None:
        return image
    indexed = image.quantize(limit, dither=Image.Dither.NONE)
    return image if ImageChops.difference(indexed.convert(image.mode), image).getbbox() else indexed


def _save(image: Image.Image, pillow_format: str, **options: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, pillow_format, **options)
    return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class Encoded:
    """An encoded file."""

    content: bytes
    quality: int | None = None
    """Quality of a lossy encoding; None for PNG and for image data that was kept unchanged."""
    reencoded: bool = True
    """False if the image data of the input was kept unchanged."""
    reencode_reason: str = ""
    """Why the image data of the input could not be kept, as the end of a sentence."""
    reduced: str = ""
    """What was reduced to meet a limit, as the end of a sentence."""


class Encoder(ABC):
    """Encodes one image."""

    @abstractmethod
    def encode(self) -> Encoded:
        """Encode at the requested quality."""

    @abstractmethod
    def fit(self, limit: int) -> Encoded:
        """Encode at the best quality that fits into `limit` bytes.

        Raises:
            InvalidInput: The smallest possible file is larger than `limit`.
        """

    @abstractmethod
    def shrink(self, limit: int) -> Encoded:
        """Encode at a lower quality or with more effort if the file exceeds `limit`; the result may still exceed it."""


@dataclass(frozen=True, slots=True)
class LossyEncoder(Encoder):
    """Encodes JPEG, WebP or AVIF."""

    write: Callable[[int], bytes]
    """Encodes at a quality from 1 to 100."""
    quality: int | None
    """Requested quality, the highest that is tried."""
    default_quality: int

    def encode(self) -> Encoded:
        """Encode at the requested quality."""
        quality = self.quality or self.default_quality
        return Encoded(self.write(quality), quality)

    def fit(self, limit: int) -> Encoded:
        """Find the highest quality that fits, by bisection; at most seven files are encoded."""
        low, high = 1, self.quality or MAX_FITTED_QUALITY
        fitting: Encoded | None = None
        smallest = 0
        while low <= high:
            # The highest quality first, because most images fit and need no search.
            quality = high if fitting is None and not smallest else (low + high) // 2
            content = self.write(quality)
            if len(content) <= limit:
                fitting, low = Encoded(content, quality), quality + 1
            else:
                smallest, high = len(content), quality - 1
        if fitting is None:
            raise _limit_error(limit, smallest, "webp or avif")
        return fitting

    def shrink(self, limit: int) -> Encoded:
        """Encode at the requested quality; if the file exceeds the limit, at the highest quality that fits, if any."""
        encoded = self.encode()
        if len(encoded.content) <= limit:
            return encoded
        try:
            return LossyEncoder(self.write, encoded.quality, self.default_quality).fit(limit)
        except InvalidInput:
            return encoded


@dataclass(frozen=True, slots=True)
class PngEncoder(Encoder):
    """Encodes PNG, without loss unless a limit requires a palette."""

    image: Image.Image
    metadata: Metadata | None

    def encode(self) -> Encoded:
        """Encode without loss."""
        return Encoded(encode(self.image, "png", metadata=self.metadata))

    def fit(self, limit: int) -> Encoded:
        """Encode without loss if that fits, otherwise with a palette of as many colors as fit."""
        smallest = 0
        for content in self._attempts():
            if len(content) <= limit:
                return Encoded(content)
            smallest = len(content)
        raise _limit_error(limit, smallest, "webp or jpeg")

    def shrink(self, limit: int) -> Encoded:
        """Encode without loss; if the file exceeds the limit, with more effort."""
        encoded = self.encode()
        if len(encoded.content) <= limit:
            return encoded
        return min(encoded, Encoded(encode_smallest_png(self.image, self.metadata)), key=lambda file: len(file.content))

    def _attempts(self) -> Iterator[bytes]:
        yield encode(self.image, "png", metadata=self.metadata)
        yield encode_smallest_png(self.image, self.metadata)
        for colors in _PALETTE_SIZES:
            yield encode_indexed_png(self.image, colors, self.metadata)


@dataclass(frozen=True, slots=True)
class DeepPngEncoder(Encoder):
    """Encodes PNG with 16 bits per channel, and with 8 if a limit requires it."""

    pixels: "Deep" = field(repr=False)
    metadata: Metadata
    in_eight_bits: Callable[[], PngEncoder]
    """Returns the encoder of the same image with 8 bits per channel."""

    def encode(self) -> Encoded:
        """Encode without loss."""
        return Encoded(png.encode_deep(self.pixels, self.metadata.png_chunks()))

    def fit(self, limit: int) -> Encoded:
        """Encode without loss if that fits, otherwise with 8 bits per channel."""
        encoded = self.encode()
        if len(encoded.content) <= limit:
            return encoded
        return replace(self.in_eight_bits().fit(limit), reduced="the result has 8 bits per channel, the input has 16")

    def shrink(self, limit: int) -> Encoded:  # noqa: ARG002 - 16 bits are worth more than the limit
        """Encode without loss."""
        return self.encode()


@dataclass(frozen=True, slots=True)
class AnimatedPngEncoder(Encoder):
    """Encodes an animated PNG, without loss unless a limit requires fewer colors."""

    animation: "Animation"
    metadata: Metadata

    def encode(self) -> Encoded:
        """Encode without loss."""
        return Encoded(self._write(0))

    def fit(self, limit: int) -> Encoded:
        """Encode without loss if that fits, otherwise with as many colors per frame as fit."""
        smallest = 0
        for colors in (0, 256, 64, 16, 4):
            content = self._write(colors)
            if len(content) <= limit:
                return Encoded(content, reduced=f"the frames have {colors} colors" if colors else "")
            smallest = len(content)
        raise _limit_error(limit, smallest, "webp")

    def shrink(self, limit: int) -> Encoded:  # noqa: ARG002 - it is lossless
        """Encode without loss."""
        return self.encode()

    def _write(self, colors: int) -> bytes:
        from mediakit.engines.animations.frames import encode_apng

        animation = with_fewer_colors(self.animation, colors)
        opaque = all(frame.image.getchannel("A").getextrema() == (255, 255) for frame in animation.frames())
        return encode_apng(animation, opaque=opaque, extra=self.metadata.png_chunks())


def with_fewer_colors(animation: "Animation", colors: int) -> "Animation":
    """Return an animation with at most 256 colors per frame; 0 keeps all."""
    if not colors:
        return animation

    from mediakit.engines.animations.frames import Frame

    def frames() -> Iterator[Frame]:
        for frame in animation.frames():
            image = frame.image.quantize(colors, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
            yield Frame(image.convert("RGBA"), frame.delay_ms)

    return replace(animation, frames=frames)


def _limit_error(limit: int, smallest: int, alternatives: str) -> InvalidInput:
    """Return the error for a limit that no encoding meets."""
    return InvalidInput(
        f"max_bytes: must be at least {smallest} for this image, got {limit}. "
        f"Allow more bytes, request a smaller width, or use format {alternatives}."
    )
