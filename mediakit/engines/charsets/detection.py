"""Bytes to text: byte order mark, UTF-8 where valid, zero bytes, escapes, declarations, else statistics.

The lines of a text can be in two charsets: UTF-8, and one of single bytes or of East Asia, as files that grew have
them. The words decide: those that are valid UTF-8 read well as UTF-8 and badly in the other charset.
"""

import codecs
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from mediakit.engines.charsets.names import decodes, iana_name, known_codec
from mediakit.engines.charsets.statistics import (
    LANGUAGES,
    NOT_SINGLE_BYTE,
    Guess,
    best_likelihood,
    guess,
    likelihood,
    plausibility,
)
from mediakit.errors import InvalidInput

_WORD = re.compile(rb"[A-Za-z\x80-\xff']+")
_SEQUENCE = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_TYPOGRAPHY = re.compile(r"[“‘„«€£–—…•]*(?:[A-Za-z]+(?:[’'][A-Za-z]+)*)?[”’»€–—…™®©°]*")
"""A word of English in windows-1252, whose other characters are not letters."""

_SAMPLE_BYTES = 200_000
_WORDS = 2000
"""Words of each charset that are judged."""


def second_charset(content: bytes, single: str) -> str | None:
    """Return the codec of the lines of a text that are not UTF-8, where others are; None for a text in one charset.

    The text is not valid UTF-8 as a whole; `single` is the codec that the whole text is probably in.
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
    return plausibility(text if text.isupper() else word.lower().decode(codec, "replace")) <= 0.5


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
    if sum(map(len, _SEQUENCE.findall(word))) >= 8 or not decodes(word, second):  # 8 bytes are not valid by chance
        return 1.0
    return plausibility(word.decode()) - plausibility(word.decode(second))


def _reads_well(words: Iterable[bytes], codec: str) -> bool:
    joined = b" ".join(words)
    return decodes(joined, codec) and plausibility(joined.decode(codec)) >= 0.9


def _likely_codec(content: bytes, words: list[bytes], valid: list[bytes]) -> str | None:
    """Return the codec in which words read best, as words of the language of those in UTF-8; None if none fits."""
    joined, known = b" ".join(words), b" ".join(valid).decode()
    if decodes(joined, "windows-1252"):
        text = joined.decode("windows-1252")
        # quotes in pairs, apostrophes, dashes and symbols around words are all that there is beyond ASCII
        if text.count("“") == text.count("”") and all(_TYPOGRAPHY.fullmatch(word) for word in text.split(" ")):
            return "windows-1252"
    scores: dict[str, float] = {}
    for language in LANGUAGES:
        prior = math.log(language.weight) / 2 + 0.4 * likelihood(known, language)
        for codec in language.charsets:
            if decodes(joined, codec):
                text = joined.decode(codec)
                score = likelihood(text, language) + 2 * math.log(plausibility(text)) + prior
                score -= 0 if codec.startswith("cp125") else 0.2  # the others are rarer than those of Windows
                scores[codec] = max(scores.get(codec, -math.inf), score)
    best = max(scores, key=lambda codec: scores[codec], default=None)
    if best and best_likelihood(joined.decode(best)) >= -4.5:
        return "windows-1252" if best == "cp1252" else best
    lines = [line for line in content[:_SAMPLE_BYTES].splitlines() if not decodes(line, "utf-8")]
    found = guess(b"\n".join(lines)).codec
    return found if _reads_well(lines, found) else None


_WIDE_SAMPLE_BYTES = 4096

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""UTF-32 stands before UTF-16, whose mark begins its own."""

_ZERO_SHARE = 0.3
"""Of the bytes at even or odd places: Latin text in UTF-16 has nearly all of one of them zero."""

_PRINTABLE = bytes((*b"\t\n\r", *range(32, 127)))

_ESCAPES = ((re.compile(rb"\x1b\$\)C"), "iso2022_kr"), (re.compile(rb"\x1b\$[@B]|\x1b\(J"), "iso2022_jp"))
_HZ = re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e])+~\}")
_DECLARED = (
    re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)["']"""),
    re.compile(rb"""<meta[^>]{1,300}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE),
    re.compile(rb"""^@charset "([\w.:-]+)";"""),
)

SAMPLE_BYTES = 65_536
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1a\x1b\b") + b"\x7f"
_UNREADABLE = re.compile(r"[\0-\x08\x0e-\x19\x7f-\x9f\ufdd0-\ufdef\uffff]")
_BEYOND_ASCII = bytes(range(128, 256))
_WIDE_CHARSETS = ("shift_jis", "euc_jp", "gb18030", "euc_kr", "big5")
"""Charsets of two bytes and more, in which random bytes are not valid for long."""


@dataclass(frozen=True)
class Charset(Guess):
    """The charset that a text is probably in, or the two of its lines."""

    second: str | None = None
    """Codec of the other lines of a text whose lines are in UTF-8 and in a second charset."""

    @property
    def name(self) -> str:
        """The registered name in lower case, such as `windows-1252`."""
        return iana_name(self.codec)

    def decode(self, content: bytes) -> str:
        """Return a text in this charset; of a text in two charsets each line in its own.

        Raises:
            UnicodeDecodeError: A byte is not valid.
        """
        return content.decode(self.codec) if self.second is None else decode_mixed(content, self.second)


def analyze(content: bytes, language: str | None = None) -> Charset:
    """Return the charset that a text is probably in, and how certain that is.

    Zero bytes in a text that is not UTF-16 or UTF-32 are ignored. The language (ISO 639-1) decides between charsets
    that are as likely.
    """
    if marked := marked_charset(content):
        return Charset(marked, 1.0)
    if found := wide_charset(content[:_WIDE_SAMPLE_BYTES]) or escape_charset(content):
        return Charset(found, 0.95)
    content = content.replace(b"\0", b"")
    if decodes(content, "utf-8"):
        return Charset("utf-8", 1.0 if content.isascii() else 0.99)
    declared = declared_charset(content)
    likely = Guess(declared, 0.95) if declared else guess(content, language)
    if second := second_charset(content, likely.codec):
        return Charset("utf-8", 0.9, second=second)
    return Charset(**vars(likely))


def detect(content: bytes, language: str | None = None) -> str:
    """Return the codec of the charset that a text is probably in; UTF-8 for a text in UTF-8 and another one."""
    return analyze(content, language).codec


def decode(content: bytes, encoding: str, field: str) -> tuple[str, str]:
    """Return the text of a file and the name of its charset, `utf-8 and cp1250` if its lines are in two.

    Raises:
        InvalidInput: The charset is unknown, or a byte does not belong to it.
    """
    charset = analyze(content) if encoding == "auto" else Charset(known_codec(encoding), 1.0)
    name = "utf-8" if charset.codec == "utf-8-sig" else charset.codec
    if name == "utf-8" and content.startswith(codecs.BOM_UTF8):
        charset = Charset("utf-8-sig", 1.0)
    try:
        return charset.decode(content), name if charset.second is None else f"{name} and {charset.second}"
    except UnicodeDecodeError as error:
        byte = content[error.start]
        raise InvalidInput(f"{field}: byte 0x{byte:02x} at offset {error.start} is not {name}; set encoding.") from None


def marked_charset(content: bytes) -> str | None:
    """Return the codec that a byte order mark states."""
    return next((name for mark, name in _MARKS if content.startswith(mark)), None)


def wide_charset(start: bytes) -> str | None:
    """Return UTF-16 or UTF-32 for text without a byte order mark, by the places of its zero bytes."""
    if b"\0" not in start or len(start) < 4:
        return None
    places = [start[place::4] for place in range(4)]
    zeros = [part.count(0) / max(1, len(part)) for part in places]
    if min(zeros[1:]) > _ZERO_SHARE and zeros[0] < _ZERO_SHARE:
        return "utf-32-le"
    if min(zeros[:3]) > _ZERO_SHARE and zeros[3] < _ZERO_SHARE:
        return "utf-32-be"
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    # ASCII with fewer zero bytes than letters, which UTF-16 never has; and it has them at the other places by chance
    is_padded = not start.translate(None, _PRINTABLE + b"\0") and start.count(0) < 0.45 * len(start)
    if max(even, odd) < _ZERO_SHARE or min(even, odd) > 0.05 or is_padded:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def escape_charset(content: bytes) -> str | None:
    """Return the charset of 7-bit text whose escape sequences switch between character sets (ISO 2022, RFC 1843)."""
    found = None
    if b"\x1b" in content:  # far faster to find than the patterns
        found = next((name for pattern, name in _ESCAPES if pattern.search(content)), None)
    if found is None and content.isascii() and _HZ.search(content):
        found = "hz"
    return found if found and decodes(content, found) else None


def declared_charset(content: bytes) -> str | None:
    """Return the codec of the charset that XML, HTML or CSS declares, where the whole text is valid in it."""
    head = content[:2048]
    found = next((match[1].decode("ascii") for pattern in _DECLARED if (match := pattern.search(head))), None)
    try:
        name = codecs.lookup(found).name if found else None
    except LookupError:
        return None
    if name in ("iso8859-1", "cp1252", "ascii"):
        name = "windows-1252"
    return name if name and name not in ("utf-8", "utf-16") and decodes(content, name) else None


def text_sample(content: bytes) -> str | None:
    """Return the start of a text as characters, of which those of ASCII are right; None where the file is not text."""
    if marked := marked_charset(content):
        return _cut(content, marked)
    if wide := wide_charset(content[:_WIDE_SAMPLE_BYTES]):
        sample = _cut(content, wide)
        return sample if sample is not None and not _UNREADABLE.search(sample) else None
    controls = len(content) - len(content.translate(None, _CONTROLS))
    if b"\0" in content or controls > 0.0005 * len(content):
        return None
    if decodes(content, "utf-8"):
        return content[:SAMPLE_BYTES].decode("utf-8", "ignore")
    beyond = len(content) - len(content.translate(None, _BEYOND_ASCII))
    is_legacy = beyond <= 0.95 * len(content) or any(_cut(content, codec) is not None for codec in _WIDE_CHARSETS)
    return content[:SAMPLE_BYTES].decode("latin-1") if is_legacy else None


def _cut(content: bytes, codec: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(codec)().decode(content[:SAMPLE_BYTES])
    except UnicodeDecodeError:
        return None
