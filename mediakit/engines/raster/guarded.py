"""Pictures from strangers: small ones of the plain kinds are done here, all others in a process that can be killed."""

import asyncio
import logging

from mediakit.engines import workers
from mediakit.engines.raster.convert import Converted, carry_out, convert
from mediakit.engines.raster.formats import InputFormat, OutputFormat, recognise
from mediakit.engines.raster.order import Order, order
from mediakit.engines.raster.recipe import Recipe
from mediakit.engines.raster.source import read
from mediakit.errors import InvalidInput, ServerBusy

SECONDS = 20.0
"""The longest that one picture may take."""

MEMORY = 1_500_000_000
"""Bytes that a worker may hold."""

PLAIN: frozenset[InputFormat] = frozenset({"jpeg", "png", "webp", "gif"})
"""Formats whose headers are read here."""

LIGHT_PIXELS = 9_000_000
"""Pixels, before and after, that may be held here; more cost more than the way to a worker."""

_QUICK: frozenset[OutputFormat] = frozenset({"jpeg", "png", "webp"})

logger = logging.getLogger(__name__)


async def convert_guarded(content: bytes, recipe: Recipe) -> Converted:
    """Resize, convert or compress a picture, within bounds of time and memory.

    Raises:
        InvalidInput: The file is no picture, damaged or too large; or it takes too long, or too much memory.
        ServerBusy: The workers are being stopped.
    """
    try:
        if recognise(content) in PLAIN:
            planned = await asyncio.to_thread(lambda: order(read(content), recipe))
            if _is_light(planned):
                return await asyncio.to_thread(carry_out, planned)
        return await workers.run(convert, content, recipe, seconds=SECONDS, memory=MEMORY)
    except (workers.WorkerFailed, MemoryError) as failure:
        logger.warning("A picture of %d bytes was given up: %s", len(content), failure)
        raise _refusal(failure) from failure


def _is_light(order: Order) -> bool:
    """Tell whether the work is small: one frame, few pixels, one quick encoding."""
    one = not order.moves and order.recipe.max_bytes is None
    return one and order.format in _QUICK and _pixels(order) <= LIGHT_PIXELS


def _pixels(order: Order) -> int:
    """Count those that are decoded and those that are written; a JPEG is decoded no larger than needed."""
    picture, plan = order.picture, order.plan
    whole = plan.scaled.pixels * 4 if picture.format == "jpeg" else picture.width * picture.height
    return min(whole, picture.width * picture.height) + plan.output.pixels


def _refusal(failure: workers.WorkerFailed | MemoryError) -> InvalidInput | ServerBusy:
    if isinstance(failure, workers.TookTooLong):
        return InvalidInput(f"file: takes more than {SECONDS:g} seconds; ask for a smaller size, or for jpeg or webp.")
    if isinstance(failure, MemoryError):
        return InvalidInput("file: needs too much memory; ask for a smaller size.")
    if isinstance(failure, workers.Crashed):
        return InvalidInput("file: is damaged and cannot be read.")
    return ServerBusy("Pictures cannot be worked on just now; try again.")
