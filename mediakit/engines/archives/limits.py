"""Limits on what an archive unpacks to, judged before anything is unpacked."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from mediakit.engines.archives.directory import LOCAL_HEADER_BYTES, Directory
from mediakit.engines.archives.entry import Entry
from mediakit.errors import InvalidInput

MEGABYTE = 1_000_000

MAX_TOTAL_BYTES = 100 * MEGABYTE
MAX_ENTRY_BYTES = 20 * 1024 * 1024
"""The size of the largest file that another tool takes."""

MAX_RATIO = 200
"""How many times its packed size an entry may have, above `RATIO_FROM_BYTES`."""

RATIO_FROM_BYTES = MEGABYTE


def check_sizes(entries: Iterable[Entry], field: str) -> None:
    """Check the claimed sizes of the entries to unpack.

    Raises:
        InvalidInput: They are too large, or their ratio is that of a decompression bomb.
    """
    chosen = list(entries)
    if sum(entry.size_bytes for entry in chosen) > MAX_TOTAL_BYTES:
        raise too_large(field)
    for entry in chosen:
        if entry.size_bytes > MAX_ENTRY_BYTES:
            limit = MAX_ENTRY_BYTES // (1024 * 1024)
            raise InvalidInput(f"{field}: {shown(entry.name)} unpacks to more than {limit} MB.")
        if is_bomb(entry.size_bytes, entry.compressed_bytes):
            raise InvalidInput(
                f"{field}: {shown(entry.name)} unpacks to more than {MAX_RATIO} times its packed size; "
                "this is a decompression bomb."
            )


def too_large(field: str) -> InvalidInput:
    """Return the error for files that are too large together."""
    return InvalidInput(f"{field}: unpacks to more than {MAX_TOTAL_BYTES // MEGABYTE} MB.")


def is_bomb(size: int, packed: int | None) -> bool:
    """Return whether content is packed more tightly than real files are."""
    return packed is not None and size > RATIO_FROM_BYTES and size > MAX_RATIO * max(1, packed)


def overlap(spans: Sequence[tuple[int, int]], end: int) -> bool:
    """Return whether two entries share bytes, or one reaches into the directory.

    Args:
        spans: Position of the local header, and number of packed bytes, of each entry.
        end: Position of the directory.
    """
    ordered = sorted((start, start + LOCAL_HEADER_BYTES + size) for start, size in spans)
    ordered.append((end, end))
    return any(stop > following for (_, stop), (following, _) in pairwise(ordered))


def check_overlap(directory: Directory, field: str) -> None:
    """Check that no two entries share bytes.

    Raises:
        InvalidInput: Some do.
    """
    spans = [(entry.offset, entry.compressed_bytes) for entry in directory.entries]
    if overlap(spans, directory.start):
        raise InvalidInput(f"{field}: entries overlap; this is a decompression bomb.")


def shown(name: str) -> str:
    """Return a name for an error message: on one line, visible, and not too long."""
    visible = "".join(character if character.isprintable() else f"\\x{ord(character):02x}" for character in name)
    return visible if len(visible) <= 80 else f"{visible[:80]}…"
