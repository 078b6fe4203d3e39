"""Writing pictures: small files at the speed of a request, the same bytes for the same pixels."""

import zlib
from io import BytesIO

from PIL import Image, ImageChops

from mediakit.engines.raster import png
from mediakit.engines.raster.animation import Animation
from mediakit.engines.raster.formats import OutputFormat
from mediakit.engines.raster.metadata import Metadata

DEFAULT_QUALITY: dict[OutputFormat, int] = {"jpeg": 80, "webp": 80, "avif": 50}
"""Those of sharp; AVIF reaches with 50 what JPEG does with 80."""

_FLAT_COLOURS = 4096
_SMALL = 200_000
"""Pixels up to which a file is made smaller at leisure; beyond, that gains 3 % for a tenth of the time."""

_WEBP_METHODS = {_SMALL: 4}
_AVIF_SPEEDS = {2_000_000: 6, 12_000_000: 8}


def encode(image: Image.Image, kind: OutputFormat, quality: int | None = None, kept: Metadata | None = None) -> bytes:
    """Write a still picture.

    Args:
        image: L, LA, RGB or RGBA, with empty `info`: Pillow writes what it finds there.
        kind: JPEG takes no alpha.
        quality: 1 to 100 for the lossy formats; PNG is lossless and ignores it.
        kept: Metadata to write; none by default.
    """
    quality = quality or DEFAULT_QUALITY.get(kind, 0)
    kept = kept or Metadata()
    more = kept.options(kind)
    match kind:
        case "jpeg":
            optimize = image.width * image.height <= _SMALL
            return _saved(image, "JPEG", quality=quality, optimize=optimize, **more)
        case "webp":
            method = _effort(image, _WEBP_METHODS, otherwise=2)
            return _saved(image, "WEBP", quality=quality, method=method, **more)
        case "avif":
            # Tiles and threads are fixed, because the bytes depend on them.
            speed = _effort(image, _AVIF_SPEEDS, otherwise=9)
            return _saved(image, "AVIF", quality=quality, speed=speed, autotiling=False, max_threads=4, **more)
        case "png":
            return _png(image, kept)


def encode_animation(animation: Animation, quality: int | None = None, kept: Metadata | None = None) -> bytes:
    """Write an animated WebP."""
    first, *rest = animation.frames
    return _saved(
        first,
        "WEBP",
        save_all=True,
        append_images=rest,
        duration=animation.durations,
        loop=animation.loop,
        background=(0, 0, 0, 0),
        quality=quality or DEFAULT_QUALITY["webp"],
        method=2,
        **(kept or Metadata()).options("webp"),
    )


def encode_indexed(image: Image.Image, colours: int, kept: Metadata | None = None) -> bytes:
    """Write a PNG of at most so many colours, from 2 to 256; gradients are dithered."""
    method = Image.Quantize.FASTOCTREE if "A" in image.getbands() else Image.Quantize.MEDIANCUT
    picture = image.convert("RGBA" if "A" in image.getbands() else "RGB")
    palette = picture.quantize(colours, method)
    indexed = picture.quantize(palette=palette) if picture.mode == "RGB" else palette
    return _saved(indexed, "PNG", optimize=True, **(kept or Metadata()).options("png"))


def encode_slowly(image: Image.Image, kept: Metadata | None = None) -> bytes:
    """Write a lossless PNG as small as it gets."""
    return _saved(_with_palette(image), "PNG", optimize=True, **(kept or Metadata()).options("png"))


def _effort(image: Image.Image, settings: dict[int, int], *, otherwise: int) -> int:
    """Choose an encoder's setting by pixels, so that a large picture takes seconds."""
    pixels = image.width * image.height
    return next((setting for limit, setting in settings.items() if pixels <= limit), otherwise)


def _png(image: Image.Image, kept: Metadata) -> bytes:
    """Write PNG: what is rough as a photograph fast; flat graphics and gradients deserve more."""
    if image.getcolors(_FLAT_COLOURS):
        return _saved(_with_palette(image), "PNG", **kept.options("png"))
    if png.is_rough(image):
        return png.photograph(image, kept.exif)
    return _saved(image, "PNG", compress_type=zlib.Z_RLE, **kept.options("png"))


def _with_palette(image: Image.Image) -> Image.Image:
    """Convert an image of few colors, or of shades that fit into 4 bits, to a palette if that is lossless."""
    limit = {"RGB": 256, "L": 16}.get(image.mode)
    if limit is None or image.getcolors(limit) is None:
        return image
    indexed = image.quantize(limit, dither=Image.Dither.NONE)
    return image if ImageChops.difference(indexed.convert(image.mode), image).getbbox() else indexed


def _saved(image: Image.Image, pillow_format: str, **options: object) -> bytes:
    buffer = BytesIO()
    image.save(buffer, pillow_format, **options)
    return buffer.getvalue()
