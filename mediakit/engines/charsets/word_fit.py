"""How well a text reads: the share of its letters that fit the word around them, and the language."""

import re
from collections import Counter

from mediakit.engines.charsets.alphabets import ALPHABETS

_ANY_LANGUAGE = 0.9
_ALPHABET_SETS = {language: frozenset(letters) for language, letters in ALPHABETS.items()}
_PIECE = re.compile(r"[^\W\d_]+|[^\x00-\x7f]")
_SEPARATING = frozenset("€£¥§©®°«»‘‚“”„•¿¡ºª²³¹½¼¾×±µ№™")
_SYMBOLS = "€£¥§©®°«»–—‘’‚“”„…•·¿¡ºª²³¹½¼¾×±µ№™"


def plausibility(text: str) -> float:
    """Return the share, 0 to 1, of the characters beyond ASCII that fit the word around them.

    A capital inside a lower-case word, a symbol beside letters and letters of two scripts in a word do not fit.
    """
    right, wrong = 0.5, 0.5
    for match in _PIECE.finditer(text):
        piece = match.group()
        beyond = sum(not letter.isascii() for letter in piece)
        if _fits(piece) and not _splits_a_word(text, match):
            right += beyond
        else:
            wrong += beyond
    return right / (right + wrong)


def _splits_a_word(text: str, match: re.Match[str]) -> bool:
    """Return whether a symbol that separates words stands between two letters."""
    if match.group() not in _SEPARATING:
        return False
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return before.isalpha() and after.isalpha()


def _fits(piece: str) -> bool:
    if not piece.isalpha():
        return piece in _SYMBOLS
    if len({_script(letter) for letter in piece}) > 1:
        return False
    return piece[1:].islower() or piece.isupper() or piece.lower() == piece.upper() or len(piece) == 1


def _script(letter: str) -> int:
    """Return a number per block of letters: Latin, Greek, Cyrillic, all others."""
    return sum(ord(letter) >= start for start in (0x250, 0x400, 0x530))


def alphabet_share(text: str, language: str | None) -> float:
    """Return the share, 0 to 1, of the letters beyond ASCII that are in the alphabet of a language.

    The best alphabet of all languages counts nearly as much: the language of a few words is uncertain.
    """
    letters = [letter for letter in text.lower() if letter.isalpha() and not letter.isascii()]
    if not letters:
        return 1.0
    counts = Counter(letters)
    best = max(sum(counts[letter] for letter in counts.keys() & alphabet) for alphabet in _ALPHABET_SETS.values())
    own = _ALPHABET_SETS.get(language or "")
    share = sum(counts[letter] for letter in counts.keys() & own) if own is not None else 0
    return (max(share, _ANY_LANGUAGE * best) + 0.5) / (len(letters) + 0.5)
