"""Arranges the pages of a PDF; runs in a worker."""

from collections.abc import Sequence

import pikepdf

from mediakit.engines.paper import SIZES_MM
from mediakit.engines.pdf.assembly import Assembly
from mediakit.engines.pdf.dead_links import warn_of_removed_links
from mediakit.engines.pdf.document import open_to_change
from mediakit.engines.pdf.geometry import seen_size
from mediakit.engines.pdf.opening import MAX_PAGES, open_emptied, warn_of_late_damage, warn_of_lost_protection
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.scaling import POINTS_PER_MM, fit_pages
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_pages.cropping import crop_pages
from mediakit.tools.pdf.pdf_pages.job import Arranged, PagesJob
from mediakit.tools.pdf.pdf_pages.sheets import put_on_sheets


def arrange(job: PagesJob) -> Arranged:
    """Return a PDF of the chosen pages, turned, cropped, resized and on sheets as the job says.

    Raises:
        InvalidInput: The file, a page range or the crop is not valid.
    """
    source = open_to_change(job.file, job.password)
    count = len(source.pages)
    chosen = _chosen(job, count)
    for index in indices(job.rotate_pages, count, "rotate_pages") if job.rotate else ():
        source.pdf.pages[index].rotate(job.rotate, relative=True)
    if job.crop:
        crop_pages(source, chosen, job.crop)
    result = source if list(chosen) == list(range(count)) else _selected(job, source, chosen)
    _fit(job, result)
    content = save(result.pdf)
    warn_of_late_damage(source)
    return Arranged(content, len(result.pdf.pages), count, source.warnings)


def _chosen(job: PagesJob, count: int) -> Sequence[int]:
    """Return the pages of the result, from 0, in their order."""
    if job.remove is not None:
        removed = set(indices(job.remove, count, "remove"))
        if len(removed) == count:
            raise InvalidInput("remove: nothing would be left.")
        return [index for index in range(count) if index not in removed]
    chosen = indices(job.pages, count, "pages", ordered=True)
    if len(chosen) > MAX_PAGES:
        raise InvalidInput(f"pages: makes {len(chosen)} pages; the most is {MAX_PAGES}.")
    return chosen


def _selected(job: PagesJob, source: Source, chosen: Sequence[int]) -> Source:
    """Return a PDF of some of the pages, encrypted as the file is."""
    emptied = open_emptied(job.file, [job.password] if job.password else []) if source.pdf.is_encrypted else None
    if emptied is None:
        warn_of_lost_protection(source)
    assembly = Assembly(into=emptied)
    warn_of_removed_links(assembly.add(source, chosen, leads=True))
    assembly.finish()
    for old, new in assembly.fields.renamed.items():
        source.warn(f"The form field {old} is repeated; it is called {new} at its second place.")
    return Source(assembly.pdf, warnings=source.warnings)


def _fit(job: PagesJob, result: Source) -> None:
    pdf = result.pdf
    if job.n_up > 1:
        put_on_sheets(result, job.n_up, _paper(job, pdf) or seen_size(pdf.pages[0]))
    elif size := _paper(job, pdf):
        fit_pages(pdf, range(len(pdf.pages)), *size)


def _paper(job: PagesJob, pdf: pikepdf.Pdf) -> tuple[float, float] | None:
    """Return width and height of the paper in points."""
    if job.paper is None:
        return None
    if job.paper == "first":
        return seen_size(pdf.pages[0])
    width, height = SIZES_MM[job.paper]
    return width * POINTS_PER_MM, height * POINTS_PER_MM
