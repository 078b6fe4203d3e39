"""Bytes to text: byte order mark, UTF-8 where valid, zero bytes, escapes, declarations, else statistics."""

import codecs
from dataclasses import dataclass

from mediakit.engines.charsets.marks import (
    declared_charset,
    decodes,
    escape_charset,
    marked_charset,
    wide_charset,
)
from mediakit.engines.charsets.names import iana_name, known_codec
from mediakit.engines.charsets.statistics import guess
from mediakit.errors import InvalidInput

_WIDE_SAMPLE_BYTES = 4096


@dataclass(frozen=True)
class Charset:
    """The charset that a text is probably in."""

    codec: str
    """Name of Python's codec."""
    confidence: float
    """0 to 1."""
    language: str | None = None
    """ISO 639-1, where the statistics found one."""
    others: tuple[str, ...] = ()
    """Codecs of further charsets that decode the text, the likeliest first."""

    @property
    def name(self) -> str:
        """The registered name in lower case, such as `windows-1252`."""
        return iana_name(self.codec)


def analyze(content: bytes, language: str | None = None) -> Charset:
    """Return the charset that a text is probably in, and how certain that is.

    Args:
        content: The text.
        language: ISO 639-1; decides between charsets that are as likely.
    """
    if marked := marked_charset(content):
        return Charset(marked, 1.0)
    if wide := wide_charset(content[:_WIDE_SAMPLE_BYTES]):
        return Charset(wide, 0.95)
    if escaped := escape_charset(content):
        return Charset(escaped, 0.95)
    if decodes(content, "utf-8"):
        return Charset("utf-8", 1.0 if content.isascii() else 0.99)
    if declared := declared_charset(content):
        return Charset(declared, 0.95)
    found = guess(content, language)
    return Charset(found.codec, found.confidence, found.language, found.others)


def detect(content: bytes, language: str | None = None) -> str:
    """Return the codec of the charset that a text is probably in."""
    return analyze(content, language).codec


def decode(content: bytes, encoding: str, field: str) -> tuple[str, str]:
    """Return the text of a file and the name of its charset.

    Raises:
        InvalidInput: The charset is unknown, or a byte does not belong to it.
    """
    name = detect(content) if encoding == "auto" else known_codec(encoding)
    codec = "utf-8-sig" if name == "utf-8" and content.startswith(codecs.BOM_UTF8) else name
    try:
        return content.decode(codec), "utf-8" if name == "utf-8-sig" else name
    except UnicodeDecodeError as error:
        byte = content[error.start]
        raise InvalidInput(f"{field}: byte 0x{byte:02x} at offset {error.start} is not {name}; set encoding.") from None
