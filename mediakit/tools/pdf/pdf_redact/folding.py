"""Text in the form in which it is compared, with the place of each character in the original."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

BREAK = "\x1f"
"""Separates texts that are not neighbors; nothing matches across it."""

MAX_KNOWN = 4
"""Characters of a cluster that is kept in the cache."""

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"), "-")
_QUOTES = dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc"), "'") | dict.fromkeys(map(ord, "\u201c\u201d\u201f"), '"')
_PLAIN = _DASHES | _QUOTES

_CLUSTER = re.compile(
    r"[^\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]?"
    r"[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]*",
    re.DOTALL,
)
"""A character with the combining marks that follow it."""

_HYPHEN_AT_LINE_END = re.compile(r"(?<=\w)-[ \t]*\n\s*(?=\w)")
_KEPT_HYPHEN = re.compile(r"-[ \t]*\n\s*(?=\w)")
_LINE_END = re.compile(r"[ \t]*\n\s*")
_SPACES = re.compile(r"\s{2,}|[^\S ]")


@dataclass(frozen=True)
class Folded:
    """A text, and for each of its characters where it is in the original."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the original that holds a range of this text."""
        return self.starts[start], self.ends[end - 1]

    def replaced(self, pattern: re.Pattern[str], replacement: str) -> "Folded":
        """Return the text with all matches of a pattern replaced by at most one character."""
        if not pattern.search(self.text):
            return self
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        at = 0
        for match in pattern.finditer(self.text):
            start, end = match.span()
            parts += self.text[at:start], replacement
            starts += self.starts[at:start]
            ends += self.ends[at:start]
            if replacement:
                starts.append(self.starts[start])
                ends.append(self.ends[end - 1])
            at = end
        return Folded("".join((*parts, self.text[at:])), [*starts, *self.starts[at:]], [*ends, *self.ends[at:]])


def fold(text: str, *, caseless: bool) -> Folded:
    """Return a text with compatible characters unified (NFKC): ligatures, widths, dashes, quotes, composed accents.

    Characters without a width (soft hyphens, joiners, direction marks) are omitted.

    Args:
        text: Any text.
        caseless: Fold the case too.
    """
    if text.isascii():
        return Folded(text.lower() if caseless else text, range(len(text)), range(1, len(text) + 1))
    parts: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        part = _folded_cluster(text[start:end], caseless=caseless)
        parts.append(part)
        starts += [start] * len(part)
        ends += [end] * len(part)
    return Folded("".join(parts), starts, ends)


def readings(folded: Folded) -> Iterator[Folded]:
    """Return a text as it may be read: hyphens at line ends dropped, and kept; all white space as single spaces."""
    kept = folded.replaced(_KEPT_HYPHEN, "-") if "-" in folded.text else folded
    yield folded.replaced(_HYPHEN_AT_LINE_END, "").replaced(_SPACES, " ")
    if kept is not folded:
        yield kept.replaced(_SPACES, " ")


def line_by_line(folded: Folded) -> Folded:
    """Return a text whose lines are not neighbors."""
    return folded.replaced(_LINE_END, BREAK)


def without_line_ends(folded: Folded) -> Folded | None:
    """Return a text whose lines follow each other without a space, or None if it is one line."""
    return folded.replaced(_LINE_END, "").replaced(_SPACES, " ") if "\n" in folded.text else None


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    for match in _CLUSTER.finditer(text):
        if match.end() > match.start():
            yield match.span()


@cache
def _folded_character(cluster: str, caseless: bool) -> str:  # noqa: FBT001  # a cache key
    plain = unicodedata.normalize("NFKC", cluster.translate(_PLAIN)).translate(_PLAIN)
    plain = "".join(each for each in plain if each == BREAK or unicodedata.category(each) not in ("Cf", "Cn"))
    return unicodedata.normalize("NFC", plain.casefold()) if caseless else plain


def _folded_cluster(cluster: str, caseless: bool) -> str:  # noqa: FBT001
    return (
        _folded_character(cluster, caseless)
        if len(cluster) <= MAX_KNOWN
        else _folded_character.__wrapped__(cluster, caseless)
    )
