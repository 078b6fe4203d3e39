"""The best quality that fits a number of bytes."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from PIL import Image

from mediakit.engines.raster.encode import encode, encode_indexed, encode_slowly
from mediakit.engines.raster.metadata import Metadata
from mediakit.errors import InvalidInput

BEST_QUALITY = 95
"""Above it files grow and pictures do not get better."""

_COLOURS = (256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2)


class Fitted(NamedTuple):
    """A file, and the quality it was written with."""

    content: bytes
    quality: int | None


def fit_quality(write: Callable[[int], bytes], limit: int, best: int | None) -> Fitted:
    """Find the highest quality that fits, by halving; seven files are written at most.

    Raises:
        InvalidInput: Even the lowest quality is too large.
    """
    low, high = 1, best or BEST_QUALITY
    fitting: Fitted | None = None
    smallest = 0
    while low <= high:
        # The best first, because most pictures fit and are then done.
        quality = high if fitting is None and not smallest else (low + high) // 2
        content = write(quality)
        if len(content) <= limit:
            fitting, low = Fitted(content, quality), quality + 1
        else:
            smallest, high = len(content), quality - 1
    if fitting is None:
        raise _too_small(limit, smallest, "webp or avif")
    return fitting


def fit_png(image: Image.Image, limit: int, kept: Metadata | None) -> Fitted:
    """Write a PNG without loss if that fits, with a palette of as many colours as fit if not.

    Raises:
        InvalidInput: Even two colours are too many.
    """
    smallest = 0
    for content in _pngs(image, kept):
        if len(content) <= limit:
            return Fitted(content, None)
        smallest = len(content)
    raise _too_small(limit, smallest, "webp or jpeg")


def _pngs(image: Image.Image, kept: Metadata | None) -> Iterator[bytes]:
    yield encode(image, "png", kept=kept)
    yield encode_slowly(image, kept)
    for colours in _COLOURS:
        yield encode_indexed(image, colours, kept)


def _too_small(limit: int, smallest: int, others: str) -> InvalidInput:
    """Make the refusal of a limit that nothing meets."""
    return InvalidInput(
        f"max_bytes: {limit} is too few; the smallest that this picture becomes is {smallest}. "
        f"Allow more, ask for a smaller width, or for format {others}."
    )
