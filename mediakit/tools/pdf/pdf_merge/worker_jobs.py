"""Functions that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.tools.pdf.pdf_merge.job import Merged, MergeJob


def merge(job: MergeJob) -> Merged:
    """Merge files; see `merging.merge`."""
    from mediakit.tools.pdf.pdf_merge import merging

    return merging.merge(job)
