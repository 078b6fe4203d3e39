"""Paths of files in a target."""

import re

from mediakit.errors import InvalidInput

REPORT_CSV, REPORT_LINES = "report.csv", "report.jsonl"
LOCK = ".mediakit.lock"

RESERVED = frozenset({REPORT_CSV, REPORT_LINES, LOCK})
"""Files of a target that no row can have."""

TEMPORARY = ".mediakit-"
"""Prefix of files that are being written."""

WORK = f"{TEMPORARY}work"
"""Folder of files that are being assembled."""

SEGMENTS = f"{TEMPORARY}report-"
"""Prefix of parts of the report, in stores whose files cannot grow."""

_OUTSIDE = re.compile(r"(^|/)\.{0,2}(/|$)|[\\\0]|^[A-Za-z]:")


def checked(file: str) -> str:
    """Return a path that stays within the target.

    Raises:
        InvalidInput: It is absolute, has empty parts or leads out of the target.
    """
    if _OUTSIDE.search(file):
        raise InvalidInput(f"name: must be a path within the target, got {file!r}.")
    return file


def checked_to_write(file: str) -> str:
    """Return the path of a file of a row.

    Raises:
        InvalidInput: It is not within the target, or is the path of a report.
    """
    if file.lower() in RESERVED:
        raise InvalidInput(f"name: {file} is the report of the batch; give the row another name.")
    return checked(file)
