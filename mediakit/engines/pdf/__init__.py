"""PDF structure: open, check, assemble and save. Everything here runs in worker processes."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class MadePdf:
    """A PDF that a worker made."""

    content: bytes = field(repr=False)
    meta: dict[str, Any]
    """What the result's `meta` holds."""
