"""The first pipe table of a Markdown text."""

import re
from itertools import pairwise

from mediakit.errors import InvalidInput

_DELIMITER_ROW = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_PIPE = re.compile(r"(?<!\\)((?:\\\\)*)\|")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)


def has_table(text: str) -> bool:
    """Return whether a text has a pipe table."""
    return _find(text.splitlines()) is not None


def read_markdown(text: str, field: str) -> list[list[str]]:
    """Return the rows of the first pipe table, its header first.

    Raises:
        InvalidInput: There is no table.
    """
    lines = text.splitlines()
    start = _find(lines)
    if start is None:
        raise InvalidInput(f"{field}: has no Markdown table (a header row, then a row such as | --- | --- |).")
    rows = [_cells(lines[start])]
    for line in lines[start + 2 :]:
        if "|" not in line:
            break
        rows.append(_cells(line)[: len(rows[0])])
    return rows


def _find(lines: list[str]) -> int | None:
    """Return the number of the header's line."""
    for place, (above, below) in enumerate(pairwise(lines)):
        is_rule = "|" in above and ("|" in below or ":" in below or "-" in below) and _DELIMITER_ROW.fullmatch(below)
        if is_rule and len(_cells(above)) == len(_cells(below)):
            return place
    return None


def _cells(line: str) -> list[str]:
    inner = line.strip()
    inner = inner.removeprefix("|")
    parts = _PIPE.sub("\\1\0", inner).split("\0")
    if inner.endswith("|") and parts[-1] == "":
        parts.pop()
    return [_ESCAPED.sub(r"\1", _BREAK.sub("\n", part.strip())) for part in parts]
