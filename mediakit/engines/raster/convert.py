"""The whole way of a picture: read, plan, render, encode."""

from collections.abc import Callable
from dataclasses import dataclass, field

from PIL import Image

from mediakit.engines.raster import animation, budget, encode, frame
from mediakit.engines.raster.formats import LONGEST_SIDE, OPAQUE, InputFormat, OutputFormat, default_output
from mediakit.engines.raster.geometry import Plan, Size, plan
from mediakit.engines.raster.metadata import Metadata, metadata_of
from mediakit.engines.raster.recipe import Recipe
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
    quality: int | None
    """That of a lossy format."""
    original_format: InputFormat
    original_width: int
    """Pixels, after the EXIF orientation is applied."""
    original_height: int


@dataclass(frozen=True, slots=True)
class Order:
    """A picture that was read by its header, and what is to become of it."""

    picture: Picture
    recipe: Recipe
    format: OutputFormat
    plan: Plan

    @property
    def moves(self) -> bool:
        """Whether the result is an animation."""
        return self.picture.animated and self.format == "webp"

    @property
    def frames(self) -> int:
        """How many frames are decoded and written."""
        return self.picture.frames if self.moves else 1

    @property
    def background(self) -> str | None:
        """What goes behind transparency."""
        return self.recipe.background or ("white" if self.format in OPAQUE else None)

    @property
    def limit(self) -> int | None:
        """How many bytes are allowed: with a limit, never more than the original took for as many pixels."""
        limit, picture = self.recipe.max_bytes, self.picture
        if limit and self.format == picture.format and self.plan.output.pixels <= picture.width * picture.height:
            return min(limit, len(picture.content))
        return limit


def convert(content: bytes, recipe: Recipe) -> Converted:
    """Resize, convert or compress a picture.

    The EXIF orientation is applied and colours become sRGB. GIF and WebP that move stay so in WebP; the other formats
    hold their first frame.

    Raises:
        InvalidInput: The file is no picture, damaged or too large, or the result would be too large.
    """
    return carry_out(order(read(content), recipe))


def order(picture: Picture, recipe: Recipe) -> Order:
    """Plan the work; no pixel is touched.

    Raises:
        InvalidInput: The animation or the result would be too large.
    """
    kind = recipe.format or default_output(picture.format, animated=picture.animated)
    size = Size(picture.width, picture.height)
    enlarge = not recipe.without_enlargement
    sizes = plan(size, recipe.width, recipe.height, recipe.fit, enlarge=enlarge)
    made = Order(picture, recipe, kind, sizes)
    _check_output(sizes.output, kind, made.frames)
    if made.moves:
        animation.check_frames(picture)
    return made


def carry_out(order: Order) -> Converted:
    """Decode, render and encode.

    Raises:
        InvalidInput: The file is damaged, or does not get as small as it must.
    """
    picture = order.picture
    content, quality = _written(order)
    return Converted(content, order.format, *order.plan.output, quality, picture.format, picture.width, picture.height)


def _written(order: Order) -> budget.Fitted:
    kept = metadata_of(order.picture) if order.recipe.keep_metadata else None
    if order.moves:
        moving = animation.animate(order.picture, order.plan, order.recipe.position, order.background)
        return _lossy(order, lambda quality: encode.encode_animation(moving, quality, kept))
    image = _still(order)
    if order.format == "png":
        return _png(order, image, kept)
    return _lossy(order, lambda quality: encode.encode(image, order.format, quality, kept))


def _lossy(order: Order, write: Callable[[int], bytes]) -> budget.Fitted:
    if order.limit:
        return budget.fit_quality(write, order.limit, order.recipe.quality)
    quality = order.recipe.quality or encode.DEFAULT_QUALITY[order.format]
    return budget.Fitted(write(quality), quality)


def _png(order: Order, image: Image.Image, kept: Metadata | None) -> budget.Fitted:
    if order.limit:
        return budget.fit_png(image, order.limit, kept)
    return budget.Fitted(encode.encode(image, "png", kept=kept), None)


def _still(order: Order) -> Image.Image:
    source = frame.decode(order.picture, order.plan.scaled)
    offset, source = frame.choose_offset(source, order.plan, order.recipe.position)
    return frame.render(source, order.plan, offset, background=order.background)


def _check_output(size: Size, kind: OutputFormat, frames: int) -> None:
    made = f"file: would become {size.width} x {size.height} pixels"
    if size.pixels * frames > MAX_OUTPUT_PIXELS[kind]:
        times = f" in {frames} frames" if frames > 1 else ""
        limit = f"{kind.upper()} is made of at most {MAX_OUTPUT_PIXELS[kind] // 1_000_000} megapixels"
        raise InvalidInput(f"{made}{times}; {limit}. Ask for a smaller width or height.")
    longest = LONGEST_SIDE[kind]
    if max(size) > longest:
        raise InvalidInput(f"{made}; {kind.upper()} holds at most {longest} a side. Ask for png, or a smaller size.")
