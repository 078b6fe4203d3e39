"""What the structure of a text says of its charset: byte order marks, zero bytes, escape sequences, declarations."""

import codecs
import re

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

_ESCAPES = (
    (re.compile(rb"\x1b\$\)C"), "iso2022_kr"),
    (re.compile(rb"\x1b\$[@B]|\x1b\(J"), "iso2022_jp"),
)
_HZ = re.compile(rb"~\{(?:[\x21-\x77][\x21-\x7e])+~\}")
_DECLARED = (
    re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)["']"""),
    re.compile(rb"""<meta[^>]{1,300}?charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE),
    re.compile(rb"""^@charset "([\w.:-]+)";"""),
)
_DECLARATION_BYTES = 2048


def marked_charset(content: bytes) -> str | None:
    """Return the codec that a byte order mark states."""
    return next((name for mark, name in _MARKS if content.startswith(mark)), None)


def wide_charset(start: bytes) -> str | None:
    """Return UTF-16 or UTF-32 for text without a byte order mark, by the places of its zero bytes."""
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


def escape_charset(content: bytes) -> str | None:
    """Return the charset of 7-bit text whose escape sequences switch between character sets (ISO 2022, RFC 1843)."""
    found = next((name for pattern, name in _ESCAPES if pattern.search(content)), None)
    if found is None and content.isascii() and _HZ.search(content):
        found = "hz"
    return found if found and decodes(content, found) else None


def declared_charset(content: bytes) -> str | None:
    """Return the codec of the charset that XML, HTML or CSS declares, where the whole text is valid in it."""
    head = content[:_DECLARATION_BYTES]
    found = next((match[1].decode("ascii") for pattern in _DECLARED if (match := pattern.search(head))), None)
    try:
        name = codecs.lookup(found).name if found else None
    except LookupError:
        return None
    if name in ("iso8859-1", "cp1252", "ascii"):
        name = "windows-1252"
    return name if name and name not in ("utf-8", "utf-16") and decodes(content, name) else None


def decodes(content: bytes, name: str) -> bool:
    """Return whether all bytes of a text are valid in a charset."""
    try:
        content.decode(name)
    except (UnicodeDecodeError, LookupError):
        return False
    return True
