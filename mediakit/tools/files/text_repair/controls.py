"""Control characters, zero-width characters and overrides of the writing direction."""

import re
import unicodedata

from mediakit.tools.files.text_repair.changes import Changes

_BIDI = "\u202a-\u202e\u2066-\u2069"
_C0 = "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f"
_CANDIDATES = re.compile(f"[{_C0}{_BIDI}\u200b-\u200d\u2060\ufeff]")
_BIDI_CONTROL = re.compile(f"[{_BIDI}]")
_JOINERS = "\u200c\u200d"
_SPACE = "\u200b"
_NAMES = {
    "\0": "NULL",
    "\x07": "BELL",
    "\x08": "BACKSPACE",
    "\x0b": "LINE TABULATION",
    "\x0c": "FORM FEED",
    "\x1a": "SUBSTITUTE",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
}
_LAST_LATIN = "\u02af"
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
"""Thai, Lao, Burmese and Khmer, where the zero-width space separates words."""


def count_bidi_controls(text: str) -> int:
    """Return the number of embeddings, overrides and isolates of the writing direction (UAX #9)."""
    return len(_BIDI_CONTROL.findall(text))


def remove_controls(line: str, number: int, changes: Changes) -> str:
    """Return a line without control characters; each is reported by its name.

    Joiners between letters of scripts that need them, as Persian, and in emoji, are kept.
    """
    kept, end = [], 0
    for match in _CANDIDATES.finditer(line):
        if not _is_needed(line, match.start()):
            kept.append(line[end : match.start()])
            end = match.end()
            changes.add("control", name_of(match.group()), "", number)
    return "".join((*kept, line[end:])) if kept else line


def name_of(character: str) -> str:
    """Return the code point and the name of a character: `U+202E RIGHT-TO-LEFT OVERRIDE`."""
    name = _NAMES.get(character) or unicodedata.name(character, "CONTROL")
    return f"U+{ord(character):04X} {name}"


def _is_needed(line: str, position: int) -> bool:
    character = line[position]
    before, after = line[position - 1 : position], line[position + 1 : position + 2]
    if not before or not after:
        return False
    if character in _JOINERS:
        return before > _LAST_LATIN and not before.isspace() and after > _LAST_LATIN and not after.isspace()
    return character == _SPACE and any(first <= ord(before) <= last for first, last in _UNSPACED)
