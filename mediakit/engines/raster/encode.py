"""Image encoding: small files at request speed, equal bytes for equal pixels.

The second half encodes one image at a requested quality, or within a size limit in bytes.
"""

import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from PIL import Image, ImageChops

from mediakit.engines import png
from mediakit.engines.raster.formats import OutputFormat
from mediakit.engines.raster.metadata import Metadata
from mediakit.errors import InvalidInput

if TYPE_CHECKING:
    from mediakit.engines.animations.frames import Animation
    from mediakit.engines.raster.samples import Deep

DEFAULT_QUALITY: dict[str, int] = {"jpeg": 80, "webp": 80, "avif": 50}
"""The defaults of sharp. AVIF at 50 looks like JPEG at 80."""

MAX_FITTED_QUALITY = 95
"""Highest quality that `fit` tries by default. Higher qualities make larger files without a visible difference."""

_PALETTE_SIZES = (256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2)

_MAX_FLAT_COLORS = 4096
"""Number of colors up to which an image counts as flat graphics."""
_SMALL_IMAGE_PIXELS = 200_000
"""Pixels up to which slower settings are used; for larger images they save 3 % and take ten times as long."""

_AVIF_SPEEDS = {2_000_000: 6, 12_000_000: 8}
"""Speed of the encoder by the largest number of pixels, so that large images take seconds, not minutes."""


def encode(
    image: Image.Image, kind: OutputFormat, quality: int | None = None, metadata: Metadata | None = None
) -> bytes:
    """Encode a still image: L, LA, RGB or RGBA, with empty `info`, which Pillow would write to the file.

    JPEG takes no alpha. The quality is 1 to 100 for the lossy formats; PNG is lossless and ignores it.
    """
    quality = quality or DEFAULT_QUALITY.get(kind, 0)
    metadata = metadata or Metadata()
    extra, pixels = metadata.options(), image.width * image.height
    match kind:
        case "jpeg":
            return encode_jpeg(image, metadata, quality=quality)
        case "webp":
            method = 4 if pixels <= _SMALL_IMAGE_PIXELS else 2
            return _save(image, "WEBP", quality=quality, method=method, **extra)
        case "avif":
            # Tiles and threads are fixed because the bytes depend on them.
            speed = next((speed for limit, speed in _AVIF_SPEEDS.items() if pixels <= limit), 9)
            return _save(image, "AVIF", quality=quality, speed=speed, autotiling=False, max_threads=4, **extra)
        case "png":
            return png.insert(_encode_png(image), metadata.png_chunks())


def encode_jpeg(image: Image.Image, metadata: Metadata, **quality: object) -> bytes:
    """Encode L or RGB as JPEG, with Pillow's `quality`, or with `qtables` and `subsampling` of another JPEG."""
    optimize = image.width * image.height <= _SMALL_IMAGE_PIXELS
    return _save(image, "JPEG", optimize=optimize, **quality, **metadata.options())


def encode_lossless_webp(image: Image.Image, metadata: Metadata) -> bytes:
    """Encode a WebP that keeps every pixel, including colors under full transparency."""
    is_small = image.width * image.height <= _SMALL_IMAGE_PIXELS
    effort = {"quality": 50, "method": 4} if is_small else {"quality": 0, "method": 0}
    return _save(image, "WEBP", lossless=True, exact=True, **effort, **metadata.options())


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

    content: bytes = field(repr=False)
    quality: int | None = None
    """Quality of a lossy encoding; None for PNG and for image data that was kept unchanged."""
    reencoded: bool = True
    """False if the image data of the input was kept unchanged."""
    reencode_reason: str = ""
    """Why the image data of the input could not be kept, as the end of a sentence."""
    reduced: str = ""
    """What was reduced to meet a limit, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class LossyEncoder:
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
        """Find the highest quality that fits, by bisection; at most seven files are encoded.

        Raises:
            InvalidInput: The smallest possible file is larger than `limit`.
        """
        files: dict[int, bytes] = {}

        def size(quality: int) -> int:
            files[quality] = self.write(quality)
            return len(files[quality])

        # The highest quality first, because most images fit and need no search.
        highest = self.quality or MAX_FITTED_QUALITY
        if size(highest) <= limit:
            return Encoded(files[highest], highest)
        best = bisect_right(range(1, highest), limit, key=size)
        if not best:
            raise _limit_error(limit, min(map(len, files.values())), "webp or avif")
        return Encoded(files[best], best)

    def shrink(self, limit: int) -> Encoded:
        """Encode at the requested quality; if the file exceeds the limit, at the highest quality that fits, if any."""
        encoded = self.encode()
        if len(encoded.content) <= limit:
            return encoded
        try:
            return replace(self, quality=encoded.quality).fit(limit)
        except InvalidInput:
            return encoded


@dataclass(frozen=True, slots=True)
class PngEncoder:
    """Encodes PNG, without loss unless a limit requires fewer colors or bits."""

    attempts: Callable[[], Iterator[Encoded]]
    """Encodes in several ways, from lossless to the fewest colors."""
    lossless: int = 1
    """The number of attempts without loss."""
    alternatives: str = "webp or jpeg"
    """Formats that make smaller files."""

    def encode(self) -> Encoded:
        """Encode without loss."""
        return next(self.attempts())

    def fit(self, limit: int) -> Encoded:
        """Encode without loss if that fits, otherwise with as many colors or bits as fit.

        Raises:
            InvalidInput: The smallest possible file is larger than `limit`.
        """
        smallest = 0
        for encoded in self.attempts():
            smallest = len(encoded.content)
            if smallest <= limit:
                return encoded
        raise _limit_error(limit, smallest, self.alternatives)

    def shrink(self, limit: int) -> Encoded:
        """Encode without loss; if the file exceeds the limit, with more effort. The result may still exceed it."""
        tried: list[Encoded] = []
        for encoded in islice(self.attempts(), self.lossless):
            tried.append(encoded)
            if len(encoded.content) <= limit:
                break
        return min(tried, key=lambda each: len(each.content))


Encoder = LossyEncoder | PngEncoder


def png_encoder(image: Image.Image, metadata: Metadata) -> PngEncoder:
    """Return the encoder of a still image: lossless, or with a palette."""

    def contents() -> Iterator[bytes]:
        yield _encode_png(image)
        yield _save(_with_palette(image), "PNG", optimize=True)
        full = image.convert("RGBA" if "A" in image.getbands() else "RGB")
        method = Image.Quantize.FASTOCTREE if full.mode == "RGBA" else Image.Quantize.MEDIANCUT
        for colors in _PALETTE_SIZES:
            palette = full.quantize(colors, method)
            yield _save(full.quantize(palette=palette) if full.mode == "RGB" else palette, "PNG", optimize=True)

    chunks = metadata.png_chunks()
    return PngEncoder(lambda: (Encoded(png.insert(content, chunks)) for content in contents()), lossless=2)


def deep_png_encoder(pixels: "Deep", metadata: Metadata, in_eight_bits: Callable[[], PngEncoder]) -> PngEncoder:
    """Return the encoder of an image with 16 bits per channel, and of the same one with 8 if a limit requires it."""

    def attempts() -> Iterator[Encoded]:
        yield Encoded(png.encode_deep(pixels, metadata.png_chunks()))
        for encoded in in_eight_bits().attempts():
            yield replace(encoded, reduced="the result has 8 bits per channel, the input has 16")

    return PngEncoder(attempts)


def apng_encoder(animation: "Animation", metadata: Metadata) -> PngEncoder:
    """Return the encoder of an animated PNG, which reduces the colors per frame if a limit requires it."""
    from mediakit.engines.animations.frames import encode_apng

    def attempts() -> Iterator[Encoded]:
        for colors in (0, 256, 64, 16, 4):
            content = encode_apng(animation, colors=colors, extra=metadata.png_chunks())
            yield Encoded(content, reduced=f"the frames have {colors} colors" if colors else "")

    return PngEncoder(attempts, alternatives="webp")


def _limit_error(limit: int, smallest: int, alternatives: str) -> InvalidInput:
    """Return the error for a limit that no encoding meets."""
    return InvalidInput(
        f"max_bytes: must be at least {smallest} for this image, got {limit}. "
        f"Allow more bytes, request a smaller width, or use format {alternatives}."
    )
