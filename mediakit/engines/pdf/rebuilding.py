"""Lets MuPDF rebuild PDFs that qpdf cannot read."""

from collections.abc import Sequence
from typing import Any

KEEP_ENCRYPTION, NO_ENCRYPTION = 0, 1
"""MuPDF's numbers of them."""

NO_PAGES = "no pages found"


class PasswordNeededError(ValueError):
    """None of the passwords opens the PDF."""


def rebuild(content: bytes, passwords: Sequence[str], *, keep_encryption: bool) -> tuple[bytes, bool]:
    """Return a PDF that MuPDF has read and written again, and whether the original is encrypted.

    Args:
        content: The damaged PDF.
        passwords: Passwords to try if it is encrypted.
        keep_encryption: Whether the result is encrypted as the PDF is.

    Raises:
        PasswordNeededError: No password opens the PDF.
        ValueError: MuPDF finds no pages.
    """
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)  # type: ignore[no-untyped-call]  # noqa: FBT003  # its signature
    pymupdf.TOOLS.mupdf_display_warnings(False)  # type: ignore[no-untyped-call]  # noqa: FBT003
    try:
        with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
            _unlock(document, passwords)
            if not document.is_pdf or not document.page_count:
                raise ValueError(NO_PAGES)
            encryption = KEEP_ENCRYPTION if keep_encryption else NO_ENCRYPTION
            is_encrypted = bool(document.metadata and document.metadata["encryption"])
            return bytes(document.tobytes(garbage=1, no_new_id=True, encryption=encryption)), is_encrypted
    except pymupdf.mupdf.FzErrorBase as error:
        raise ValueError(str(error)) from error


def _unlock(document: Any, passwords: Sequence[str]) -> None:
    if document.needs_pass and not any(document.authenticate(password) for password in passwords):
        raise PasswordNeededError(NO_PAGES)
