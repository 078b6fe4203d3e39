"""EXIF and XMP of a file, for those who want to keep them."""

import re
from dataclasses import dataclass, field

from PIL import ExifTags, Image

from mediakit.engines.raster.formats import OutputFormat
from mediakit.engines.raster.source import Picture, open_image, refusing_damage

MOST_BYTES = 60_000
"""What a segment of a JPEG holds, its name included; more is left out."""

_TAG = ExifTags.Base
_KEPT = frozenset(
    {
        _TAG.ImageDescription,
        _TAG.Make,
        _TAG.Model,
        _TAG.XResolution,
        _TAG.YResolution,
        _TAG.ResolutionUnit,
        _TAG.Software,
        _TAG.DateTime,
        _TAG.Artist,
        _TAG.Copyright,
        _TAG.ExifOffset,
        _TAG.GPSInfo,
        _TAG.XPTitle,
        _TAG.XPComment,
        _TAG.XPAuthor,
        _TAG.XPKeywords,
        _TAG.XPSubject,
    }
)
"""What describes the picture; the other tags of the first directory describe how the old file held it."""

_ORIENTATION = re.compile(rb"""(tiff:Orientation\s*(?:=\s*["']|>))[2-8]""")


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a file says about its picture."""

    exif: bytes = field(default=b"", repr=False)
    xmp: bytes = field(default=b"", repr=False)

    def options(self, kind: OutputFormat) -> dict[str, object]:
        """Give the options with which Pillow writes it."""
        options: dict[str, object] = {"exif": self.exif} if self.exif else {}
        if self.xmp and kind != "png":
            options["xmp"] = self.xmp
        return options


def metadata_of(picture: Picture) -> Metadata:
    """Read the metadata, as that of an upright picture."""
    with refusing_damage(picture.format):
        image, _ = open_image(picture.content, picture.format)
    # To look for EXIF behind the pixels of a PNG, Pillow would decode it whole.
    has_exif = picture.format != "png" or "exif" in image.info
    return Metadata(_fitting(_exif(image)) if has_exif else b"", _fitting(_xmp(image)))


def _exif(image: Image.Image) -> bytes:
    try:
        exif = image.getexif()
        for tag in set(exif) - _KEPT:
            del exif[tag]
        return exif.tobytes() if exif else b""
    except Exception:  # noqa: BLE001 - broken EXIF does not make the picture unreadable
        return b""


def _xmp(image: Image.Image) -> bytes:
    xmp = image.info.get("xmp", b"")
    return _ORIENTATION.sub(rb"\g<1>1", xmp) if isinstance(xmp, bytes) else b""


def _fitting(content: bytes) -> bytes:
    return content if len(content) <= MOST_BYTES else b""
