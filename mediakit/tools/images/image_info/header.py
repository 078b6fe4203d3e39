"""What the header of an image file tells about its samples, beyond what Pillow reports."""

import struct
from dataclasses import dataclass
from typing import Any

from PIL import Image

from mediakit.engines.raster.formats import ImageFormat
from mediakit.engines.raster.source import bits_of
from mediakit.engines.raster.structure import avif_samples

_MODES = {
    "1": "gray",
    "L": "gray",
    "LA": "gray",
    "La": "gray",
    "I": "gray",
    "F": "gray",
    "P": "palette",
    "PA": "palette",
    "CMYK": "cmyk",
    "LAB": "lab",
}
"""Color mode by Pillow mode; other modes are RGB."""
_PNG_MODES = {0: "gray", 2: "rgb", 3: "palette", 4: "gray", 6: "rgb"}
"""Color mode by color type (ISO/IEC 15948, 11.2.2)."""
_TIFF_PHOTOMETRIC = 262
_AVIF_HEAD_BYTES = 65_536


@dataclass(frozen=True)
class Samples:
    """How the pixels are stored."""

    color_mode: str
    """`gray`, `rgb`, `palette`, `cmyk` or `lab`."""
    bit_depth: int
    """Bits per channel; of an image with a palette, bits per index."""
    has_alpha: bool
    interlaced: bool | None = None
    """Whether a PNG is interlaced or a JPEG progressive; None for other formats."""


def samples_of(content: bytes, kind: ImageFormat, image: Image.Image) -> Samples:
    """Return how the pixels of an opened image are stored."""
    mode = "gray" if image.mode.startswith("I;16") else _MODES.get(image.mode, "rgb")
    alpha = image.has_transparency_data
    if kind == "png":
        return _png(content, alpha=alpha)
    if kind == "jpeg":
        progressive = bool(image.info.get("progressive") or image.info.get("progression"))
        return Samples(mode, getattr(image, "bits", 8) or 8, has_alpha=False, interlaced=progressive)
    if kind in ("gif", "bmp"):
        return _gif(content, alpha=alpha) if kind == "gif" else _bitmap(content, mode, alpha=alpha)
    if kind == "tiff":
        return _tiff(image, mode, alpha=alpha)
    if kind in ("avif", "heic"):
        return _avif(content, alpha=alpha)
    return Samples(mode, 8, alpha)


def _gif(content: bytes, *, alpha: bool) -> Samples:
    return Samples("palette", (content[10] & 7) + 1 if content[10] & 0x80 else 8, alpha)


def _png(content: bytes, *, alpha: bool) -> Samples:
    depth, color_type, _, _, interlace = content[24:29]
    return Samples(_PNG_MODES.get(color_type, "rgb"), depth, alpha, interlaced=bool(interlace))


def _bitmap(content: bytes, mode: str, *, alpha: bool) -> Samples:
    (bits,) = struct.unpack_from("<H", content, 24 if content[14] == 12 else 28)
    if bits <= 8:
        return Samples("palette", bits, alpha)
    return Samples(mode, 5 if bits == 16 else 8, alpha)


def _tiff(image: Any, mode: str, *, alpha: bool) -> Samples:
    palette = image.tag_v2.get(_TIFF_PHOTOMETRIC) == 3
    return Samples("palette" if palette else mode, bits_of(b"", "tiff", image), alpha)


def _avif(content: bytes, *, alpha: bool) -> Samples:
    depth, has_color = avif_samples(content)
    return Samples("rgb" if has_color else "gray", depth, alpha)


def size_of_cut_file(content: bytes, kind: ImageFormat) -> tuple[int, int] | None:
    """Return width and height of a WebP or AVIF file that ends too early to be opened; None if they are missing."""
    if kind == "webp":
        return _webp_size(content)
    if kind == "avif":
        place = content.find(b"ispe", 0, _AVIF_HEAD_BYTES)
        if 0 < place < len(content) - 16:
            width, height = struct.unpack_from(">II", content, place + 8)
            return width, height
    return None


def _webp_size(content: bytes) -> tuple[int, int] | None:
    """Read the canvas or the frame header (WebP container specification; RFC 6386, 9.1; WebP lossless, 4)."""
    name, data = content[12:16], content[20:30]
    if len(data) < 10:
        return None
    if name == b"VP8X":
        return int.from_bytes(data[4:7], "little") + 1, int.from_bytes(data[7:10], "little") + 1
    if name == b"VP8 ":
        width, height = struct.unpack("<HH", data[6:10])
        return width & 0x3FFF, height & 0x3FFF
    if name == b"VP8L":
        bits = int.from_bytes(data[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return None
