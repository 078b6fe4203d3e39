"""Errors of the engine in its own words, with the line and a caret, and the nearest names."""

import logging
import re
from collections.abc import Mapping, Sequence

from mediakit.core.suggestions import similar
from mediakit.engines.sql.limits import TOO_MUCH_MEMORY
from mediakit.errors import InvalidInput

NO_ACCESS = "sql: queries cannot access files, the network, extensions and settings."

MAX_MESSAGE_LENGTH = 2000
_COLUMN = re.compile(
    r'(?:column|Column)(?: with name)? "((?:[^"]|"")+)"(?: not found| does not exist|.*?does not have)'
)
_QUALIFIED = re.compile(r'does not have a column named "((?:[^"]|"")+)"')
_TABLE = re.compile(r"Table with name (.+?) does not exist")
_FUNCTION = re.compile(r"Function with name (\S+) does not exist")
_SUGGESTED = re.compile(r'Did you mean "([^"]+)"')
_NEAR_NAMES = re.compile(r"^(?:Candidate bindings|Did you mean).*\n?", re.MULTILINE)
"""The lines in which the engine lists near names, which the hint has already."""
_LINE = re.compile(r"^LINE \d+: .*\n", re.MULTILINE)
"""The line of the query that an error shows."""
_PLAIN_NAME = re.compile(r"\w+")
_BLANK_LINES = re.compile(r"\n{2,}")
_REFUSED = ("PermissionException", "MissingExtensionException")
_MAX_LISTED = 8

logger = logging.getLogger(__name__)


def invalid_query(error: Exception, names: Mapping[str, Sequence[str]]) -> InvalidInput:
    """Return the error for a query that the engine refuses.

    Args:
        error: The engine's error.
        names: The columns of each table.
    """
    kind, text = type(error).__name__, str(error).strip()
    if kind == "OutOfMemoryException" or isinstance(error, MemoryError):
        return InvalidInput(TOO_MUCH_MEMORY)
    if kind in _REFUSED:
        return InvalidInput(NO_ACCESS)
    words = _BLANK_LINES.sub("\n", text)[:MAX_MESSAGE_LENGTH]
    hint = _hint(text, names)
    if not hint:
        return InvalidInput(f"sql: {words}")
    return InvalidInput(f"sql: {hint}\n{_NEAR_NAMES.sub('', words)}")


def _hint(text: str, names: Mapping[str, Sequence[str]]) -> str:
    """Return a sentence about a name that is not there or needs quotes; empty for other errors."""
    columns = list(dict.fromkeys(name for each in names.values() for name in each))
    if unquoted := next((name for name in columns if _is_unquoted(name, text)), None):
        return f'The column "{unquoted[:80]}" needs double quotes in SQL: select "{unquoted[:80]}".'
    if match := _QUALIFIED.search(text) or _COLUMN.search(text):
        return _missing("column", match[1].replace('""', '"'), columns)
    if match := _TABLE.search(text):
        return _missing("table", match[1], list(names))
    if (match := _FUNCTION.search(text)) and (near := _SUGGESTED.search(text)):
        return f'There is no function "{match[1]}"; did you mean "{near[1]}"?'
    return ""


def _is_unquoted(column: str, text: str) -> bool:
    """Return whether the line of an error has the name of a column that needs quotes, such as `unit price`, without."""
    if _PLAIN_NAME.fullmatch(column):
        return False
    pattern = r"\s+".join(map(re.escape, column.split()))
    lines = "".join(_LINE.findall(text))
    return bool(re.search(rf"(?<![\"'\w]){pattern}(?![\"'\w])", lines, re.IGNORECASE))


def _missing(noun: str, name: str, known: Sequence[str]) -> str:
    if near := similar(name, known):
        return f'There is no {noun} "{name[:80]}"; did you mean "{near}"?'
    listed = ", ".join(f'"{each[:40]}"' for each in known[:_MAX_LISTED])
    return f'There is no {noun} "{name[:80]}"; there are {listed}{", ..." if len(known) > _MAX_LISTED else ""}.'
