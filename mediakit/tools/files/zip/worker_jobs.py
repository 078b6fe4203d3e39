"""Functions that run in a worker process. Importing this module imports no parser."""

from mediakit.engines.archives.writer import Written, write_zip
from mediakit.tools.files.zip.entry_names import made_names
from mediakit.tools.files.zip.job import ZipJob


def pack(job: ZipJob) -> Written:
    """Return the archive of a job."""
    entries = made_names(job.entries, job.folder)
    return write_zip(entries, level=job.level, password=job.password, comment=job.comment)
