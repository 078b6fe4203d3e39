"""How the pixels of a file are stored: mode, bits, quality, color profile and transparency."""

import math
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from io import BytesIO
from typing import Any

from PIL import Image, ImageCms
from PIL.JpegImagePlugin import JpegImageFile

from mediakit.engines.raster.formats import ImageFormat
from mediakit.engines.raster.metadata import WIDE_PRIMARIES, avif_color_codes
from mediakit.engines.raster.source import bits_of
from mediakit.engines.raster.structure import avif_samples

_MODES = {
    **dict.fromkeys(("1", "L", "LA", "La", "I", "F", "I;16", "I;16B", "I;16L", "I;16N"), "gray"),
    "P": "palette",
    "PA": "palette",
    "CMYK": "cmyk",
    "LAB": "lab",
}
"""Color mode by Pillow mode; other modes are RGB."""
_PNG_MODES = {0: "gray", 2: "rgb", 3: "palette", 4: "gray", 6: "rgb"}
"""Color mode by color type (ISO/IEC 15948, 11.2.2)."""
_TIFF_PHOTOMETRIC, _TIFF_PALETTE = 262, 3


def samples_of(content: bytes, kind: ImageFormat, image: Any) -> dict[str, Any]:
    """Return the fields that say how the pixels of an opened image are stored."""
    mode, depth, interlaced = _MODES.get(image.mode, "rgb"), 8, None
    match kind:
        case "png":
            depth, color_type, _, _, method = content[24:29]
            mode, interlaced = _PNG_MODES.get(color_type, "rgb"), bool(method)
        case "jpeg":
            depth = getattr(image, "bits", 8) or 8
            interlaced = bool(image.info.get("progressive") or image.info.get("progression"))
        case "gif":
            mode, depth = "palette", (content[10] & 7) + 1 if content[10] & 0x80 else 8
        case "bmp":
            (bits,) = struct.unpack_from("<H", content, 24 if content[14] == 12 else 28)
            mode, depth = ("palette", bits) if bits <= 8 else (mode, 5 if bits == 16 else 8)
        case "tiff":
            is_indexed = image.tag_v2.get(_TIFF_PHOTOMETRIC) == _TIFF_PALETTE
            mode, depth = "palette" if is_indexed else mode, bits_of(content, kind, image)
        case "avif" | "heic":
            depth, has_color = avif_samples(content)
            mode = "rgb" if has_color else "gray"
    has_alpha = kind != "jpeg" and image.has_transparency_data
    return {"color_mode": mode, "bit_depth": depth, "has_alpha": has_alpha, "progressive": interlaced}


def quality_of(tables: Mapping[int, Sequence[int]]) -> int | None:
    """Return the quality, 1 to 100, whose tables are nearest to those of a file; None without tables.

    Args:
        tables: The tables by number, each of 64 values: 0 for luminance, 1 for chrominance.
    """
    # Sorted values do not depend on the order in which a table is stored.
    used = [(number, sorted(tables[number])) for number in (0, 1) if number in tables]

    def distance(quality: int) -> int:
        pairs = (zip(table, _tables(quality)[number], strict=False) for number, table in used)
        return sum(abs(one - other) for pair in pairs for one, other in pair)

    return min(range(100, 0, -1), key=distance) if used else None


@cache
def _tables(quality: int) -> list[list[int]]:
    """Return the sorted quantization tables that libjpeg writes for a quality."""
    Image.new("RGB", (8, 8)).save(file := BytesIO(), "JPEG", quality=quality)
    return [sorted(table) for table in JpegImageFile(BytesIO(file.getvalue())).quantization.values()]


_SRGB_D50 = ((0.6484, 0.3309), (0.3212, 0.5979), (0.1559, 0.0660))
"""Chromaticities of the sRGB primaries, adapted to D50 as ICC profiles have them."""
_TOLERANCE = 0.012
"""Distance beyond the triangle of sRGB from which colors count as wider."""


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


def codes_wide_gamut(content: bytes, kind: ImageFormat) -> bool:
    """Return whether a PNG or AVIF states wide primaries without an ICC profile (ITU-T H.273)."""
    if kind == "png":
        place = content.find(b"cICP", 8, 4096)
        return place > 0 and content[place + 4] in WIDE_PRIMARIES
    return kind in ("avif", "heic") and avif_color_codes(content)[0] in WIDE_PRIMARIES


def _is_wide(profile: Any) -> bool:
    """Return whether the chromaticity of a primary is outside the triangle of sRGB."""
    colorants = (profile.red_colorant, profile.green_colorant, profile.blue_colorant)
    if any(colorant is None for colorant in colorants):
        return False
    points = [(x / total, y / total) for x, y, z in (c[0] for c in colorants) if (total := x + y + z)]
    # Red, green and blue turn counterclockwise: the outside is on the right of each side.
    for (x1, y1), (x2, y2) in zip(_SRGB_D50, (*_SRGB_D50[1:], _SRGB_D50[0]), strict=True):
        length = math.dist((x1, y1), (x2, y2))
        if any(((x - x1) * (y2 - y1) - (y - y1) * (x2 - x1)) / length > _TOLERANCE for x, y in points):
            return True
    return False


_MAX_PIXELS = 50_000_000
"""Pixels of further frames that are decoded to find one."""


def is_see_through(content: bytes, kind: ImageFormat, first: Image.Image) -> bool:
    """Return whether a pixel of the first frame, or of the next ones up to 50 megapixels, is not opaque."""
    if _has_hole(first):
        return True
    if kind not in ("gif", "png", "webp"):
        return False
    with suppress(Exception):  # the first frame could be decoded; a further one is damaged
        image = Image.open(BytesIO(content), formats=[kind])
        frames = min(getattr(image, "n_frames", 1), 1 + _MAX_PIXELS // (image.width * image.height))
        for number in range(1, frames):
            image.seek(number)
            if _has_hole(image):
                return True
    return False


def _has_hole(image: Image.Image) -> bool:
    if not image.has_transparency_data:
        return False
    low, _ = image.convert("RGBA").getchannel("A").getextrema()
    return isinstance(low, int | float) and low < 255
