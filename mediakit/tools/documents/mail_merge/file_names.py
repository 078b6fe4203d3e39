"""Names of the documents: a pattern with columns, safe on all systems, and unique."""

import re
from collections.abc import Sequence

from mediakit.core.media import safe_name, unique_names
from mediakit.core.messages import nearest, quote
from mediakit.errors import InvalidInput
from mediakit.tools.documents.mail_merge.row import MISSING, Row, RowProblem

MAX_PATTERN = 100
MAX_STEM = 110
"""Characters of a name without its extension and the number of a repeated name."""

NUMBER = "n"
"""What stands for the number of the row."""

_PART = re.compile(r"\{([^{}]*)\}")
_NUMBER = re.compile(r"n(?::(0?[1-9]))?")
_DIRECTION = re.compile("[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
"""Invisible characters, which could make one name look like another."""


def check_pattern(pattern: str) -> str:
    """Return a pattern.

    Raises:
        ValueError: It has an empty or an open brace.
    """
    rest = _PART.sub("", pattern)
    if "{" in rest or "}" in rest or "{}" in pattern:
        raise ValueError(f'must be text with columns such as "{{n:03}} {{name}}", got {quote(pattern)}.')
    return pattern


def file_names(pattern: str, rows: Sequence[Row], extension: str) -> list[str]:
    """Return a name for each row; a repeated one gets a number, as `Ada (2).pdf`.

    Raises:
        InvalidInput: No row has a column of the pattern.
    """
    for column in _columns(pattern):
        if all(row.find(column) is MISSING for row in rows):
            known = [*dict.fromkeys(name for row in rows for name in row.merged), NUMBER]
            raise InvalidInput(f"filename: there is no column {quote(column)}; {nearest(column, known)}")
    return unique_names(f"{_stem(pattern, row, extension)}.{extension}" for row in rows)


def _columns(pattern: str) -> list[str]:
    return [name for name in _PART.findall(pattern) if not _NUMBER.fullmatch(name)]


def _stem(pattern: str, row: Row, extension: str) -> str:
    text = _DIRECTION.sub("", _PART.sub(lambda match: _value(match[1], row), pattern))
    if text.lower().endswith(f".{extension}"):
        text = text[: -len(extension) - 1]
    return safe_name(text)[:MAX_STEM].rstrip(" .") if text.strip(" .") else str(row.number)


def _value(name: str, row: Row) -> str:
    if match := _NUMBER.fullmatch(name):
        return f"{row.number:{match[1] or ''}}"
    try:
        return row.text(name)
    except RowProblem:
        return ""
