"""Removes letters and image pixels from the content of pages; works with MuPDF on a working copy."""

from collections.abc import Iterable, Sequence
from typing import Any

import pymupdf

from mediakit.tools.pdf.pdf_redact.marks import Box, Letter, around
from mediakit.tools.pdf.pdf_redact.working_copy import EXTENT

MUPDF: Any = pymupdf  # it has no types

SIZE = 0.02
"""Size of the box in the middle of each letter that goes, as a part of the letter. MuPDF removes all letters that a box
touches; such a box touches only those that are meant, however tight lines and letters are."""


def remove(page: Any, letters: Iterable[Letter], areas: Iterable[Box], *, size: float = SIZE) -> None:
    """Remove letters, and what images show in areas, from a page.

    Args:
        page: The page.
        letters: The letters.
        areas: The areas of images.
        size: Size of the box in the middle of each letter, as a part of the letter.
    """
    if strips := [_strip(letter, size) for letter in dict.fromkeys(letters)]:
        _mark(page, strips)
        page.apply_redactions(
            images=MUPDF.PDF_REDACT_IMAGE_NONE,
            graphics=MUPDF.PDF_REDACT_LINE_ART_NONE,
            text=MUPDF.PDF_REDACT_TEXT_REMOVE,
        )
    if (boxes := list(areas)) and _has_images(page):
        _mark(page, boxes)
        page.apply_redactions(
            images=MUPDF.PDF_REDACT_IMAGE_PIXELS,
            graphics=MUPDF.PDF_REDACT_LINE_ART_NONE,
            text=MUPDF.PDF_REDACT_TEXT_NONE,
        )


def _mark(page: Any, boxes: Sequence[Box]) -> None:
    """Add one redaction annotation for many boxes, which is much faster than one for each."""
    around_all = around(boxes)
    annotation = page.add_redact_annot(_rectangle(around_all), fill=False, cross_out=False)
    corners = " ".join(
        f"{left:.3f} {top:.3f} {right:.3f} {top:.3f} {left:.3f} {bottom:.3f} {right:.3f} {bottom:.3f}"
        for left, bottom, right, top in boxes
    )
    page.parent.xref_set_key(annotation.xref, "QuadPoints", f"[{corners}]")


def _has_images(page: Any) -> bool:
    return any("image" in kind for kind, *_ in page.get_bboxlog())


def _strip(letter: Letter, size: float) -> Box:
    """Return a box in the middle of a letter."""
    x, y = letter.center
    across = max(0.01, (letter.box[2] - letter.box[0]) * size / 2)
    up = max(0.01, (letter.box[3] - letter.box[1]) * size / 2)
    return x - across, y - up, x + across, y + up


def _rectangle(box: Box) -> Any:
    left, bottom, right, top = box
    return MUPDF.Rect(left + EXTENT, EXTENT - top, right + EXTENT, EXTENT - bottom)
