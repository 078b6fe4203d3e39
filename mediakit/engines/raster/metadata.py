"""EXIF and XMP metadata of a file, for `keep_metadata`."""

import re
from dataclasses import dataclass, field

from PIL import ExifTags, Image

from mediakit.engines.raster.formats import OutputFormat
from mediakit.engines.raster.source import SourceImage, damage_as_invalid_input, open_image

MAX_METADATA_BYTES = 60_000
"""Maximum size, so that the metadata and its name fit in a JPEG segment. Larger metadata is omitted."""

_TAG = ExifTags.Base
_KEPT_TAGS = frozenset(
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
"""EXIF tags that describe the image. Other tags of the first directory describe the encoding of the input."""

_ORIENTATION = re.compile(rb"""(tiff:Orientation\s*(?:=\s*["']|>))[2-8]""")


@dataclass(frozen=True, slots=True)
class Metadata:
    """Metadata of an image."""

    exif: bytes = field(default=b"", repr=False)
    xmp: bytes = field(default=b"", repr=False)
    icc_profile: bytes = field(default=b"", repr=False)

    def options(self, kind: OutputFormat) -> dict[str, object]:
        """Return the Pillow options that write the metadata."""
        options: dict[str, object] = {"exif": self.exif} if self.exif else {}
        if self.xmp and kind != "png":
            options["xmp"] = self.xmp
        if self.icc_profile:
            options["icc_profile"] = self.icc_profile
        return options


def read_metadata(source: SourceImage) -> Metadata:
    """Return the metadata of an image, with the orientation set to upright."""
    with damage_as_invalid_input(source.format):
        image, _ = open_image(source.content, source.format)
    # Pillow would decode the whole PNG to find EXIF data after the pixels.
    has_exif = source.format != "png" or "exif" in image.info
    return Metadata(_limited(_exif(image)) if has_exif else b"", _limited(_xmp(image)))


def _exif(image: Image.Image) -> bytes:
    try:
        exif = image.getexif()
        for tag in set(exif) - _KEPT_TAGS:
            del exif[tag]
        return exif.tobytes() if exif else b""
    except Exception:  # noqa: BLE001 - broken EXIF does not make the image unreadable
        return b""


def _xmp(image: Image.Image) -> bytes:
    xmp = image.info.get("xmp", b"")
    return _ORIENTATION.sub(rb"\g<1>1", xmp) if isinstance(xmp, bytes) else b""


def _limited(content: bytes) -> bytes:
    return content if len(content) <= MAX_METADATA_BYTES else b""
