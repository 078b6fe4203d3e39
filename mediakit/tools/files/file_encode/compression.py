"""Compresses content without any time or name, and decompresses it within a limit."""

import zlib as deflating
from typing import Any

from mediakit.tools.files.file_encode.request import MAX_DECODED_BYTES, Encoded, FileEncodeRequest
from mediakit.tools.files.file_encode.texts import WrongInput

_LEVEL = 9
_GZIP, _ZLIB, _RAW = 31, 15, -15
"""Window bits of the three formats around deflate (RFC 1950, 1951 and 1952)."""

_GZIP_SYSTEM = 9
"""Place of the byte in the header that names the operating system."""

_UNIX = 3

TOO_LARGE = f"unpacks to more than {MAX_DECODED_BYTES // 1024 // 1024} MB."

_PART_BYTES = 1 << 16


def gzip(request: FileEncodeRequest) -> bytes:
    """Return content compressed with gzip, without a time and a name."""
    packed = bytearray(_deflated(request.content, _GZIP))
    packed[_GZIP_SYSTEM] = _UNIX  # on every system, for equal bytes
    return bytes(packed)


def zlib(request: FileEncodeRequest) -> bytes:
    """Return content in the zlib format."""
    return _deflated(request.content, _ZLIB)


def deflate(request: FileEncodeRequest) -> bytes:
    """Return content as a deflate stream without a header."""
    return _deflated(request.content, _RAW)


def brotli(request: FileEncodeRequest) -> bytes:
    """Return content compressed with brotli (RFC 7932)."""
    import brotli as codec

    packed: bytes = codec.compress(request.content, quality=9)
    return packed


def from_gzip(request: FileEncodeRequest) -> Encoded:
    """Return the content of a gzip file of one or more members."""
    target, rest = bytearray(), request.content
    while rest:
        rest = _inflate(rest, _GZIP, "gzip", target).lstrip(b"\0")  # zeros are the padding of tapes
    return Encoded(bytes(target))


def from_zlib(request: FileEncodeRequest) -> Encoded:
    """Return the content of zlib data."""
    return _whole(request.content, _ZLIB, "zlib")


def from_deflate(request: FileEncodeRequest) -> Encoded:
    """Return the content of a deflate stream without a header."""
    return _whole(request.content, _RAW, "deflate")


def from_brotli(request: FileEncodeRequest) -> Encoded:
    """Return the content of brotli data."""
    import brotli as codec

    decompressor = codec.Decompressor()
    target = bytearray()
    try:
        target += _limited(decompressor, request.content)
        while not decompressor.is_finished() and len(target) <= MAX_DECODED_BYTES:
            part = _limited(decompressor, b"")
            if not part and decompressor.can_accept_more_data():
                raise WrongInput("is not brotli, or is cut.")
            target += part
    except codec.error as error:
        raise WrongInput("is not brotli, or is damaged.") from error
    _check_size(target)
    return Encoded(bytes(target))


def _limited(decompressor: Any, content: bytes) -> bytes:
    part: bytes = decompressor.process(content, output_buffer_limit=MAX_DECODED_BYTES)
    return part


def _deflated(content: bytes, window: int) -> bytes:
    compressor = deflating.compressobj(_LEVEL, deflating.DEFLATED, window)
    return compressor.compress(content) + compressor.flush()


def _whole(content: bytes, window: int, name: str) -> Encoded:
    target = bytearray()
    rest = _inflate(content, window, name, target)
    if rest:
        raise WrongInput(f"is not {name}: {len(rest)} bytes follow its end at {len(content) - len(rest)}.")
    return Encoded(bytes(target))


def _inflate(content: bytes, window: int, name: str, target: bytearray) -> bytes:
    """Add the content of one stream to a target, and return the bytes after the stream."""
    decompressor = deflating.decompressobj(window)
    rest = content
    try:
        while not decompressor.eof:
            part = decompressor.decompress(rest, _PART_BYTES)
            rest = decompressor.unconsumed_tail
            if not part and not rest and not decompressor.eof:
                raise WrongInput(f"is not {name}: it is cut.")
            target += part
            _check_size(target)
    except deflating.error as error:
        raise WrongInput(f"is not {name}, or is damaged.") from error
    return decompressor.unused_data


def _check_size(content: bytearray) -> None:
    if len(content) > MAX_DECODED_BYTES:
        raise WrongInput(TOO_LARGE)
