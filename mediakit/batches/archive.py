"""ZIP archives of results."""

import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import IO

from mediakit.batches.names import file_name
from mediakit.core.media import type_of
from mediakit.results.result import Result

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a zip archive, so that equal results give equal archives."""

FILE_MODE = 0o100644 << 16
"""A regular file that everyone may read and its owner may change."""

DEFLATED = frozenset({"image/svg+xml", "image/bmp", "image/tiff", "application/json", "application/x-ndjson"})
"""Media types, besides texts, that are not compressed already."""


def write_zip(target: Path | IO[bytes], results: Mapping[str, Result]) -> None:
    """Write all results to a zip archive under their names."""
    with zipfile.ZipFile(target, "w") as archive:
        for name, result in results.items():
            archive.writestr(zip_entry(file_name(name, result)), result.file)


def zip_entry(file: str) -> zipfile.ZipInfo:
    """Return the entry of a file, compressed if its format is not compressed already."""
    entry = zipfile.ZipInfo(file, ZIP_DATE)
    entry.external_attr = FILE_MODE
    media = type_of(PurePath(file)) or ""
    is_deflated = media.startswith("text/") or media in DEFLATED
    entry.compress_type = zipfile.ZIP_DEFLATED if is_deflated else zipfile.ZIP_STORED
    return entry
