"""Encodes an animation, within a size limit in bytes if there is one. Runs in a worker."""

from typing import Any, NamedTuple

from mediakit.engines.animations.frames import encode_apng, encode_webp
from mediakit.engines.animations.gif import encode_gif
from mediakit.engines.raster.color import without_opaque_alpha
from mediakit.engines.raster.encode import encode
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_animate.frames import Sequence, read_sequence
from mediakit.tools.images.image_animate.tool import ImageAnimateRequest

LOSSLESS = 100
GIF_COLORS = (256, 128, 64, 32)
PNG_COLORS = (0, 256, 64, 16)
"""0: all colors."""
WEBP_QUALITIES = (80, 60, 40, 20, 5)
FAR_ABOVE = 6
"""Factor over the limit from which only the smallest number of colors is tried."""
SCALE_ATTEMPTS = 6
MIN_SIDE = 16


class Attempt(NamedTuple):
    """A file and how it was made."""

    content: bytes
    size: tuple[int, int]
    colors: int | None = None
    """Size of the largest palette of a GIF, or of a PNG that was reduced to a palette."""
    quality: int | None = None
    """Quality of a WebP; 100 if it is lossless."""


Animated = tuple[list[bytes], list[int], dict[str, Any]]
"""An animation, or its frames as PNG files; the delays of the frames in milliseconds; the meta of the result."""


def animate(request: ImageAnimateRequest) -> Animated:
    """Make an animation, or its frames as PNG files.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or the result does not fit.
    """
    warnings: list[str] = []
    sequence = read_sequence(request, warnings)
    if request.frames:
        images = (without_opaque_alpha(frame.image) for frame in sequence.animation().frames())
        return _result(sequence, "png", [encode(image, "png") for image in images], warnings)
    made = _encode_within_limit(sequence)
    if made.size != sequence.size:
        warnings.append(f"max_bytes: the size was reduced to {made.size[0]} x {made.size[1]} pixels.")
    if request.max_bytes and made.quality is not None and made.quality < request.quality:
        warnings.append(f"max_bytes: the quality was reduced to {made.quality}.")
    if request.max_bytes and made.colors is not None and (request.format == "png" or made.colors <= GIF_COLORS[1]):
        warnings.append(f"max_bytes: the colors of a frame were reduced to {made.colors}.")
    result = _result(sequence, request.format, [made.content], warnings)
    details = {"width": made.size[0], "height": made.size[1], "colors": made.colors, "quality": made.quality}
    result[2].update({name: value for name, value in details.items() if value is not None})
    return result


def _result(sequence: Sequence, kind: str, contents: list[bytes], warnings: list[str]) -> Animated:
    meta = {
        "format": kind,
        "width": sequence.size[0],
        "height": sequence.size[1],
        "frames": len(sequence.delays_ms),
        "duration_ms": sum(sequence.delays_ms),
        "loop": sequence.plays,
        "warnings": warnings,
    }
    return contents, sequence.delays_ms, meta


def _encode_within_limit(sequence: Sequence) -> Attempt:
    """Encode a sequence as requested; above the limit with fewer colors or a lower quality, then in smaller sizes.

    Raises:
        InvalidInput: It does not fit into `max_bytes`.
    """
    request = sequence.request
    lower = [quality for quality in WEBP_QUALITIES if quality < request.quality] or [1]
    levels = {"gif": GIF_COLORS, "png": PNG_COLORS}.get(request.format, (request.quality, *lower))
    smallest = _encode(sequence, levels[0])
    limit = request.max_bytes or len(smallest.content)
    for level in levels[-1:] if len(smallest.content) > FAR_ABOVE * limit else levels[1:]:
        if len(smallest.content) > limit:
            smallest = min(smallest, _encode(sequence, level), key=_size)
    scale = 1.0
    for _ in range(SCALE_ATTEMPTS):
        scale *= min(0.9, (limit / len(smallest.content)) ** 0.5 * 0.95)
        if len(smallest.content) <= limit or min(sequence.size) * scale < MIN_SIDE:
            break
        smallest = min(smallest, _encode(sequence, levels[-1], scale), key=_size)
    if len(smallest.content) <= limit:
        return smallest
    kilobytes = -(-len(smallest.content) // 1000)
    raise InvalidInput(f"max_bytes: cannot be reached (smallest was {kilobytes} kB).")


def _encode(sequence: Sequence, level: int, scale: float = 1.0) -> Attempt:
    """Encode a sequence; `level` is a number of colors or a quality."""
    animation = sequence.animation(scale)
    match sequence.request.format:
        case "gif":
            content, colors = encode_gif(animation, level)
            return Attempt(content, animation.size, colors=colors)
        case "png":
            return Attempt(encode_apng(animation, colors=level), animation.size, colors=level or None)
        case _:
            content = encode_webp(animation, quality=level, lossless=level == LOSSLESS)
            return Attempt(content, animation.size, quality=level)


def _size(made: Attempt) -> int:
    return len(made.content)
