"""Unpacking deflate, zlib and gzip streams within a limit."""

import gzip
import zlib
from collections.abc import Generator

import pytest

from mediakit.engines.archives.inflate import GZIP, RAW, ZLIB, CutError, InflateError, inflate_start, inflated_parts

TEXT = b"some text that is packed, " * 100


def packed(content: bytes, window: int) -> bytes:
    compressor = zlib.compressobj(wbits=window)
    return compressor.compress(content) + compressor.flush()


def whole(parts: Generator[bytes, None, bytes]) -> tuple[bytes, bytes]:
    """Return a whole stream, and the bytes that follow it."""
    content = b""
    while True:
        try:
            content += next(parts)
        except StopIteration as end:
            return content, end.value


@pytest.mark.parametrize("window", [RAW, ZLIB, GZIP])
def test_stream_is_unpacked_up_to_its_end(window: int) -> None:
    assert whole(inflated_parts(packed(TEXT, window) + b"rest", window)) == (TEXT, b"rest")


@pytest.mark.parametrize("window", [RAW, ZLIB, GZIP])
def test_start_of_a_stream_has_at_most_the_limit(window: int) -> None:
    stream = packed(TEXT, window)
    assert inflate_start(stream, 10, window) == TEXT[:10]
    assert inflate_start(stream, 10_000, window) == TEXT
    assert TEXT.startswith(inflate_start(stream[:-10], 10_000, window))


def test_parts_of_a_bomb_are_small() -> None:
    parts = inflated_parts(packed(bytes(50_000_000), RAW))
    assert max(len(next(parts)) for _ in range(10)) <= 1 << 20


def test_stream_without_an_end_is_refused_after_its_content() -> None:
    with pytest.raises(CutError):
        whole(inflated_parts(gzip.compress(TEXT)[:-9], GZIP))


@pytest.mark.parametrize("content", [b"\xff" * 20, b"\x78\x9c" + b"\xff" * 20])
def test_damaged_stream_is_refused(content: bytes) -> None:
    with pytest.raises(InflateError):
        whole(inflated_parts(content, ZLIB))
    with pytest.raises(InflateError):
        inflate_start(content, 1000, ZLIB)
