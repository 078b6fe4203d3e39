"""What a batch knows of a row that is done: its file, or its error."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Record:
    """The outcome of a row, as the report of the batch has it."""

    row: int
    """Number of the row, from 1."""
    name: str
    """Name of the result, unique in the batch, without the suffix of the file."""
    key: str = ""
    """Hash of the values of the call and the versions that made the file; equal keys have equal files."""
    file: str | None = None
    """Path of the file within the target; None if the row failed."""
    mime_type: str = ""
    size_bytes: int = 0
    sha256: str = ""
    """Checksum of the file, in hexadecimal digits."""
    ms: float = 0.0
    """Time of the call in milliseconds."""
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """`warnings`, `fitted` and `defaults_used` of the result, if they are not empty."""
    meta: Mapping[str, Any] = field(default_factory=dict)
    """The meta of the result."""
    member: str = ""
    """Name of the file in the JSON envelope of the result; empty for results that are data."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the result beside its file and its meta."""
    error: str | None = None
    """Message of the error; None if the row has a file."""
    is_uncertain: bool = False
    """Whether a server may have charged the call although it failed, so that it is repeated with the same key."""
