"""Opens PDFs with MuPDF, for what is on the pages: text, images, drawings."""

from io import BytesIO

import pikepdf
import pymupdf

from mediakit.engines.pdf.glyph_names import add_letters, lacks_letters
from mediakit.engines.pdf.password_fields import has_passwords, hide_passwords
from mediakit.engines.pdf.saslprep import forms
from mediakit.engines.pdf.source import Source


def open_pages(source: Source, content: bytes, password: str | None = None) -> pymupdf.Document:
    """Open the pages of a PDF that `opening.open_pdf` has accepted.

    Args:
        source: The opened PDF. If it was repaired, glyphs lack letters or password fields have values, MuPDF reads a
            changed copy of it.
        content: The file.
        password: The password that opened it.
    """
    quiet()
    document = _opened(content, password)
    is_changed = has_passwords(source.pdf) or lacks_letters(source.pdf)
    if is_changed or document.is_encrypted or source.repaired or _stated_pages(document) != len(source.pages):
        return _opened(_readable(source.pdf), None)
    return document


def has_stated_pages(document: pymupdf.Document, content: bytes) -> bool:
    """Return whether a PDF has the number of pages that its page tree states, which is all that MuPDF reads."""
    try:
        with pikepdf.open(BytesIO(content)) as pdf:
            return len(pdf.pages) == _stated_pages(document)
    except pikepdf.PdfError:
        return False


def _stated_pages(document: pymupdf.Document) -> int:
    """Return the number of pages that the page tree states, which can be wrong; 0 for an impossible number."""
    try:
        return int(document.page_count)
    except RuntimeError:
        return 0


def quiet() -> None:
    """Turn off the messages that MuPDF prints about damaged files."""
    pymupdf.TOOLS.mupdf_display_errors(False)  # type: ignore[no-untyped-call]  # noqa: FBT003  # its signature
    pymupdf.TOOLS.mupdf_display_warnings(False)  # type: ignore[no-untyped-call]  # noqa: FBT003


def _opened(content: bytes, password: str | None) -> pymupdf.Document:
    document = pymupdf.open(stream=content, filetype="pdf")  # type: ignore[no-untyped-call]
    if document.needs_pass:
        candidates = [form for form in forms(password or "") if isinstance(form, str)]
        any(document.authenticate(form) for form in candidates)  # type: ignore[no-untyped-call]
    return document


def _readable(pdf: pikepdf.Pdf) -> bytes:
    """Return a PDF without encryption, with the letters of all glyphs and without the values of password fields."""
    target = BytesIO()
    pdf.save(target, encryption=False)
    with pikepdf.open(target) as copy:
        add_letters(copy)
        hide_passwords(copy)
        changed = BytesIO()
        copy.save(changed)
    return changed.getvalue()
