"""Fills a Word template or a PDF form for several rows; runs in a worker."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from mediakit.engines.pdf.forms.field_info import FormOptions
from mediakit.engines.pdf.forms.work import work
from mediakit.engines.word_templates.filling import fill
from mediakit.errors import InvalidInput
from mediakit.tools.documents.mail_merge.outcome import Document, without_field

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
