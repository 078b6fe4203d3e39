"""Conversion jobs, planned from the header of the image."""

from dataclasses import dataclass

from mediakit.engines.raster import animation
from mediakit.engines.raster.area import Area
from mediakit.engines.raster.formats import MAX_SIDE, OPAQUE_FORMATS, OutputFormat, default_output
from mediakit.engines.raster.geometry import Plan, Size, plan
from mediakit.engines.raster.options import ConvertOptions
from mediakit.engines.raster.source import SourceImage
from mediakit.errors import InvalidInput

MAX_OUTPUT_PIXELS: dict[OutputFormat, int] = {
    "jpeg": 64_000_000,
    "png": 64_000_000,
    "webp": 64_000_000,
    "avif": 40_000_000,  # The encoder needs 24 bytes per pixel.
}
"""Maximum pixels of a result, in all frames together."""


@dataclass(frozen=True, slots=True)
class Job:
    """An image whose header was read, and how to convert it."""

    source: SourceImage
    options: ConvertOptions
    format: OutputFormat
    area: Area
    """Area of the upright image that is converted."""
    plan: Plan

    @property
    def is_animated(self) -> bool:
        """Whether the result is an animation."""
        return self.source.animated and self.format == "webp"

    @property
    def frames(self) -> int:
        """Number of frames that are decoded and encoded."""
        return self.source.frames if self.is_animated else 1

    @property
    def background(self) -> str | None:
        """Color behind transparency; None keeps the transparency."""
        return self.options.background or ("white" if self.format in OPAQUE_FORMATS else None)

    @property
    def only_compresses(self) -> bool:
        """Whether format and size stay, so that the image data of the input may serve as the result."""
        is_same_size = self.plan.scaled == self.plan.output == self.source.size
        return self.format == self.source.format and is_same_size


def plan_job(source: SourceImage, options: ConvertOptions) -> Job:
    """Plan a conversion without decoding pixels.

    Raises:
        InvalidInput: The crop is not inside the image, or the animation or the result would be too large.
    """
    kind = options.format or default_output(source.format, animated=source.animated)
    area = options.crop.inside(source.size) if options.crop else Area(0, 0, *source.size)
    enlarge = not options.without_enlargement
    sizes = plan(area.size, options.width, options.height, options.fit, enlarge=enlarge)
    job = Job(source, options, kind, area, sizes)
    _check_output(sizes.output, kind, job.frames)
    if job.is_animated:
        animation.check_frames(source)
    return job


def _check_output(size: Size, kind: OutputFormat, frames: int) -> None:
    result = f"file: would become {size.width} x {size.height} pixels"
    if size.pixels * frames > MAX_OUTPUT_PIXELS[kind]:
        times = f" in {frames} frames" if frames > 1 else ""
        limit = f"{kind.upper()} results are limited to {MAX_OUTPUT_PIXELS[kind] // 1_000_000} megapixels"
        raise InvalidInput(f"{result}{times}; {limit}. Request a smaller width or height.")
    if max(size) > MAX_SIDE[kind]:
        limit = f"a side of a {kind.upper()} image is limited to {MAX_SIDE[kind]} pixels"
        raise InvalidInput(f"{result}; {limit}. Use format png or request a smaller size.")
