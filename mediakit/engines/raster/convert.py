"""The whole way of a picture: read, plan, render, encode."""

from collections.abc import Callable
from dataclasses import dataclass, field

from PIL import Image

from mediakit.engines.raster import animation, encode, frame
from mediakit.engines.raster.compress import encode_result
from mediakit.engines.raster.encoders import Encoder, LossyEncoder, PngEncoder
from mediakit.engines.raster.formats import InputFormat, OutputFormat
from mediakit.engines.raster.metadata import metadata_of
from mediakit.engines.raster.order import Order, order
from mediakit.engines.raster.recipe import Recipe
from mediakit.engines.raster.source import read


@dataclass(frozen=True, slots=True)
class Converted:
    """A picture as it was asked for."""

    content: bytes = field(repr=False)
    format: OutputFormat
    width: int
    height: int
    quality: int | None
    """Quality that a lossy format was encoded with; None for PNG and for image data that was kept."""
    original_format: InputFormat
    original_width: int
    """Pixels, after the EXIF orientation is applied."""
    original_height: int
    reencoded: bool
    """False if the image data is that of the input, because new image data would not be smaller."""
    obstacle: str
    """Why the image data of the input could not be kept; empty if there was no reason to keep it."""


def convert(content: bytes, recipe: Recipe) -> Converted:
    """Resize, convert or compress a picture.

    The EXIF orientation is applied and colours become sRGB. GIF and WebP that move stay so in WebP; the other formats
    hold their first frame.

    Raises:
        InvalidInput: The file is no picture, damaged or too large, or the result would be too large.
    """
    return carry_out(order(read(content), recipe))


def carry_out(order: Order) -> Converted:
    """Decode, render and encode.

    Raises:
        InvalidInput: The file is damaged, or does not get as small as it must.
    """
    picture = order.picture
    encoded = encode_result(order, _encoder(order))
    return Converted(
        encoded.content,
        order.format,
        *order.plan.output,
        encoded.quality,
        picture.format,
        picture.width,
        picture.height,
        encoded.reencoded,
        encoded.obstacle,
    )


def _encoder(order: Order) -> Encoder:
    """Decode and render; return what encodes the result."""
    kept = metadata_of(order.picture) if order.recipe.keep_metadata else None
    if order.moves:
        moving = animation.animate(order.picture, order.plan, order.recipe.position, order.background)
        return _lossy(order, lambda quality: encode.encode_animation(moving, quality, kept))
    image = _still(order)
    if order.format == "png":
        return PngEncoder(image, kept)
    return _lossy(order, lambda quality: encode.encode(image, order.format, quality, kept))


def _lossy(order: Order, write: Callable[[int], bytes]) -> Encoder:
    return LossyEncoder(write, order.recipe.quality, encode.DEFAULT_QUALITY[order.format])


def _still(order: Order) -> Image.Image:
    source = frame.decode(order.picture, order.plan.scaled)
    offset, source = frame.choose_offset(source, order.plan, order.recipe.position)
    return frame.render(source, order.plan, offset, background=order.background)
