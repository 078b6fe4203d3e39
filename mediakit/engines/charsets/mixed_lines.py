"""Texts whose lines are in two charsets: UTF-8, and one of single bytes or of East Asia, as files that grew have them.

The words decide: those that are valid UTF-8 read well as UTF-8 and badly in the other charset.
"""

import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from mediakit.engines.charsets.alphabets import LANGUAGES
from mediakit.engines.charsets.names import decodes
from mediakit.engines.charsets.statistics import NOT_SINGLE_BYTE, best_likelihood, guess, likelihood, plausibility

_WORD = re.compile(rb"[A-Za-z\x80-\xff']+")
_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_TYPOGRAPHY = re.compile(r"[“‘„«€£–—…•]*(?:[A-Za-z]+(?:[’'][A-Za-z]+)*)?[”’»€–—…™®©°]*")
"""A word of English in windows-1252, whose other characters are not letters."""

_SAMPLE_BYTES = 200_000
_WORDS = 2000
"""Words of each charset that are judged."""

_READS_WELL = 0.9
"""Plausibility above which a text is taken to be in one charset."""

_ODD = 0.5
"""Plausibility up to which bytes do not look like a word."""

_FITS = -4.5
"""Likelihood above which a charset of single bytes fits words of the other lines."""

_LANGUAGE_WEIGHT = 0.4
"""How much the language of the lines in UTF-8 says of that of the others."""

_NOT_OF_WINDOWS = -0.2
"""What the charsets of a language lose that are not those of Windows."""

_CERTAIN_BYTES = 8
"""Bytes of sequences of UTF-8 in a word that are not valid by chance."""


def second_charset(content: bytes, single: str) -> str | None:
    """Return the codec of the lines of a text that are not UTF-8, where others are; None for a text in one charset.

    Args:
        content: A text that is not valid UTF-8 as a whole.
        single: The codec that the whole text is probably in.
    """
    words = dict.fromkeys(word for word in _WORD.findall(content) if not word.isascii())
    valid = [word for word in words if decodes(word, "utf-8")][:_WORDS]
    others = [word for word in words if not decodes(word, "utf-8")][:_WORDS]
    if not valid or not others:
        return None
    if all(_evidence(word, single) <= 0 for word in valid) and _reads_well((*valid, *others), single):
        return None
    second = _likely_codec(content, others, valid)
    return second if second and any(_evidence(word, second) > 0 for word in valid) else None


def decode_mixed(content: bytes, second: str) -> str:
    """Return a text with its lines in UTF-8 and in a second charset; a line with both is decoded word by word.

    Raises:
        UnicodeDecodeError: A byte is valid in neither.
    """
    decoded, position = [], 0
    for line in content.splitlines(keepends=True):
        for part, codec in _parts(line, second):
            try:
                decoded.append(part.decode(codec))
            except UnicodeDecodeError as error:
                places = position + error.start, position + error.end
                raise UnicodeDecodeError(codec, content, *places, error.reason) from None
            position += len(part)
    return "".join(decoded)


def lines_of_second(content: bytes, second: str) -> list[int]:
    """Return the numbers of the lines, from 1, that are in the second charset as a whole or in part."""
    return [number for number, line in enumerate(content.splitlines(), 1) if not _is_utf8_line(line, second)]


def odd_lines(content: bytes, codec: str) -> list[int]:
    """Return the numbers of the lines, from 1, with words that do not read like words in the charset of a text.

    Empty for Unicode, and for charsets of more than a byte a character.
    """
    if codec.startswith("utf") or codec in NOT_SINGLE_BYTE:
        return []
    return [
        number
        for number, line in enumerate(content.splitlines(), 1)
        if any(_is_odd(word, codec) for word in _WORD.findall(line) if not word.isascii())
    ]


@lru_cache(maxsize=65_536)
def _is_odd(word: bytes, codec: str) -> bool:
    """Return whether a word has a symbol, a capital beyond ASCII or a letter of another script between its letters."""
    text = word.decode(codec, "replace")
    return plausibility(text if text.isupper() else word.lower().decode(codec, "replace")) <= _ODD


def _parts(line: bytes, second: str) -> Iterator[tuple[bytes, str]]:
    """Yield a line in parts with their codecs: words that are UTF-8 for certain, and what is between them."""
    if _is_utf8_line(line, second):
        yield line, "utf-8"
        return
    end = 0
    for match in _WORD.finditer(line) if second not in NOT_SINGLE_BYTE else ():
        if not match.group().isascii() and _is_utf8(match.group(), second):
            yield line[end : match.start()], second
            yield match.group(), "utf-8"
            end = match.end()
    yield line[end:], second


def _is_utf8_line(line: bytes, second: str) -> bool:
    words = [word for word in _WORD.findall(line) if not word.isascii()]
    return not words or (decodes(line, "utf-8") and any(_is_utf8(word, second) for word in words))


@lru_cache(maxsize=65_536)
def _is_utf8(word: bytes, second: str) -> bool:
    """Return whether a word is UTF-8 rather than in another charset."""
    evidence = _evidence(word, second)
    if evidence == 0 and second not in NOT_SINGLE_BYTE:
        return best_likelihood(word.decode()) >= best_likelihood(word.decode(second))
    return evidence > 0


@lru_cache(maxsize=65_536)
def _evidence(word: bytes, second: str) -> float:
    """Return how much better a word reads as UTF-8 than in another charset, -1 to 1."""
    if not decodes(word, "utf-8"):
        return -1.0
    if sum(map(len, _SEQUENCE.findall(word))) >= _CERTAIN_BYTES or not decodes(word, second):
        return 1.0
    return plausibility(word.decode()) - plausibility(word.decode(second))


def _has_only_typography(words: str) -> bool:
    """Return whether the characters beyond ASCII are quotes in pairs, apostrophes, dashes and symbols around words."""
    is_paired = words.count("“") == words.count("”")
    return is_paired and all(_TYPOGRAPHY.fullmatch(word) for word in words.split(" "))


def _reads_well(words: Iterable[bytes], codec: str) -> bool:
    joined = b" ".join(words)
    return decodes(joined, codec) and plausibility(joined.decode(codec)) >= _READS_WELL


def _likely_codec(content: bytes, words: list[bytes], valid: list[bytes]) -> str | None:
    """Return the codec in which words read best, as words of the language of those in UTF-8; None if none fits."""
    joined, known = b" ".join(words), b" ".join(valid).decode()
    if decodes(joined, "windows-1252") and _has_only_typography(joined.decode("windows-1252")):
        return "windows-1252"
    scores: dict[str, float] = {}
    for language in LANGUAGES:
        prior = math.log(language.weight) / 2 + _LANGUAGE_WEIGHT * likelihood(known, language)
        for codec in language.charsets:
            if decodes(joined, codec):
                text = joined.decode(codec)
                score = likelihood(text, language) + 2 * math.log(plausibility(text)) + prior
                score += 0 if codec.startswith("cp125") else _NOT_OF_WINDOWS
                scores[codec] = max(scores.get(codec, -math.inf), score)
    best = max(scores, key=lambda codec: scores[codec], default=None)
    if best and best_likelihood(joined.decode(best)) >= _FITS:
        return "windows-1252" if best == "cp1252" else best
    lines = [line for line in content[:_SAMPLE_BYTES].splitlines() if not decodes(line, "utf-8")]
    found = guess(b"\n".join(lines)).codec
    return found if _reads_well(lines, found) else None
