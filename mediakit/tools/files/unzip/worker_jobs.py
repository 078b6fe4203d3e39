"""Functions that run in a worker process. Importing this module imports no parser."""

from mediakit.tools.files.unzip.job import Unpacked, UnzipJob


def unpack(job: UnzipJob) -> Unpacked:
    """List and unpack an archive; see `unpacking.unpack`."""
    from mediakit.tools.files.unzip import unpacking

    return unpacking.unpack(job)
