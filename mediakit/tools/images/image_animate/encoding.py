"""Encodes an animation, within a size limit in bytes if there is one. Runs in a worker."""

from dataclasses import dataclass
from typing import NamedTuple

from mediakit.engines.animations.frames import encode_apng, encode_webp
from mediakit.engines.animations.gif import MIN_OPAQUE_ALPHA, GifOptions, encode_gif
from mediakit.engines.raster.encode import encode, with_fewer_colors
from mediakit.errors import InvalidInput
from mediakit.tools.images.image_animate.frames import Sequence, animation_size, min_alpha, read_inputs
from mediakit.tools.images.image_animate.tool import Animated, ImageAnimateRequest, Separated, Timeline

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
    colors: int | None
    quality: int | None


@dataclass(frozen=True)
class Encoder:
    """Encodes a sequence; `level` is a number of colors or a quality."""

    sequence: Sequence

    def encode(self) -> Attempt:
        """Encode the sequence as requested.

        Raises:
            InvalidInput: It does not fit into `max_bytes`.
        """
        levels = self._levels()
        made = self._encode(levels[0], 1.0)
        limit = self.sequence.request.max_bytes
        return made if limit is None or len(made.content) <= limit else self._fit(made, levels[1:], limit)

    def _levels(self) -> list[int]:
        request = self.sequence.request
        if request.format == "gif":
            return list(GIF_COLORS)
        if request.format == "png":
            return list(PNG_COLORS)
        return [request.quality, *(quality for quality in WEBP_QUALITIES if quality < request.quality)]

    def _fit(self, made: Attempt, levels: list[int], limit: int) -> Attempt:
        smallest = made
        for level in levels[-1:] if len(made.content) > FAR_ABOVE * limit else levels:
            smallest = min(smallest, self._encode(level, 1.0), key=_size)
            if _size(smallest) <= limit:
                return smallest
        level, scale = (levels or [1])[-1], 1.0
        for _ in range(SCALE_ATTEMPTS):
            scale *= min(0.9, (limit / _size(smallest)) ** 0.5 * 0.95)
            if min(self.sequence.size) * scale < MIN_SIDE:
                break
            smallest = min(smallest, self._encode(level, scale), key=_size)
            if _size(smallest) <= limit:
                return smallest
        kilobytes = -(-_size(smallest) // 1000)
        raise InvalidInput(f"max_bytes: cannot be reached (smallest was {kilobytes} kB).")

    def _encode(self, level: int, scale: float) -> Attempt:
        animation = self.sequence.animation(scale)
        match self.sequence.request.format:
            case "gif":
                opaque = min_alpha(animation) >= MIN_OPAQUE_ALPHA
                made = encode_gif(animation, GifOptions(opaque=opaque, colors=level))
                return Attempt(made.content, animation.size, made.colors, None)
            case "png":
                opaque = min_alpha(animation) == 255
                content = encode_apng(with_fewer_colors(animation, level), opaque=opaque)
                return Attempt(content, animation.size, level or None, None)
            case _:
                content = encode_webp(animation, quality=level, lossless=level == LOSSLESS)
                return Attempt(content, animation.size, None, level)


def _size(made: Attempt) -> int:
    return len(made.content)


def animate(request: ImageAnimateRequest) -> Animated:
    """Make an animation.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large, or the result does not fit.
    """
    warnings: list[str] = []
    inputs = read_inputs(request, warnings)
    size = animation_size(inputs.size, request.width, request.height)
    sequence = Sequence(inputs, request, size)
    made = Encoder(sequence).encode()
    if made.size != size:
        warnings.append(f"max_bytes: the size was reduced to {made.size[0]} x {made.size[1]} pixels.")
    if request.max_bytes and made.quality is not None and made.quality < request.quality:
        warnings.append(f"max_bytes: the quality was reduced to {made.quality}.")
    if request.max_bytes and _has_fewer_colors(request, made.colors):
        warnings.append(f"max_bytes: the colors of a frame were reduced to {made.colors}.")
    timeline = Timeline(*made.size, sequence.delays_ms, inputs.plays, warnings)
    return Animated(made.content, timeline, made.colors, made.quality)


def separate(request: ImageAnimateRequest) -> Separated:
    """Return the frames.

    Raises:
        InvalidInput: A file is not an image, is damaged or too large.
    """
    warnings: list[str] = []
    inputs = read_inputs(request, warnings)
    size = animation_size(inputs.size, request.width, request.height)
    sequence = Sequence(inputs, request, size)
    images = []
    for frame in sequence.animation().frames():
        opaque = frame.image.getchannel("A").getextrema() == (255, 255)
        images.append(encode(frame.image.convert("RGB") if opaque else frame.image, "png"))
    return Separated(images, Timeline(*size, sequence.delays_ms, inputs.plays, warnings))


def _has_fewer_colors(request: ImageAnimateRequest, colors: int | None) -> bool:
    return colors is not None and (request.format == "png" or (request.format == "gif" and colors <= 128))
