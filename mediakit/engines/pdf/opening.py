"""Opens PDFs: passwords, repair, and the limits that hold for every tool."""

import re
import warnings
from collections.abc import Sequence
from io import BytesIO

import pikepdf

from mediakit.engines.pdf.inflation import check_inflation
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput

MAX_PAGES = 500
"""Pages of a PDF."""

RESTRICTIONS = (
    ("print_highres", "printing"),
    ("extract", "copying"),
    ("modify_other", "changing"),
    ("modify_annotation", "annotating"),
    ("modify_form", "filling forms"),
    ("modify_assembly", "assembling pages"),
)
"""Permissions as pikepdf names them, and what they restrict."""

_HARMLESS = (
    "file is damaged",
    "Attempting to reconstruct cross-reference table",
    "Resources is missing or invalid",
    "output may still be valid",
    "handled correctly by qpdf",
)
"""Parts of qpdf's warnings that name no damage, or none that matters."""

NO_ENCRYPTION = 1
"""MuPDF's number of it."""

_LOCATION = re.compile(r"^.*?(?:\([^()]*\)|>|file)[^:]*:\s*")
_NO_PAGES = "no pages found"


def open_pdf(content: bytes, field: str = "file", passwords: Sequence[str] = ()) -> Source:
    """Open a PDF, with repair if it is damaged.

    Args:
        content: The file.
        field: Name of the request's field, for errors.
        passwords: Passwords to try if the PDF is encrypted.

    Raises:
        InvalidInput: No password opens the PDF, it is damaged beyond repair, it has no page or too many,
            or its streams inflate to more than 300 MB.
    """
    source = _opened(content, field, passwords)
    count = len(source.pages)
    if not count:
        raise InvalidInput(f"{field}: is a PDF without pages.")
    if count > MAX_PAGES:
        raise InvalidInput(f"{field}: has {count} pages; the most is {MAX_PAGES}.")
    check_inflation(source.pdf, content, field)
    if source.repaired:
        source.warn(f"The file was damaged and has been repaired: {source.repaired}.")
    return source


def restrictions(pdf: pikepdf.Pdf) -> list[str]:
    """Return what an encrypted PDF forbids without its owner password."""
    if not pdf.is_encrypted:
        return []
    return [words for permission, words in RESTRICTIONS if not getattr(pdf.allow, permission)]


def warn_of_lost_protection(source: Source) -> None:
    """Add a warning that the result is not encrypted, for tools that do not keep encryption."""
    if not source.pdf.is_encrypted:
        return
    forbidden = restrictions(source.pdf)
    if forbidden:
        source.warn(f"The file restricts {_listed(forbidden)}; the result is not protected.")
    else:
        source.warn("The file is encrypted; the result is not protected.")


def _opened(content: bytes, field: str, passwords: Sequence[str]) -> Source:
    try:
        source = Source(_decrypted(content, field, passwords), field)
        repaired = damage(source.pdf)
        if len(source.pages) or not repaired:
            source.repaired = repaired
            return source
        problem = _NO_PAGES
    except pikepdf.PasswordError:
        raise
    except (pikepdf.PdfError, RuntimeError, ValueError, RecursionError) as error:
        if isinstance(error, InvalidInput):
            raise
        problem = _reason(str(error)) or _NO_PAGES
    return _rebuilt(content, field, passwords, problem)


def _decrypted(content: bytes, field: str, passwords: Sequence[str]) -> pikepdf.Pdf:
    for password in ("", *passwords):
        try:
            return _open(content, password)
        except pikepdf.PasswordError:
            continue
    raise wrong_password(field) if passwords else InvalidInput(f"{field}: is encrypted; send its password.")


def wrong_password(field: str) -> InvalidInput:
    """Return the error for passwords of which none opens a file."""
    return InvalidInput(f"password: does not open {'this file' if field == 'file' else field}.")


def _open(content: bytes, password: str) -> pikepdf.Pdf:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pikepdf.open(BytesIO(content), password=password)


def _rebuilt(content: bytes, field: str, passwords: Sequence[str], problem: str) -> Source:
    """Let MuPDF rebuild a PDF that qpdf cannot read."""
    refusal = InvalidInput(f"{field}: is a damaged PDF that cannot be read ({problem}).")
    try:
        rebuilt = _open(_rewritten(content, passwords), "")
        source = Source(rebuilt, field, repaired=problem)
        if len(source.pages):
            return source
    except (pikepdf.PdfError, RuntimeError, ValueError, ImportError) as error:
        raise refusal from error
    raise refusal


def _rewritten(content: bytes, passwords: Sequence[str]) -> bytes:
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)  # type: ignore[no-untyped-call]  # noqa: FBT003  # its signature
    pymupdf.TOOLS.mupdf_display_warnings(False)  # type: ignore[no-untyped-call]  # noqa: FBT003
    try:
        with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
            if document.needs_pass and not any(document.authenticate(password) for password in passwords):
                raise ValueError(_NO_PAGES)
            if not document.is_pdf or not document.page_count:
                raise ValueError(_NO_PAGES)
            return bytes(document.tobytes(garbage=1, no_new_id=True, encryption=NO_ENCRYPTION))
    except pymupdf.mupdf.FzErrorBase as error:
        raise ValueError(str(error)) from error


def damage(pdf: pikepdf.Pdf) -> str:
    """Return what qpdf had to repair so far, as half a sentence; empty for a sound file."""
    found = [reason for text in pdf.get_warnings() if (reason := _reason(str(text)))]
    distinct = list(dict.fromkeys(found))
    return distinct[0] + (f" (and {len(distinct) - 1} more)" if len(distinct) > 1 else "") if distinct else ""


def _reason(text: str) -> str:
    """Return what qpdf says without the file, the object and the offset."""
    reason = _LOCATION.sub("", text).strip().rstrip(".")
    return "" if any(words in reason for words in _HARMLESS) else reason[:120]


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
