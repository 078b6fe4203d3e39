"""Animations: every frame is decoded, resized and cropped like a still image."""

from typing import NamedTuple

from PIL import Image

from mediakit.engines.raster import structure
from mediakit.engines.raster.area import Area
from mediakit.engines.raster.color import to_eight_bit
from mediakit.engines.raster.frame import Decoded, box_of, choose_offset, render
from mediakit.engines.raster.geometry import Offset, Plan, Position
from mediakit.engines.raster.source import (
    MAX_PIXELS,
    SourceImage,
    apply_orientation,
    damage_as_invalid_input,
    open_image,
)
from mediakit.errors import InvalidInput

_FIRST_FRAME_HINT = "Use format png or jpeg to convert only the first frame."
_DEFAULT_DURATION_MS = 100


class Animation(NamedTuple):
    """Frames of equal size and their timing."""

    frames: list[Image.Image]
    durations: list[int]
    """Milliseconds that each frame is shown."""
    loop: int
    """Number of times the animation plays; 0: endlessly."""


def check_frames(source: SourceImage) -> None:
    """Reject an animation that takes too long to decode.

    Raises:
        InvalidInput: It has too many frames, or too many pixels in all frames together.
    """
    if source.frames > structure.MAX_FRAMES:
        raise InvalidInput(f"file: has more than {structure.MAX_FRAMES} frames. {_FIRST_FRAME_HINT}")
    pixels = source.width * source.height * source.frames
    if pixels > MAX_PIXELS:
        raise InvalidInput(
            f"file: must have at most {MAX_PIXELS / 1e6:.0f} megapixels in all frames together, "
            f"got {pixels / 1e6:.1f} in {source.frames} frames. {_FIRST_FRAME_HINT}"
        )


def convert_frames(
    source: SourceImage, area: Area, plan: Plan, position: Position, background: str | None
) -> Animation:
    """Decode and render all frames. The crop that a strategy chooses in the first frame applies to all."""
    image, orientation = open_image(source.content, source.format)
    canvas = image.size
    frames: list[Image.Image] = []
    durations: list[int] = []
    offset: Offset | None = None
    for number in range(source.frames):
        with damage_as_invalid_input(source.format):
            image.seek(number)
            if image.size != canvas:
                raise InvalidInput("file: has a frame larger than its canvas.")
            image.load()
        frame = apply_orientation(to_eight_bit(image), orientation)
        box = box_of(area, source.size, frame.size)
        decoded = Decoded(frame, box, image.info.get("icc_profile"))
        offset = offset or choose_offset(decoded, plan, position)[0]
        frames.append(render(decoded, plan, offset, background=background))
        durations.append(round(image.info.get("duration") or _DEFAULT_DURATION_MS))
    return Animation(frames, durations, _play_count(source, image.info.get("loop")))


def _play_count(source: SourceImage, loop: int | None) -> int:
    """Return how often the animation plays. A GIF counts repetitions after the first play; by default it plays once."""
    if source.format != "gif":
        return loop or 0
    if loop is None:
        return 1
    return loop and loop + 1
