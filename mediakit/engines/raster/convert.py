"""The whole way of a picture: read, plan, render, encode."""

from dataclasses import dataclass, field

from PIL import Image

from mediakit.engines.raster import animation, encode, frame
from mediakit.engines.raster.formats import LONGEST_SIDE, OPAQUE, InputFormat, OutputFormat, default_output
from mediakit.engines.raster.geometry import Fit, Plan, Position, Size, plan
from mediakit.engines.raster.source import Picture, read
from mediakit.errors import InvalidInput

MAX_OUTPUT_PIXELS: dict[OutputFormat, int] = {
    "jpeg": 64_000_000,
    "png": 64_000_000,
    "webp": 64_000_000,
    "avif": 40_000_000,  # Its encoder takes 24 bytes a pixel.
}
"""Pixels of the result, in all its frames."""


@dataclass(frozen=True, slots=True)
class Converted:
    """A picture as it was asked for."""

    content: bytes = field(repr=False)
    format: OutputFormat
    width: int
    height: int
    original_format: InputFormat
    original_width: int
    """Pixels, after the EXIF orientation is applied."""
    original_height: int


def convert(
    content: bytes,
    *,
    width: int | None = None,
    height: int | None = None,
    fit: Fit = "cover",
    position: Position = "center",
    format: OutputFormat | None = None,  # noqa: A002 - the word of every face
    quality: int | None = None,
) -> Converted:
    """Resize, convert or compress a picture.

    The EXIF orientation is applied, colours become sRGB, metadata is dropped. GIF and WebP that move stay so in WebP;
    the other formats hold their first frame. Transparency turns white in JPEG.

    Args:
        content: A PNG, JPEG, WebP, AVIF, GIF or TIFF file.
        width: Pixels; with `height` unset the aspect ratio is kept.
        height: Pixels; with `width` unset the aspect ratio is kept.
        fit: What to do when both are set and the ratio differs.
        position: What `cover` keeps, and where `contain` puts the picture.
        format: Of the result; unset: that of the file, and for GIF and TIFF PNG, or WebP when it moves.
        quality: 1 to 100 for JPEG, WebP and AVIF; PNG is lossless.

    Raises:
        InvalidInput: The file is no picture, damaged or too large, or the result would be too large.
    """
    picture = read(content)
    chosen = format or default_output(picture.format, animated=picture.animated)
    sizes = plan(Size(picture.width, picture.height), width, height, fit)
    moving = picture.animated and chosen == "webp"
    _check_output(sizes.output, chosen, picture.frames if moving else 1)
    if moving:
        animation.check_frames(picture)
        made = encode.encode_animation(animation.animate(picture, sizes, position), quality)
    else:
        image = _still(picture, sizes, position, opaque=chosen in OPAQUE)
        made = encode.encode(image, chosen, quality)
    return Converted(made, chosen, *sizes.output, picture.format, picture.width, picture.height)


def _still(picture: Picture, sizes: Plan, position: Position, *, opaque: bool) -> Image.Image:
    offset, source = frame.choose_offset(frame.decode(picture, sizes.scaled), sizes, position)
    return frame.render(source, sizes, offset, opaque=opaque)


def _check_output(size: Size, kind: OutputFormat, frames: int) -> None:
    made = f"file: would become {size.width} x {size.height} pixels"
    if size.pixels * frames > MAX_OUTPUT_PIXELS[kind]:
        times = f" in {frames} frames" if frames > 1 else ""
        limit = f"{kind.upper()} is made of at most {MAX_OUTPUT_PIXELS[kind] // 1_000_000} megapixels"
        raise InvalidInput(f"{made}{times}; {limit}. Ask for a smaller width or height.")
    longest = LONGEST_SIDE[kind]
    if max(size) > longest:
        raise InvalidInput(f"{made}; {kind.upper()} holds at most {longest} a side. Ask for png, or a smaller size.")
