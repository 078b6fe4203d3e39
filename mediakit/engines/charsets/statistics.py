"""The charset of a text by its letters: chardet's candidates, judged again by how they read.

A text reads well if its letters beyond ASCII fit the words around them, and are those of one language.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from mediakit.engines.charsets.names import decodes

_DATA = json.loads((Path(__file__).parent / "languages.json").read_text("utf-8"))
ALPHABETS: Mapping[str, str] = _DATA["alphabets"]
"""Lower-case letters, with those of frequent loanwords, by language (ISO 639-1)."""


@dataclass(frozen=True)
class Language:
    """The letters of a language beyond ASCII, the most frequent first, and the usual charsets of its texts.

    The first charset is that of DOS, in which Windows writes names into ZIP files, and the second that of Windows.
    """

    letters: str
    charsets: tuple[str, ...]
    weight: float = 1.0
    """How usual names in this language are among those whose charset is unknown."""


LANGUAGES = tuple(Language(letters, tuple(charsets), weight) for letters, charsets, weight in _DATA["languages"])
"""Languages by how usual they are. Letters that no language of a charset has make the charset unlikely."""


_SAMPLE_BYTES = 200_000

_WORD = re.compile(rb"[A-Za-z\x80-\xff']+")

_COMMONNESS = {
    "windows-1252": 1.0, "cp1250": 0.97, "cp1251": 0.97, "cp1253": 0.97, "cp1255": 0.97, "cp1256": 0.97, "koi8-r": 0.95,
    "koi8-u": 0.95, "iso8859-15": 0.93, "iso8859-2": 0.93, "cp1254": 0.93, "cp1257": 0.93, "cp866": 0.93,
    "mac-roman": 0.92, "cp850": 0.9, "cp852": 0.9, "iso8859-7": 0.9, "iso8859-9": 0.9, "cp437": 0.88,
    "mac-cyrillic": 0.88,
}  # fmt: skip
"""How usual a charset is among files that are not UTF-8; others count 0.8."""

NOT_SINGLE_BYTE = frozenset({
    "ascii", "utf-8", "utf-7", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "shift_jis",
    "cp932", "shift_jis_2004", "euc_jp", "euc_jis_2004", "iso2022_jp", "iso2022_jp_2", "gb18030", "gbk", "gb2312", "hz",
    "big5", "big5hkscs", "cp950", "euc_kr", "cp949", "johab", "iso2022_kr",
})  # fmt: skip
"""Codecs of more than a byte a character."""

_RARE = 0.8
_ALPHABET_FLOOR = 0.4
_EXTENDED = {"shift_jis_2004": "shift_jis", "euc_jis_2004": "euc_jp", "big5hkscs": "big5", "johab": "euc_kr"}

_ALPHABET_SETS = {language: frozenset(letters) for language, letters in ALPHABETS.items()}
_PIECE = re.compile(r"[^\W\d_]+|[^\x00-\x7f]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_ONE_SCRIPT = re.compile("[\0-\u024f]+|[\u0250-\u03ff]+|[\u0400-\u052f]+|[\u0530-\U0010ffff]+")
"""Latin, Greek, Cyrillic, or letters of other scripts."""
_SEPARATING = frozenset("€£¥§©®°«»‘‚“”„•¿¡ºª²³¹½¼¾×±µ№™")
_SYMBOLS = "€£¥§©®°«»–—‘’‚“”„…•·¿¡ºª²³¹½¼¾×±µ№™"


@dataclass(frozen=True)
class Guess:
    """The probable charset of a text."""

    codec: str
    """Name of Python's codec."""
    confidence: float
    """0 to 1."""
    language: str | None = None
    """ISO 639-1, where the statistics found one."""
    others: tuple[str, ...] = ()
    """Further codecs that decode the text, the likeliest first."""


def guess(content: bytes, language: str | None = None) -> Guess:
    """Return the probable charset of a text that is not Unicode.

    The first candidate of chardet stands, unless it is a rare charset, the text does not read like words in it, or
    windows-1252 is nearly as likely and reads as well. The language (ISO 639-1) is that of the text, where it is known.
    """
    import chardet

    sample = content
    if len(content) > _SAMPLE_BYTES:  # the lines that have bytes beyond ASCII, as far as the sample reaches
        lines = (line for line in content.split(b"\n") if not line.isascii())
        sample = b"\n".join(lines)[:_SAMPLE_BYTES] or content[:_SAMPLE_BYTES]
    guesses = chardet.detect_all(sample, ignore_threshold=True, compat_names=False)
    first = _name(guesses[0]["encoding"])
    if first in NOT_SINGLE_BYTE:
        usual = _EXTENDED.get(first, first)  # the charset that an extended one extends, where it decodes the text
        names = dict.fromkeys(_name(guess["encoding"]) for guess in guesses)
        others = tuple(name for name in names if name != first and decodes(content, name))[:12]
        return Guess(usual if decodes(content, usual) else first, 0.9, guesses[0]["language"], others)
    found = (word for word in _WORD.findall(sample) if not word.isascii())
    words = b" ".join(dict.fromkeys(found))[:20_000]
    reading = words.decode(first, "replace")
    is_doubtful = first not in _COMMONNESS or plausibility(reading) <= 0.7 or _share(guesses, first, reading) <= 0.85
    scores = _scores(sample, words, guesses, language)
    best = first
    if scores and (is_doubtful or language):
        best = max(scores, key=lambda name: (scores[name], name))
    if not language and _is_western(best, guesses, sample, words):
        best = "windows-1252"
    text = sample.decode(best, "replace")
    same = [name for name in scores if sample.decode(name) == text]  # of which the most usual one is meant
    best = max((best, *same), key=lambda name: (_COMMONNESS.get(name, _RARE), name == best))
    ranked = sorted((name for name in scores if name != best), key=lambda name: (-scores[name], name))
    return Guess(best, _confidence(best, ranked, scores, words), _language(guesses, best), tuple(ranked[:12]))


def _is_western(name: str, guesses: Sequence[Mapping[str, Any]], sample: bytes, words: bytes) -> bool:
    """Return whether windows-1252, by far the most usual of its relatives, reads a text as well as one of them."""
    if not name.startswith(("cp125", "iso8859")) or not decodes(sample, "windows-1252"):
        return False
    likely = max((guess["confidence"] for guess in guesses if _name(guess["encoding"]) == "windows-1252"), default=0.0)
    best = max((guess["confidence"] for guess in guesses if _name(guess["encoding"]) == name), default=1.0)
    western, other = words.decode("windows-1252"), words.decode(name, "replace")
    reads_well = plausibility(western) >= plausibility(other) and _share(guesses, "windows-1252", western) >= _share(
        guesses, name, other
    )
    return reads_well and likely >= 0.8 * best


def _share(guesses: Sequence[Mapping[str, Any]], name: str, words: str) -> float:
    return alphabet_share(words, _language(guesses, name))


def _language(guesses: Sequence[Mapping[str, Any]], name: str) -> str | None:
    """Return the language that the detector saw in a text of a charset."""
    found = next((guess["language"] for guess in guesses if _name(guess["encoding"]) == name), None)
    return found if isinstance(found, str) and len(found) == len("en") else None


def _scores(
    sample: bytes, words: bytes, guesses: Sequence[Mapping[str, Any]], language: str | None
) -> dict[str, float]:
    """Score the single-byte charsets that decode all of a sample."""
    import chardet

    found: dict[str, float] = {}
    on_words = chardet.detect_all(words, ignore_threshold=True, compat_names=False)
    for source, weight in ((guesses, 0.5), (on_words, 1.0)):
        for guess in source:
            name = _name(guess["encoding"])
            found[name] = found.get(name, 0.0) + weight * guess["confidence"]
    top = max(found.values(), default=1.0) or 1.0
    single = {name: score / top for name, score in found.items() if name not in NOT_SINGLE_BYTE}
    scores = {}
    for name, score in single.items():
        if decodes(sample, name):
            text = words.decode(name)
            share = alphabet_share(text, language or _language(guesses, name))
            reading = plausibility(text) ** 2 * (_ALPHABET_FLOOR + (1 - _ALPHABET_FLOOR) * share)
            scores[name] = score**0.5 * reading * _COMMONNESS.get(name, _RARE)
    return scores


def _confidence(best: str, ranked: Sequence[str], scores: Mapping[str, float], words: bytes) -> float:
    """Return the score's share of the sum with the best charset that reads differently."""
    text = words.decode(best, "replace")
    rival = next((scores[name] for name in ranked if words.decode(name, "replace") != text), 0.0)
    own = max(scores.get(best, rival), rival) or 1.0
    return round(own**2 / (own**2 + rival**2), 2)


def _name(encoding: str | None) -> str:
    name = (encoding or "windows-1252").lower()
    return "windows-1252" if name in ("iso8859-1", "latin-1", "cp1252") else name


def plausibility(text: str) -> float:
    """Return the share, 0 to 1, of the characters beyond ASCII that fit the word around them.

    A capital inside a lower-case word, a symbol beside letters and letters of two scripts in a word do not fit.
    """
    right, wrong = 0.5, 0.5
    for match in _PIECE.finditer(text):
        piece = match.group()
        if not (beyond := len(_BEYOND_ASCII.findall(piece))):
            continue
        start, end = match.span()
        # a symbol that separates words does not stand between two letters
        splits = piece in _SEPARATING and text[start - 1 : start].isalpha() and text[end : end + 1].isalpha()
        if _fits(piece) and not splits:
            right += beyond
        else:
            wrong += beyond
    return right / (right + wrong)


@lru_cache(maxsize=10_000)
def _fits(piece: str) -> bool:
    if not piece.isalpha():
        return piece in _SYMBOLS
    if not _ONE_SCRIPT.fullmatch(piece):
        return False
    return piece[1:].islower() or piece.isupper() or piece.lower() == piece.upper() or len(piece) == 1


def alphabet_share(text: str, language: str | None) -> float:
    """Return the share, 0 to 1, of the letters beyond ASCII that are in the alphabet of a language.

    The best alphabet of all languages counts nearly as much: the language of a few words is uncertain.
    """
    if not (letters := [letter for letter in text.lower() if letter.isalpha() and not letter.isascii()]):
        return 1.0
    counts = Counter(letters)
    best = max(sum(counts[letter] for letter in counts.keys() & alphabet) for alphabet in _ALPHABET_SETS.values())
    own = _ALPHABET_SETS.get(language or "")
    share = sum(counts[letter] for letter in counts.keys() & own) if own is not None else 0
    return (max(share, 0.9 * best) + 0.5) / (len(letters) + 0.5)


def likelihood(text: str, language: Language) -> float:
    """Return the mean logarithm of the probability of the characters beyond ASCII in texts of a language."""
    ranks = {letter: rank for rank, letter in enumerate(language.letters)}
    normal = math.log(sum(1 / (rank + 2) for rank in range(len(language.letters))))
    letters = [letter for letter in text if not letter.isascii()]  # -7 is for those that the language does not have
    scores = [-math.log(ranks[letter] + 2) - normal if letter in ranks else -7.0 for letter in letters]
    return sum(scores) / max(1, len(scores))


def best_likelihood(text: str) -> float:
    """Return the `likelihood` in the language in which it is the highest."""
    return max(likelihood(text, language) for language in LANGUAGES)
