"""Finds blank pages."""

import numpy as np
import pymupdf

from mediakit.engines.pdf.mupdf import open_pages
from mediakit.engines.pdf.source import Source

DPI = 36
"""Resolution at which pages are drawn."""

MAX_INK = 0.001
"""Part of a blank page that may be darker than its paper."""

DARKER = 24
"""Levels of 256 by which ink is darker than the paper."""

DARKEST_PAPER = 200
"""Level of paper. Scanned paper is not white, but a page that is mostly darker is not blank."""

MAX_CONTENT_BYTES = 1_000_000
"""Content of a page that can be blank; more takes long to draw. Images do not count."""

MAX_PIXELS = 2000
"""Pixels of the longer side of a drawn page."""


def blank_pages(source: Source, content: bytes, password: str | None) -> set[int]:
    """Return the indices of the pages with less than 0.1 % ink.

    Args:
        source: The opened PDF.
        content: The file.
        password: The password that opened it.
    """
    with open_pages(source, content, password) as document:
        return {index for index, page in enumerate(document) if _is_blank(page)}


def _is_blank(page: pymupdf.Page) -> bool:
    try:
        if len(page.read_contents()) > MAX_CONTENT_BYTES:  # type: ignore[no-untyped-call]
            return False
        return _ink(page) < MAX_INK
    except (pymupdf.mupdf.FzErrorBase, RuntimeError):  # a page that cannot be drawn is kept
        return False


def _ink(page: pymupdf.Page) -> float:
    """Return the part of a page that is darker than its paper, 0 to 1."""
    zoom = min(DPI / 72, MAX_PIXELS / max(page.rect.width, page.rect.height, 1))
    drawn = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False)  # type: ignore[no-untyped-call]
    levels = np.bincount(np.frombuffer(drawn.samples, np.uint8), minlength=256)
    paper = int(levels.argmax())
    if paper < DARKEST_PAPER:
        return 1.0
    return float(levels[: paper - DARKER + 1].sum() / levels.sum())
