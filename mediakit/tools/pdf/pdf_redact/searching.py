"""Finds words, patterns and kinds of personal data in a text."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from mediakit.engines.direction import has_right_to_left
from mediakit.tools.pdf.pdf_redact import kinds
from mediakit.tools.pdf.pdf_redact.decoding import ENCODINGS
from mediakit.tools.pdf.pdf_redact.folding import Folded, fold, line_by_line, readings, without_line_ends
from mediakit.tools.pdf.pdf_redact.kinds import Kind

LEAST_RAW_BYTES = 5
"""Words that are shorter in UTF-8 are not searched in names, and in bytes that are not text, such as pixels: they would
be found by chance."""

MatchKind = Literal["word", "pattern"] | Kind


@dataclass(frozen=True, order=True)
class Hit:
    """Where something was found in a text."""

    start: int
    end: int
    kind: MatchKind
    index: int = 0
    """Index of the word or the pattern in the request."""


@dataclass(frozen=True)
class Query:
    """What to find; plain values that travel to a worker."""

    words: Sequence[str] = ()
    patterns: Sequence[str] = ()
    kinds: Sequence[Kind] = ()
    match_case: bool = False
    whole_words: bool = False

    def __bool__(self) -> bool:
        return bool(self.words or self.patterns or self.kinds)


class Finder:
    """Searches texts for one query."""

    def __init__(self, query: Query) -> None:
        self._query = query
        self._caseless = not query.match_case
        self._words = [_Word(word, query) for word in query.words]

    def __bool__(self) -> bool:
        return bool(self._query)

    @cached_property
    def raw_pattern(self) -> re.Pattern[bytes] | None:
        """Finds the longer words in bytes that are not text, in all encodings; None if there are no such words."""
        words = [word for word in self._query.words if len(word.encode()) >= LEAST_RAW_BYTES]
        forms = {form for word in words for encoding in ENCODINGS if (form := _encoded(word, encoding))}
        flags = re.NOFLAG if self._query.match_case else re.IGNORECASE
        pattern = b"|".join(map(re.escape, sorted(forms)))
        if self._query.whole_words:
            pattern = b"(?<![0-9A-Z_a-z])(?:" + pattern + b")(?![0-9A-Z_a-z])"
        return re.compile(pattern, flags) if forms else None

    def has_long_word(self, text: str) -> bool:
        """Return whether a text has a word that is long enough not to be in a technical name by chance."""
        hits = (hit for hit in self.find(text) if hit.kind == "word")
        return any(len(text[hit.start : hit.end].encode("utf-8", "replace")) >= LEAST_RAW_BYTES for hit in hits)

    @cached_property
    def _patterns(self) -> list[Any]:
        return [compile_pattern(pattern) for pattern in self._query.patterns]

    def find(self, text: str) -> list[Hit]:
        """Return all that is found, in order; a place can be in several hits.

        Args:
            text: Any text. Lines end with a line feed: words can go on in the next line, with or without a hyphen.
        """
        if not text or text.isspace():
            return []
        found: set[Hit] = set()
        if self._words:
            found.update(self._find_words(fold(text, caseless=self._caseless)))
        if self._query.patterns or self._query.kinds:
            found.update(self._find_expressions(fold(text, caseless=False)))
        return sorted(found)

    def _find_words(self, folded: Folded) -> Iterator[Hit]:
        for reading in readings(folded):
            for index, word in enumerate(self._words):
                for start, end in word.places(reading.text):
                    first, last = reading.original(start, end)
                    yield Hit(first, last, "word", index)
        tight = without_line_ends(folded)
        if tight is None:
            return
        for index, word in enumerate(self._words):
            for start, end in word.places(tight.text):
                if word.is_cjk or _is_bounded(tight.text, start, end):
                    first, last = tight.original(start, end)
                    yield Hit(first, last, "word", index)

    def _find_expressions(self, folded: Folded) -> Iterator[Hit]:
        variants = list(readings(folded))
        for index, pattern in enumerate(self._patterns):
            for variant in (*variants, *([folded] if "\n" in folded.text else ())):
                for start, end in (match.span() for match in pattern.finditer(variant.text)):
                    if end > start:
                        first, last = variant.original(start, end)
                        yield Hit(first, last, "pattern", index)
        for kind in self._query.kinds:
            yield from _find_kind(kind, variants, folded)


class _Word:
    def __init__(self, word: str, query: Query) -> None:
        folded = " ".join(fold(word, caseless=not query.match_case).text.split())
        backwards = folded[::-1] if has_right_to_left(folded) else ""
        self._forms = [form for form in dict.fromkeys((folded, backwards)) if form]
        self._whole = query.whole_words
        self.is_cjk = _is_cjk(folded)
        """Whether it is in a script that does not separate words, and so breaks lines anywhere."""

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        for form in self._forms:
            start = text.find(form)
            while start >= 0:
                end = start + len(form)
                if self._is_accepted(text, start, end):
                    yield start, end
                start = text.find(form, start + 1)

    def _is_accepted(self, text: str, start: int, end: int) -> bool:
        if end < len(text) and unicodedata.combining(text[end]):
            return False  # the last letter is another one, with an accent
        return not self._whole or _is_bounded(text, start, end)


def _encoded(word: str, encoding: str) -> bytes:
    try:
        return word.encode(encoding)
    except UnicodeEncodeError:
        return b""


def _find_kind(kind: Kind, variants: Sequence[Folded], folded: Folded) -> Iterator[Hit]:
    found: set[tuple[int, int]] = set()
    tight = without_line_ends(folded) if kind in ("email", "iban") else None
    # What is whole in one line does not go on in the next.
    for reading in (line_by_line(folded), *variants, *([tight] if tight else ())):
        spans = {reading.original(start, end) for start, end in kinds.find(kind, reading.text)}
        found |= {span for span in spans if not _overlaps(span, found)}
    yield from (Hit(start, end, kind) for start, end in found)


def _overlaps(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _is_bounded(text: str, start: int, end: int) -> bool:
    """Return whether no letter or digit continues a match."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not ((before.isalnum() or before == "_") and text[start].isalnum()) and not (
        (after.isalnum() or after == "_") and text[end - 1].isalnum()
    )


def _is_cjk(text: str) -> bool:
    return any("\u2e80" <= each <= "\u9fff" or "\uac00" <= each <= "\ud7af" or each >= "\U00020000" for each in text)


def compile_pattern(pattern: str) -> Any:
    """Return a compiled expression of RE2, whose time is linear in the text.

    Raises:
        ValueError: The expression is not valid.
    """
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        text = error.args[0] if error.args else ""
        reason = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
        raise ValueError(f"is not a valid expression: {reason.partition(': ')[0]}") from None
