"""Text in text: percent-encoding (RFC 3986), HTML entities, quoted-printable (RFC 2045)."""

import binascii
import html
import re
from urllib.parse import quote_from_bytes, unquote_to_bytes

from mediakit.tools.files.file_encode.job import Encoded, EncodeJob
from mediakit.tools.files.file_encode.wrong_input import WrongInput, wrong_character

_PERCENT = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_QUOTED = re.compile(rb"=(?![0-9A-Fa-f]{2}|[ \t]*\r?\n|[ \t]*\Z)")


def percent(job: EncodeJob) -> bytes:
    """Return content with all bytes but letters, digits and `-._~` as `%XX`."""
    return quote_from_bytes(job.content, safe="").encode()


def entities(job: EncodeJob) -> bytes:
    """Return text with `&`, `<`, `>` and quotes as HTML entities."""
    return html.escape(_utf8(job.content)).encode()


def quoted_printable(job: EncodeJob) -> bytes:
    """Return content as quoted-printable. Line breaks are kept where they stay the same, else they are quoted, too."""
    encoded = binascii.b2a_qp(job.content, quotetabs=False, istext=True)
    if binascii.a2b_qp(encoded) == job.content:
        return encoded
    return binascii.b2a_qp(job.content, quotetabs=False, istext=False)


def from_percent(job: EncodeJob) -> Encoded:
    """Return the content of percent-encoded text; `+` stays."""
    if match := _PERCENT.search(job.content):
        raise wrong_character("percent-encoded", job.content, match.start())
    return Encoded(unquote_to_bytes(job.content))


def from_entities(job: EncodeJob) -> Encoded:
    """Return text with HTML entities as their characters."""
    return Encoded(html.unescape(_utf8(job.content)).encode("utf-8", "replace"))


def from_quoted_printable(job: EncodeJob) -> Encoded:
    """Return the content of quoted-printable text."""
    if match := _QUOTED.search(job.content):
        raise wrong_character("quoted-printable", job.content, match.start())
    return Encoded(binascii.a2b_qp(job.content))


def _utf8(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise WrongInput(f"must be UTF-8 text for html; byte 0x{content[error.start]:02x} at {error.start}.") from error
