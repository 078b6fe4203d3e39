"""The choice between new image data and that of the input, so that a result is never larger without need."""

from mediakit.engines.raster.encoders import Encoded, Encoder
from mediakit.engines.raster.lossless import lossless_copy
from mediakit.engines.raster.order import Order
from mediakit.errors import InvalidInput


def encode_result(order: Order, encoder: Encoder) -> Encoded:
    """Encode a result within its limits of size.

    Raises:
        InvalidInput: No encoding fits into `max_bytes`.
    """
    if order.only_compresses:
        return _compress(order, encoder)
    if order.recipe.max_bytes is None:
        return encoder.encode()
    return _fit(order, encoder, order.recipe.max_bytes)


def _compress(order: Order, encoder: Encoder) -> Encoded:
    """Encode an image of unchanged format and size, or keep the image data of the input where that is smaller."""
    limit = order.recipe.max_bytes
    kept, obstacle = lossless_copy(order.picture, background=order.background, keep_metadata=order.recipe.keep_metadata)
    if kept is not None and (limit is None or len(kept) <= limit):
        return _smaller(order, encoder, kept)
    if limit is not None:
        return _fit(order, encoder, limit)
    encoded = encoder.shrink(len(order.picture.content))
    return Encoded(encoded.content, encoded.quality, obstacle=obstacle)


def _smaller(order: Order, encoder: Encoder, kept: bytes) -> Encoded:
    """Choose between the kept image data, which fits, and new image data that is smaller."""
    if order.recipe.max_bytes is not None and order.recipe.quality is None and order.format != "png":
        return Encoded(kept, reencoded=False)  # The best quality that fits is no new loss.
    encoded = encoder.encode()
    return encoded if len(encoded.content) < len(kept) else Encoded(kept, reencoded=False)


def _fit(order: Order, encoder: Encoder, limit: int) -> Encoded:
    """Encode to at most `limit` bytes, and to no more than the input if it has as many pixels in the same format."""
    picture = order.picture
    size = len(picture.content)
    if order.format != picture.format or order.plan.output.pixels > picture.width * picture.height or size >= limit:
        return encoder.fit(limit)
    try:
        return encoder.fit(size)
    except InvalidInput:
        return encoder.fit(limit)
