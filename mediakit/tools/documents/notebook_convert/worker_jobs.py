"""Functions that run in a worker process. Importing this module imports no parser."""

from mediakit.tools.documents.notebook_convert.job import ConvertedNotebook, NotebookJob


def convert(job: NotebookJob) -> ConvertedNotebook:
    """Convert a notebook; see `conversion.convert`."""
    from mediakit.tools.documents.notebook_convert import conversion

    return conversion.convert(job)
