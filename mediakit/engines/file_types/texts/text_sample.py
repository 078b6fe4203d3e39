"""The start of a text as characters, for rules that look at ASCII structure."""

import codecs
import re

SAMPLE_BYTES = 65_536
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\v\f\r\x1a\x1b\b") + b"\x7f"
_MAX_CONTROL_SHARE = 0.0005
_BEYOND_ASCII = bytes(range(128, 256))
_MAX_BEYOND_ASCII_SHARE = 0.95
_WIDE_CHARSETS = ("shift_jis", "euc_jp", "gb18030", "euc_kr", "big5")
"""Charsets of two bytes and more, in which random bytes are not valid for long."""


def text_sample(content: bytes) -> str | None:
    """Return the start of a text; None where the file is not text."""
    for mark, codec in _MARKS:
        if content.startswith(mark):
            return _cut(content[len(mark) :], codec)
    if wide := wide_codec(content[:4096]):
        sample = _cut(content, wide)
        return sample if sample is not None and _is_readable(sample) else None
    if b"\0" in content:
        return None
    controls = len(content) - len(content.translate(None, _CONTROLS))
    if controls > _MAX_CONTROL_SHARE * len(content):
        return None
    if _is_utf8(content):
        return content[:SAMPLE_BYTES].decode("utf-8", "ignore")
    return content[:SAMPLE_BYTES].decode("latin-1") if _is_legacy(content) else None


def wide_codec(start: bytes) -> str | None:
    """Return the codec of UTF-16 or UTF-32 without a byte order mark, by the places of zero bytes."""
    if b"\0" not in start or len(start) < 4:
        return None
    zeros = [start[place::4].count(0) / max(1, len(start[place::4])) for place in range(4)]
    if min(zeros[1:]) > 0.3 and zeros[0] < 0.3:
        return "utf-32-le"
    if min(zeros[:3]) > 0.3 and zeros[3] < 0.3:
        return "utf-32-be"
    even, odd = (zeros[0] + zeros[2]) / 2, (zeros[1] + zeros[3]) / 2
    if max(even, odd) < 0.3 or min(even, odd) > 0.05:
        return None
    return "utf-16-le" if odd > even else "utf-16-be"


def _cut(content: bytes, codec: str) -> str | None:
    try:
        return codecs.getincrementaldecoder(codec)().decode(content[:SAMPLE_BYTES])
    except UnicodeDecodeError:
        return None


def _is_readable(sample: str) -> bool:
    return not re.search(r"[\0-\x08\x0e-\x19\x7f-\x9f\ufdd0-\ufdef\uffff]", sample)


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_legacy(content: bytes) -> bool:
    """Return whether a file without zero bytes can be a text in a charset of one or two bytes."""
    beyond = len(content) - len(content.translate(None, _BEYOND_ASCII))
    if any(_cut(content, codec) is not None for codec in _WIDE_CHARSETS):
        return True
    return beyond <= _MAX_BEYOND_ASCII_SHARE * len(content)
