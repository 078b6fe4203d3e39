"""Tells workbooks that need a password from damaged ones."""

import io
import re
import zipfile

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PACKAGE = "EncryptedPackage".encode("utf-16-le")
"""Name of the stream that holds an encrypted XLSX or XLSB."""

_FILE_PASS = re.compile(
    rb"\x09\x08[\x08\x10]\x00\x00[\x05\x06].{6,14}?(?:\x86\x00\x00\x00)?\x2f\x00[\x04-\xff][\x00-\x02]", re.DOTALL
)
"""The record that follows the beginning of an encrypted XLS."""

_MANIFEST = "META-INF/manifest.xml"


def is_protected(content: bytes) -> bool:
    """Return whether a workbook is encrypted."""
    if content.startswith(_OLE):
        return _PACKAGE in content or _FILE_PASS.search(content) is not None
    if not content.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            manifest = archive.read(_MANIFEST) if _MANIFEST in archive.namelist() else b""
    except (zipfile.BadZipFile, KeyError, ValueError, NotImplementedError, OSError, RuntimeError):
        return False
    return b"encryption-data" in manifest
