"""Metadata as named values: EXIF (CIPA DC-008), location and texts."""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from PIL import ExifTags, Image

MAX_TEXT_LENGTH = 500
_MAX_NUMBERS = 16

_TAG = ExifTags.Base
_OMITTED = frozenset(
    {
        _TAG.ExifOffset,
        _TAG.GPSInfo,
        _TAG.InteropOffset if hasattr(_TAG, "InteropOffset") else 0xA005,
        _TAG.MakerNote,
        _TAG.StripOffsets,
        _TAG.StripByteCounts,
        _TAG.TileOffsets,
        _TAG.TileByteCounts,
        _TAG.SubIFDs if hasattr(_TAG, "SubIFDs") else 0x014A,
        _TAG.JPEGTables,
        _TAG.ColorMap,
        _TAG.InterColorProfile,
        _TAG.IPTCNAA,
        _TAG.ImageResources,
        _TAG.XMLPacket,
        _TAG.PrintImageMatching,
        _TAG.ExifPadding if hasattr(_TAG, "ExifPadding") else 0xEA1C,
    }
)
"""Tags that hold other data, such as pixels, profiles and notes in formats of manufacturers."""

_COMMENT_CODES = {b"ASCII\0\0\0": "ascii", b"UNICODE\0": "utf-16", b"\0" * 8: "utf-8", b"JIS\0\0\0\0\0": "iso2022_jp"}
_DATE = re.compile(r"(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)", re.ASCII)
_OFFSET = re.compile(r"[+-]\d\d:\d\d|Z", re.ASCII)


class Exif:
    """The EXIF data of an image; broken data are omitted."""

    def __init__(self, image: Image.Image) -> None:
        self._main = _directory(image, None)
        self._details = _directory(image, ExifTags.IFD.Exif)
        self.location = _directory(image, ExifTags.IFD.GPSInfo)
        """The tags of the location."""

    def named(self) -> dict[str, Any]:
        """Return the values by the name of their tag."""
        tags = {**self._main, **self._details}
        return dict(sorted(_named(tags)))

    def text(self, tag: int) -> str:
        """Return a tag's text; empty if it has none."""
        value = self.value(tag)
        return value if isinstance(value, str) else ""

    def number(self, tag: int) -> float | None:
        """Return a tag's number; None if it has none."""
        value = self.value(tag)
        value = value[0] if isinstance(value, list) and value else value
        return value if isinstance(value, int | float) else None

    def value(self, tag: int) -> Any:
        """Return a tag's value as in `named`."""
        return _plain(tag, self._details.get(tag, self._main.get(tag)))

    @property
    def taken_at(self) -> str | None:
        """When the image was taken in ISO 8601; with an offset only if the file states it."""
        for date, offset in ((_TAG.DateTimeOriginal, _TAG.OffsetTimeOriginal), (_TAG.DateTimeDigitized, 0x9012)):
            if (found := _DATE.match(self.text(date))) and found[1] != "0000":
                year, month, day, hour, minute, second = found.groups()
                zone = self.text(offset).strip()
                known = zone if _OFFSET.fullmatch(zone) else ""
                return f"{year}-{month}-{day}T{hour}:{minute}:{second}{known}"
        return None

    @property
    def camera(self) -> str | None:
        """Maker and model."""
        return _joined(self.text(_TAG.Make), self.text(_TAG.Model))

    @property
    def lens(self) -> str | None:
        """Maker and model of the lens."""
        return _joined(self.text(_TAG.LensMake), self.text(_TAG.LensModel))

    @property
    def exposure(self) -> dict[str, Any] | None:
        """Exposure time, aperture, sensitivity and focal length; None if nothing is known."""
        values = {
            "time": exposure_time(self.number(_TAG.ExposureTime)),
            "f_number": self.number(_TAG.FNumber),
            "iso": self.number(_TAG.ISOSpeedRatings),
            "focal_mm": self.number(_TAG.FocalLength),
        }
        return values if any(value is not None for value in values.values()) else None


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


def _named(tags: Mapping[int, Any]) -> Iterator[tuple[str, Any]]:
    for tag, value in tags.items():
        if tag in _OMITTED or tag not in ExifTags.TAGS:
            continue
        plain = _plain(tag, value)
        if plain not in (None, "", []):
            yield ExifTags.TAGS[tag], plain


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


_WIDE_TEXTS = frozenset({_TAG.XPTitle, _TAG.XPComment, _TAG.XPAuthor, _TAG.XPKeywords, _TAG.XPSubject})


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


_MAX_TEXTS = 100
_OTHER_DATA = ("XML:com.adobe.xmp", "Raw profile type")


def texts_of(image: Image.Image) -> dict[str, str]:
    """Return the texts by their keyword, each of at most 500 characters."""
    stored: Mapping[Any, Any] = getattr(image, "text", None) or {}
    found = {clean(str(name)): clean(str(value)) for name, value in stored.items() if not _is_other_data(str(name))}
    comment = image.info.get("comment")
    if comment and "comment" not in found:
        found["comment"] = clean(_decoded(comment) if isinstance(comment, bytes) else str(comment))
    return dict(list(found.items())[:_MAX_TEXTS])


def _is_other_data(name: str) -> bool:
    return name.startswith(_OTHER_DATA)


def _decoded(text: bytes) -> str:
    try:
        return text.decode()
    except UnicodeDecodeError:
        return text.decode("latin-1")
