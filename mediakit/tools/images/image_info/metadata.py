"""Metadata as named values: EXIF (CIPA DC-008), location and texts."""

import math
import re
from collections.abc import Mapping
from typing import Any

from PIL import ExifTags, Image

MAX_TEXT_LENGTH = 500
_MAX_NUMBERS = 16

_TAG = ExifTags.Base
_OMITTED = frozenset(
    {
        *(_TAG.ExifOffset, _TAG.GPSInfo, _TAG.ExifInteroperabilityOffset, _TAG.MakerNote, _TAG.SubIFDs),
        *(_TAG.StripOffsets, _TAG.StripByteCounts, _TAG.TileOffsets, _TAG.TileByteCounts, _TAG.JPEGTables),
        *(_TAG.ColorMap, _TAG.InterColorProfile, _TAG.IPTCNAA, _TAG.ImageResources, _TAG.XMLPacket),
        _TAG.PrintImageMatching,
    }
)
"""Tags that hold other data, such as pixels, profiles and notes in formats of manufacturers."""

_WIDE_TEXTS = frozenset({_TAG.XPTitle, _TAG.XPComment, _TAG.XPAuthor, _TAG.XPKeywords, _TAG.XPSubject})
_COMMENT_CODES = {b"ASCII\0\0\0": "ascii", b"UNICODE\0": "utf-16", b"\0" * 8: "utf-8", b"JIS\0\0\0\0\0": "iso2022_jp"}
_DATE = re.compile(r"(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)", re.ASCII)
_OFFSET = re.compile(r"[+-]\d\d:\d\d|Z", re.ASCII)


def photograph_of(image: Image.Image, xmp: bytes, *, named: bool) -> dict[str, Any]:
    """Return the fields that say when, where and how an image was taken; broken EXIF data are omitted.

    XMP may state the place, too. With `named`, all values are returned by the name of their tag, and the place.
    """
    tags = {**_directory(image, None), **_directory(image, ExifTags.IFD.Exif)}
    gps = _directory(image, ExifTags.IFD.GPSInfo)
    values = {tag: _plain(tag, value) for tag, value in tags.items()}
    texts = {tag: value for tag, value in values.items() if isinstance(value, str)}
    exposure = {
        "time": exposure_time(_number(values.get(_TAG.ExposureTime))),
        "f_number": _number(values.get(_TAG.FNumber)),
        "iso": _number(values.get(_TAG.ISOSpeedRatings)),
        "focal_mm": _number(values.get(_TAG.FocalLength)),
    }
    found: dict[str, Any] = {
        "taken_at": _taken_at(texts),
        "camera": _joined(texts.get(_TAG.Make, ""), texts.get(_TAG.Model, "")),
        "lens": _joined(texts.get(_TAG.LensMake, ""), texts.get(_TAG.LensModel, "")),
        "exposure": exposure if any(value is not None for value in exposure.values()) else None,
        "has_gps": _GPS.GPSLatitude in gps or _GPS.GPSLongitude in gps or b"exif:GPSLatitude" in xmp,
    }
    if named:
        shown = {ExifTags.TAGS[tag]: value for tag, value in values.items() if tag in ExifTags.TAGS.keys() - _OMITTED}
        kept = {name: value for name, value in sorted(shown.items()) if value not in (None, "", [])}
        found |= {"exif": kept or None, "gps": _location(gps, xmp)}
    return found


def _taken_at(texts: Mapping[int, str]) -> str | None:
    """Return when an image was taken in ISO 8601; with an offset only if the file states it."""
    dates = (_TAG.DateTimeOriginal, _TAG.OffsetTimeOriginal), (_TAG.DateTimeDigitized, _TAG.OffsetTimeDigitized)
    for date, offset in dates:
        if (found := _DATE.match(texts.get(date, ""))) and found[1] != "0000":
            year, month, day, hour, minute, second = found.groups()
            zone = texts.get(offset, "").strip()
            return f"{year}-{month}-{day}T{hour}:{minute}:{second}{zone if _OFFSET.fullmatch(zone) else ''}"
    return None


def _number(value: Any) -> int | float | None:
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, int | float) else None


def exposure_time(seconds: float | None) -> str | None:
    """Return an exposure time such as `1/250` or `2.5`, in seconds."""
    if seconds is None or not 0 < seconds < 1e6:
        return None
    if seconds < 0.4:
        return f"1/{round(1 / seconds)}"
    return f"{seconds:g}"


def rational(value: Any) -> int | float | None:
    """Return a number; None if its denominator is 0."""
    try:
        number = float(value)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else round(number, 6)


def clean(text: str) -> str:
    """Return text without NULs and broken characters, of at most 500 characters."""
    text = text.partition("\0")[0].encode("utf-8", "replace").decode()
    return text.strip()[:MAX_TEXT_LENGTH]


def _directory(image: Image.Image, number: int | None) -> Mapping[int, Any]:
    try:
        exif = image.getexif()
        return dict(exif) if number is None else dict(exif.get_ifd(number))
    except Exception:  # noqa: BLE001 - broken EXIF does not make the image unreadable
        return {}


def _plain(tag: int, value: Any) -> Any:
    """Return a value that JSON can hold; None if there is none."""
    if isinstance(value, str):
        return clean(_utf8(value))
    if isinstance(value, bytes):
        return _text_of_bytes(tag, value)
    if isinstance(value, tuple | list):
        if tag in _WIDE_TEXTS and all(isinstance(item, int) and 0 <= item < 256 for item in value):
            return _text_of_bytes(tag, bytes(value))
        return [rational(item) for item in value[:_MAX_NUMBERS]]
    return None if value is None else rational(value)


def _text_of_bytes(tag: int, value: bytes) -> str | None:
    if tag in _WIDE_TEXTS:
        return clean(value[: MAX_TEXT_LENGTH * 4].decode("utf-16-le", "replace"))
    code = _COMMENT_CODES.get(value[:8]) if tag == _TAG.UserComment else None
    body = value[8:] if code else value
    try:
        text = body.rstrip(b"\0 ")[: MAX_TEXT_LENGTH * 4].decode(code or "utf-8")
    except (UnicodeDecodeError, LookupError):
        return None
    text = text.rstrip("\0 ")
    return clean(text) if text.isprintable() or code else None


def _utf8(text: str) -> str:
    """Return text that Pillow read as Latin-1, although it is UTF-8, as it was written."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def _joined(maker: str, model: str) -> str | None:
    if model.lower().startswith(maker.lower().split(" ")[0]) or not maker:
        return model or maker or None
    return f"{maker} {model}".strip()


_GPS = ExifTags.GPS
_XMP_ANGLE = re.compile(
    rb"""exif:GPS(Latitude|Longitude)\s*(?:=\s*["']|>)\s*(\d{1,3}),(\d{1,2}(?:\.\d{1,10})?)(?:,(\d{1,2}(?:\.\d{1,10})?))?([NSEW])"""
)


def _location(tags: Mapping[int, Any], xmp: bytes) -> dict[str, float | None] | None:
    """Return latitude and longitude in degrees and altitude in meters; None if they cannot be read."""
    latitude = _degrees(tags.get(_GPS.GPSLatitude), tags.get(_GPS.GPSLatitudeRef), 90)
    longitude = _degrees(tags.get(_GPS.GPSLongitude), tags.get(_GPS.GPSLongitudeRef), 180)
    if latitude is None or longitude is None:
        angles: dict[bytes, float] = {}
        for name, degrees, minutes, seconds, reference in _XMP_ANGLE.findall(xmp):
            angle = int(degrees) + float(minutes) / 60 + float(seconds or 0) / 3600
            angles[name] = round(-angle if reference in b"SW" else angle, 7)
        latitude, longitude = angles.get(b"Latitude"), angles.get(b"Longitude")
    if latitude is None or longitude is None:
        return None
    altitude = rational(tags.get(_GPS.GPSAltitude))
    if altitude is not None:
        is_below = tags.get(_GPS.GPSAltitudeRef) in (1, b"\x01", b"1", 3, b"\x03")
        altitude = round(float(-altitude if is_below else altitude), 3)
    return {"latitude": latitude, "longitude": longitude, "altitude": altitude}


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


_MAX_TEXTS = 100
_OTHER_DATA = ("XML:com.adobe.xmp", "Raw profile type")


def texts_of(image: Image.Image) -> dict[str, str]:
    """Return the texts by their keyword, each of at most 500 characters."""
    stored: Mapping[Any, Any] = getattr(image, "text", None) or {}
    found = {
        clean(str(name)): clean(str(value)) for name, value in stored.items() if not str(name).startswith(_OTHER_DATA)
    }
    comment = image.info.get("comment")
    if comment and "comment" not in found:
        found["comment"] = clean(_utf8(comment.decode("latin-1")) if isinstance(comment, bytes) else str(comment))
    return dict(list(found.items())[:_MAX_TEXTS])
