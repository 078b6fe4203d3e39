"""Reads the frames of animated GIF, WebP, AVIF and PNG files."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from PIL import Image
from PIL.PngImagePlugin import PngImageFile

from mediakit.engines.animations.frames import MAX_FRAMES, MAX_TOTAL_PIXELS, Frame
from mediakit.engines.raster.color import to_eight_bit
from mediakit.engines.raster.source import (
    SourceImage,
    apply_orientation,
    damage_as_invalid_input,
    open_image,
    read_header,
)
from mediakit.errors import InvalidInput

DEFAULT_DELAY_MS = 100
"""Delay of frames that have none, as browsers show them."""


@dataclass(frozen=True, slots=True)
class AnimatedFile:
    """A file whose header was read."""

    source: SourceImage
    frames: int
    """Number of frames; 1 for still images."""

    @property
    def is_animated(self) -> bool:
        """Whether the file has several frames."""
        return self.frames > 1


@dataclass(slots=True)
class Timing:
    """What is known once the frames are read."""

    loop: int = 0
    """The number that the file stores; a GIF without one plays once. 0: endlessly."""
    icc_profile: bytes = field(default=b"", repr=False)


def read_animated(content: bytes) -> AnimatedFile:
    """Read the header of an image or an animation.

    Raises:
        InvalidInput: The file is not a supported image, is damaged, or has too many pixels in all frames together.
    """
    source = read_header(content)
    frames = _png_frames(source) if source.format == "png" else source.frames
    if frames > MAX_FRAMES:
        raise InvalidInput(f"file: must have at most {MAX_FRAMES} frames, got more.")
    pixels = source.width * source.height * frames
    if pixels > MAX_TOTAL_PIXELS:
        raise InvalidInput(
            f"file: must have at most {MAX_TOTAL_PIXELS / 1e6:.0f} megapixels in all frames together, "
            f"got {pixels / 1e6:.1f} in {frames} frames."
        )
    return AnimatedFile(source, frames)


def read_timing(file: AnimatedFile) -> Timing:
    """Return loop and color profile without decoding the frames."""
    image, _ = open_image(file.source.content, file.source.format)
    loop = image.info.get("loop")
    if loop is None:
        loop = 1 if file.source.format == "gif" else 0
    return Timing(int(loop), image.info.get("icc_profile") or b"")


def read_frames(file: AnimatedFile) -> Iterator[Frame]:
    """Yield the upright frames as RGBA, in the colors of the file.

    Raises:
        InvalidInput: A frame is damaged.
    """
    source = file.source
    image, orientation = open_image(source.content, source.format)
    canvas, first = image.size, _first_frame(image)
    for number in range(first, first + file.frames):
        with damage_as_invalid_input(source.format):
            image.seek(number)
            if image.size != canvas:
                raise InvalidInput("file: has a frame larger than its canvas.")
            image.load()
        frame = apply_orientation(to_eight_bit(image), orientation).convert("RGBA")
        frame.info.clear()
        yield Frame(frame, round(image.info.get("duration") or DEFAULT_DELAY_MS))


def _png_frames(source: SourceImage) -> int:
    """Return the number of frames of a PNG; the default image does not count if it is not part of the animation."""
    with damage_as_invalid_input("png"):
        image, _ = open_image(source.content, "png")
        return max(1, int(getattr(image, "n_frames", 1)) - _first_frame(image))


def _first_frame(image: Image.Image) -> int:
    """Return the index of the first frame of the animation."""
    return 1 if isinstance(image, PngImageFile) and image.default_image and getattr(image, "n_frames", 1) > 1 else 0
