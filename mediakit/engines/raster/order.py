"""What is to be done with an image, planned from its header."""

from dataclasses import dataclass

from mediakit.engines.raster import animation
from mediakit.engines.raster.formats import LONGEST_SIDE, OPAQUE, OutputFormat, default_output
from mediakit.engines.raster.geometry import Plan, Size, plan
from mediakit.engines.raster.recipe import Recipe
from mediakit.engines.raster.source import Picture
from mediakit.errors import InvalidInput

MAX_OUTPUT_PIXELS: dict[OutputFormat, int] = {
    "jpeg": 64_000_000,
    "png": 64_000_000,
    "webp": 64_000_000,
    "avif": 40_000_000,  # Its encoder takes 24 bytes a pixel.
}
"""Pixels of the result, in all its frames."""


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
    def only_compresses(self) -> bool:
        """Whether format and size stay, so that the image data of the input may serve as the result."""
        unchanged = Size(self.picture.width, self.picture.height)
        return self.format == self.picture.format and self.plan.scaled == self.plan.output == unchanged


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


def _check_output(size: Size, kind: OutputFormat, frames: int) -> None:
    made = f"file: would become {size.width} x {size.height} pixels"
    if size.pixels * frames > MAX_OUTPUT_PIXELS[kind]:
        times = f" in {frames} frames" if frames > 1 else ""
        limit = f"{kind.upper()} is made of at most {MAX_OUTPUT_PIXELS[kind] // 1_000_000} megapixels"
        raise InvalidInput(f"{made}{times}; {limit}. Ask for a smaller width or height.")
    longest = LONGEST_SIDE[kind]
    if max(size) > longest:
        raise InvalidInput(f"{made}; {kind.upper()} holds at most {longest} a side. Ask for png, or a smaller size.")
