"""Functions that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.tools.pdf.pdf_info.job import Described, InfoJob


def describe(job: InfoJob) -> Described:
    """Change and describe a PDF; see `description.describe`."""
    from mediakit.tools.pdf.pdf_info import description

    return description.describe(job)
