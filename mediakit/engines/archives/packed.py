"""Unpacks the content of a ZIP entry with a limit, and checks it: methods, sizes, CRC."""

import bz2
import lzma
import struct

from zlib_ng import zlib_ng

STORED, DEFLATED, DEFLATE64, BZIP2, LZMA = 0, 8, 9, 12, 14

METHODS = {
    0: "stored", 1: "shrink", 2: "reduce", 3: "reduce", 4: "reduce", 5: "reduce", 6: "implode", 8: "deflate",
    9: "deflate64", 10: "pkware-implode", 12: "bzip2", 14: "lzma", 16: "cmpsc", 18: "terse", 19: "lz77", 20: "zstd",
    93: "zstd", 94: "mp3", 95: "xz", 96: "jpeg", 97: "wavpack", 98: "ppmd",
}  # fmt: skip
"""Names of the methods; those of `READ_METHODS` can be read."""

INFLATE_ERROR: type[Exception] = zlib_ng.error  # type: ignore[assignment]  # the stub has an instance
"""What zlib-ng raises for damaged content."""

READ_METHODS = frozenset({STORED, DEFLATED, BZIP2, LZMA})


class Damaged(ValueError):  # noqa: N818  # what is said of an entry
    """The content of an entry is not what its archive claims; the message says why."""


def method_name(method: int) -> str:
    """Return the name of a method, such as `deflate`."""
    return METHODS.get(method, f"method {method}")


def unpack(packed: bytes, method: int, size: int) -> bytes:
    """Return unpacked content of exactly `size` bytes, and never keep more in memory.

    Raises:
        Damaged: The content is longer, shorter or not packed by this method.
    """
    content = packed if method == STORED else _inflated(packed, method, size)
    if len(content) > size:
        raise Damaged("has more bytes than it claims; this is a decompression bomb")
    if len(content) < size:
        raise Damaged("is cut")
    return content


def crc32(content: bytes) -> int:
    """Return the CRC-32 of bytes."""
    return zlib_ng.crc32(content)


def _inflated(packed: bytes, method: int, size: int) -> bytes:
    """Return at most one byte more than `size`."""
    try:
        if method == LZMA:
            decompressor, packed = _lzma(packed, size)
            return decompressor.decompress(packed, size + 1)
        if method == BZIP2:
            return bz2.BZ2Decompressor().decompress(packed, size + 1)
        return bytes(zlib_ng.decompressobj(-15).decompress(packed, size + 1))
    except (OSError, EOFError, ValueError, struct.error, lzma.LZMAError, INFLATE_ERROR) as error:
        raise Damaged("is damaged") from error


def _lzma(packed: bytes, size: int) -> tuple[lzma.LZMADecompressor, bytes]:
    """Return a decompressor and what it reads: the content begins with a version, and the properties of the filter."""
    _, length = struct.unpack_from("<HH", packed)
    properties = packed[4 : 4 + length]
    if len(properties) != 5:
        raise lzma.LZMAError("the properties are damaged")
    bits, dictionary = struct.unpack("<BL", properties)
    rest, lc = divmod(bits, 9)
    pb, lp = divmod(rest, 5)
    needed = max(4096, min(dictionary, size))  # no content refers to more bytes than it has
    options = {"id": lzma.FILTER_LZMA1, "dict_size": needed, "lc": lc, "lp": lp, "pb": pb}
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[options]), packed[4 + length :]
