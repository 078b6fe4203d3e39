"""Removes the metadata inside of image files that a PDF embeds as they are: Exif, XMP, comments."""

from collections.abc import Iterator

import pikepdf
from pikepdf import Array, Name, Stream

from mediakit.tools.pdf.pdf_redact.texts import Replacer

START, SCAN, MARKERS_WITHOUT_LENGTH = 0xD8, 0xDA, {0x01, *range(0xD0, 0xD9)}

KEPT_SEGMENTS = {0xE0, 0xE2, 0xEE}
"""JFIF, color profile and Adobe segments, which say how the pixels are drawn (ITU-T T.81, ICC.1, Adobe TN 5116)."""

TEXT_BOXES = (b"xml ", b"uuid", b"uinf", b"asoc", b"lbl ")
"""Boxes of JPEG 2000 files with texts (ITU-T T.800, annex I)."""


def image_texts(pdf: pikepdf.Pdf) -> Iterator[str]:
    """Yield the metadata of all JPEG and JPEG 2000 images as text."""
    for _, _, parts in _images(pdf):
        yield from (text for part, is_needed in parts if not is_needed for text in _texts(part))


def scrub_images(pdf: pikepdf.Pdf, replacer: Replacer) -> None:
    """Remove the metadata of each JPEG and JPEG 2000 image whose metadata has a match."""
    for stream, kind, parts in _images(pdf):
        if any(not is_needed and any(map(replacer.find, _texts(part))) for part, is_needed in parts):
            parameters = stream.get(Name.DecodeParms)
            stream.write(b"".join(part for part, is_needed in parts if is_needed), filter=kind)
            if parameters is not None:
                stream.DecodeParms = parameters
            replacer.note("metadata of images")


def _images(pdf: pikepdf.Pdf) -> Iterator[tuple[Stream, Name, list[tuple[bytes, bool]]]]:
    """Yield the images, their filters, and their parts with whether each is needed."""
    for item in pdf.objects:
        if not isinstance(item, Stream) or item.get(Name.Subtype) != Name.Image:
            continue
        for kind, read in ((Name.DCTDecode, _segments), (Name.JPXDecode, _boxes)):
            if item.get(Name.Filter) in (kind, Array([kind])):
                yield item, kind, list(read(item.read_raw_bytes()))


def _segments(content: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the segments of a JPEG file up to the first scan, then the rest, and whether each is needed."""
    at = 0
    while content[at : at + 1] == b"\xff" and at + 4 <= len(content):
        marker = content[at + 1]
        if marker == SCAN:
            break
        length = 2 if marker in MARKERS_WITHOUT_LENGTH else 2 + int.from_bytes(content[at + 2 : at + 4])
        is_metadata = (0xE0 <= marker <= 0xEF and marker not in KEPT_SEGMENTS) or marker == 0xFE
        yield content[at : at + length], not is_metadata
        at += length
    yield content[at:], True


def _boxes(content: bytes) -> Iterator[tuple[bytes, bool]]:
    """Yield the boxes of a JPEG 2000 file, and whether each is needed."""
    at = 0
    while content[4:8] == b"jP  " and at + 8 <= len(content):
        length = int.from_bytes(content[at : at + 4])
        if length == 1:
            length = int.from_bytes(content[at + 8 : at + 16])
        if length < 8:
            break
        yield content[at : at + length], content[at + 4 : at + 8] not in TEXT_BOXES
        at += length
    yield content[at:], True


def _texts(part: bytes) -> Iterator[str]:
    plain = part.replace(b"\0", b"")
    yield plain.decode("latin-1")
    yield plain.decode("utf-8", "replace")
