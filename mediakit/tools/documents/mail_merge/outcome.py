"""What became of a row."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mediakit.core.messages import quote


@dataclass(frozen=True)
class Document:
    """The document of a row."""

    content: bytes = field(repr=False)
    pages: int | None = None
    """Pages of a PDF."""
    fitted: Sequence[str] = ()
    """Keys of a template whose text was made smaller or cut."""
    defaults_used: Sequence[str] = ()
    """Keys of a template that have their example text."""
    warnings: Sequence[str] = ()
    missing: str = ""
    """A placeholder of a Word template for which the row has no value."""
    error: str = ""
    """Why there is no document."""


@dataclass(frozen=True)
class Outcome:
    """A document, or why there is none."""

    row: int
    """Number of the row, from 1."""
    filename: str
    document: Document | None = None
    error: str | None = None

    def report_row(self) -> dict[str, Any]:
        """Return the members of the report."""
        made = self.document
        return {
            "row": self.row,
            "filename": self.filename if made else None,
            "ok": made is not None,
            "error": self.error,
            "pages": made.pages if made else None,
            "fitted": list(made.fitted) if made else [],
            "defaults_used": list(made.defaults_used) if made else [],
        }


def without_field(message: str) -> str:
    """Return the message of an engine's error without the field of another tool that it begins with."""
    for prefix in ("data: ", "values: ", "values.", "html: "):
        if message.startswith(prefix):
            return message.removeprefix(prefix)
    return message


def shown(names: Sequence[str], most: int = 12) -> str:
    """Return names for an error."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(quote(name) for name in names[:most]) + more


@dataclass(frozen=True)
class Joined:
    """One PDF of all."""

    content: bytes = field(repr=False)
    pages: int
    warnings: list[str]
