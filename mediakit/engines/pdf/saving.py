"""Saves PDFs: compact, and equal for equal input."""

import hashlib
import re
import warnings
from io import BytesIO

import pikepdf
from pikepdf import Dictionary, Name

from mediakit.errors import InvalidInput

STATIC_ID = b"31415926535897932384626433832795"
"""The identifier that qpdf writes for `static_id`, as hexadecimal digits."""

TRAILER_BYTES = 4096
"""Bytes from the start of the cross-reference stream, or before the end of the file, that hold the trailer."""

AES_128 = 4
"""Version of the encryption whose keys always have 128 bits."""

_START = re.compile(rb"startxref\s+(\d+)\s+%%EOF\s*$")


def save(
    pdf: pikepdf.Pdf,
    *,
    min_version: str = "1.5",
    encryption: pikepdf.Encryption | bool | None = None,
    object_streams: bool = True,
) -> bytes:
    """Return the bytes of a PDF, without a new date or a random identifier.

    An encrypted PDF keeps its encryption, passwords and permissions, and its identifier, which belongs to the key.

    Args:
        pdf: The PDF.
        min_version: The result has at least this version of PDF.
        encryption: New passwords; False for none. By default the PDF keeps what it has.
        object_streams: Whether to compress the objects of the PDF.

    Raises:
        InvalidInput: The PDF is encrypted in a way that cannot be written.
    """
    if Name.Size not in pdf.trailer:  # damaged files lack it
        pdf.trailer.Size = 1  # qpdf replaces the value, but does not add the key
    protection = pdf.trailer.get(Name.Encrypt)
    if isinstance(protection, Dictionary) and protection.get(Name.V) == AES_128 and Name.Length not in protection:
        protection.Length = 128
    target = BytesIO()
    encrypted = pdf.is_encrypted if encryption is None else encryption
    modes = pikepdf.ObjectStreamMode
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            pdf.save(
                target,
                min_version=min_version,
                fix_metadata_version=False,
                object_stream_mode=modes.generate if object_streams else modes.disable,
                static_id=not encrypted,
                encryption=encrypted,
            )
        except RuntimeError as error:
            if not encrypted:
                raise
            raise InvalidInput(
                "file: is encrypted in a way that cannot be kept. Remove the encryption with pdf_protect first."
            ) from error
    if not encrypted:
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
        if bytes(content[at : at + 4]) == b"xref":  # the trailer follows the table
            at = max(at, len(content) - TRAILER_BYTES)
        trailer = bytes(content[at : at + TRAILER_BYTES])
        digest = hashlib.sha256(f"{len(content)} {zlib_ng.crc32(content)}".encode()).hexdigest()
        content[at : at + len(trailer)] = trailer.replace(STATIC_ID, digest[: len(STATIC_ID)].encode())
