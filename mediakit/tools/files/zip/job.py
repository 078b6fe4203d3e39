"""What travels to the worker and back."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from mediakit.engines.archives.writer import NewEntry


@dataclass(frozen=True)
class ZipJob:
    """Files, and how to pack them."""

    entries: Sequence[NewEntry]
    """Files; those without a name get one by their content."""
    level: int
    folder: str = ""
    """The folder of files without a name; the names of the others have it."""
    comment: str = ""
    password: str | None = field(default=None, repr=False)
