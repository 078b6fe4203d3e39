"""Reads the frames of animated GIF, PNG, WebP and AVIF files, composited as in browsers.

Pillow fills uncovered and cleared areas of a GIF with a color of its palette, and blends animated PNGs in other ways
than the standard; both are composited here.
"""

from collections.abc import Iterator

from PIL import Image

from mediakit.engines.animations.frames import MAX_TOTAL_PIXELS, Animation, Frame
from mediakit.engines.raster import structure
from mediakit.engines.raster.color import to_eight_bit, to_srgb, without_opaque_alpha
from mediakit.engines.raster.geometry import Area, Offset, Plan, Position
from mediakit.engines.raster.resize import Decoded, box_of, choose_offset, decode, render
from mediakit.engines.raster.source import (
    SourceImage,
    apply_orientation,
    check_frames,
    damage_as_invalid_input,
    open_image,
    read_header,
)
from mediakit.errors import InvalidInput

DEFAULT_DELAY_MS = 100
"""Delay of images that become an animation."""

MAX_CANVASES, MIN_FRAME_LIMIT = 4, 1_000_000
"""A frame of a GIF that is larger than its canvas is clipped, up to this many canvases and pixels."""


def read_animation(content: bytes) -> SourceImage:
    """Read the header of an image or an animation.

    Raises:
        InvalidInput: The file is not a supported image, is damaged, or has too many pixels in all frames together.
    """
    source = read_header(content)
    check_frames(source, MAX_TOTAL_PIXELS)
    return source


def animation_info(source: SourceImage) -> tuple[int, bytes]:
    """Return how often an animation plays (0: endlessly) and its color profile, without decoding the frames."""
    image, _ = open_image(source.content, source.format)
    timing = structure.timing_of(source.content, source.format) if source.format != "avif" else None
    return timing.plays if timing else 0, image.info.get("icc_profile") or b""


def read_srgb(source: SourceImage) -> Image.Image:
    """Decode the first frame: upright, in sRGB, as RGBA.

    Raises:
        InvalidInput: The file is damaged.
    """
    decoded = decode(source, source.size)
    upright = to_srgb(decoded.image, decoded.profile).convert("RGBA")
    upright.info.clear()
    return upright


def read_frames(source: SourceImage) -> Iterator[Frame]:
    """Yield the upright frames as RGBA, in the colors of the file.

    Raises:
        InvalidInput: A frame is damaged.
    """
    is_composited = source.animated and source.format in ("gif", "png")
    with damage_as_invalid_input(source.format, content=source.content):
        for image, delay in _read_composited(source) if is_composited else _read_with_pillow(source):
            upright = apply_orientation(image, source.orientation)
            upright.info.clear()
            yield Frame(upright, delay)


def render_frames(source: SourceImage, area: Area, plan: Plan, position: Position, background: str | None) -> Animation:
    """Decode and render all frames. The crop that a strategy chooses in the first frame applies to all."""
    plays, profile = animation_info(source)
    frames: list[Frame] = []
    offset: Offset | None = None
    for image, delay in read_frames(source):
        frame = without_opaque_alpha(image)
        decoded = Decoded(frame, box_of(area, source.size, frame.size), profile)
        offset = offset or choose_offset(decoded, plan, position)[0]
        frames.append(Frame(render(decoded, plan, offset, background=background).convert("RGBA"), delay))
    return Animation(plan.output, lambda: iter(frames), len(frames), plays)


def _read_with_pillow(source: SourceImage) -> Iterator[Frame]:
    image, _ = open_image(source.content, source.format)
    for number in range(source.frames):
        image.seek(number)
        image.load()
        yield Frame(to_eight_bit(image).convert("RGBA"), round(image.info.get("duration") or 0))


def _read_composited(source: SourceImage) -> Iterator[Frame]:
    """Yield the canvas after each frame of a GIF or PNG. It is transparent at first; what is outside it is clipped."""
    size = open_image(source.content, source.format)[0].size
    canvas = Image.new("RGBA", size)
    is_gif = source.format == "gif"
    for frame in (structure.gif_frames if is_gif else structure.png_frames)(source.content):
        left, top, width, height = frame.box
        box = (left, top, left + width, top + height)
        is_inside = box[2] <= size[0] and box[3] <= size[1]
        if width * height > MAX_CANVASES * source.size.pixels + MIN_FRAME_LIMIT or not (is_gif or is_inside):
            raise InvalidInput("file: has a frame larger than its canvas.")
        pixels = to_eight_bit(open_image(frame.content, source.format)[0]).convert("RGBA")
        below = canvas.crop(box)
        canvas.paste(Image.alpha_composite(below, pixels) if frame.blends else pixels, (left, top))
        yield Frame(canvas.copy(), frame.delay_ms)
        if frame.disposal == structure.CLEAR:
            canvas.paste((0, 0, 0, 0), box)
        elif frame.disposal == structure.RESTORE:
            canvas.paste(below, (left, top))
