"""PDF structure: open, check, assemble and save. Everything here runs in worker processes."""

from dataclasses import dataclass, field
from typing import Any

HEADER_BYTES = 1024
"""The header `%PDF-` may follow up to this many bytes (PDF 1.7, appendix H, note 13)."""


def is_pdf(content: bytes) -> bool:
    """Return whether the first bytes are those of a PDF: names and media types are not trusted."""
    return b"%PDF-" in content[:HEADER_BYTES]


@dataclass(frozen=True)
class MadePdf:
    """A PDF that a worker made."""

    content: bytes = field(repr=False)
    meta: dict[str, Any]
    """What the result's `meta` holds."""
