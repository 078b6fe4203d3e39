"""Hyphens at the ends of lines: those that break a word are removed, those of compounds are kept."""

import re
from collections.abc import Iterable

SOFT_HYPHEN = "\u00ad"

AUTOMATIC_SHARE = 0.03
"""Share of the lines that end with a hyphen in a document that was hyphenated automatically, at least."""

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LAST = re.compile(r"([^\W\d_]+)[-\u2010\u00ad]$")
_FIRST = re.compile(r"([^\W\d_]+)")
_BROKEN_CODE = re.compile(r"\w-\d")
"""The break in a code or a date, such as `A-` above `100`."""


class Hyphens:
    """Decides about hyphens by the other words of the document."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: set[str] = set()
        count = broken = 0
        for line in lines:
            text = line.strip()
            count += 1
            broken += bool(_LAST.search(text))
            self._words.update(word.casefold() for word in _WORD.findall(_LAST.sub("", text)))
        self._is_automatic = broken >= AUTOMATIC_SHARE * count and broken > 2

    def joined(self, before: str, after: str) -> str | None:
        """Return the end of a line without its hyphen if the word goes on on the next line, else None.

        Args:
            before: The line.
            after: The next line.
        """
        if _BROKEN_CODE.search(before[-2:] + after[:1]):
            return before
        last, first = _LAST.search(before), _FIRST.match(after)
        if not last or not first:
            return None
        if before.endswith(SOFT_HYPHEN):
            return before[:-1]
        if not first[1][0].islower():
            return before
        return before[:-1] if self._is_broken(last[1].casefold(), first[1].casefold()) else before

    def _is_broken(self, start: str, end: str) -> bool:
        if start + end in self._words:
            return True
        if f"{start}-{end}" in self._words:
            return False
        if start in self._words and end in self._words:
            return False
        return self._is_automatic
