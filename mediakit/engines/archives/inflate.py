"""Unpacks deflate, zlib and gzip streams (RFC 1950, 1951, 1952) within a limit, so that none fills the memory."""

from collections.abc import Generator

from zlib_ng import zlib_ng

RAW, ZLIB, GZIP = -15, 15, 31
"""Window bits of the formats: a bare deflate stream, and one with the header of zlib or gzip."""

_ERROR: type[Exception] = zlib_ng.error  # type: ignore[assignment]  # the stub has an instance


class InflateError(ValueError):
    """A stream is damaged."""


class CutError(InflateError):
    """A stream has no end."""


def inflate_start(content: bytes, limit: int, window: int = RAW) -> bytes:
    """Return at most the first `limit` bytes of a stream, also of one that has no end.

    Raises:
        InflateError: The stream is damaged before this limit.
    """
    try:
        return zlib_ng.decompressobj(window).decompress(content, limit)
    except _ERROR as error:
        raise InflateError("is damaged") from error


def inflated_parts(content: bytes, window: int = RAW) -> Generator[bytes, None, bytes]:
    """Yield a stream in parts of at most 1 MB, and return the bytes that follow it: `rest = yield from ...`.

    Raises:
        InflateError: The stream is damaged, or a `CutError`: it has no end.
    """
    stream, rest = zlib_ng.decompressobj(window), content
    while not stream.eof:
        try:
            part = stream.decompress(rest, 1 << 20)
        except _ERROR as error:
            raise InflateError("is damaged") from error
        rest = stream.unconsumed_tail
        if not part and not rest and not stream.eof:
            raise CutError("is cut")
        yield part
    return stream.unused_data
