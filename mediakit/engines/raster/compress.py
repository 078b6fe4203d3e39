"""Encodes a result, or keeps the image data of the input if it is smaller."""

from mediakit.engines.raster.encoders import Encoded, Encoder
from mediakit.engines.raster.job import Job
from mediakit.engines.raster.lossless import lossless_copy
from mediakit.errors import InvalidInput


def encode_result(job: Job, encoder: Encoder) -> Encoded:
    """Encode a result within its size limits.

    Raises:
        InvalidInput: The image cannot be encoded in `max_bytes`.
    """
    if job.only_compresses:
        return _compress(job, encoder)
    if job.options.max_bytes is None:
        return encoder.encode()
    return _fit(job, encoder, job.options.max_bytes)


def _compress(job: Job, encoder: Encoder) -> Encoded:
    """Encode an image of unchanged format and size, or keep the image data of the input if that is smaller."""
    limit = job.options.max_bytes
    kept, reencode_reason = lossless_copy(
        job.source, background=job.background, keep_metadata=job.options.keep_metadata
    )
    if kept is not None and (limit is None or len(kept) <= limit):
        return _smaller(job, encoder, kept)
    if limit is not None:
        return _fit(job, encoder, limit)
    encoded = encoder.shrink(len(job.source.content))
    return Encoded(encoded.content, encoded.quality, reencode_reason=reencode_reason)


def _smaller(job: Job, encoder: Encoder, kept: bytes) -> Encoded:
    """Return the image data of the input (`kept`), which meets the limit, or new image data if that is smaller."""
    if job.options.max_bytes is not None and job.options.quality is None and job.format != "png":
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
