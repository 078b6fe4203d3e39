"""Opens PDFs: passwords, repair, and limits of pages and of what streams inflate to."""

import binascii
import re
import warnings
import zlib
from base64 import a85decode
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from typing import Any, TypeVar

import pikepdf
from pikepdf import Name, Stream

from mediakit.engines.pdf.objects import RAW, dictionary, items, read_names
from mediakit.engines.pdf.page_ranges import listed
from mediakit.engines.pdf.saslprep import forms
from mediakit.errors import InvalidInput

T = TypeVar("T")

PageKey = tuple[int, int]
"""Object number and generation of a page, unique in one PDF."""


@dataclass
class Source:
    """A PDF that was opened for reading or as a part of another PDF."""

    pdf: pikepdf.Pdf
    label: str = "file"
    """Name of the request's field, as errors and warnings begin."""
    repaired: str = ""
    """What was damaged; empty for a sound file."""
    warnings: list[str] = field(default_factory=list)
    _read: dict[Callable[..., Any], Any] = field(default_factory=dict, repr=False)
    lost_encryption: bool = False
    """Whether the file is encrypted, but had to be rebuilt without encryption."""

    @property
    def is_encrypted(self) -> bool:
        """Whether the file is encrypted."""
        return self.pdf.is_encrypted or self.lost_encryption

    @cached_property
    def pages(self) -> list[pikepdf.Object]:
        """The page dictionaries, in order."""
        return [page.obj for page in self.pdf.pages]

    @cached_property
    def page_numbers(self) -> dict[PageKey, int]:
        """Index of each page, from 0."""
        return {page.objgen: index for index, page in enumerate(self.pages)}

    @cached_property
    def named_destinations(self) -> dict[bytes, pikepdf.Object]:
        """Named destinations, those of the name tree before those of the catalog's dictionary."""
        older = dictionary(self.root.get(Name.Dests))
        named = {key[1:].encode(*RAW): value for key, value in older.items()}
        return named | dict(read_names(self.names("/Dests")))

    @cached_property
    def root(self) -> pikepdf.Object:
        """The document catalog."""
        return self.pdf.Root

    @cached_property
    def name_trees(self) -> dict[str, pikepdf.Object]:
        """The name trees of the catalog."""
        return dict(dictionary(self.root.get(Name.Names)).items())

    def names(self, category: str) -> pikepdf.Object | None:
        """Return a name tree of the catalog, such as `/EmbeddedFiles`."""
        return self.name_trees.get(category)

    def read_once(self, read: Callable[["Source"], T]) -> T:
        """Return what a function reads in this PDF; it is called once."""
        if read not in self._read:
            self._read[read] = read(self)
        found: T = self._read[read]
        return found

    def warn(self, sentence: str) -> None:
        """Add a warning, once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)


MAX_INFLATED_BYTES = 300_000_000
"""Bytes of all streams with several filters of a file."""

_SEVERAL_FILTERS = re.compile(rb"/Filter\s*\[\s*/\w+\s*/")
"""The dictionary of a stream is never compressed itself."""


def check_inflation(pdf: pikepdf.Pdf, content: bytes, label: str) -> None:
    """Refuse a PDF whose streams inflate to more than 300 MB.

    Raises:
        InvalidInput: They do.
    """
    if not _SEVERAL_FILTERS.search(content):
        return
    left = MAX_INFLATED_BYTES
    for item in pdf.objects:
        if isinstance(item, Stream) and len(items(item.get(Name.Filter))) > 1:
            left -= _inflated_size(item, left)
            if left <= 0:
                raise InvalidInput(f"{label}: unpacks to more than {MAX_INFLATED_BYTES // 1_000_000} MB.")


def _inflated_size(stream: pikepdf.Object, limit: int) -> int:
    """Return the bytes of a decoded stream, at most the limit; damaged data count as far as they can be read."""
    data = stream.read_raw_bytes()
    with suppress(ValueError, zlib.error):
        for name in items(stream.get(Name.Filter)):
            match str(name):
                case "/FlateDecode" | "/Fl":
                    data = zlib.decompressobj().decompress(data, limit)
                case "/ASCII85Decode" | "/A85":
                    data = a85decode(data.strip().removesuffix(b"~>"))
                case "/ASCIIHexDecode" | "/AHx":
                    data = binascii.unhexlify(b"".join(data.split()).removesuffix(b">"))
                case _:  # an image format, or one that cannot inflate much
                    break
    return len(data)


KEEP_ENCRYPTION, NO_ENCRYPTION = 0, 1
"""MuPDF's numbers of them."""

NO_PAGES = "no pages found"


class PasswordNeededError(ValueError):
    """None of the passwords opens the PDF."""


def rebuild(content: bytes, passwords: Sequence[str], *, keep_encryption: bool) -> tuple[bytes, bool]:
    """Return a PDF that MuPDF has read and written again, and whether the original is encrypted.

    Raises:
        PasswordNeededError: No password opens the PDF.
        ValueError: MuPDF finds no pages.
    """
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)  # type: ignore[no-untyped-call]  # noqa: FBT003  # its signature
    pymupdf.TOOLS.mupdf_display_warnings(False)  # type: ignore[no-untyped-call]  # noqa: FBT003
    try:
        with pymupdf.open(stream=content, filetype="pdf") as document:  # type: ignore[no-untyped-call]
            if document.needs_pass and not any(document.authenticate(password) for password in passwords):
                raise PasswordNeededError(NO_PAGES)
            if not document.is_pdf or not document.page_count:
                raise ValueError(NO_PAGES)
            encryption = KEEP_ENCRYPTION if keep_encryption else NO_ENCRYPTION
            is_encrypted = bool(document.metadata and document.metadata["encryption"])
            return bytes(document.tobytes(garbage=1, no_new_id=True, encryption=encryption)), is_encrypted
    except pymupdf.mupdf.FzErrorBase as error:
        raise ValueError(str(error)) from error


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

_ENCRYPTION = re.compile(rb"/Filter\s*/Standard\b")
"""An encryption dictionary, which is never encrypted or compressed itself."""

_LOCATION = re.compile(r"^.*?(?:\([^()]*\)|>|file)[^:]*:\s*")
_OTHER_ENCRYPTION = "unsupported encryption filter"


def open_pdf(content: bytes, field: str = "file", passwords: Sequence[str] = ()) -> Source:
    """Open a PDF, with one of the passwords if it is encrypted, and with repair if it is damaged.

    Raises:
        InvalidInput: No password opens the PDF, it is damaged beyond repair, it has no page or too many,
            or its streams inflate to more than 300 MB. The message begins with the name of the field.
    """
    source = open_unlimited(content, field, passwords)
    count = len(source.pages)
    if not count:
        raise InvalidInput(f"{field}: is a PDF without pages.")
    if count > MAX_PAGES:
        raise InvalidInput(f"{field}: has {count} pages; the most is {MAX_PAGES}.")
    check_inflation(source.pdf, content, field)
    if source.repaired:
        source.warn(f"The file was damaged and has been repaired: {source.repaired}.")
    return source


def open_emptied(content: bytes, passwords: Sequence[str] = ()) -> pikepdf.Pdf | None:
    """Return an encrypted PDF without its pages and its catalog, for a result with the same encryption.

    Returns:
        None if the PDF is not encrypted, or so damaged that its encryption cannot be kept.
    """
    try:
        pdf = _decrypted(content, "file", passwords)
        if not pdf.is_encrypted:
            return None
        del pdf.pages[:]
    except (pikepdf.PdfError, RuntimeError, ValueError):
        return None
    for holder, kept in ((pdf.Root, {"/Type", "/Pages"}), (pdf.trailer, {"/Root", "/Encrypt", "/ID", "/Size"})):
        for key in set(holder.keys()) - kept:
            del holder[key]
    return pdf


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
    state = f"restricts {listed(forbidden)}" if forbidden else "is encrypted"
    source.warn(f"The file {state}; the result is not protected.")


def warn_of_late_damage(source: Source) -> None:
    """Add a warning of damage that was found after the PDF was opened, while its pages were copied."""
    if not source.repaired and (late := damage(source.pdf)):
        source.warn(f"The file was damaged and has been repaired: {late}.")


def open_unlimited(content: bytes, field: str = "file", passwords: Sequence[str] = ()) -> Source:
    """Open a PDF of any number of pages, with repair if it is damaged.

    Raises:
        InvalidInput: No password opens the PDF, or it is damaged beyond repair.
    """
    try:
        source = Source(_decrypted(content, field, passwords), field)
        repaired = damage(source.pdf)
        problem = _encryption_lost(source.pdf, content) if repaired else ""
        if not problem and (len(source.pages) or not repaired):
            source.repaired = repaired
            return source
        problem = problem or NO_PAGES
    except pikepdf.PasswordError:
        raise
    except (pikepdf.PdfError, RuntimeError, ValueError, RecursionError) as error:
        if isinstance(error, InvalidInput):
            raise
        problem = _reason(str(error)) or NO_PAGES
    return _rebuilt(content, field, passwords, problem)


def _decrypted(content: bytes, field: str, passwords: Sequence[str]) -> pikepdf.Pdf:
    for password in _candidates(passwords):
        try:
            return _open(content, password)
        except pikepdf.PasswordError:
            continue
    raise _locked(field, passwords)


def _candidates(passwords: Sequence[str]) -> list[str | bytes]:
    return ["", *(form for password in passwords for form in forms(password))]


def _locked(field: str, passwords: Sequence[str]) -> InvalidInput:
    return wrong_password(field) if passwords else InvalidInput(f"{field}: is encrypted; send its password.")


def wrong_password(field: str) -> InvalidInput:
    """Return the error for passwords of which none opens a file."""
    return InvalidInput(f"password: does not open {'this file' if field == 'file' else field}.")


def password_opens(content: bytes, password: str) -> bool:
    """Return whether a password is one of a file, which may open without one as well."""
    for form in forms(password):
        try:
            _open(content, form)
        except pikepdf.PasswordError:
            continue
        except pikepdf.PdfError:  # MuPDF rebuilt the file, and has checked the password
            return True
        return True
    return False


def _open(content: bytes, password: str | bytes) -> pikepdf.Pdf:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pikepdf.open(BytesIO(content), password=password)


def _rebuilt(content: bytes, field: str, passwords: Sequence[str], problem: str) -> Source:
    """Let MuPDF rebuild a PDF that qpdf cannot read, with its encryption if that can be kept."""
    if _OTHER_ENCRYPTION in problem:
        raise InvalidInput(f"{field}: is encrypted in a way that is not supported, such as with certificates.")
    refusal = InvalidInput(f"{field}: is a damaged PDF that cannot be read ({problem}).")
    candidates = _candidates(passwords)
    texts = [form for form in candidates if isinstance(form, str)]
    try:
        rebuilt, is_encrypted = rebuild(content, texts, keep_encryption=True)
        opened = _first_opened(rebuilt, candidates if is_encrypted else [""])
        if opened is None and is_encrypted:
            opened = _open(rebuild(content, texts, keep_encryption=False)[0], "")
    except PasswordNeededError:
        raise _locked(field, passwords) from None
    except (pikepdf.PdfError, RuntimeError, ValueError, ImportError) as error:
        raise refusal from error
    if opened is None or not len(opened.pages) or (not is_encrypted and _encryption_lost(opened, content)):
        raise refusal
    source = Source(opened, field, problem, lost_encryption=is_encrypted and not opened.is_encrypted)
    if source.lost_encryption:
        source.warn("The file is encrypted, but damaged in such a way that its encryption was lost.")
    return source


def _encryption_lost(pdf: pikepdf.Pdf, content: bytes) -> str:
    """Return what is wrong with a repaired file that was encrypted and has lost the reference to its key."""
    return "its encryption key is lost" if not pdf.is_encrypted and _ENCRYPTION.search(content) else ""


def _first_opened(content: bytes, passwords: Sequence[str | bytes]) -> pikepdf.Pdf | None:
    """Return the PDF that the first of several passwords opens, or None if none does."""
    for password in passwords:
        try:
            return _open(content, password)
        except (pikepdf.PdfError, pikepdf.PasswordError):
            continue
    return None


def damage(pdf: pikepdf.Pdf) -> str:
    """Return what qpdf had to repair so far, as half a sentence; empty for a sound file."""
    found = [reason for text in pdf.get_warnings() if (reason := _reason(str(text)))]
    distinct = list(dict.fromkeys(found))
    return distinct[0] + (f" (and {len(distinct) - 1} more)" if len(distinct) > 1 else "") if distinct else ""


def _reason(text: str) -> str:
    """Return what qpdf says without the file, the object and the offset."""
    reason = _LOCATION.sub("", text).strip().rstrip(".")
    return "" if any(words in reason for words in _HARMLESS) else reason[:120]
