"""Pictures that move: every frame takes the way of a still one."""

from typing import NamedTuple

from PIL import Image

from mediakit.engines.raster import structure
from mediakit.engines.raster.colour import eight_bit
from mediakit.engines.raster.frame import Decoded, choose_offset, render
from mediakit.engines.raster.geometry import Offset, Plan, Position
from mediakit.engines.raster.source import MAX_PIXELS, Picture, open_image, refusing_damage, upright
from mediakit.errors import InvalidInput

_STILL = "Ask for format png or jpeg to get its first frame."
_DEFAULT_DURATION = 100


class Animation(NamedTuple):
    """Frames of one size, and how they are shown."""

    frames: list[Image.Image]
    durations: list[int]
    """Milliseconds, one a frame."""
    loop: int
    """How often it plays; 0: for ever."""


def check_frames(picture: Picture) -> None:
    """Refuse an animation that would take too long to decode.

    Raises:
        InvalidInput: It has too many frames, or too many pixels in all frames together.
    """
    if picture.frames > structure.MAX_FRAMES:
        raise InvalidInput(f"file: has more than {structure.MAX_FRAMES} frames. {_STILL}")
    pixels = picture.width * picture.height * picture.frames
    if pixels > MAX_PIXELS:
        raise InvalidInput(
            f"file: has {pixels / 1e6:.1f} megapixels in {picture.frames} frames; "
            f"at most {MAX_PIXELS / 1e6:.0f} are allowed. {_STILL}"
        )


def animate(picture: Picture, plan: Plan, position: Position, background: str | None) -> Animation:
    """Decode and render all frames; a strategy chooses the crop in the first one."""
    image, orientation = open_image(picture.content, picture.format)
    canvas = image.size
    frames: list[Image.Image] = []
    durations: list[int] = []
    offset: Offset | None = None
    for number in range(picture.frames):
        with refusing_damage(picture.format):
            image.seek(number)
            if image.size != canvas:
                raise InvalidInput("file: has a frame larger than its canvas.")
            image.load()
        frame = upright(eight_bit(image), orientation)
        source = Decoded(frame, frame.size, image.info.get("icc_profile"))
        offset = offset or choose_offset(source, plan, position)[0]
        frames.append(render(source, plan, offset, background=background))
        durations.append(round(image.info.get("duration") or _DEFAULT_DURATION))
    return Animation(frames, durations, _plays(picture, image.info.get("loop")))


def _plays(picture: Picture, loop: int | None) -> int:
    """Say how often it plays; a GIF counts repetitions after the first time, and plays once when it says nothing."""
    if picture.format != "gif":
        return loop or 0
    if loop is None:
        return 1
    return loop and loop + 1
