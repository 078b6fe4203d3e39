"""Crops pages: what is cut off is hidden by the crop box."""

from collections.abc import Sequence

import pikepdf
from pikepdf import Array

from mediakit.engines.pdf.geometry import rounded, seen_matrix, seen_size
from mediakit.engines.pdf.scaling import POINTS_PER_MM
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput

SMALLEST_SIDE = 3.0
"""Points of a page that must be left; the smallest page that Acrobat opens (PDF 1.7, annex C)."""


def crop_pages(source: Source, chosen: Sequence[int], crop: tuple[float, float, float, float]) -> None:
    """Set the crop boxes of pages.

    Args:
        source: The PDF.
        chosen: Indices of the pages.
        crop: Millimeters to cut off at the top, right, bottom and left of each page as it is seen.

    Raises:
        InvalidInput: Nothing is left of a page.
    """
    if not any(crop):
        return
    for index in sorted(set(chosen)):
        _crop(source.pdf.pages[index], index + 1, [side * POINTS_PER_MM for side in crop])
    source.warn("The content that was cropped is hidden, not deleted: it is still in the file.")


def _crop(page: pikepdf.Page, number: int, crop: Sequence[float]) -> None:
    top, right, bottom, left = crop
    width, height = seen_size(page)
    if width - left - right < SMALLEST_SIDE or height - top - bottom < SMALLEST_SIDE:
        raise InvalidInput(f"crop: leaves nothing of page {number}.")
    matrix = seen_matrix(page)
    corners = matrix.transform((left, top)), matrix.transform((width - right, height - bottom))
    across, along = zip(*corners, strict=True)
    page.obj.CropBox = Array(rounded([min(across), min(along), max(across), max(along)]))
