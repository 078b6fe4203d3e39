"""Functions that run in a worker process. Importing this module imports no decoder."""

from mediakit.tools.files.file_encode.job import Encoded, EncodeJob


def convert(job: EncodeJob) -> Encoded:
    """Encode or decode content; see `conversion.convert`."""
    from mediakit.tools.files.file_encode import conversion

    return conversion.convert(job)
