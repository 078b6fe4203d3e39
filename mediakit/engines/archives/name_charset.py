"""Decodes the names of ZIP entries: most programs on Windows write them in a charset that nothing names.

Names are too short for the statistics of texts. Those in an East Asian charset are recognized by their characters; all
others are scored by the alphabets of languages: the charset wins in which the letters beyond ASCII are those of one
language, frequent ones before rare ones.
"""

import codecs
import math
import zlib
from collections.abc import Iterator, Sequence

from mediakit.engines.archives.zip_directory import EXTRA_UNICODE_PATH, FLAG_UTF8, RawEntry
from mediakit.engines.charsets import detect, likelihood, plausibility
from mediakit.engines.charsets.names import known_codec
from mediakit.engines.charsets.statistics import LANGUAGES

DEFAULT_CHARSET = "cp437"
"""The charset of names that say none (APPNOTE, appendix D)."""

_SIGNED_FIELD_BYTES = 5

MAX_NAMES = 2000
"""Names that are judged; those of larger archives are like the first ones."""

_EAST_ASIAN = ("cp932", "gbk", "big5", "cp949", "euc_jp")
"""Charsets of two bytes a character; Windows writes names in them without saying so."""


def decode_names(entries: Sequence[RawEntry], name_encoding: str) -> tuple[list[str], str]:
    """Return the names of entries, and the charset of those that do not say theirs.

    In this order: the UTF-8 flag, the Unicode Path field if its CRC fits the name, `name_encoding`, UTF-8 where all
    other names are valid UTF-8, the charset that statistics find over all other names together, cp437.

    Raises:
        InvalidInput: `name_encoding` is not a charset.
    """
    known = [_declared(entry) for entry in entries]
    unknown = [
        entry.name for entry, name in zip(entries, known, strict=True) if name is None and not entry.name.isascii()
    ]
    if name_encoding != "auto":
        charset = codecs.lookup(known_codec(name_encoding, "name_encoding")).name
    else:
        charset = "utf-8" if all(_utf8(name) is not None for name in unknown) else likely_charset(unknown)
    names = [
        name if name is not None else _decoded(entry.name, charset) for entry, name in zip(entries, known, strict=True)
    ]
    return names, charset


def decode_text(content: bytes) -> str:
    """Return a comment: UTF-8 if it is valid, else cp437."""
    text = _utf8(content)
    return content.decode(DEFAULT_CHARSET) if text is None else text


def _declared(entry: RawEntry) -> str | None:
    """Return the name of an entry that says its charset; None for others."""
    if entry.flags & FLAG_UTF8 and (name := _utf8(entry.name)) is not None:
        return name
    if entry.extra and (field := entry.extras.get(EXTRA_UNICODE_PATH)):
        fits = int.from_bytes(field[1:_SIGNED_FIELD_BYTES], "little") == zlib.crc32(entry.name)
        if fits and len(field) > _SIGNED_FIELD_BYTES:
            return _utf8(field[_SIGNED_FIELD_BYTES:])
    return None


def _utf8(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None


def _decoded(name: bytes, charset: str) -> str:
    try:
        return name.decode("ascii" if name.isascii() else charset)
    except UnicodeDecodeError:
        return name.decode(DEFAULT_CHARSET)


def likely_charset(names: Sequence[bytes]) -> str:
    """Return the charset that the names of an archive are probably in."""
    judged = list(dict.fromkeys(names))[:MAX_NAMES]
    east_asian, share = max(((name, _usual_share(judged, name)) for name in _EAST_ASIAN), key=lambda pair: pair[1])
    single, score = max(_single_byte_scores(judged), key=lambda pair: pair[1], default=(DEFAULT_CHARSET, -math.inf))
    if share >= 0.9 and score < -3.5:  # with a higher score, an alphabet fits better
        return east_asian
    if score <= -4.2:  # no alphabet fits: by the statistics of texts
        charset = detect(b"\n".join(judged))
        fits = _all_decoded(judged, charset) is not None and not charset.startswith("cp10")
        return charset if fits else DEFAULT_CHARSET
    is_default = _all_decoded(judged, single) == _all_decoded(judged, DEFAULT_CHARSET)
    return DEFAULT_CHARSET if is_default else single


def _single_byte_scores(names: Sequence[bytes]) -> Iterator[tuple[str, float]]:
    """Yield a charset and the mean logarithm of the probability of its letters, for every language."""
    decoded = {charset: _all_decoded(names, charset) for alphabet in LANGUAGES for charset in alphabet.charsets}
    fits = {charset: math.log(plausibility(text)) for charset, text in decoded.items() if text is not None}
    for alphabet in LANGUAGES:
        for place, charset in enumerate(alphabet.charsets):
            if (text := decoded[charset]) is not None:
                prior = math.log(alphabet.weight) / 2 - 0.175 * place  # Windows writes the first one into ZIP files
                yield charset, likelihood(text, alphabet) + 2 * fits[charset] + prior


def _usual_share(names: Sequence[bytes], charset: str) -> float:
    """Return the share of the characters beyond ASCII that are usual in names of the charset's languages."""
    if (text := _all_decoded(names, charset)) is None:
        return 0.0
    characters = [character for character in text if not character.isascii()]
    return sum(_weight(character, charset) for character in characters) / max(1, len(characters))


def _weight(character: str, charset: str) -> float:
    """Return how usual a character is. Ideographs of the first level of a standard, which are frequent, count most."""
    point = ord(character)
    if 0x3041 <= point <= 0x30FC or 0xFF01 <= point <= 0xFF5E or 0x3001 <= point <= 0x3015:
        return 1.0 if charset in ("cp932", "euc_jp") or point >= 0xFF01 or point < 0x3020 else 0.5
    if 0xAC00 <= point <= 0xD7A3:
        return 1.0 if charset == "cp949" else 0.0
    if not 0x4E00 <= point <= 0x9FFF:
        return 0.0
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


def _all_decoded(names: Sequence[bytes], charset: str) -> str | None:
    try:
        return "\n".join(name.decode(charset) for name in names)
    except (UnicodeDecodeError, LookupError):
        return None
