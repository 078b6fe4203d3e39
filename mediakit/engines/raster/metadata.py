"""Metadata and color data of a file, and copies of files that leave the encoded image data untouched.

A copy is rewritten from a list of the parts that decoding needs. All other parts are dropped: metadata, thumbnails,
unknown extensions and bytes after the end of the image.
"""

import re
import struct
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from PIL import ExifTags, Image
from PIL.TiffImagePlugin import IFDRational

from mediakit.engines.png import Chunks, chunk, chunks, profile_content, resolution_content
from mediakit.engines.raster.color import source_profile
from mediakit.engines.raster.formats import ImageFormat, OutputFormat
from mediakit.engines.raster.source import SourceImage, damage_as_invalid_input, open_image, orientation_of
from mediakit.engines.raster.structure import END_OF_IMAGE, avif_property, jpeg_segments, webp_chunk, webp_chunks
from mediakit.results.item import ResultWarning

_MAX_JPEG_METADATA = 65_533 - len("http://ns.adobe.com/xap/1.0/\0")
"""Bytes of EXIF or XMP that fit into a segment of a JPEG with their name (ITU-T T.81, B.1.1.4)."""

_TAG = ExifTags.Base
_KEPT_TAGS = frozenset(
    {
        *(_TAG.ImageDescription, _TAG.Make, _TAG.Model, _TAG.Software, _TAG.DateTime, _TAG.Artist, _TAG.Copyright),
        *(_TAG.XResolution, _TAG.YResolution, _TAG.ResolutionUnit, _TAG.ExifOffset, _TAG.GPSInfo),
        *(_TAG.XPTitle, _TAG.XPComment, _TAG.XPAuthor, _TAG.XPKeywords, _TAG.XPSubject),
    }
)
"""EXIF tags that describe the image. Other tags of the first directory describe the encoding of the input."""

_ORIENTATION = re.compile(rb"""(tiff:Orientation\s*(?:=\s*["']|>))[2-8]""")
_PNG_COLORS = frozenset({b"cHRM", b"gAMA", b"sRGB", b"cICP", b"iCCP"})
"""Chunks that say how colors look."""
_GAMMA_SRGB, _GAMMA_TOLERANCE = 45455, 1000
"""Value of gAMA that looks like sRGB, times 100,000."""
_CICP_SRGB = bytes((1, 13, 0, 1))
WIDE_PRIMARIES, _HDR_TRANSFERS = frozenset({9, 11, 12}), frozenset({16, 18})
"""BT.2020 and the kinds of P3; PQ and HLG (ITU-T H.273)."""
_CENTIMETERS_PER_INCH = 2.54
_UNIT_INCH, _UNIT_CENTIMETER = 2, 3
_JFIF_INCH, _JFIF_CENTIMETER = 1, 2
_MAX_DPI = 1_000_000

_PNG_PARTS = frozenset({b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"acTL", b"fcTL", b"fdAT"})
_PNG_XMP_KEYWORD = b"XML:com.adobe.xmp\0"

_WEBP_PARTS = frozenset({b"VP8X", b"VP8 ", b"VP8L", b"ALPH", b"ANIM", b"ANMF"})
_WEBP_FLAGS = {b"ICCP": 0x20, b"EXIF": 0x08, b"XMP ": 0x04}
"""Bits of the VP8X flags that announce a chunk (RFC 9649, 2.7.1)."""

_APP0, _APP1, _APP14, _APP15, _COMMENT = 0xE0, 0xE1, 0xEE, 0xEF, 0xFE
_JFIF_LENGTH = 16
"""Bytes of a JFIF segment without a thumbnail (ITU-T T.871, 10.1)."""
_JPEG_METADATA = (b"Exif\0", b"http://ns.adobe.com/xap/1.0/\0")

_MODES = frozenset({"1", "L", "LA", "P", "PA", "RGB", "RGBA"})
"""Pillow modes of images that are stored as 8-bit gray, RGB or a palette of RGB."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """Metadata of an image, and color data that only PNG can hold."""

    exif: bytes = field(default=b"", repr=False)
    xmp: bytes = field(default=b"", repr=False)
    icc_profile: bytes = field(default=b"", repr=False)
    dots_per_inch: tuple[float, float] | None = None
    """Horizontal and vertical resolution."""
    color_chunks: tuple[tuple[bytes, bytes], ...] = ()
    """Chunks of a PNG that say how its colors look."""
    omitted: str = ""
    """What is too large for the format: EXIF, XMP or both."""

    def options(self) -> dict[str, object]:
        """Return the Pillow options that write the metadata to JPEG, WebP and AVIF."""
        options = {"exif": self.exif, "xmp": self.xmp, "icc_profile": self.icc_profile, "dpi": self.dots_per_inch}
        return {name: value for name, value in options.items() if value}

    def png_chunks(self) -> Chunks:
        """Return the chunks of a PNG."""
        resolution = resolution_content(*self.dots_per_inch) if self.dots_per_inch else b""
        found = (
            (b"iCCP", profile_content(self.icc_profile) if self.icc_profile else b""),
            *self.color_chunks,
            (b"pHYs", resolution),
            (b"eXIf", self.exif.removeprefix(b"Exif\0\0")),
            (b"iTXt", _PNG_XMP_KEYWORD + bytes(4) + self.xmp if self.xmp else b""),
        )
        return [(name, content) for name, content in found if content]


def read_metadata(source: SourceImage, kind: OutputFormat, *, keep: bool) -> Metadata:
    """Return what a result has beside pixels: color data, and if it is kept, EXIF (upright), XMP and resolution."""
    colors = color_chunks(source) if kind == "png" else ()
    if not keep:
        return Metadata(color_chunks=colors)
    with damage_as_invalid_input(source.format, content=source.content):
        image, _ = open_image(source.content, source.format)
    # Pillow would decode the whole PNG to find EXIF data after the pixels.
    has_exif = source.format != "png" or "exif" in image.info
    resolution = resolution_of(image, source.format)
    stated = resolution if kind in ("webp", "avif") else None
    exif, xmp = _exif(image if has_exif else Image.Image(), stated), _ORIENTATION.sub(rb"\g<1>1", xmp_of(image))
    limit = _MAX_JPEG_METADATA if kind == "jpeg" else sys.maxsize
    found = {name: data for name, data in (("EXIF", exif), ("XMP", xmp)) if len(data) <= limit}
    omitted = " and ".join(name for name in ("EXIF", "XMP") if name not in found)
    return Metadata(found.get("EXIF", b""), found.get("XMP", b""), b"", resolution, colors, omitted)


def color_chunks(source: SourceImage) -> tuple[tuple[bytes, bytes], ...]:
    """Return the chunks of a PNG that say how its colors look; none if it has an ICC profile, which is applied.

    Images with 16 bits per channel keep their colors and their profile.
    """
    if source.format != "png":
        return ()
    found = {name: content for name, content in chunks(source.content) if name in _PNG_COLORS}
    if b"iCCP" in found and source.bits == 8:
        return ()
    return tuple(found.items())


def color_warnings(source: SourceImage, kind: str) -> list[ResultWarning]:
    """Return the warning for a result without the gAMA or cICP of a PNG, or codes of an AVIF, that change colors."""
    found, removed = dict(color_chunks(source)), ""
    gamma = found.get(b"gAMA", b"")
    if len(gamma) == 4 and b"sRGB" not in found and abs(int.from_bytes(gamma) - _GAMMA_SRGB) > _GAMMA_TOLERANCE:
        removed = "gAMA"
    primaries, transfer = avif_color_codes(source.content) if source.format == "avif" else (0, 0)
    is_wide = primaries in WIDE_PRIMARIES or transfer in _HDR_TRANSFERS
    if is_wide or found.get(b"cICP", _CICP_SRGB)[:4] != _CICP_SRGB:
        removed = "cICP"
    message = f"file: {removed} was removed, which {kind} does not keep; colors may look different."
    return [{"code": "color_data_removed", "message": message}] if removed else []


def avif_color_codes(content: bytes) -> tuple[int, int]:
    """Return the codes of the primaries and of the transfer function (ITU-T H.273) of an AVIF or HEIC; 0 if missing."""
    codes = avif_property(content, b"colrnclx", 4)
    return (codes[1], codes[3]) if codes else (0, 0)


def resolution_of(image: Any, kind: ImageFormat) -> tuple[float, float] | None:
    """Return horizontal and vertical dots per inch of the upright image; None if the file states none."""
    try:
        x, y = (float(value) for value in _stated_resolution(image, kind) or ())
    except Exception:  # noqa: BLE001 - broken or missing EXIF
        return None
    if not (0 < x <= _MAX_DPI and 0 < y <= _MAX_DPI):
        return None
    turned = orientation_of(image) > 4
    return (_rounded(y), _rounded(x)) if turned else (_rounded(x), _rounded(y))


def _stated_resolution(image: Any, kind: ImageFormat) -> tuple[Any, Any] | None:
    """Read the header of the format, then EXIF. Pillow reports values for a JPEG or TIFF that states nothing."""
    unit = image.info.get("jfif_unit")
    if unit in (_JFIF_INCH, _JFIF_CENTIMETER):
        scale = _CENTIMETERS_PER_INCH if unit == _JFIF_CENTIMETER else 1
        x, y = image.info.get("jfif_density", (0, 0))
        return x * scale, y * scale
    is_stated = kind != "jpeg" and (kind != "tiff" or _TAG.XResolution in image.tag_v2)
    if is_stated and "dpi" in image.info:
        return image.info["dpi"]  # type: ignore[no-any-return]
    if kind in ("png", "webp", "avif") and "exif" not in image.info:
        return None  # Pillow would decode a whole PNG.
    exif = image.getexif()
    scale = _CENTIMETERS_PER_INCH if exif.get(_TAG.ResolutionUnit) == _UNIT_CENTIMETER else 1
    return float(exif[_TAG.XResolution]) * scale, float(exif[_TAG.YResolution]) * scale


def _rounded(value: float) -> float:
    """Return a resolution; a PNG stores whole dots per meter, so that 300 becomes 299.9994."""
    return round(value) if abs(value - round(value)) < 0.02 else round(value, 2)


def _exif(image: Image.Image, resolution: tuple[float, float] | None) -> bytes:
    try:
        exif = image.getexif()
        for tag in set(exif) - _KEPT_TAGS:
            del exif[tag]
        if resolution and _TAG.XResolution not in exif:
            exif[_TAG.XResolution], exif[_TAG.YResolution] = (IFDRational(dots) for dots in resolution)
            exif[_TAG.ResolutionUnit] = _UNIT_INCH
        return exif.tobytes() if exif else b""
    except Exception:  # noqa: BLE001 - broken EXIF does not make the image unreadable
        return b""


def xmp_of(image: Image.Image) -> bytes:
    """Return the XMP of an image; empty if it has none."""
    xmp = image.info.get("xmp") or image.info.get("XML:com.adobe.xmp") or b""
    xmp = xmp.encode("utf-8", "replace") if isinstance(xmp, str) else xmp
    return xmp if isinstance(xmp, bytes) else b""


def lossless_copy(source: SourceImage, *, background: str | None, keep_metadata: bool) -> tuple[bytes | None, str]:
    """Copy a file without its metadata, or with EXIF and XMP, if its image data can be kept unchanged.

    Returns:
        The copy, or None and why the image data must be encoded again, as the end of a sentence.
    """
    image, orientation = open_image(source.content, source.format)
    if orientation != 1:
        return None, "the EXIF orientation was applied"
    is_deep_png = source.format == "png" and source.bits == 16
    if not is_deep_png and (image.mode not in _MODES or source_profile(image.info.get("icc_profile"), image.mode)):
        return None, "the colors were converted to 8-bit sRGB"
    if background and source.has_alpha:
        return None, "the background was applied"
    copy: bytes | None = None
    with suppress(ValueError, IndexError, struct.error):
        match source.format:
            case "png":
                copy = _copy_png(source.content, color_chunks(source), keep_metadata=keep_metadata)
            case "webp":
                copy = _copy_webp(source.content, keep_metadata=keep_metadata)
            case "jpeg":
                copy = copy_jpeg(source.content, keep_metadata=keep_metadata)
            case "avif" if keep_metadata or image.info.keys().isdisjoint({"icc_profile", "exif", "xmp"}):
                copy = source.content
    return copy, "" if copy else "the metadata was removed"


def _copy_png(content: bytes, colors: Chunks, *, keep_metadata: bool) -> bytes:
    """Copy the chunks that decoding needs (ISO/IEC 15948, 5.3)."""
    copied = [content[:8]]
    wanted = _PNG_PARTS | {name for name, _ in colors}
    for name, body in chunks(content):
        is_metadata = name in (b"eXIf", b"pHYs") or (name == b"iTXt" and body.startswith(_PNG_XMP_KEYWORD))
        if name in wanted or (keep_metadata and is_metadata):
            copied.append(chunk(name, body))
        if name == b"IEND":
            break
    return b"".join(copied)


def _copy_webp(content: bytes, *, keep_metadata: bool) -> bytes:
    """Copy the chunks that decoding needs, and clear the flags of the others (RFC 9649, 2.7)."""
    wanted = _WEBP_PARTS | ({b"EXIF", b"XMP "} if keep_metadata else set())
    cleared = sum(flag for name, flag in _WEBP_FLAGS.items() if name not in wanted)
    content, copied = content[: 8 + int.from_bytes(content[4:8], "little")], []
    for name, start, end in webp_chunks(content):
        data = content[start:end]
        if name == b"VP8X":
            data = bytes([data[0] & ~cleared]) + data[1:]
        if name in wanted:
            copied.append(webp_chunk(name, data))
    return webp_chunk(b"RIFF", b"WEBP" + b"".join(copied))


def copy_jpeg(content: bytes, *, keep_metadata: bool) -> bytes:
    """Copy the segments that decoding needs, up to the end of the image (ITU-T T.81, B.1.1).

    Raises:
        ValueError: There are bytes between two segments, or the end is missing.
    """
    copied, position = [content[:2]], 2
    for code, start, end in jpeg_segments(content):
        if content[position:start].strip(b"\xff"):
            raise ValueError("bytes between two segments")
        segment, position = content[start:end], end
        if _is_needed(code, segment) or (keep_metadata and code == _APP1 and segment[4:].startswith(_JPEG_METADATA)):
            copied.append(segment)
        if code == END_OF_IMAGE:
            return b"".join(copied)
    raise ValueError("the end is missing")


def _is_needed(code: int, segment: bytes) -> bool:
    """Check whether a segment takes part in decoding; of the application segments JFIF and Adobe's transform do."""
    if code == _APP0:
        return segment.startswith(b"JFIF\0", 4) and len(segment) == _JFIF_LENGTH + 2
    if code == _APP14:
        return segment.startswith(b"Adobe", 4)
    return code != _COMMENT and not _APP0 <= code <= _APP15
