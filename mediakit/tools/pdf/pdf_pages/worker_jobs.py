"""Functions that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.tools.pdf.pdf_pages.job import Arranged, PagesJob


def arrange(job: PagesJob) -> Arranged:
    """Arrange the pages of a PDF; see `arranging.arrange`."""
    from mediakit.tools.pdf.pdf_pages import arranging

    return arranging.arrange(job)
