"""The color profile of an image, and whether its colors reach beyond sRGB."""

import struct
from io import BytesIO
from typing import Any

from PIL import ImageCms

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
