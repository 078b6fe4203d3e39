"""Reads the frames of animated GIF, PNG, WebP and AVIF files, composited as in browsers.

Pillow fills uncovered and cleared areas of a GIF with a color of its palette, and blends animated PNGs in other ways
than the standard; both are composited here.
"""

import struct
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import NamedTuple

from PIL import Image
from PIL.GifImagePlugin import GifImageFile
from PIL.PngImagePlugin import PngImageFile

from mediakit.engines.animations.frames import MAX_TOTAL_PIXELS, Frame
from mediakit.engines.png import SIGNATURE, chunk, chunks
from mediakit.engines.raster import structure
from mediakit.engines.raster.color import to_eight_bit, to_srgb
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
"""Delay of frames that have none, as browsers show them."""

MAX_CANVASES, MIN_FRAME_LIMIT = 4, 1_000_000
"""A frame of a GIF that is larger than its canvas is clipped, up to this many canvases and pixels."""

_CLEAR, _RESTORE = 1, 2
"""Disposal of a frame of a PNG: to transparent, or to what was there before (PNG third edition, 11.3.6.2)."""
_GIF_DISPOSALS = {2: _CLEAR, 3: _RESTORE}


class AnimationInfo(NamedTuple):
    """What the header of an animation states beside its frames."""

    plays: int
    """How often it plays; 0: endlessly."""
    icc_profile: bytes


class _Patch(NamedTuple):
    """Pixels of one frame, and what happens to them."""

    image: Image.Image
    """RGBA."""
    place: tuple[int, int]
    """Left and top."""
    delay_ms: int
    replaces: bool
    """Whether the pixels replace those below; otherwise they are composited over them."""
    disposal: int


def read_animation(content: bytes) -> SourceImage:
    """Read the header of an image or an animation.

    Raises:
        InvalidInput: The file is not a supported image, is damaged, or has too many pixels in all frames together.
    """
    source = read_header(content)
    check_frames(source, MAX_TOTAL_PIXELS)
    return source


def animation_info(source: SourceImage) -> AnimationInfo:
    """Return plays and color profile without decoding the frames."""
    image, _ = open_image(source.content, source.format)
    timing = structure.timing_of(source.content, source.format) if source.format != "avif" else None
    return AnimationInfo(timing.plays if timing else 0, image.info.get("icc_profile") or b"")


def read_srgb(source: SourceImage) -> Image.Image:
    """Decode the first frame: upright, in sRGB, as RGBA.

    Raises:
        InvalidInput: The file is damaged.
    """
    image, orientation = open_image(source.content, source.format)
    with damage_as_invalid_input(source.format):
        image.load()
    colors = to_srgb(to_eight_bit(image), image.info.get("icc_profile"))
    upright = apply_orientation(colors, orientation).convert("RGBA")
    upright.info.clear()
    return upright


def read_frames(source: SourceImage) -> Iterator[Frame]:
    """Yield the upright frames as RGBA, in the colors of the file.

    Raises:
        InvalidInput: A frame is damaged.
    """
    readers: dict[str, Callable[[SourceImage], Iterator[Frame]]] = {"gif": _read_gif, "png": _read_png}
    read = readers.get(source.format, _read_with_pillow) if source.animated else _read_with_pillow
    with damage_as_invalid_input(source.format):
        for image, delay in read(source):
            upright = apply_orientation(image, source.orientation)
            upright.info.clear()
            yield Frame(upright, delay or DEFAULT_DELAY_MS)


def _read_with_pillow(source: SourceImage) -> Iterator[Frame]:
    image, _ = open_image(source.content, source.format)
    for number in range(source.frames):
        image.seek(number)
        image.load()
        yield Frame(to_eight_bit(image).convert("RGBA"), round(image.info.get("duration") or 0))


def _read_gif(source: SourceImage) -> Iterator[Frame]:
    frames = structure.gif_frames(source.content)
    most = MAX_CANVASES * source.size.pixels + MIN_FRAME_LIMIT
    return _composited(source.size, (_gif_patch(source.content, frame, most) for frame in frames))


def _gif_patch(content: bytes, frame: structure.GifFrame, most: int) -> _Patch:
    """Decode one image of a GIF of at most `most` pixels, as a GIF of its own."""
    left, top, width, height = frame.box
    if width * height > most:
        raise InvalidInput("file: has a frame larger than its canvas.")
    palette = frame.palette or bytes(6)
    bits = (len(palette) // 3 - 1).bit_length()
    screen = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80 | bits - 1, 0, 0) + palette
    is_transparent = frame.transparent is not None
    control = b"!\xf9\x04" + struct.pack("<BHBB", is_transparent, 0, frame.transparent or 0, 0)
    image = b"," + struct.pack("<HHHHB", 0, 0, width, height, frame.is_interlaced << 6)
    with GifImageFile(BytesIO(b"".join((screen, control, image, content[frame.data], b";")))) as decoded:
        pixels = decoded.convert("RGBA")
    disposal = _GIF_DISPOSALS.get(frame.disposal, 0)
    return _Patch(pixels, (left, top), frame.delay_ms, replaces=False, disposal=disposal)


def _read_png(source: SourceImage) -> Iterator[Frame]:
    size = open_image(source.content, source.format)[0].size
    kept = {name: content for name, content in chunks(source.content) if name in (b"IHDR", b"PLTE", b"tRNS")}
    frames = structure.png_frames(source.content)
    return _composited(size, (_png_patch(kept, frame, size) for frame in frames))


def _png_patch(kept: dict[bytes, bytes], frame: structure.PngFrame, canvas: tuple[int, int]) -> _Patch:
    """Decode one frame of an animated PNG, as a PNG of its own."""
    left, top, width, height = frame.box
    if left + width > canvas[0] or top + height > canvas[1]:
        raise InvalidInput("file: has a frame larger than its canvas.")
    header = struct.pack(">II", width, height) + kept[b"IHDR"][8:]
    parts = {**kept, b"IHDR": header, b"IDAT": frame.data, b"IEND": b""}
    content = SIGNATURE + b"".join(chunk(name, body) for name, body in parts.items())
    with PngImageFile(BytesIO(content)) as decoded:
        pixels = to_eight_bit(decoded).convert("RGBA")
    return _Patch(pixels, (left, top), frame.delay_ms, replaces=not frame.blends, disposal=frame.disposal)


def _composited(size: tuple[int, int], patches: Iterator[_Patch]) -> Iterator[Frame]:
    """Yield the canvas after each patch. It is transparent at first; patches outside it are clipped."""
    canvas = Image.new("RGBA", size)
    for patch in patches:
        box = (*patch.place, patch.place[0] + patch.image.width, patch.place[1] + patch.image.height)
        below = canvas.crop(box)
        above = patch.image if patch.replaces else Image.alpha_composite(below, patch.image)
        canvas.paste(above, patch.place)
        yield Frame(canvas.copy(), patch.delay_ms)
        if patch.disposal == _CLEAR:
            canvas.paste((0, 0, 0, 0), box)
        elif patch.disposal == _RESTORE:
            canvas.paste(below, patch.place)
