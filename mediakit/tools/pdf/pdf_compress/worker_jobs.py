"""Functions that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.tools.pdf.pdf_compress.job import Compressed, CompressJob


def compress(job: CompressJob) -> Compressed:
    """Compress a file; see `compressing.compress`."""
    from mediakit.tools.pdf.pdf_compress import compressing

    return compressing.compress(job)
