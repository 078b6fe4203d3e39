"""What is known of an entry of an archive before it is unpacked."""

from typing import Annotated

from pydantic import Field

from mediakit.engines.archives.names import UNSAFE
from mediakit.results.item import Item

LIST_FIELDS = (
    "name", "size_bytes", "compressed_bytes", "modified", "crc32", "encrypted", "method", "is_folder", "unsafe",
)  # fmt: skip
"""Names of the fields of an entry, in their order."""


class Entry(Item):
    """An entry of an archive, as its directory describes it."""

    name: str
    """The name, unchanged."""
    size_bytes: int
    """Size of the file, as the archive claims."""
    compressed_bytes: int | None
    """Size in the archive; null in TAR files."""
    modified: str | None
    """ISO 8601 without a zone; null if it is not a date."""
    crc32: str | None
    """In hexadecimal; null where the archive has none."""
    encrypted: bool
    method: str
    """Compression method, such as `stored` or `deflate`."""
    is_folder: bool
    unsafe: Annotated[str | None, Field(json_schema_extra={"enum": [*UNSAFE, None]})]
    """Why the entry is never unpacked; null for a safe one."""
