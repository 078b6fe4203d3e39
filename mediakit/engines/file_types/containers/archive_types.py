"""Archives and compressed files whose signature is too short to decide alone."""

import re
import struct

_BLOCK_BYTES = 512
_CHECKSUM = slice(148, 156)
_OCTAL = re.compile(rb"[ \0]*[0-7]+[ \0]*")
_ZLIB_HEADERS = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
_BZIP2_BLOCKS = (bytes.fromhex("314159265359"), bytes.fromhex("177245385090"))
_LHA = re.compile(rb"..-l(?:h[0-9dx]|z[s45]|hd|pm)", re.DOTALL)


def is_tar(content: bytes) -> bool:
    """Return whether the first block is a TAR header: its checksum is right (POSIX.1-1988), also without `ustar`."""
    block = content[:_BLOCK_BYTES]
    if len(block) < _BLOCK_BYTES:
        return False
    stated = block[_CHECKSUM]
    if not _OCTAL.fullmatch(stated):
        return False
    values = block[:148] + b" " * 8 + block[156:]
    total = int(stated.strip(b" \0"), 8)
    signed = sum(value - 256 if value > 127 else value for value in values)
    return block[0] != 0 and total in (sum(values), signed)


def is_bzip2(content: bytes) -> bool:
    """Return whether `BZh` is followed by a level and a block."""
    return content[3:4].isdigit() and content[4:10] in _BZIP2_BLOCKS


def is_zlib(content: bytes) -> bool:
    """Return whether a file begins with a zlib header whose data unpacks."""
    import zlib

    if not content.startswith(_ZLIB_HEADERS):
        return False
    try:
        return bool(zlib.decompressobj().decompress(content[:4096], 4096))
    except zlib.error:
        return False


def is_lzma(content: bytes) -> bool:
    """Return whether a file has the header of an LZMA file: properties, dictionary size and size of the data."""
    if len(content) < 14 or content[0] != 0x5D or content[13] != 0:
        return False
    dictionary, size = struct.unpack_from("<LQ", content, 1)
    is_usual = dictionary & (dictionary - 1) == 0 or (dictionary & (dictionary - 1)) & (dictionary - 1) == 0
    return bool(is_usual and dictionary >= 4096 and (size == 2**64 - 1 or size < 2**40))


def is_lha(content: bytes) -> bool:
    """Return whether a file begins with a header of LHA that names a method."""
    return bool(_LHA.match(content)) and content[6:7] == b"-"


def is_disk_image(content: bytes) -> bool:
    """Return whether a file ends with the trailer of a macOS disk image."""
    return content[-512:].startswith(b"koly\0\0\0\4")


def is_electron(content: bytes) -> bool:
    """Return whether a file begins with the pickled JSON header of an Electron archive."""
    if len(content) < 18 or content[:4] != b"\4\0\0\0":
        return False
    return content[16:18] == b'{"'
