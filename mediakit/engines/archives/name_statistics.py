"""Finds the charset of file names, which are too short for the statistics of texts.

Names in an East Asian charset are recognized by their characters. All others are scored by the alphabets of languages:
the charset wins in which the letters beyond ASCII are those of one language, frequent ones before rare ones.
"""

import math
from collections.abc import Iterator, Sequence

from mediakit.engines.archives.alphabets import ALPHABETS, EAST_ASIAN, Alphabet
from mediakit.engines.charsets import detect, plausibility

DEFAULT_CHARSET = "cp437"

MAX_NAMES = 2000
"""Names that are judged; those of larger archives are like the first ones."""

_FOREIGN = -7.0
"""Logarithm of the probability of a letter that the language does not have."""

_UNLIKELY = -4.2
"""Score below which no alphabet fits, so that the statistics of texts decide."""

_SURE = -3.5
"""Score above which an alphabet fits better than East Asian characters do."""

_LATER_CHARSET = -0.175
"""What each charset after the first one of a language loses: Windows writes the first one into ZIP files."""

_MIN_EAST_ASIAN = 0.9
"""Share of usual characters above which names are East Asian."""


def likely_charset(names: Sequence[bytes]) -> str:
    """Return the charset that the names of an archive are probably in."""
    judged = list(dict.fromkeys(names))[:MAX_NAMES]
    east_asian, share = max(((name, _usual_share(judged, name)) for name in EAST_ASIAN), key=lambda pair: pair[1])
    single, score = max(_single_byte_scores(judged), key=lambda pair: pair[1], default=(DEFAULT_CHARSET, -math.inf))
    if share >= _MIN_EAST_ASIAN and score < _SURE:
        return east_asian
    if score <= _UNLIKELY:
        return _by_text_statistics(judged)
    is_default = _decoded(judged, single) == _decoded(judged, DEFAULT_CHARSET)
    return DEFAULT_CHARSET if is_default else single


def _by_text_statistics(names: Sequence[bytes]) -> str:
    charset = detect(b"\n".join(names))
    return charset if _decoded(names, charset) is not None and not charset.startswith("cp10") else DEFAULT_CHARSET


def _single_byte_scores(names: Sequence[bytes]) -> Iterator[tuple[str, float]]:
    """Yield a charset and the mean logarithm of the probability of its letters, for every language."""
    decoded = {charset: _decoded(names, charset) for alphabet in ALPHABETS for charset in alphabet.charsets}
    fits = {charset: math.log(plausibility(text)) for charset, text in decoded.items() if text is not None}
    for alphabet in ALPHABETS:
        for place, charset in enumerate(alphabet.charsets):
            text = decoded[charset]
            if text is not None:
                prior = math.log(alphabet.weight) / 2 + place * _LATER_CHARSET
                yield charset, _likelihood(text, alphabet) + 2 * fits[charset] + prior


def _likelihood(text: str, alphabet: Alphabet) -> float:
    ranks = {letter: rank for rank, letter in enumerate(alphabet.letters)}
    normal = math.log(sum(1 / (rank + 2) for rank in range(len(alphabet.letters))))
    letters = [letter for letter in text if not letter.isascii()]
    scores = [-math.log(ranks[letter] + 2) - normal if letter in ranks else _FOREIGN for letter in letters]
    return sum(scores) / max(1, len(scores))


def _usual_share(names: Sequence[bytes], charset: str) -> float:
    """Return the share of the characters beyond ASCII that are usual in names of the charset's languages."""
    text = _decoded(names, charset)
    if text is None:
        return 0.0
    characters = [character for character in text if not character.isascii()]
    return sum(_weight(character, charset) for character in characters) / max(1, len(characters))


def _weight(character: str, charset: str) -> float:
    point = ord(character)
    if 0x3041 <= point <= 0x30FC or 0xFF01 <= point <= 0xFF5E or 0x3001 <= point <= 0x3015:
        return 1.0 if charset in ("cp932", "euc_jp") or point >= 0xFF01 or point < 0x3020 else 0.5
    if 0xAC00 <= point <= 0xD7A3:
        return 1.0 if charset == "cp949" else 0.0
    if 0x4E00 <= point <= 0x9FFF:
        return _ideograph_weight(character, charset)
    return 0.0


def _ideograph_weight(character: str, charset: str) -> float:
    """Return more for ideographs of the first level of a standard, which has the frequent ones, than for others."""
    encoded = character.encode(charset)
    lead = encoded[0]
    first = {
        "cp932": 0x88 <= lead <= 0x97,
        "euc_jp": 0xB0 <= lead <= 0xCF,
        "gbk": 0xB0 <= lead <= 0xD7 and encoded[-1] >= 0xA1,
        "big5": 0xA4 <= lead <= 0xC6,
        "cp949": False,
    }
    return 0.97 if first[charset] else 0.4


def _decoded(names: Sequence[bytes], charset: str) -> str | None:
    try:
        return "\n".join(name.decode(charset) for name in names)
    except (UnicodeDecodeError, LookupError):
        return None
