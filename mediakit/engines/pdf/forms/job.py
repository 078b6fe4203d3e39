"""What travels to the worker and back: plain values, without pikepdf."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mediakit.engines.pdf.forms.field_info import FieldInfo


@dataclass(frozen=True)
class FormJob:
    """A PDF and what to do with its form."""

    content: bytes = field(repr=False)
    values: Mapping[str, Any] | None = None
    """Values by name; None to fill nothing."""
    flatten: bool = False
    strict: bool = True
    password: str | None = field(default=None, repr=False)

    @property
    def writes(self) -> bool:
        """Whether the call makes a file."""
        return self.values is not None or self.flatten


@dataclass(frozen=True)
class FormOutcome:
    """The fields, and the file if one was written."""

    fields: list[FieldInfo]
    """The fields with their values; after flattening those that were drawn."""
    pages: int
    content: bytes | None = field(default=None, repr=False)
    filled: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
