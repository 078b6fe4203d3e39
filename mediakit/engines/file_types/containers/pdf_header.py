"""PDF headers, which may stand behind other bytes."""

import re

HEADER_BYTES = 1024
"""A PDF's header may follow up to this many bytes (ISO 32000-1, implementation note 13)."""

_HEADER = re.compile(rb"%PDF-\d\.\d")
_STRUCTURE = re.compile(rb"\d+\s+\d+\s+obj\b|startxref|%%EOF")


def is_pdf(content: bytes) -> bool:
    """Return whether a PDF begins in the first bytes of a file: a header, followed by objects."""
    found = _HEADER.search(content[: HEADER_BYTES + 8])
    return bool(found and _STRUCTURE.search(content, found.end()))
