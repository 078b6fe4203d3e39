"""Functions that run in a worker process. Importing this module does not import PyMuPDF."""

from mediakit.engines.pdf.reading.job import Extracted, ExtractJob


def extract(job: ExtractJob) -> Extracted:
    """Extract the content of a PDF; see `extraction.extract`."""
    from mediakit.engines.pdf.reading import extraction

    return extraction.extract(job)
