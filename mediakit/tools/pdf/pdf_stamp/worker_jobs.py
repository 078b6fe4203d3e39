"""Functions that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.tools.pdf.pdf_stamp.job import Stamped, StampJob


def stamp(job: StampJob) -> Stamped:
    """Stamp a PDF; see `stamping.stamp`."""
    from mediakit.tools.pdf.pdf_stamp import stamping

    return stamping.stamp(job)
