"""Finds characters that no font of MuPDF can draw."""

import html
import re
from io import BytesIO
from typing import Any

_MISSING_GLYPH = re.compile(rb"<(?:[0-9a-f]{4})*?0000(?:[0-9a-f]{4})*>")
"""A string of two-byte codes, one of which is that of the missing glyph."""


def missing_characters(text: str) -> list[str]:
    """Return the characters of a text that no font can draw."""
    if text.isascii() or not _lacks_glyph(text):
        return []
    return [character for character in dict.fromkeys(text) if not character.isascii() and _lacks_glyph(character)]


def has_missing_glyph(content: bytes) -> bool:
    """Return whether a content stream that MuPDF wrote draws the glyph for missing characters."""
    return _MISSING_GLYPH.search(content) is not None


def _lacks_glyph(text: str) -> bool:
    import pymupdf

    target = BytesIO()
    writer: Any = pymupdf.DocumentWriter(target)  # type: ignore[no-untyped-call]
    story: Any = pymupdf.Story(f'<p style="font: 8pt sans-serif">{html.escape(text)}</p>')  # type: ignore[no-untyped-call]
    box: Any = pymupdf.Rect(0, 0, 2000, 2000)  # type: ignore[no-untyped-call]
    device = writer.begin_page(box)
    story.place(box)
    story.draw(device)
    writer.end_page()
    writer.close()
    with pymupdf.open(stream=target.getvalue()) as document:  # type: ignore[no-untyped-call]
        return has_missing_glyph(document[0].read_contents())
