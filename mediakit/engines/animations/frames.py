"""Frames and the sequences that hold them, and their files: WebP, PNG and AVIF, frame by frame.

No frame is merged or dropped, and delays are exact. A frame of WebP (RFC 9649) or PNG (third edition, 11.3.6) is a
still image of the part that changed, and replaces that part.
"""

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from mediakit.engines import png
from mediakit.engines.raster.structure import webp_chunk, webp_chunks
from mediakit.results.item import ResultWarning

MAX_TOTAL_PIXELS = 200_000_000
"""Maximum pixels of all frames of an animation together."""

_MAX_PLAYS = {"gif": 0x10000, "webp": 0xFFFF}
_MAX_DELAYS_MS = {"gif": 655_350, "webp": 0xFFFFFF, "png": 65_535_000}

Pixels = NDArray[np.uint8]
"""An array of height, width and channels."""

Box = tuple[int, int, int, int]
"""Left, top, right and bottom."""


class Frame(NamedTuple):
    """A frame of an animation: the whole image as it is shown."""

    image: Image.Image
    """RGBA, in the size of the animation."""
    delay_ms: int
    """Milliseconds that the frame is shown."""


@dataclass(frozen=True)
class Animation:
    """An animation whose frames are made on demand, as often as needed."""

    size: tuple[int, int]
    """Width and height of every frame, in pixels."""
    frames: Callable[[], Iterator[Frame]] = field(repr=False)
    """Returns a new iterator over the frames."""
    count: int
    """Number of frames."""
    plays: int = 0
    """How often it plays; 0: endlessly."""
    icc_profile: bytes = field(default=b"", repr=False)
    is_opaque: bool = False
    """Whether it is known that no pixel has transparency."""

    def min_alpha(self) -> int:
        """Return the lowest alpha of all frames."""
        if self.is_opaque:
            return 255
        return min(int(np.asarray(frame.image.getchannel("A")).min()) for frame in self.frames())


def timing_warnings(kind: str, plays: int, delays_ms: Sequence[int]) -> list[ResultWarning]:
    """Return what a format cannot hold of the delays of an animation, and of how often it plays."""
    found = []
    if kind == "avif" and plays:
        found.append(f"plays {plays} times; an animated AVIF plays endlessly.")
    elif plays > _MAX_PLAYS.get(kind, plays):
        found.append(f"plays {plays} times; an animated {kind} plays at most {_MAX_PLAYS[kind]} times.")
    longest, limit = max(delays_ms, default=0), _MAX_DELAYS_MS.get(kind, 0)
    if limit and longest > limit:
        found.append(f"has a delay of {longest / 1000:g} s; a delay of {kind} is at most {limit / 1000:g} s.")
    return [{"code": "timing_changed", "message": f"file: {each}"} for each in found]


def changed_box(before: Pixels | None, after: Pixels) -> Box | None:
    """Return the smallest box that contains all pixels that differ; None if none does."""
    if before is None:
        return 0, 0, after.shape[1], after.shape[0]
    return box_of_mask(packed(before) != packed(after))


def box_of_mask(mask: NDArray[np.bool_]) -> Box | None:
    """Return the smallest box that contains all true values; None if there are none."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def packed(pixels: Pixels) -> NDArray[np.uint32]:
    """Return RGBA pixels as one integer each: red in the lowest byte, alpha in the highest."""
    return np.ascontiguousarray(pixels).view("<u4")[..., 0]


_PIXEL_CHUNKS = (b"ALPH", b"VP8 ", b"VP8L")
_NO_BLENDING = 0x02
_ICC_FLAG, _ALPHA_FLAG, _EXIF_FLAG, _XMP_FLAG, _ANIMATION_FLAG = 0x20, 0x10, 0x08, 0x04, 0x02
_AVIF_SPEED = 9
_AVIF_TIMES = re.compile(rb"((?:mvhd|tkhd|mdhd)\x01.{3}).{16}", re.DOTALL)
"""When an animation and its tracks were made (ISO/IEC 14496-12, 8.2.2), which equal calls do not share."""
_THREADS = 2
_FAST_FRAME_PIXELS = 400_000
"""Pixels of a frame up to which a slower setting is used."""


def encode_webp(
    animation: Animation, *, quality: int = 80, lossless: bool = False, exif: bytes = b"", xmp: bytes = b""
) -> bytes:
    """Encode an animated WebP with sides of at most 16383 pixels.

    The quality is 1 to 100; it is ignored with `lossless`, which keeps every pixel of every frame.
    """
    chunks, alphas = zip(*_webp_frames(animation, None if lossless else quality), strict=True)
    width, height = animation.size
    after = [(b"EXIF", exif.removeprefix(b"Exif\0\0"), _EXIF_FLAG), (b"XMP ", xmp, _XMP_FLAG)]
    flags = _ANIMATION_FLAG | (_ICC_FLAG if animation.icc_profile else 0) | (_ALPHA_FLAG if any(alphas) else 0)
    flags |= sum(flag for _, content, flag in after if content)
    head = struct.pack("<I", flags) + _three_bytes(width - 1) + _three_bytes(height - 1)
    profile = [webp_chunk(b"ICCP", animation.icc_profile)] if animation.icc_profile else []
    start = webp_chunk(b"ANIM", struct.pack("<IH", 0, min(animation.plays, 0xFFFF)))
    metadata = [webp_chunk(name, content) for name, content, _ in after if content]
    return webp_chunk(b"RIFF", b"".join((b"WEBP", webp_chunk(b"VP8X", head), *profile, start, *chunks, *metadata)))


def _webp_frames(animation: Animation, quality: int | None) -> Iterator[tuple[bytes, bool]]:
    """Encode frames in threads; few frames are in memory at once."""
    before: Pixels | None = None
    waiting: list[Future[tuple[bytes, bool]]] = []
    with ThreadPoolExecutor(_THREADS) as pool:
        for frame in animation.frames():
            pixels = np.asarray(frame.image)
            left, top, right, bottom = changed_box(before, pixels) or (0, 0, 1, 1)
            left, top = left & ~1, top & ~1  # the format stores half of them
            part = frame.image.crop((left, top, right, bottom))
            waiting.append(pool.submit(_webp_frame, part, (left, top), frame.delay_ms, quality))
            before = pixels
            if len(waiting) > _THREADS:
                yield waiting.pop(0).result()
        yield from (each.result() for each in waiting)


def _webp_frame(image: Image.Image, place: tuple[int, int], delay_ms: int, quality: int | None) -> tuple[bytes, bool]:
    """Return the chunk of a frame, and whether it has transparency; without a quality it is lossless."""
    has_alpha = image.getchannel("A").getextrema() != (255, 255)
    is_small = image.width * image.height <= _FAST_FRAME_PIXELS
    if quality is None:
        options: dict[str, Any] = {"lossless": True, "exact": True, "quality": 20 * is_small, "method": 2 * is_small}
    else:
        options = {"quality": quality, "method": 3 if is_small else 1}
    (image if has_alpha else image.convert("RGB")).save(buffer := BytesIO(), "WEBP", **options)
    content = buffer.getvalue()
    pixels = [
        webp_chunk(name, content[start:end]) for name, start, end in webp_chunks(content) if name in _PIXEL_CHUNKS
    ]
    head = map(_three_bytes, (place[0] // 2, place[1] // 2, image.width - 1, image.height - 1, min(delay_ms, 0xFFFFFF)))
    return webp_chunk(b"ANMF", b"".join((*head, bytes([_NO_BLENDING]), *pixels))), has_alpha


def _three_bytes(value: int) -> bytes:
    return value.to_bytes(3, "little")


def encode_apng(animation: Animation, *, colors: int = 0, extra: png.Chunks = ()) -> bytes:
    """Encode an animated PNG, with alpha if a frame needs it. `colors` limits the colors of a frame; 0 keeps all."""
    before = [(b"iCCP", png.profile_content(animation.icc_profile))] if animation.icc_profile else []
    before += [*extra, (b"acTL", struct.pack(">II", animation.count, animation.plays))]
    bands = 3 if animation.min_alpha() == 255 else 4
    frames = b"".join(_png_frames(animation, bands, colors))
    return png.assemble(animation.size, png.CHANNEL_TYPES[bands], b"", before=before, frames=frames)


def _png_frames(animation: Animation, bands: int, colors: int) -> Iterator[bytes]:
    before: Pixels | None = None
    number = 0
    for full, delay in animation.frames():
        reduced = full.quantize(colors, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE) if colors else full
        pixels = np.asarray(reduced.convert("RGBA"))
        left, top, right, bottom = changed_box(before, pixels) or (0, 0, 1, 1)
        # Numerator and denominator of the delay in seconds have 16 bits each.
        unit = next((unit for unit in (1, 10, 100) if delay <= 0xFFFF * unit), 1000)
        seconds = (min(round(delay / unit), 0xFFFF), 1000 // unit)
        # A frame replaces its box: dispose op "none", blend op "source".
        control = (number, right - left, bottom - top, left, top, *seconds, 0, 0)
        yield png.chunk(b"fcTL", struct.pack(">IIIIIHHBB", *control))
        data = png.compress_rows(np.ascontiguousarray(pixels[top:bottom, left:right, :bands]))
        yield png.chunk(b"IDAT", data) if before is None else png.chunk(b"fdAT", struct.pack(">I", number + 1) + data)
        number += 1 if before is None else 2
        before = pixels


def encode_avif_animation(animation: Animation, quality: int) -> bytes:
    """Encode an animated AVIF with a quality of 1 to 100. The format plays endlessly."""
    frames = list(animation.frames())
    first, *rest = (frame.image for frame in frames)
    profile = {"icc_profile": animation.icc_profile} if animation.icc_profile else {}
    options = {"quality": quality, "speed": _AVIF_SPEED, "autotiling": False, "max_threads": 4, **profile}
    delays = [frame.delay_ms for frame in frames]
    first.save(buffer := BytesIO(), "AVIF", save_all=True, append_images=rest, duration=delays, **options)
    head, *pixels = buffer.getvalue().partition(b"mdat")
    return b"".join((_AVIF_TIMES.sub(lambda match: match[1] + bytes(16), head), *pixels))
