"""Functions that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.tools.pdf.pdf_split.job import Split, SplitJob


def split(job: SplitJob) -> Split:
    """Split a PDF; see `splitting.split`."""
    from mediakit.tools.pdf.pdf_split import splitting

    return splitting.split(job)
