"""Hashes and checksums of a file."""

import hashlib
import zlib

_NAMES = {"sha3-256": "sha3_256"}


def hash_of(content: bytes, name: str) -> str:
    """Return a hash in lower-case hexadecimal digits.

    Args:
        content: The bytes of the file.
        name: `md5`, `sha1`, `sha256`, `sha512`, `sha3-256`, `blake2b` (512 bits), `crc32` or `crc32c`.
    """
    if name == "crc32":
        return f"{zlib.crc32(content):08x}"
    if name == "crc32c":
        from mediakit.tools.files.file_info.crc32c import crc32c

        return f"{crc32c(content):08x}"
    return hashlib.new(_NAMES.get(name, name), content, usedforsecurity=False).hexdigest()
