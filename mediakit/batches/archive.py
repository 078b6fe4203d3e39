"""ZIP archives of results."""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from mediakit.batches.names import file_name
from mediakit.results.result import Result

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in a zip archive, so that equal results give equal archives."""


def write_zip(target: Path | IO[bytes], results: Mapping[str, Result]) -> None:
    """Write all results to a zip archive under their names."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, result in results.items():
            archive.writestr(zipfile.ZipInfo(file_name(name, result), ZIP_DATE), result.file)
