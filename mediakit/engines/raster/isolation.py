"""Conversion of untrusted images: small images of simple formats in this process, all others in a worker process."""

import asyncio
import logging

from mediakit.engines.guarded import Guard, run_guarded
from mediakit.engines.raster.convert import Converted, convert, run_job
from mediakit.engines.raster.formats import InputFormat, OutputFormat, detect_format
from mediakit.engines.raster.job import Job, plan_job
from mediakit.engines.raster.options import ConvertOptions
from mediakit.engines.raster.source import read_header
from mediakit.errors import InvalidInput

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
    is_single = not job.is_animated and job.options.max_bytes is None
    return is_single and job.format in _FAST_OUTPUTS and _pixels(job) <= MAX_IN_PROCESS_PIXELS


def _pixels(job: Job) -> int:
    """Count the pixels that are decoded and encoded; a JPEG is decoded no larger than needed."""
    source, plan = job.source, job.plan
    is_reduced = source.format == "jpeg" and job.area.size == source.size
    decoded = plan.scaled.pixels * 4 if is_reduced else source.size.pixels
    return min(decoded, source.size.pixels) + plan.output.pixels
