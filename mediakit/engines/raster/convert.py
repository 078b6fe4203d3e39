"""Conversion from file to file: read the header, plan, decode, render, encode.

Small images of simple formats are converted in this process, all others in a worker process.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import astuple, dataclass, replace

from PIL import Image

from mediakit.engines.guarded import Guard, run_guarded
from mediakit.engines.raster import resize
from mediakit.engines.raster.encode import (
    DEFAULT_QUALITY,
    Encoded,
    Encoder,
    LossyEncoder,
    apng_encoder,
    deep_png_encoder,
    encode,
    png_encoder,
)
from mediakit.engines.raster.formats import MAX_SIDE, InputFormat, OutputFormat, default_output, detect_format
from mediakit.engines.raster.geometry import Area, Fit, Plan, Position, RelativeArea, plan
from mediakit.engines.raster.metadata import color_warnings, lossless_copy, read_metadata
from mediakit.engines.raster.source import MAX_PIXELS, SourceImage, check_frames, depth_warnings, read_header
from mediakit.engines.raster.structure import timing_of
from mediakit.errors import InvalidInput
from mediakit.results.item import ResultWarning

MAX_OUTPUT_PIXELS = {"jpeg": 64_000_000, "png": 64_000_000, "webp": 64_000_000, "avif": 40_000_000}
"""Maximum pixels of a result, in all frames together. The AVIF encoder needs 24 bytes per pixel."""

CONVERSION = Guard(
    "image",
    seconds=20,
    memory=1_500_000_000,
    took_too_long=(
        InvalidInput,
        "file: takes more than {seconds:g} seconds. Request a smaller size, or format jpeg or webp.",
    ),
    out_of_memory=(InvalidInput, "file: needs too much memory. Request a smaller size."),
    crashed=(InvalidInput, "file: is damaged and cannot be decoded."),
)

IN_PROCESS_FORMATS: frozenset[InputFormat] = frozenset({"jpeg", "png", "webp", "gif"})
"""Input formats whose headers are parsed in this process."""

MAX_IN_PROCESS_PIXELS = 9_000_000
"""Pixels of input and output together up to which this process converts; beyond, a worker costs less in comparison."""

_FAST_OUTPUTS: frozenset[OutputFormat] = frozenset({"jpeg", "png", "webp"})

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertOptions:
    """What the tool `images` takes beside the file. Unset options leave the image as it is.

    All options apply to the area that `crop` keeps of the upright image.
    """

    crop: RelativeArea | None = None
    width: int | None = None
    height: int | None = None
    fit: Fit = "cover"
    position: Position = "center"
    without_enlargement: bool = False
    """Never scale up; `cover` can then return less than the requested size."""
    format: OutputFormat | None = None
    """Unset: the input format, except for GIF and TIFF: WebP if animated, otherwise PNG."""
    quality: int | None = None
    max_bytes: int | None = None
    """The quality is chosen to fit; `quality` is then the highest that is tried."""
    background: str | None = None
    """`#rrggbb` behind transparency and around the image. Unset: transparent, and white in JPEG."""
    keep_metadata: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted(Encoded):
    """A converted image."""

    format: OutputFormat
    width: int
    height: int
    original_format: InputFormat
    original_width: int
    """Pixels, after the EXIF orientation is applied."""
    original_height: int
    warnings: list[ResultWarning]
    """What the result does not have of the input."""


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
        return self.source.animated and (self.format == "webp" or self.format == self.source.format == "png")

    @property
    def is_deep(self) -> bool:
        """Whether the result keeps 16 bits per channel."""
        return self.format == "png" and self.source.deep_pixels

    @property
    def background(self) -> str | None:
        """Color behind transparency; None keeps the transparency."""
        return self.options.background or ("white" if self.format == "jpeg" else None)

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
    size, frames = sizes.output, source.frames if job.is_animated else 1
    result = f"file: would become {size.width} x {size.height} pixels"
    if size.pixels * frames > MAX_OUTPUT_PIXELS[kind]:
        times = f" in {frames} frames" if frames > 1 else ""
        limit = f"{kind.upper()} results are limited to {MAX_OUTPUT_PIXELS[kind] // 1_000_000} megapixels"
        raise InvalidInput(f"{result}{times}; {limit}. Request a smaller width or height.")
    if max(size) > MAX_SIDE[kind]:
        limit = f"a side of a {kind.upper()} image is limited to {MAX_SIDE[kind]} pixels"
        raise InvalidInput(f"{result}; {limit}. Use format png or request a smaller size.")
    if job.is_animated:
        check_frames(source, MAX_PIXELS, "Use format jpeg to convert only the first frame.")
    return job


async def convert_isolated(content: bytes, options: ConvertOptions) -> Converted:
    """Resize, convert or compress an image, with limits of time and memory.

    Raises:
        InvalidInput: The file is not an image, is damaged or too large, or takes too much time or memory.
        ServerBusy: The worker was killed from outside, or the workers are shutting down.
    """
    if detect_format(content) in IN_PROCESS_FORMATS:
        try:
            job = await asyncio.to_thread(lambda: plan_job(read_header(content), options))
            if _runs_in_process(job):
                return await asyncio.to_thread(run_job, job)
        except MemoryError as failure:
            logger.warning("The conversion of an image of %d bytes failed: %s", len(content), failure)
            raise CONVERSION.error(failure) from failure
    return await run_guarded(convert, content, options, guard=CONVERSION)


def _runs_in_process(job: Job) -> bool:
    """Return whether a job is small: one frame, few pixels, one fast encoding."""
    source, output, scaled = job.source, job.plan.output.pixels, job.plan.scaled.pixels
    # A JPEG is decoded no larger than needed.
    is_reduced = source.format == "jpeg" and job.area.size == source.size
    decoded = min(source.size.pixels, scaled * 4) if is_reduced else source.size.pixels
    is_single = not job.is_animated and job.options.max_bytes is None
    return is_single and job.format in _FAST_OUTPUTS and decoded + output <= MAX_IN_PROCESS_PIXELS


def convert(content: bytes, options: ConvertOptions) -> Converted:
    """Resize, convert or compress an image.

    The EXIF orientation is applied and colors are converted to sRGB. Animations stay animated in WebP, and animated PNG
    in PNG; the other formats contain the first frame. PNG keeps 16 bits per channel of PNG and gray TIFF.

    Raises:
        InvalidInput: The file is not an image, is damaged or too large, or the result would be too large.
    """
    return run_job(plan_job(read_header(content), options))


def run_job(job: Job) -> Converted:
    """Decode, render and encode.

    Raises:
        InvalidInput: The file is damaged, or the result does not fit into `max_bytes`.
    """
    source, encoded = job.source, _encode(job, _encoder(job))
    return Converted(
        *astuple(encoded),
        format=job.format,
        width=job.plan.output.width,
        height=job.plan.output.height,
        original_format=source.format,
        original_width=source.width,
        original_height=source.height,
        warnings=_warnings(job, encoded),
    )


def _encoder(job: Job) -> Encoder:
    """Decode and render; return the encoder of the result."""
    metadata = read_metadata(job.source, job.format, keep=job.options.keep_metadata)

    def lossy(write: Callable[[int], bytes]) -> Encoder:
        return LossyEncoder(write, job.options.quality, DEFAULT_QUALITY[job.format])

    if job.is_animated:
        from mediakit.engines.raster.frames import render_frames

        animation = render_frames(job.source, job.area, job.plan, job.options.position, job.background)
        if job.format == "png":
            return apng_encoder(animation, metadata)
        from mediakit.engines.animations.frames import encode_webp

        exif, xmp = metadata.exif, metadata.xmp
        return lossy(lambda quality: encode_webp(animation, quality=quality, exif=exif, xmp=xmp))
    decoded = resize.decode(job.source, job.plan.scaled, job.area)
    offset, decoded = resize.choose_offset(decoded, job.plan, job.options.position)

    def still() -> Image.Image:
        return resize.render(decoded, job.plan, offset, background=job.background)

    if job.is_deep:
        from mediakit.engines.raster import deep

        pixels, profile = deep.read_deep(job.source)
        rendered = deep.render_deep(pixels, job.area, job.plan, offset, job.background)
        kept = replace(metadata, icc_profile=profile if job.source.format == "tiff" else b"")
        return deep_png_encoder(rendered, kept, lambda: png_encoder(still(), replace(metadata, color_chunks=())))
    image = still()
    if job.format == "png":
        return png_encoder(image, metadata)
    return lossy(lambda quality: encode(image, job.format, quality, metadata))


def _warnings(job: Job, encoded: Encoded) -> list[ResultWarning]:
    """Return what the result does not have of the input, beside metadata."""
    source, found = job.source, list(job.source.warnings)
    if source.animated and not job.is_animated:
        kept = "webp or png keeps" if source.format == "png" else "webp keeps"
        message = f"format: {job.format} has only the first of {source.frames} frames; {kept} all."
        found.append({"code": "first_frame_only", "message": message})
    if job.is_animated and encoded.reencoded:
        from mediakit.engines.animations.frames import timing_warnings

        timing = timing_of(source.content, source.format)
        found += timing_warnings(job.format, timing.plays, timing.delays_ms)
    if encoded.reencoded and not job.is_deep:
        found += depth_warnings(source, "png" if source.deep_pixels else "")
    if job.options.keep_metadata and encoded.reencoded:
        omitted = read_metadata(source, job.format, keep=True).omitted
        message = f"keep_metadata: {omitted} was omitted, a JPEG has room for 64 kB; png, webp and avif keep it."
        found += [{"code": "metadata_omitted", "message": message}] if omitted else []
    if encoded.reduced:
        found.append({"code": "reduced_to_fit", "message": f"max_bytes: {encoded.reduced}."})
    return found if job.format == "png" else [*found, *color_warnings(source, job.format)]


def _encode(job: Job, encoder: Encoder) -> Encoded:
    """Encode a result within its size limits, or keep the image data of the input if that is possible and smaller."""
    limit, keep_metadata = job.options.max_bytes, job.options.keep_metadata
    if not job.only_compresses:
        return encoder.encode() if limit is None else _fit(job, encoder, limit)
    kept, reencode_reason = lossless_copy(job.source, background=job.background, keep_metadata=keep_metadata)
    if kept is None or (limit is not None and len(kept) > limit):
        if limit is not None:
            return _fit(job, encoder, limit)
        return replace(encoder.shrink(len(job.source.content)), reencode_reason=reencode_reason)
    if limit is not None and job.options.quality is None and job.format != "png":
        return Encoded(kept, reencoded=False)  # Encoding again cannot improve the quality of the input.
    encoded = encoder.encode()
    return encoded if len(encoded.content) < len(kept) else Encoded(kept, reencoded=False)


def _fit(job: Job, encoder: Encoder, limit: int) -> Encoded:
    """Encode an image to at most `limit` bytes.

    If the format is that of the input and the result does not have more pixels, the result is not larger than the
    input, where possible.
    """
    source = job.source
    size = len(source.content)
    if job.format != source.format or job.plan.output.pixels > source.width * source.height or size >= limit:
        return encoder.fit(limit)
    try:
        return encoder.fit(size)
    except InvalidInput:
        return encoder.fit(limit)
