"""Finds words, patterns and kinds of personal data in a text, in any spelling of it.

A text is compared in folded form: compatible characters unified, and each character keeps its place in the original.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from typing import Any, Literal

from mediakit.engines.direction import has_right_to_left

BREAK = "\x1f"
"""Separates texts that are not neighbors; nothing matches across it."""

MAX_KNOWN = 20_000
"""Clusters whose folded form is kept in memory."""

_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"), "-")
_QUOTES = dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc"), "'") | dict.fromkeys(map(ord, "\u201c\u201d\u201f"), '"')
_PLAIN = _DASHES | _QUOTES

_MARKS = r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
_IGNORED = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Characters without a width whose category is another one (`Default_Ignorable_Code_Point` of Unicode)."""
_MARK = re.compile(f"[{_MARKS}]")
_CLUSTER = re.compile(f"[^{_MARKS}]?[{_MARKS}]*", re.DOTALL)
"""A character with the combining marks that follow it."""

_HYPHEN_AT_LINE_END = re.compile(r"(?<=\w)-[ \t]*\n\s*(?=\w)")
_KEPT_HYPHEN = re.compile(r"-[ \t]*\n\s*(?=\w)")
_LINE_END = re.compile(r"[ \t]*\n\s*")
_SINGLE_LETTERS = re.compile(r"(?:(?<=\n[^\W\d_])|(?<=^[^\W\d_]))\n+(?=[^\W\d_](?:\n|$))")
"""The ends of lines of one letter that follow each other: of letters in a column or on a curve."""
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
    """
    if text.isascii():
        return Folded(text.lower() if caseless else text, range(len(text)), range(1, len(text) + 1))
    has_marks = _MARK.search(text) is not None
    clusters: Sequence[str] = _CLUSTER.findall(text) if has_marks else text
    parts = [_folded_cluster(cluster, caseless) for cluster in clusters]
    if not has_marks and set(map(len, parts)) == {1}:
        return Folded("".join(parts), range(len(text)), range(1, len(text) + 1))
    edges = [0, *accumulate(map(len, clusters))]
    starts = [start for start, part in zip(edges, parts, strict=False) for _ in part]
    ends = [end for end, part in zip(edges[1:], parts, strict=True) for _ in part]
    return Folded("".join(parts), starts, ends)


def readings(folded: Folded) -> Iterator[Folded]:
    """Return a text as it may be read: hyphens at line ends dropped, and kept; all white space as single spaces."""
    kept = folded.replaced(_KEPT_HYPHEN, "-") if "-" in folded.text else folded
    yield folded.replaced(_HYPHEN_AT_LINE_END, "").replaced(_SPACES, " ")
    if kept is not folded:
        yield kept.replaced(_SPACES, " ")


def without_line_ends(folded: Folded) -> Folded | None:
    """Return a text whose lines follow each other without a space, or None if it is one line."""
    return folded.replaced(_LINE_END, "").replaced(_SPACES, " ") if "\n" in folded.text else None


@lru_cache(MAX_KNOWN)
def _folded_cluster(cluster: str, caseless: bool) -> str:  # noqa: FBT001  # a cache key
    plain = unicodedata.normalize("NFKC", _IGNORED.sub("", cluster).translate(_PLAIN)).translate(_PLAIN)
    plain = "".join(each for each in plain if each == BREAK or unicodedata.category(each) not in ("Cf", "Cn"))
    return unicodedata.normalize("NFC", plain.casefold()) if caseless else plain


Kind = Literal["email", "phone", "iban", "card", "ip", "url"]

_EMAIL = re.compile(r"(?<![\w.+-])[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24}(?![\w-])")
_URL = re.compile(r"(?i)(?<![\w@])(?:https?://|ftp://|www\.)[^\s<>\"\x1f]{3,2000}")
_IBAN = re.compile(r"(?i)(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}")
_CARD = re.compile(r"(?<![\d.,])[2-6](?:[ -]?\d){11,17}\d(?![\d]|[.,]\d)")
_IP4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)")
_IP6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{2,45}")
_PHONES = (
    re.compile(r"(?<![\w+])(?:\+|00)[1-9]\d{0,2}[ ./-]?(?:\(\d{1,5}\)[ ./-]?)?\d[\d ./-]{3,18}\d(?!\d)"),
    re.compile(r"(?<![\w+.,/-])\(?0\d{1,5}\)?[ /.-]\s?\d[\d ./-]{3,14}\d(?![\d]|[.,/]\d)"),
    re.compile(r"(?<![\w+.,/-])(?:1[ .-])?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[.-]\d{4}(?![\w-])"),
    re.compile(
        r"(?i)\b(?:tel|telephone|telefon|tel[eé]fono|t[eé]l|phone|fax|mobile?|cell|m[oó]vil)\b[.:]*\s{0,3}"
        r"(?P<number>\(?\d[\d ()./-]{3,20}\d)(?!\d)"
    ),
)
_DATE = re.compile(r"(?:0?\d|[12]\d|3[01])[./-](?:0?\d|1[0-2])[./-](?:19|20)?\d\d|(?:19|20)\d\d[./-]\d\d[./-]\d\d")

DATE_OR_ID = re.compile(r"\s*(?:\d{4}(?:-\d\d){0,2}(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?|(?:urn:)?[\w.:]*id:[\w-]+)\s*")
"""Values in metadata that programs write, which look like numbers of cards and phones."""

Span = tuple[int, int]


def _emails(text: str) -> Iterator[Span]:
    if "@" in text:
        for match in _EMAIL.finditer(text):
            yield match.span()


def _urls(text: str) -> Iterator[Span]:
    for match in _URL.finditer(text):
        address = match[0].rstrip(".,;:!?'*_")
        while address.endswith((")", "]", "}")) and address.count(address[-1]) > address.count(_OPENING[address[-1]]):
            address = address[:-1].rstrip(".,;:!?'")
        yield match.start(), match.start() + len(address)


_OPENING = {")": "(", "]": "[", "}": "{"}


def _ibans(text: str) -> Iterator[Span]:
    for match in _IBAN.finditer(text):
        places = [place for place, character in enumerate(match[0]) if character.isalnum()]
        length = _iban_length(match[0][:2].upper())
        end = places[length - 1] + 1 if 0 < length <= len(places) else 0
        if not end or match[0][end : end + 1].isalnum():
            continue
        number = re.sub("[ -]", "", match[0][:end]).upper()
        if int("".join(str(int(each, 36)) for each in number[4:] + number[:4])) % 97 == 1:  # ISO 7064, MOD 97-10
            yield match.start(), match.start() + end


@cache
def _iban_length(country: str) -> int:
    """Return the number of characters of a country's IBANs (IBAN registry, ISO 13616); 0 if it has none."""
    from schwifty import registry
    from schwifty.exceptions import SchwiftyException

    try:
        return registry.get_iban_spec(country).iban_length
    except SchwiftyException:
        return 0


def _cards(text: str) -> Iterator[Span]:
    for match in _CARD.finditer(text):
        digits = [int(each) for each in match[0] if each.isdigit()]
        doubled = [sum(divmod(2 * digit, 10)) for digit in digits[-2::-2]]
        has_check_digit = (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0  # ISO/IEC 7812-1, annex B
        if has_check_digit and len(set(digits)) > 1:
            yield match.span()


def _ips(text: str) -> Iterator[Span]:
    for pattern in (_IP4, _IP6):
        for match in pattern.finditer(text):
            address = match[0].rstrip(".:") if not match[0].endswith("::") else match[0]
            try:
                ipaddress.ip_address(address)
            except ValueError:
                continue
            if sum(each.isalnum() for each in address) >= 3:
                yield match.start(), match.start() + len(address)


def _phones(text: str) -> Iterator[Span]:
    others = [span for finder in (_ibans, _cards, _ips) for span in finder(text)]
    for pattern in _PHONES:
        group = "number" if "number" in pattern.groupindex else 0
        for match in pattern.finditer(text):
            start, end = match.span(group)
            digits = sum(each.isdigit() for each in text[start:end])
            is_other = any(start < last and first < end for first, last in others)
            if 6 <= digits <= 15 and not is_other and not _DATE.match(text[start:end]):
                yield start, end


FINDERS: Mapping[Kind, Callable[[str], Iterator[Span]]] = {
    "email": _emails,
    "phone": _phones,
    "iban": _ibans,
    "card": _cards,
    "ip": _ips,
    "url": _urls,
}


ENCODINGS = ("utf-8", "latin-1", "utf-16-be", "utf-16-le", "mac_roman")
"""Encodings of strings without a byte order mark. ISO 32000-2, 7.9.2.2 knows only PDFDocEncoding there."""

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

    def has_bytes_in(self, content: bytes) -> bool:
        """Return whether bytes that are not text have a longer word, in any encoding."""
        return self.raw_pattern is not None and self.raw_pattern.search(content) is not None

    def long_words(self, text: str) -> list[Hit]:
        """Return the words in a text that are long enough not to be in a technical name by chance.

        What patterns and kinds find is text of people; names of programs often look like it.
        """
        hits = (hit for hit in self.find(text) if hit.kind == "word")
        return [hit for hit in hits if len(text[hit.start : hit.end].encode("utf-8", "replace")) >= LEAST_RAW_BYTES]

    def has_long_word(self, text: str) -> bool:
        """Return whether a text has a word that is long enough not to be there by chance."""
        return bool(self.long_words(text))

    @cached_property
    def _patterns(self) -> list[Any]:
        return [compile_pattern(pattern) for pattern in self._query.patterns]

    def find(self, text: str) -> list[Hit]:
        """Return all that is found in a text, in order; a place can be in several hits.

        Lines end with a line feed: words can go on in the next line, with or without a hyphen.
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
        if tight := without_line_ends(folded):
            yield from self._find_in_joined_lines(tight, 1)
        columns = folded.replaced(_SINGLE_LETTERS, "")
        if columns is not folded:  # content that places each letter looks like a column, so short words are chance
            yield from self._find_in_joined_lines(columns, LEAST_RAW_BYTES)

    def _find_in_joined_lines(self, joined: Folded, least: int) -> Iterator[Hit]:
        for index, word in enumerate(self._words):
            for start, end in word.places(joined.text):
                if word.is_cjk or (end - start >= least and _is_bounded(joined.text, start, end)):
                    first, last = joined.original(start, end)
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


class Search:
    """Finds texts, and notes which words and patterns of the request were found."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self.words: set[int] = set()
        """Indexes of the words that were found."""
        self.patterns: set[int] = set()
        self.has_found = False
        """Whether anything was found, also data of a kind."""

    def find(self, text: str) -> Sequence[Hit]:
        """Return what is found in a text."""
        return self._noted(self.finder.find(text))

    def _noted(self, hits: Sequence[Hit]) -> Sequence[Hit]:
        self.has_found |= bool(hits)
        self.words.update(hit.index for hit in hits if hit.kind == "word")
        self.patterns.update(hit.index for hit in hits if hit.kind == "pattern")
        return hits

    def long_words(self, text: str) -> Sequence[Hit]:
        """Return the words in a text that are long enough not to be found by chance."""
        return self._noted(self.finder.long_words(text))

    def finds(self, texts: Iterable[str]) -> bool:
        """Return whether any text has a match; all are searched, so that each word that is found is noted."""
        found = [self.find(text) for text in texts]
        return any(found)


class _Word:
    def __init__(self, word: str, query: Query) -> None:
        folded = " ".join(fold(word, caseless=not query.match_case).text.split())
        backwards = folded[::-1] if has_right_to_left(folded) else ""
        self._forms = [form for form in dict.fromkeys((folded, backwards)) if form]
        self._whole = query.whole_words
        self.is_cjk = any(
            "\u2e80" <= each <= "\u9fff" or "\uac00" <= each <= "\ud7af" or each >= "\U00020000" for each in folded
        )
        """Whether it is in a script that does not separate words, and so breaks lines anywhere."""

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        for form in self._forms:
            start = text.find(form)
            while start >= 0:
                end = start + len(form)
                is_other_letter = end < len(text) and unicodedata.combining(text[end])  # the last one, with an accent
                if not is_other_letter and (not self._whole or _is_bounded(text, start, end)):
                    yield start, end
                start = text.find(form, start + 1)


def _encoded(word: str, encoding: str) -> bytes:
    try:
        return word.encode(encoding)
    except UnicodeEncodeError:
        return b""


def _find_kind(kind: Kind, variants: Sequence[Folded], folded: Folded) -> Iterator[Hit]:
    found: set[tuple[int, int]] = set()
    tight = without_line_ends(folded) if kind in ("email", "iban") else None
    # What is whole in one line does not go on in the next.
    for reading in (folded.replaced(_LINE_END, BREAK), *variants, *([tight] if tight else ())):
        spans = {reading.original(start, end) for start, end in FINDERS[kind](reading.text)}
        found |= {(low, high) for low, high in spans if not any(low < end and start < high for start, end in found)}
    yield from (Hit(start, end, kind) for start, end in found)


def _is_bounded(text: str, start: int, end: int) -> bool:
    """Return whether no letter or digit continues a match."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not ((before.isalnum() or before == "_") and text[start].isalnum()) and not (
        (after.isalnum() or after == "_") and text[end - 1].isalnum()
    )


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
