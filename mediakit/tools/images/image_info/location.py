"""The location in EXIF or XMP data."""

import re
from collections.abc import Mapping
from typing import Any

from PIL import ExifTags

from mediakit.tools.images.image_info.exif import rational

_GPS = ExifTags.GPS
_XMP_ANGLE = re.compile(
    rb"""exif:GPS(Latitude|Longitude)\s*(?:=\s*["']|>)\s*(\d{1,3}),(\d{1,2}(?:\.\d{1,10})?)(?:,(\d{1,2}(?:\.\d{1,10})?))?([NSEW])"""
)


def has_location(tags: Mapping[int, Any], xmp: bytes) -> bool:
    """Return whether a file tells where the image was taken."""
    return _GPS.GPSLatitude in tags or _GPS.GPSLongitude in tags or b"exif:GPSLatitude" in xmp


def location(tags: Mapping[int, Any], xmp: bytes) -> dict[str, float | None] | None:
    """Return latitude and longitude in degrees and altitude in meters; None if they cannot be read."""
    latitude = _degrees(tags.get(_GPS.GPSLatitude), tags.get(_GPS.GPSLatitudeRef), 90)
    longitude = _degrees(tags.get(_GPS.GPSLongitude), tags.get(_GPS.GPSLongitudeRef), 180)
    if latitude is None or longitude is None:
        latitude, longitude = _of_xmp(xmp)
    if latitude is None or longitude is None:
        return None
    return {"latitude": latitude, "longitude": longitude, "altitude": _altitude(tags)}


def _altitude(tags: Mapping[int, Any]) -> float | None:
    altitude = rational(tags.get(_GPS.GPSAltitude))
    if altitude is None:
        return None
    below = tags.get(_GPS.GPSAltitudeRef) in (1, b"\x01", b"1", 3, b"\x03")
    return round(float(-altitude if below else altitude), 3)


def _degrees(parts: Any, reference: Any, limit: int) -> float | None:
    if not isinstance(parts, tuple | list):
        parts = (parts,)
    numbers = [rational(part) for part in parts[:3]]
    if not numbers or numbers[0] is None:
        return None
    # Some cameras write 0/0 for seconds that they do not know.
    degrees = sum((number or 0) / 60**power for power, number in enumerate(numbers))
    reference = reference.decode("latin-1") if isinstance(reference, bytes) else str(reference or "")
    degrees = -degrees if reference.strip("\0 ").upper()[:1] in ("S", "W") else degrees
    return round(degrees, 7) if abs(degrees) <= limit else None


def _of_xmp(xmp: bytes) -> tuple[float | None, float | None]:
    found: dict[bytes, float] = {}
    for name, degrees, minutes, seconds, reference in _XMP_ANGLE.findall(xmp):
        angle = int(degrees) + float(minutes) / 60 + float(seconds or 0) / 3600
        found[name] = round(-angle if reference in b"SW" else angle, 7)
    return found.get(b"Latitude"), found.get(b"Longitude")
