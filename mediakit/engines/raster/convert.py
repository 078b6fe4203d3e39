"""Conversion from file to file: read the header, plan, decode, render, encode."""

from collections.abc import Callable
from dataclasses import dataclass, field

from PIL import Image

from mediakit.engines.raster import animation, encode, frame
from mediakit.engines.raster.compress import encode_result
from mediakit.engines.raster.encoders import Encoder, LossyEncoder, PngEncoder
from mediakit.engines.raster.formats import InputFormat, OutputFormat
from mediakit.engines.raster.job import Job, plan_job
from mediakit.engines.raster.metadata import read_metadata
from mediakit.engines.raster.options import ConvertOptions
from mediakit.engines.raster.source import read_header


@dataclass(frozen=True)
class Converted:
    """A converted image."""

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
    reencode_reason: str
    """Why the image data of the input could not be kept; empty if there was no reason to keep it."""


def convert(content: bytes, options: ConvertOptions) -> Converted:
    """Resize, convert or compress an image.

    The EXIF orientation is applied and colors are converted to sRGB. Animated GIF, WebP and AVIF stay animated in WebP;
    the other formats contain the first frame.

    Raises:
        InvalidInput: The file is not an image, is damaged or too large, or the result would be too large.
    """
    return run_job(plan_job(read_header(content), options))


def run_job(job: Job) -> Converted:
    """Decode, render and encode.

    Raises:
        InvalidInput: The file is damaged, or the result does not fit into `max_bytes`.
    """
    source = job.source
    encoded = encode_result(job, _encoder(job))
    return Converted(
        encoded.content,
        job.format,
        *job.plan.output,
        encoded.quality,
        source.format,
        source.width,
        source.height,
        encoded.reencoded,
        encoded.reencode_reason,
    )


def _encoder(job: Job) -> Encoder:
    """Decode and render; return the encoder of the result."""
    metadata = read_metadata(job.source) if job.options.keep_metadata else None
    if job.is_animated:
        animated = animation.convert_frames(job.source, job.area, job.plan, job.options.position, job.background)
        return _lossy(job, lambda quality: encode.encode_animation(animated, quality, metadata))
    image = _render_still(job)
    if job.format == "png":
        return PngEncoder(image, metadata)
    return _lossy(job, lambda quality: encode.encode(image, job.format, quality, metadata))


def _lossy(job: Job, write: Callable[[int], bytes]) -> Encoder:
    return LossyEncoder(write, job.options.quality, encode.DEFAULT_QUALITY[job.format])


def _render_still(job: Job) -> Image.Image:
    decoded = frame.decode(job.source, job.plan.scaled, job.area)
    offset, decoded = frame.choose_offset(decoded, job.plan, job.options.position)
    return frame.render(decoded, job.plan, offset, background=job.background)
