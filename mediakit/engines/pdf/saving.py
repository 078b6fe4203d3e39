"""Saves PDFs: compact, and equal for equal input."""

import hashlib
import re
import warnings
from io import BytesIO

import pikepdf

STATIC_ID = b"31415926535897932384626433832795"
"""The identifier that qpdf writes for `static_id`, as hexadecimal digits."""

TRAILER_BYTES = 4096
"""Bytes from the start of the cross-reference stream that hold its dictionary."""

_START = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*$")


def save(pdf: pikepdf.Pdf, *, min_version: str = "1.5") -> bytes:
    """Return the bytes of a PDF, without a new date or a random identifier."""
    target = BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pdf.save(
            target,
            min_version=min_version,
            fix_metadata_version=False,
            object_stream_mode=pikepdf.ObjectStreamMode.generate,
            static_id=True,
        )
    _write_identifier(target)
    return target.getvalue()


def _write_identifier(target: BytesIO) -> None:
    """Replace the static identifier by one of the content.

    qpdf can do that too (`deterministic_id`), but its MD5 of all bytes takes longer than everything else together.
    """
    from zlib_ng import zlib_ng

    with target.getbuffer() as content:
        start = _START.search(bytes(content[-64:]))
        if not start:
            return
        at = int(start[1])
        trailer = bytes(content[at : at + TRAILER_BYTES])
        digest = hashlib.sha256(f"{len(content)} {zlib_ng.crc32(content)}".encode()).hexdigest()
        content[at : at + len(trailer)] = trailer.replace(STATIC_ID, digest[: len(STATIC_ID)].encode())
