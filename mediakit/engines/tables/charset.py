"""Bytes to text: byte order mark, UTF-8 where valid, UTF-16 and UTF-32 by their zero bytes, else statistics."""

import codecs
import re
from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.errors import InvalidInput

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""UTF-32 stands before UTF-16, whose mark begins its own."""

_NOT_TEXT = frozenset({
    "base64", "bz2", "hex", "idna", "punycode", "quopri", "raw-unicode-escape", "rot-13", "undefined",
    "unicode-escape", "uu", "zlib",
})  # fmt: skip
"""Codecs of Python that are not charsets."""

_SAMPLE_BYTES = 200_000
_ZERO_SHARE = 0.3
"""Of the bytes at even or odd places: Latin text in UTF-16 has nearly all of one of them zero."""

_PLAUSIBLE = 0.7
"""Share of fitting letters above which the detector's first answer stands."""

_ESCAPES = re.compile(rb"\x1b\$[@B]|\x1b\(J")
_NEARLY = 0.8
"""Share of the best candidate's confidence that windows-1252 needs to be preferred."""

_WORD = re.compile(rb"[A-Za-z\x80-\xff']*[\x80-\xff][A-Za-z\x80-\xff']*")
_PIECE = re.compile(r"[^\W\d_]+|[^\x00-\x7f]")
_SYMBOLS = "€£¥§©®°«»–—‘’‚“”„…•·¿¡ºª²³¹½¼¾×±µ№™"

_COMMONNESS = {
    "windows-1252": 1.0, "cp1250": 0.97, "cp1251": 0.97, "cp1253": 0.97, "cp1255": 0.97, "cp1256": 0.97, "koi8-r": 0.95,
    "iso8859-15": 0.93, "iso8859-2": 0.93, "cp1254": 0.93, "cp1257": 0.93, "cp866": 0.93, "mac-roman": 0.92,
    "cp850": 0.9, "cp852": 0.9, "iso8859-7": 0.9, "iso8859-9": 0.9, "cp437": 0.88, "mac-cyrillic": 0.88,
}  # fmt: skip
"""How usual a charset is among files that are not UTF-8; others count 0.8."""

_NOT_SINGLE_BYTE = frozenset({
    "ascii", "utf-8", "utf-7", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be", "shift_jis",
    "cp932", "shift_jis_2004", "euc_jp", "euc_jis_2004", "iso2022_jp", "iso2022_jp_2", "gb18030", "gbk", "gb2312", "hz",
    "big5", "big5hkscs", "cp950", "euc_kr", "cp949", "johab", "iso2022_kr",
})  # fmt: skip


def decode(content: bytes, encoding: str, field: str) -> tuple[str, str]:
    """Return the text of a file and the name of its charset.

    Raises:
        InvalidInput: The charset is unknown, or a byte does not belong to it.
    """
    name = detect(content) if encoding == "auto" else _known(encoding)
    codec = "utf-8-sig" if name == "utf-8" and content.startswith(codecs.BOM_UTF8) else name
    try:
        return content.decode(codec), "utf-8" if name == "utf-8-sig" else name
    except UnicodeDecodeError as error:
        byte = content[error.start]
        raise InvalidInput(f"{field}: byte 0x{byte:02x} at offset {error.start} is not {name}; set encoding.") from None


def detect(content: bytes) -> str:
    """Return the name of the charset that a text is probably in."""
    for mark, name in _MARKS:
        if content.startswith(mark):
            return name
    if wide := _wide(content[:4096]):
        return wide
    if _ESCAPES.search(content):
        return "iso2022_jp"
    return "utf-8" if _decodes(content, "utf-8") else _by_statistics(content)


def _wide(start: bytes) -> str | None:
    """Detect UTF-16 and UTF-32 without a byte order mark."""
    if b"\0" not in start:
        return None
    places = [start[place::4] for place in range(4)]
    zeros = [part.count(0) / max(1, len(part)) for part in places]
    if min(zeros[1:]) > _ZERO_SHARE and zeros[0] < _ZERO_SHARE:
        return "utf-32-le"
    if min(zeros[:3]) > _ZERO_SHARE and zeros[3] < _ZERO_SHARE:
        return "utf-32-be"
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    if max(even, odd) < _ZERO_SHARE:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _by_statistics(content: bytes) -> str:
    """Detect with chardet, and judge its candidates again where its first answer is doubtful.

    Its first answer is doubtful where the text does not read like words, or where windows-1252 is nearly as likely and
    differs from it in a few letters only, as `ñ` from `ń`.
    """
    import chardet

    sample = content if len(content) <= _SAMPLE_BYTES else _telling(content)
    guesses = chardet.detect_all(sample, ignore_threshold=True, compat_names=False)
    first = _name(guesses[0]["encoding"])
    if first in _NOT_SINGLE_BYTE:
        return first
    words = b" ".join(dict.fromkeys(_WORD.findall(sample)))
    if plausibility(words.decode(first, "replace")) <= _PLAUSIBLE:
        scores = _scores(sample, words)
        first = max(scores, key=lambda name: (scores[name], name), default="windows-1252")
    return "windows-1252" if _is_western(first, guesses, sample, words) else first


def _is_western(name: str, guesses: Sequence[Mapping[str, Any]], sample: bytes, words: bytes) -> bool:
    """Return whether windows-1252, by far the most usual of its relatives, reads a text as well as one of them."""
    if not name.startswith(("cp125", "iso8859")) or not _decodes(sample, "windows-1252"):
        return False
    likely = max((guess["confidence"] for guess in guesses if _name(guess["encoding"]) == "windows-1252"), default=0.0)
    best = max((guess["confidence"] for guess in guesses if _name(guess["encoding"]) == name), default=1.0)
    reads_well = plausibility(words.decode("windows-1252")) >= plausibility(words.decode(name, "replace"))
    return reads_well and likely >= _NEARLY * best


def _scores(sample: bytes, words: bytes) -> dict[str, float]:
    """Score the single-byte charsets that decode all of a sample."""
    import chardet

    found: dict[str, float] = {}
    for source, weight in ((sample, 0.5), (words, 1.0)):
        for guess in chardet.detect_all(source, ignore_threshold=True, compat_names=False):
            name = _name(guess["encoding"])
            found[name] = found.get(name, 0.0) + weight * guess["confidence"]
    top = max(found.values(), default=1.0) or 1.0
    single = {name: score / top for name, score in found.items() if name not in _NOT_SINGLE_BYTE}
    return {
        name: score**0.5 * plausibility(words.decode(name)) ** 2 * _COMMONNESS.get(name, 0.8)
        for name, score in single.items()
        if _decodes(sample, name)
    }


def plausibility(text: str) -> float:
    """Return the share, 0 to 1, of the characters beyond ASCII that fit the word around them.

    A capital inside a lower-case word, a symbol beside letters and letters of two scripts in a word do not fit.
    """
    right, wrong = 0.5, 0.5
    for match in _PIECE.finditer(text):
        piece = match.group()
        beyond = sum(not letter.isascii() for letter in piece)
        if _fits(piece):
            right += beyond
        else:
            wrong += beyond
    return right / (right + wrong)


def _fits(piece: str) -> bool:
    if not piece.isalpha():
        return piece in _SYMBOLS
    if len({_script(letter) for letter in piece}) > 1:
        return False
    return piece[1:].islower() or piece.isupper() or piece.lower() == piece.upper() or len(piece) == 1


def _script(letter: str) -> int:
    """Return a number per block of letters: Latin, Greek, Cyrillic, all others."""
    return sum(ord(letter) >= start for start in (0x250, 0x400, 0x530))


def _decodes(content: bytes, name: str) -> bool:
    try:
        content.decode(name)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _telling(content: bytes) -> bytes:
    """Return the lines that have bytes beyond ASCII, as far as the sample reaches."""
    lines = (line for line in content.split(b"\n") if not line.isascii())
    return b"\n".join(lines)[:_SAMPLE_BYTES] or content[:_SAMPLE_BYTES]


def _name(encoding: str | None) -> str:
    name = (encoding or "windows-1252").lower()
    return "windows-1252" if name in ("iso8859-1", "latin-1", "cp1252") else name


def _known(encoding: str) -> str:
    import difflib

    name = encoding.strip().lower()
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        found = None
    if found is None or found.name in _NOT_TEXT:
        near = difflib.get_close_matches(name, _COMMON, n=1, cutoff=0.5)
        hint = f'did you mean "{near[0]}"?' if near else "use a name such as utf-8, windows-1252 or utf-16."
        raise InvalidInput(f'encoding: "{encoding[:40]}" is not known; {hint}')
    return found.name if found.name != "cp1252" else "windows-1252"


_COMMON = (
    "utf-8", "utf-16", "utf-32", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254",
    "iso-8859-1", "iso-8859-2", "iso-8859-15", "mac-roman", "cp437", "cp850", "shift_jis", "euc-jp", "gb18030", "big5",
    "euc-kr", "koi8-r",
)  # fmt: skip
