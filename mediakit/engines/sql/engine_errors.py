"""Errors of the engine in its own words, with the line and a caret, and the nearest names."""

import difflib
import logging
import re
from collections.abc import Mapping, Sequence

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
    """Return a sentence about a name that is not there; empty for other errors."""
    if match := _QUALIFIED.search(text) or _COLUMN.search(text):
        columns = [name for each in names.values() for name in each]
        return _missing("column", match[1].replace('""', '"'), list(dict.fromkeys(columns)))
    if match := _TABLE.search(text):
        return _missing("table", match[1], list(names))
    if (match := _FUNCTION.search(text)) and (near := _SUGGESTED.search(text)):
        return f'There is no function "{match[1]}"; did you mean "{near[1]}"?'
    return ""


def _missing(noun: str, name: str, known: Sequence[str]) -> str:
    folded = {each.lower(): each for each in reversed(known)}
    near = difflib.get_close_matches(name.lower(), folded, n=1, cutoff=0.5)
    if near:
        return f'There is no {noun} "{name[:80]}"; did you mean "{folded[near[0]]}"?'
    listed = ", ".join(f'"{each[:40]}"' for each in known[:_MAX_LISTED])
    return f'There is no {noun} "{name[:80]}"; there are {listed}{", ..." if len(known) > _MAX_LISTED else ""}.'
