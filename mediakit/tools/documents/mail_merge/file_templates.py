"""Documents of a Word template or a PDF form, which workers fill."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mediakit.core.inputs import file_of
from mediakit.engines.guarded import LONG_PDF, Guard, run_guarded
from mediakit.engines.pdf.forms.field_info import FieldInfo, FormOptions, FormOutcome
from mediakit.engines.word_templates import Filled, TemplateField
from mediakit.errors import InvalidInput
from mediakit.tools.documents.mail_merge.making import in_parallel
from mediakit.tools.documents.mail_merge.outcome import Document, Outcome, shown
from mediakit.tools.documents.mail_merge.request import MailMergeRequest
from mediakit.tools.documents.mail_merge.row import Row

ROWS_PER_JOB = 5
"""Rows that a worker fills before other calls have their turn."""

PARALLEL_JOBS = 2

WORD = Guard(seconds=60)


async def fill_rows(request: MailMergeRequest, rows: Sequence[Row], names: Sequence[str]) -> list[Outcome]:
    """Fill the document of each row.

    Raises:
        InvalidInput: The file cannot be used with these rows, or a row failed and the first one ends the call.
    """
    content = file_of(request.file or b"")
    if request.source == "word":
        work = "mediakit.engines.word_templates.filling:fill"
        listed = await run_guarded(work, content, None, "error", returns=Filled, guard=WORD)
        values = [_word_values(row, listed.fields) for row in rows]
        documents = await _filled(request, values)
    else:
        work = "mediakit.engines.pdf.forms.work:work"
        form = await run_guarded(work, content, FormOptions(), returns=FormOutcome, guard=LONG_PDF)
        documents = await _filled(request, _form_values(form.fields, rows))
    for row, document in zip(rows, documents, strict=True):
        if document.missing:
            row.require(document.missing)
    return [_outcome(request, row, names[row.index], made) for row, made in zip(rows, documents, strict=True)]


def _outcome(request: MailMergeRequest, row: Row, name: str, made: Document) -> Outcome:
    if not made.error:
        return Outcome(row.number, name, made)
    if request.on_error == "stop":
        raise row.error(made.error)
    return Outcome(row.number, name, error=made.error)


async def _filled(request: MailMergeRequest, rows: Sequence[Mapping[str, Any]]) -> list[Document]:
    file = file_of(request.file or b"")
    chunks = [rows[at : at + ROWS_PER_JOB] for at in range(0, len(rows), ROWS_PER_JOB)]
    made: dict[int, list[Document]] = {}

    async def work(waiting: Iterator[int]) -> None:
        for number in waiting:
            if request.source == "word":
                word = "mediakit.tools.documents.mail_merge.filling:fill_word"
                made[number] = await run_guarded(word, file, chunks[number], returns=list[Document], guard=WORD)
            else:
                form = "mediakit.tools.documents.mail_merge.filling:fill_form"
                made[number] = await run_guarded(form, file, chunks[number], returns=list[Document], guard=LONG_PDF)

    waiting = iter(range(len(chunks)))
    await in_parallel([work(waiting) for _ in range(PARALLEL_JOBS)])
    return [document for number in range(len(chunks)) for document in made[number]]


def _word_values(row: Row, fields: Sequence[TemplateField]) -> dict[str, Any]:
    """Return the data of a row; a column `client.city` becomes the member of an object, if the template asks for it."""
    values = row.merged
    for field in fields:
        first, *rest = field.name.split(".")
        if rest and field.name in values:
            values[first] = _with_member(values.get(first), rest, values.pop(field.name))
    return values


def _with_member(parent: Any, path: Sequence[str], value: Any) -> dict[str, Any]:
    members = dict(parent) if isinstance(parent, Mapping) else {}
    first, *rest = path
    members[first] = _with_member(members.get(first), rest, value) if rest else value
    return members


def _form_values(fields: Sequence[FieldInfo], rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the values of fields for each row, without null: such fields stay as they are in the form.

    Raises:
        InvalidInput: The file has no fields, or no column is one of them.
    """
    if not fields:
        raise InvalidInput("file: has no form fields.")
    names = {field.name for field in fields}
    known = (
        names
        | {name.rpartition(".")[2] for name in names}
        | {name.rpartition(".")[2].partition("[")[0] for name in names}
    )
    found = [{name: value for name, value in row.merged.items() if name in known} for row in rows]
    if not any(found):
        columns = list(dict.fromkeys(name for row in rows for name in row.merged))
        raise InvalidInput(
            f"rows: no column is a field of the form. The fields are {shown([each.name for each in fields])}; the "
            f"columns are {shown(columns)}."
        )
    return [{name: value for name, value in row.items() if value is not None} for row in found]
