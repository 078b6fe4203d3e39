"""Functions that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.tools.pdf.pdf_redact.job import Redacted, RedactJob


def redact(job: RedactJob) -> Redacted:
    """Redact a PDF; see `redaction.redact`."""
    from mediakit.tools.pdf.pdf_redact import redaction

    return redaction.redact(job)
