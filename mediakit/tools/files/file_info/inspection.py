"""What a file is: its type, its details, hashes and entropy. Runs in a worker process."""

from pathlib import PurePath

from mediakit.core.inputs import file_of
from mediakit.engines.file_types import FileType, identify
from mediakit.engines.file_types.polyglots import other_types
from mediakit.engines.file_types.registry import FILE_TYPES
from mediakit.tools.files.file_info.details import details_of
from mediakit.tools.files.file_info.details.protection import is_encrypted
from mediakit.tools.files.file_info.hashes import hash_of
from mediakit.tools.files.file_info.request import FileInfoRequest, Inspected

_PAIRS = 65_536
_CHUNK_BYTES = 1 << 20
"""Bytes are counted in pairs and in chunks that fit into the cache."""


def inspect_file(request: FileInfoRequest) -> Inspected:
    """Return what is known of a file."""
    content, name = file_of(request.file), request.name
    found = identify(content, name)
    matches = extension_matches(found, name)
    encrypted = is_encrypted(content, found)
    others = other_types(content, found)
    fields = {
        "mime_type": found.mime_type,
        "extension": found.extension,
        "description": found.label,
        "kind": found.kind,
        "size_bytes": len(content),
        "hashes": {one: hash_of(content, one) for one in dict.fromkeys(request.hashes)},
        "extension_matches": matches,
        "encrypted": encrypted,
        "details": details_of(content, found, encrypted=bool(encrypted)),
        "alternatives": [one.mime_type for one in others],
        "entropy": entropy(content),
    }
    warnings = [f"The name ends in {_suffix(name)}, but the file is {found.description}."] if matches is False else []
    warnings += [f"The file is also {one.description}." for one in others]
    return Inspected(fields, warnings)


def extension_matches(found: FileType, name: str) -> bool | None:
    """Return whether a name's extension is one of a type; None without an extension, or where it says nothing."""
    suffix = _suffix(name)
    if not suffix or suffix == ".":
        return None
    if suffix in {one.lower() for one in found.extensions} or (found.kind == "text" and suffix == ".txt"):
        return True
    return False if any(suffix in one.extensions for one in FILE_TYPES.values()) else None


def _suffix(name: str) -> str:
    return PurePath(name).suffix.lower()


def entropy(content: bytes) -> float:
    """Return the Shannon entropy of the bytes in bits, 0 to 8: near 8 for compressed and encrypted data."""
    import numpy as np

    pairs = np.zeros(_PAIRS, np.int64)
    for start in range(0, len(content) - 1, _CHUNK_BYTES):
        size = min(_CHUNK_BYTES, len(content) - start) // 2
        pairs += np.bincount(np.frombuffer(content, np.uint16, size, start), minlength=_PAIRS)
    table = pairs.reshape(256, 256)
    counts = table.sum(0) + table.sum(1)
    if len(content) % 2:
        counts[content[-1]] += 1
    shares = counts[counts > 0] / len(content)
    return max(0.0, round(float(-(shares * np.log2(shares)).sum()), 3))
