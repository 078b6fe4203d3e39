"""Functions that run in a worker process. Importing this module does not import pikepdf."""

from mediakit.tools.pdf.pdf_protect.job import Protected, ProtectJob


def protect(job: ProtectJob) -> Protected:
    """Encrypt or decrypt a PDF; see `protection.protect`."""
    from mediakit.tools.pdf.pdf_protect import protection

    return protection.protect(job)
