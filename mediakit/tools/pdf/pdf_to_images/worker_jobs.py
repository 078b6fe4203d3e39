"""Functions that run in a worker process. Importing this module does not import MuPDF."""

from collections.abc import Sequence

from mediakit.tools.pdf.pdf_to_images.job import DrawJob, Drawn


def draw_first(job: DrawJob) -> Drawn:
    """Check all pages and draw the first ones; see `drawing.draw_first`."""
    from mediakit.tools.pdf.pdf_to_images import drawing

    return drawing.draw_first(job)


def draw_rest(job: DrawJob, indices: Sequence[int]) -> Drawn:
    """Draw pages that were checked; see `drawing.draw_rest`."""
    from mediakit.tools.pdf.pdf_to_images import drawing

    return drawing.draw_rest(job, indices)
