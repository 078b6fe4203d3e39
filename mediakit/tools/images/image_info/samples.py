"""How the pixels of a file are stored: mode, bits, quality, color profile and transparency."""

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import GifImagePlugin, Image, ImageCms, ImageFile, PngImagePlugin, WebPImagePlugin

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


_LUMINANCE = (
    *(16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55),
    *(14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51, 87, 80, 62),
    *(18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92),
    *(49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99),
)
_CHROMINANCE = (
    *(17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99),
    *(24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99),
    *(99,) * 32,
)
"""ITU-T T.81, annex K.1: what libjpeg scales for qualities."""


def quality_of(tables: Mapping[int, Sequence[int]]) -> int | None:
    """Return the quality, 1 to 100, whose tables are nearest to those of a file; None without tables.

    Args:
        tables: The tables by number, each of 64 values.
    """
    used = [(list(tables[number]), base) for number, base in ((0, _LUMINANCE), (1, _CHROMINANCE)) if number in tables]
    if not used:
        return None
    # Sorted values do not depend on the order in which a table is stored.
    return min(range(100, 0, -1), key=lambda quality: sum(_distance(table, base, quality) for table, base in used))


def _distance(table: list[int], base: Sequence[int], quality: int) -> int:
    percent = 5000 // quality if quality < 50 else 200 - quality * 2
    scaled = (min(255, max(1, (value * percent + 50) // 100)) for value in base)
    return sum(abs(one - other) for one, other in zip(sorted(table), sorted(scaled), strict=False))


_SRGB_D50 = ((0.6484, 0.3309), (0.3212, 0.5979), (0.1559, 0.0660))
"""Chromaticities of the sRGB primaries, adapted to D50 as ICC profiles have them."""
_TOLERANCE = 0.012
"""Distance beyond the triangle of sRGB from which colors count as wider."""

_WIDE_PRIMARIES = frozenset({9, 11, 12})
"""BT.2020, DCI-P3 and Display P3 (ITU-T H.273, table 2)."""


def describe(profile: bytes | None) -> tuple[str | None, bool]:
    """Return the description of an ICC profile, and whether its primaries reach beyond sRGB."""
    if not profile:
        return None, False
    try:
        opened = ImageCms.ImageCmsProfile(BytesIO(profile)).profile
        description = (opened.profile_description or "").strip("\0 \n")[:500]
        return description or "unnamed profile", _is_wide(opened)
    except Exception:  # noqa: BLE001 - a broken profile does not make the image unreadable
        return "unreadable profile", False


def codes_wide_gamut(content: bytes, kind: str) -> bool:
    """Return whether a PNG or AVIF states wide primaries without an ICC profile (ITU-T H.273)."""
    if kind == "png":
        place = content.find(b"cICP", 8, 4096)
        return place > 0 and content[place + 4] in _WIDE_PRIMARIES
    if kind in ("avif", "heic"):
        place = content.find(b"colrnclx", 0, 65536)
        codes = content[place + 8 : place + 10]
        return place > 0 and len(codes) == 2 and struct.unpack(">H", codes)[0] in _WIDE_PRIMARIES
    return False


def _is_wide(profile: Any) -> bool:
    colorants = (profile.red_colorant, profile.green_colorant, profile.blue_colorant)
    if any(colorant is None for colorant in colorants):
        return False
    points = [(x / total, y / total) for x, y, z in (c[0] for c in colorants) if (total := x + y + z)]
    return any(_distance_outside(point) > _TOLERANCE for point in points)


def _distance_outside(point: tuple[float, float]) -> float:
    """Return how far a chromaticity is outside the triangle of sRGB."""
    x, y = point
    farthest = -1.0
    for index, (x1, y1) in enumerate(_SRGB_D50):
        x2, y2 = _SRGB_D50[(index + 1) % 3]
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        # Red, green and blue turn counterclockwise: the outside is on the right.
        farthest = max(farthest, ((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) / length)
    return farthest


_MAX_PIXELS = 50_000_000
"""Pixels of further frames that are decoded to find one."""

_ANIMATED: Mapping[str, Callable[[BytesIO], ImageFile.ImageFile]] = {
    "gif": GifImagePlugin.GifImageFile,
    "png": PngImagePlugin.PngImageFile,
    "webp": WebPImagePlugin.WebPImageFile,
}


def is_see_through(content: bytes, kind: ImageFormat, first: Image.Image) -> bool:
    """Return whether a pixel of the first frame, or of the next ones up to 50 megapixels, is not opaque."""
    if _has_hole(first):
        return True
    if kind not in _ANIMATED:
        return False
    try:
        image = _ANIMATED[kind](BytesIO(content))
        frames = min(getattr(image, "n_frames", 1), 1 + _MAX_PIXELS // (image.width * image.height))
        for number in range(1, frames):
            image.seek(number)
            if _has_hole(image):
                return True
    except Exception:  # noqa: BLE001 - the first frame could be decoded; a further one is damaged
        return False
    return False


def _has_hole(image: Image.Image) -> bool:
    if not image.has_transparency_data:
        return False
    if "A" not in image.getbands():
        image = image.convert("RGBA")
    low, _ = image.getchannel("A").getextrema()
    return isinstance(low, int | float) and low < 255
