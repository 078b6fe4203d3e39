"""Arranges the pages of a PDF; runs in a worker."""

from collections.abc import Sequence

import pikepdf
from pikepdf import Array

from mediakit.core.inputs import file_of
from mediakit.engines.paper import SIZES_MM
from mediakit.engines.pdf.assembly import Assembly
from mediakit.engines.pdf.destinations import warn_of_removed_links
from mediakit.engines.pdf.document import open_to_change
from mediakit.engines.pdf.geometry import rounded, seen_matrix, seen_size
from mediakit.engines.pdf.opening import MAX_PAGES, open_emptied, warn_of_late_damage, warn_of_lost_protection
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.scaling import POINTS_PER_MM, fit_pages
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_pages.sheets import put_on_sheets
from mediakit.tools.pdf.pdf_pages.tool import Arranged, PdfPagesRequest


def arrange(request: PdfPagesRequest) -> Arranged:
    """Return a PDF of the chosen pages, turned, cropped, resized and on sheets as the request says.

    Raises:
        InvalidInput: The file, a page range or the crop is not valid.
    """
    source = open_to_change(file_of(request.file), request.password)
    count = len(source.pages)
    chosen = _chosen(request, count)
    for index in indices(request.rotate_pages, count, "rotate_pages") if request.rotate else ():
        source.pdf.pages[index].rotate(request.rotate, relative=True)
    if request.crop:
        crop_pages(source, chosen, request.crop)
    result = source if list(chosen) == list(range(count)) else _selected(request, source, chosen)
    _fit(request, result)
    content = save(result.pdf)
    warn_of_late_damage(source)
    return Arranged(content, len(result.pdf.pages), count, source.warnings)


def _chosen(request: PdfPagesRequest, count: int) -> Sequence[int]:
    """Return the pages of the result, from 0, in their order."""
    if request.remove is not None:
        removed = set(indices(request.remove, count, "remove"))
        if len(removed) == count:
            raise InvalidInput("remove: nothing would be left.")
        return [index for index in range(count) if index not in removed]
    chosen = indices(request.pages, count, "pages", ordered=True)
    if len(chosen) > MAX_PAGES:
        raise InvalidInput(f"pages: makes {len(chosen)} pages; the most is {MAX_PAGES}.")
    return chosen


def _selected(request: PdfPagesRequest, source: Source, chosen: Sequence[int]) -> Source:
    """Return a PDF of some of the pages, encrypted as the file is."""
    emptied = (
        open_emptied(file_of(request.file), [request.password] if request.password else [])
        if source.pdf.is_encrypted
        else None
    )
    if emptied is None:
        warn_of_lost_protection(source)
    assembly = Assembly(into=emptied)
    warn_of_removed_links(assembly.add(source, chosen, leads=True))
    assembly.finish()
    for old, new in assembly.fields.renamed.items():
        source.warn(f"The form field {old} is repeated; it is called {new} at its second place.")
    return Source(assembly.pdf, warnings=source.warnings)


def _fit(request: PdfPagesRequest, result: Source) -> None:
    pdf = result.pdf
    if request.n_up > 1:
        put_on_sheets(result, request.n_up, _paper(request, pdf) or seen_size(pdf.pages[0]))
    elif size := _paper(request, pdf):
        result.warnings += fit_pages(pdf, range(len(pdf.pages)), *size)


def _paper(request: PdfPagesRequest, pdf: pikepdf.Pdf) -> tuple[float, float] | None:
    """Return width and height of the paper in points."""
    if request.paper is None:
        return None
    if request.paper == "first":
        return seen_size(pdf.pages[0])
    width, height = SIZES_MM[request.paper]
    return width * POINTS_PER_MM, height * POINTS_PER_MM


SMALLEST_SIDE = 3.0
"""Points of a page that must be left; the smallest page that Acrobat opens (PDF 1.7, annex C)."""


def crop_pages(source: Source, chosen: Sequence[int], crop: Sequence[float]) -> None:
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
