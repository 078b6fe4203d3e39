"""The kind of a file, from its first bytes: names and media types are not trusted."""

from mediakit.engines.raster.formats import InputFormat, detect_format
from mediakit.errors import InvalidInput

PDF_HEADER_BYTES = 1024
"""The header `%PDF-` may follow up to this many bytes (PDF 1.7, appendix H, note 13)."""

IMAGE_NAMES: dict[InputFormat, str] = {
    "png": "a PNG image",
    "jpeg": "a JPEG image",
    "webp": "a WebP image",
    "avif": "an AVIF image",
    "gif": "a GIF image",
    "tiff": "a TIFF image",
}

_OTHER_NAMES = (
    (b"PK\x03\x04", "a ZIP file"),
    (b"PK\x05\x06", "a ZIP file"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file"),
    (b"\x1f\x8b", "a gzip file"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"{\\rtf", "an RTF document"),
    (b"%!PS", "a PostScript file"),
    (b"BM", "a BMP image"),
)


def is_pdf(content: bytes) -> bool:
    """Return whether the first bytes are those of a PDF."""
    return b"%PDF-" in content[:PDF_HEADER_BYTES]


def image_format(content: bytes) -> InputFormat | None:
    """Return the format of an image, or None for any other file."""
    try:
        return detect_format(content)
    except InvalidInput:
        return None


def describe(content: bytes) -> str:
    """Return the kind of a file as an error message names it: `a PNG image`."""
    if not content:
        return "an empty file"
    if is_pdf(content):
        return "a PDF"
    if kind := image_format(content):
        return IMAGE_NAMES[kind]
    for magic, name in _OTHER_NAMES:
        if content.startswith(magic):
            return name
    return _describe_text(content[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower())


def _describe_text(head: bytes) -> str:
    if head.startswith((b"<!doctype html", b"<html")):
        return "an HTML page"
    if b"<svg" in head:
        return "an SVG image"
    if head and not any(byte < 9 or 13 < byte < 32 for byte in head):
        return "a text file"
    return "an unknown kind of file"
