"""What is known of an entry of an archive before it is unpacked."""

from dataclasses import asdict, dataclass
from typing import Any

LIST_FIELDS = (
    "name", "size_bytes", "compressed_bytes", "modified", "crc32", "encrypted", "method", "is_folder", "unsafe",
)  # fmt: skip
"""Names of the fields of an entry, in their order."""


@dataclass(frozen=True)
class Entry:
    """An entry of an archive, as its directory describes it."""

    name: str
    """The name, unchanged, as the archive has it."""
    size_bytes: int
    """Claimed size of the content."""
    compressed_bytes: int | None
    """Size in the archive; None where entries are compressed together."""
    modified: str | None
    """Local time as ISO 8601 without a zone; None if it is not a date."""
    crc32: str | None
    """CRC-32 in hexadecimal; None where the archive has none."""
    encrypted: bool
    method: str
    """Name of the compression method."""
    is_folder: bool
    unsafe: str | None = None
    """Why the entry is never unpacked: a key of `names.UNSAFE`; None for a safe entry."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return asdict(self)
