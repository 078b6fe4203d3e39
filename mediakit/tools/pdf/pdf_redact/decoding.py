"""Readings of the strings and streams of a PDF as text, in all encodings that programs write."""

import re
from collections.abc import Iterator

from pikepdf import Stream, String

from mediakit.engines.pdf.objects import stream_bytes

ENCODINGS = ("utf-8", "latin-1", "utf-16-be", "utf-16-le", "mac_roman")
"""Encodings of strings without a byte order mark. ISO 32000-2, 7.9.2.2 knows only PDFDocEncoding there."""

MAX_GUESSED_BYTES = 1_000_000
"""Longer strings are read only as their marks say."""


_PLAIN = re.compile(rb"[\t\n\f\r -~]*")


def texts_of(content: bytes) -> Iterator[str]:
    """Yield the readings of a string: first as its marks say, then as other encodings."""
    yield str(String(content))
    if _PLAIN.fullmatch(content) or len(content) > MAX_GUESSED_BYTES:
        return
    for encoding in ENCODINGS:
        if encoding.startswith("utf-16") or b"\0" not in content:
            try:
                yield content.decode(encoding)
            except UnicodeDecodeError:
                continue


def texts_in(value: object) -> Iterator[str]:
    """Yield the readings of a string or a stream; none of anything else, and of a stream that cannot be decoded."""
    if isinstance(value, String):
        yield from texts_of(bytes(value))
    elif isinstance(value, Stream) and (content := stream_bytes(value)):
        yield from texts_of(content)
