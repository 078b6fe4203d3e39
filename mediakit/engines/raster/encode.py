"""Image encoding: small files at request speed, equal bytes for equal pixels."""

import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO

from PIL import Image, ImageChops

from mediakit.engines.raster import png
from mediakit.engines.raster.animation import Animation
from mediakit.engines.raster.formats import OutputFormat
from mediakit.engines.raster.metadata import Metadata

DEFAULT_QUALITY: dict[OutputFormat, int] = {"jpeg": 80, "webp": 80, "avif": 50}
"""The defaults of sharp. AVIF at 50 looks like JPEG at 80."""

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
    extra = metadata.options(kind)
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
            return _encode_png(image, metadata)


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
    options = metadata.options("jpeg")
    return _save(image, "JPEG", qtables=dict(tables), subsampling=subsampling, optimize=optimize, **options)


def encode_lossless_webp(image: Image.Image, metadata: Metadata) -> bytes:
    """Encode a WebP that keeps every pixel, including colors under full transparency."""
    is_small = image.width * image.height <= _SMALL_IMAGE_PIXELS
    effort = {"quality": 50, "method": 4} if is_small else {"quality": 0, "method": 0}
    return _save(image, "WEBP", lossless=True, exact=True, **effort, **metadata.options("webp"))


def encode_animation(animation: Animation, quality: int | None = None, metadata: Metadata | None = None) -> bytes:
    """Encode an animated WebP."""
    first, *rest = animation.frames
    return _save(
        first,
        "WEBP",
        save_all=True,
        append_images=rest,
        duration=animation.durations,
        loop=animation.loop,
        background=(0, 0, 0, 0),
        quality=quality or DEFAULT_QUALITY["webp"],
        method=2,
        **(metadata or Metadata()).options("webp"),
    )


def encode_indexed_png(image: Image.Image, colors: int, metadata: Metadata | None = None) -> bytes:
    """Encode a PNG with a palette of at most `colors` entries, 2 to 256, with dithering."""
    method = Image.Quantize.FASTOCTREE if "A" in image.getbands() else Image.Quantize.MEDIANCUT
    full = image.convert("RGBA" if "A" in image.getbands() else "RGB")
    palette = full.quantize(colors, method)
    indexed = full.quantize(palette=palette) if full.mode == "RGB" else palette
    return _save(indexed, "PNG", optimize=True, **(metadata or Metadata()).options("png"))


def encode_smallest_png(image: Image.Image, metadata: Metadata | None = None) -> bytes:
    """Encode a lossless PNG with the settings that compress best."""
    return _save(_with_palette(image), "PNG", optimize=True, **(metadata or Metadata()).options("png"))


def _effort(image: Image.Image, settings: dict[int, int], *, default: int) -> int:
    """Choose an encoder setting by pixel count, so that large images take seconds, not minutes."""
    pixels = image.width * image.height
    return next((setting for limit, setting in settings.items() if pixels <= limit), default)


def _encode_png(image: Image.Image, metadata: Metadata) -> bytes:
    """Encode PNG with the method that suits the content: flat graphics, photographs or gradients."""
    if image.getcolors(_MAX_FLAT_COLORS):
        return _save(_with_palette(image), "PNG", **metadata.options("png"))
    if png.is_photographic(image):
        return png.encode_photo(image, metadata.exif, metadata.icc_profile)
    return _save(image, "PNG", compress_type=zlib.Z_RLE, **metadata.options("png"))


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
