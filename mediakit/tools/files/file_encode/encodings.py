"""Encodes and decodes content; runs in a worker.

Text: base64 and base32 (RFC 4648), ASCII85, hexadecimal, data URIs (RFC 2397), percent-encoding, HTML entities and
quoted-printable. Compression: gzip, zlib, deflate and brotli, without any time or name, and back within a limit.
"""

import base64 as codecs
import binascii
import html
import re
import zlib as deflating
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from urllib.parse import quote_from_bytes, unquote_to_bytes

import pybase64

from mediakit.engines.archives.inflate import GZIP, RAW, ZLIB, CutError, InflateError, inflated_parts
from mediakit.engines.file_types import FileType
from mediakit.engines.file_types.identify import identify
from mediakit.errors import InvalidInput
from mediakit.tools.files.file_encode.tool import (
    BINARY,
    EXTENSIONS,
    MAX_DECODED_BYTES,
    Encoded,
    Encoding,
    FileEncodeRequest,
)

_WHITE_SPACE = b" \t\n\r\f\v"
_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_BASE64 = _LETTERS + _LETTERS.lower() + b"0123456789+/"
_BASE32 = _LETTERS + b"234567"
_BASE85 = bytes(range(ord("!"), ord("u") + 1))
_HEX = b"0123456789abcdefABCDEF"

_MIME = re.compile(rb"[\w.+*-]+/[\w.+*-]+(;[\w.+-]+=(\"[\w.+ -]*\"|[\w.+-]*))*")
_PERCENT = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_QUOTED = re.compile(rb"=(?![0-9A-Fa-f]{2}|[ \t]*\r?\n|[ \t]*\Z)")

EMPTY = FileType(BINARY, (), "an empty file", "data")
"""The type of a result without any bytes."""


class WrongInput(ValueError):  # noqa: N818  # what is said of the content
    """The content cannot be decoded; the message says where and why."""


def wrong_character(encoding: str, content: bytes, position: int) -> WrongInput:
    """Return the error for a character at a position, counted from 0."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        shown = f"byte 0x{content[position]:02x}"
        return WrongInput(f"is not {encoding}: {shown} at {position}.")
    place = len(content[:position].decode(errors="ignore"))
    character = text[place]
    shown = f'character "{character}"' if character.isprintable() else f"character U+{ord(character):04X}"
    return WrongInput(f"is not {encoding}: {shown} at {place}.")


def convert(request: FileEncodeRequest) -> Encoded:
    """Return encoded or decoded content.

    Raises:
        InvalidInput: The content is not of this encoding, or unpacks to more than 20 MB.
    """
    encode, decode = CODECS[request.encoding]
    try:
        if request.action == "encode":
            content = encode(request.content)
            if request.encoding == "data-uri":
                mime_type = request.mime_type or identify(request.content, request.filename).mime_type
                content = b"data:" + mime_type.encode() + b";base64," + content
            if request.wrap:
                lines = (content[start : start + request.wrap] for start in range(0, len(content), request.wrap))
                content = b"".join(line + b"\n" for line in lines)
            return Encoded(content, filename=f"{request.filename or 'text'}.{EXTENSIONS[request.encoding]}")
        decoded = decode(request.content)
    except WrongInput as error:
        raise InvalidInput(f"{request.field}: {error}") from error
    path = PurePosixPath(request.filename)  # a decoded file has the name without the extension of its encoding
    name = path.stem if path.suffix.lower() in (f".{EXTENSIONS[request.encoding]}", ".txt") else path.name
    found = identify(decoded.content, name) if decoded.content else EMPTY
    name = name or "file"
    suffix = PurePosixPath(name).suffix.lower()
    if not suffix or suffix not in (found.extensions or (suffix,)):
        name += found.extension or ".bin"
    return replace(decoded, mime_type=decoded.mime_type or found.mime_type, filename=name)


def from_base64(content: bytes, encoding: str = "base64") -> Encoded:
    """Return the content of base64 or base64url. White space is ignored, padding may be missing.

    Text in the other one of the two is accepted as well.
    """
    text = _text(content)
    digits = {"base64": b"+/", "base64url": b"-_"}
    other = "base64" if encoding == "base64url" else "base64url"
    is_other = any(digit in text for digit in digits[other]) and not any(digit in text for digit in digits[encoding])
    name = other if is_other else encoding
    warnings = (f"The text is {other}, not {encoding}; it was decoded as such.",) if is_other else ()
    return Encoded(_decoded_base64(text, content, _BASE64[:-2] + digits[name], name), warnings=warnings)


def from_base32(content: bytes) -> Encoded:
    """Return the content of base32 in upper or lower case."""
    text = _unpadded(_text(content).upper(), content, _BASE32 + _LETTERS.lower(), "base32")
    if len(text) % 8 in (1, 3, 6):
        raise WrongInput(f"is not base32: it is cut; {len(text)} characters do not make whole bytes.")
    return Encoded(codecs.b32decode(text + b"=" * (-len(text) % 8)))


def from_base85(content: bytes) -> Encoded:
    """Return the content of ASCII85, with or without the brackets `<~` and `~>`."""
    text = _text(content).removeprefix(b"<~").removesuffix(b"~>")
    _check_characters(text, content, _BASE85 + b"z", "base85", ignored=b"<~>")
    try:
        return Encoded(codecs.a85decode(text))
    except (ValueError, OverflowError) as error:
        raise WrongInput("is not base85: a group of 5 characters is too large, or has z inside.") from error


def from_hexadecimal(content: bytes) -> Encoded:
    """Return the content of hexadecimal digits; `0x` in front, and spaces, colons or hyphens between are ignored."""
    text = _text(content).removeprefix(b"0x").translate(None, b":-")
    _check_characters(text, content, _HEX, "hex", ignored=b":-x")
    if len(text) % 2:
        raise WrongInput(f"is not hex: the number of digits must be even, got {len(text)}.")
    return Encoded(binascii.unhexlify(text))


def from_data_uri(content: bytes) -> Encoded:
    """Return the content and the media type of a data URI."""
    text = content.strip(_WHITE_SPACE)
    head, comma, body = text.partition(b",")
    if head[:5].lower() != b"data:" or not comma:
        raise WrongInput('is not a data URI: it must begin with "data:" and have a comma.')
    media, *options = [part.strip() for part in head[5:].split(b";")]
    decoded = unquote_to_bytes(body)
    if options and options[-1].lower() == b"base64":
        options = options[:-1]
        decoded = _decoded_base64(_text(decoded), content, _BASE64, "base64")
    described = b";".join((media or b"text/plain", *(options if media else options or [b"charset=US-ASCII"])))
    if not _MIME.fullmatch(described):
        raise WrongInput("is not a data URI: its media type is not valid.")
    return Encoded(decoded, described.decode())


def _text(content: bytes) -> bytes:
    """Return text without white space, and without the byte order mark of an editor."""
    return content.removeprefix(b"\xef\xbb\xbf").translate(None, _WHITE_SPACE)


def _decoded_base64(text: bytes, source: bytes, alphabet: bytes, name: str) -> bytes:
    digits = _unpadded(text, source, alphabet, name)
    if len(digits) % 4 == 1:
        raise WrongInput(f"is not {name}: it is cut; {len(digits)} characters do not make whole bytes.")
    return pybase64.b64decode(digits + b"=" * (-len(digits) % 4), altchars=alphabet[-2:], validate=True)


def _unpadded(text: bytes, source: bytes, alphabet: bytes, name: str) -> bytes:
    """Return the digits in a text, without the padding at its end."""
    digits = text.rstrip(b"=")
    _check_characters(digits, source, alphabet, name)
    return digits


def _check_characters(text: bytes, source: bytes, alphabet: bytes, name: str, ignored: Collection[int] = b"") -> None:
    """Check that a text has only characters of an alphabet; else say where the first other one is in the input."""
    if not (others := set(text.translate(None, alphabet))):
        return
    positions = [place for place, byte in enumerate(source) if byte in others]
    first = next((place for place in positions if source[place] not in ignored), positions[0])
    raise wrong_character(name, source, first)


def quoted_printable(content: bytes) -> bytes:
    """Return content as quoted-printable. Line breaks are kept where they stay the same, else they are quoted, too."""
    encoded = binascii.b2a_qp(content, quotetabs=False, istext=True)
    if binascii.a2b_qp(encoded) == content:
        return encoded
    return binascii.b2a_qp(content, quotetabs=False, istext=False)


def _unquoted(content: bytes, name: str, wrong: re.Pattern[bytes], decode: Callable[[bytes], bytes]) -> Encoded:
    """Return the content of percent-encoded text, where `+` stays, or of quoted-printable text."""
    if match := wrong.search(content):
        raise wrong_character(name, content, match.start())
    return Encoded(decode(content))


def _utf8(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise WrongInput(f"must be UTF-8 text for html; byte 0x{content[error.start]:02x} at {error.start}.") from error


def gzip(content: bytes) -> bytes:
    """Return content compressed with gzip, without a time and a name."""
    packed = bytearray(_deflated(content, GZIP))
    packed[9] = 3  # the system that made it is Unix on every system, for equal bytes
    return bytes(packed)


def brotli(content: bytes) -> bytes:
    """Return content compressed with brotli (RFC 7932)."""
    import brotli as codec

    packed: bytes = codec.compress(content, quality=9)
    return packed


def from_gzip(content: bytes) -> Encoded:
    """Return the content of a gzip file of one or more members."""
    target, rest = bytearray(), content
    while rest:
        rest = _inflate(rest, GZIP, "gzip", target).lstrip(b"\0")  # zeros are the padding of tapes
    return Encoded(bytes(target))


def from_brotli(content: bytes) -> Encoded:
    """Return the content of brotli data."""
    import brotli as codec

    decompressor, target = codec.Decompressor(), bytearray()
    process = partial(decompressor.process, output_buffer_limit=MAX_DECODED_BYTES)
    try:
        target += process(content)
        while not decompressor.is_finished() and len(target) <= MAX_DECODED_BYTES:
            part = process(b"")
            if not part and decompressor.can_accept_more_data():
                raise WrongInput("is not brotli, or is cut.")
            target += part
    except codec.error as error:
        raise WrongInput("is not brotli, or is damaged.") from error
    _check_size(target)
    return Encoded(bytes(target))


def _deflated(content: bytes, window: int) -> bytes:
    compressor = deflating.compressobj(9, deflating.DEFLATED, window)
    return compressor.compress(content) + compressor.flush()


def _whole(content: bytes, window: int, name: str) -> Encoded:
    target = bytearray()
    if rest := _inflate(content, window, name, target):
        raise WrongInput(f"is not {name}: {len(rest)} bytes follow its end at {len(content) - len(rest)}.")
    return Encoded(bytes(target))


def _inflate(content: bytes, window: int, name: str, target: bytearray) -> bytes:
    """Add the content of one stream to a target, and return the bytes after the stream."""
    parts = inflated_parts(content, window)
    try:
        while True:
            target += next(parts)
            _check_size(target)
    except StopIteration as end:
        rest: bytes = end.value
        return rest
    except CutError:
        raise WrongInput(f"is not {name}: it is cut.") from None
    except InflateError as error:
        raise WrongInput(f"is not {name}, or is damaged.") from error


def _check_size(content: bytearray) -> None:
    if len(content) > MAX_DECODED_BYTES:
        raise WrongInput(f"unpacks to more than {MAX_DECODED_BYTES // 1024 // 1024} MB.")


CODECS: Mapping[Encoding, tuple[Callable[[bytes], bytes], Callable[[bytes], Encoded]]] = {
    "base64": (pybase64.b64encode, from_base64),
    "base64url": (pybase64.urlsafe_b64encode, partial(from_base64, encoding="base64url")),
    "base32": (codecs.b32encode, from_base32),
    "base85": (codecs.a85encode, from_base85),
    "hex": (binascii.hexlify, from_hexadecimal),
    "data-uri": (pybase64.b64encode, from_data_uri),
    "url": (
        lambda content: quote_from_bytes(content, safe="").encode(),
        partial(_unquoted, name="percent-encoded", wrong=_PERCENT, decode=unquote_to_bytes),
    ),
    "html": (
        lambda content: html.escape(_utf8(content)).encode(),
        lambda content: Encoded(html.unescape(_utf8(content)).encode("utf-8", "replace")),
    ),
    "quoted-printable": (
        quoted_printable,
        partial(_unquoted, name="quoted-printable", wrong=_QUOTED, decode=binascii.a2b_qp),
    ),
    "gzip": (gzip, from_gzip),
    "zlib": (partial(_deflated, window=ZLIB), partial(_whole, window=ZLIB, name="zlib")),
    "deflate": (partial(_deflated, window=RAW), partial(_whole, window=RAW, name="deflate")),
    "brotli": (brotli, from_brotli),
}
"""The function that encodes and the one that decodes, by encoding. ASCII85 has no brackets as of Adobe around it."""
