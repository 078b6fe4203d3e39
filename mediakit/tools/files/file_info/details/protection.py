"""Whether a file is encrypted: PDF, Office documents and ZIP archives."""

import struct

from mediakit.engines.file_types import FileType
from mediakit.engines.file_types.containers.ole_streams import stream_names, stream_start
from mediakit.engines.file_types.containers.zip_directory import read_directory

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK"
_WORD_ENCRYPTED = 0x0100
_BIFF_FILEPASS, _BIFF_END = 0x2F, 0x0A


def is_encrypted(content: bytes, found: FileType) -> bool | None:
    """Return whether a file needs a password; None for files that cannot be encrypted in a standard way."""
    if found.mime_type == "application/pdf":
        return _is_pdf_encrypted(content)
    if content.startswith(_OLE) and found.kind in ("document", "spreadsheet", "presentation"):
        return _is_office_encrypted(content)
    if content.startswith(_ZIP) and (entries := read_directory(content)):
        return any(entry.is_encrypted for entry in entries)
    return None


def _is_pdf_encrypted(content: bytes) -> bool | None:
    import pymupdf

    try:
        with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
            return bool(document.needs_pass) or bool((document.metadata or {}).get("encryption"))
    except Exception:  # noqa: BLE001  # the library raises errors of many classes for damaged files
        return None


def _is_office_encrypted(content: bytes) -> bool:
    names = stream_names(content)
    if names & {"EncryptedPackage", "EncryptedSummary"}:
        return True
    if "WordDocument" in names:
        head = stream_start(content, "WordDocument")
        return len(head) > 12 and bool(struct.unpack_from("<H", head, 10)[0] & _WORD_ENCRYPTED)  # [MS-DOC], FibBase
    workbook = next((name for name in ("Workbook", "Book") if name in names), "")
    return bool(workbook) and _has_password_record(stream_start(content, workbook))


def _has_password_record(stream: bytes) -> bool:
    """Return whether the globals of a workbook have a FilePass record ([MS-XLS], 2.4.117)."""
    position = 0
    while position + 4 <= len(stream):
        kind, size = struct.unpack_from("<HH", stream, position)
        if kind in (_BIFF_FILEPASS, _BIFF_END):
            return bool(kind == _BIFF_FILEPASS)
        position += 4 + size
    return False
