"""Fills a Word template or a PDF form for several rows, and joins PDFs; runs in a worker."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.engines.pdf.assembly import Assembly
from mediakit.engines.pdf.forms.field_info import FormOptions
from mediakit.engines.pdf.forms.work import work
from mediakit.engines.pdf.opening import MAX_PAGES, open_pdf, warn_of_lost_protection
from mediakit.engines.word_templates.filling import fill
from mediakit.errors import InvalidInput
from mediakit.tools.documents.mail_merge.outcome import Document, Joined, without_field

_MISSING = re.compile(r"(.+) is missing\.", re.DOTALL)


def fill_word(content: bytes, rows: Sequence[Mapping[str, Any]]) -> list[Document]:
    """Return a Word file for each row, or why there is none."""
    return [_word(content, row) for row in rows]


def _word(content: bytes, row: Mapping[str, Any]) -> Document:
    try:
        filled = fill(content, row)
    except InvalidInput as error:
        missing = next((match for each in error.details if (match := _MISSING.fullmatch(each["message"]))), None)
        return Document(b"", missing=missing[1] if missing else "", error=without_field(str(error)))
    return Document(filled.content or b"", warnings=filled.warnings)


def fill_form(content: bytes, rows: Sequence[Mapping[str, Any]]) -> list[Document]:
    """Return a filled form for each row, or why there is none."""
    return [_form(content, row) for row in rows]


def _form(content: bytes, row: Mapping[str, Any]) -> Document:
    try:
        outcome = work(content, FormOptions(row, strict=False))
    except InvalidInput as error:
        return Document(b"", error=without_field(str(error)))
    return Document(outcome.content or b"", outcome.pages, warnings=outcome.warnings)


def join(contents: Sequence[bytes], titles: Sequence[str]) -> Joined:
    """Return one PDF with a bookmark for each document.

    Raises:
        InvalidInput: The documents have too many pages together.
    """
    sources = [open_pdf(content, "file", []) for content in contents]
    count = sum(len(source.pages) for source in sources)
    if count > MAX_PAGES:
        raise InvalidInput(f"rows: make {count} pages; the most is {MAX_PAGES}.")
    assembly = Assembly("files")
    for source, title in zip(sources, titles, strict=True):
        warn_of_lost_protection(source)
        assembly.add(source, range(len(source.pages)), title, leads=not assembly.count)
    assembly.finish()
    warnings = dict.fromkeys(sentence for source in sources for sentence in source.warnings)
    if assembly.fields.renamed:
        warnings["Form fields have a number in their new names, because every document has the same ones."] = None
    return Joined(assembly.save(), count, list(warnings))
