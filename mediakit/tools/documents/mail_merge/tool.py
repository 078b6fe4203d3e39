"""The tool `mail_merge`."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import from_json

from mediakit.core.inputs import FileBytes, file_of
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import tool
from mediakit.engines.guarded import LONG_PDF, run_guarded
from mediakit.engines.tables.row_files import load
from mediakit.engines.templates.registry import on_change
from mediakit.errors import InvalidInput, NotConvertible, ResourcesTimeout
from mediakit.results.files import ZIP
from mediakit.tools.documents.mail_merge.examples import EXAMPLES
from mediakit.tools.documents.mail_merge.file_names import file_names
from mediakit.tools.documents.mail_merge.outcome import Document, Joined, Outcome
from mediakit.tools.documents.mail_merge.report import META, report_csv
from mediakit.tools.documents.mail_merge.request import FilesCall, MailMergeRequest, MergedCall
from mediakit.tools.documents.mail_merge.result import MergedFiles, MergedPdf, document_of, stem_of
from mediakit.tools.documents.mail_merge.row import Row
from mediakit.tools.documents.mail_merge.rows_field import adapt_rows, check_rows

SECONDS = 60.0
"""Time limit of a call."""

PDF = "application/pdf"


def media_type_of(values: Mapping[str, Any]) -> str:
    """Return the media type of a call's result."""
    return PDF if values.get("merge") in (True, "true", "1") else ZIP


@overloads(MergedCall, MergedPdf, FilesCall, MergedFiles)
@tool(
    MailMergeRequest,
    tag="Documents",
    produces=(ZIP, PDF),
    media_type_of=media_type_of,
    needs_browser=True,
    deadline_seconds=110,
    adapt=adapt_rows,
    meta=META,
    errors=[NotConvertible, ResourcesTimeout],
    licensed_packages={"PyMuPDF": "PDF forms"},
    examples=EXAMPLES,
)
async def mail_merge(request: MailMergeRequest) -> MergedFiles | MergedPdf:
    """Make a document for each row of a table.

    The rows are put into a template, into own HTML, into a Word template or into a PDF form. The result is a ZIP file
    with the documents and `report.csv`, or one PDF with a bookmark for each row. Columns that nothing uses are ignored;
    a placeholder that a row has no column for is an error, and null or an empty cell leaves it empty. In HTML, every
    value is escaped for the place where it stands: text, attributes, addresses and styles. Equal input gives equal
    bytes.

    Raises:
        InvalidInput: A placeholder has no column, the file is not a Word template or a PDF form, all rows failed, or a
            row failed and `on_error` is `stop`.
        NotConvertible: The documents took longer than 60 seconds.
        ResourcesTimeout: An image, a font or a style sheet of the HTML did not finish loading within 20 seconds.
        ServerBusy: All render slots are taken and the queue is full.
        BrowserMissing: No working Chromium was found, which a template and HTML need.
    """
    try:
        async with asyncio.timeout(SECONDS):
            return await _merged(request)
    except TimeoutError as error:
        if isinstance(error, ResourcesTimeout):
            raise
        raise NotConvertible(f"The documents took longer than {SECONDS:g} seconds; send fewer rows.") from None


async def _merged(request: MailMergeRequest) -> MergedFiles | MergedPdf:
    rows = await _rows(request)
    names = file_names(request.filename, rows, request.target)
    outcomes = await _outcomes(request, rows, names)
    report = [outcome.report_row() for outcome in outcomes]
    made = [(outcome.filename, outcome.document) for outcome in outcomes if outcome.document]
    if not made:
        first = rows[0].error(outcomes[0].error or "")
        raise InvalidInput(f"rows: all {len(rows)} failed; the first: {first}")
    meta: dict[str, Any] = {"count": len(made), "failed": len(rows) - len(made), "report": report}
    warnings = dict.fromkeys([*_examples(made), *(each for _, document in made for each in document.warnings)])
    if not request.merge:
        documents = [document_of(document.content, name, document.pages) for name, document in made]
        return MergedFiles(documents, report_csv(report), "documents.zip", {**meta, "warnings": list(warnings)})
    joined = await run_guarded(
        "mediakit.tools.documents.mail_merge.filling:join",
        [document.content for _, document in made],
        [stem_of(name) for name, _ in made],
        returns=Joined,
        guard=LONG_PDF,
        field="rows",
    )
    sentences = list(dict.fromkeys([*warnings, *joined.warnings]))
    return MergedPdf(joined.content, PDF, {**meta, "pages": joined.pages, "warnings": sentences})


def _examples(made: Sequence[tuple[str, Document]]) -> list[str]:
    """Return the warning of example texts in documents."""
    keys = list(dict.fromkeys(key for _, document in made for key in document.defaults_used))
    count = sum(bool(document.defaults_used) for _, document in made)
    documents = f"{count} {'document' if count == 1 else 'documents'}"
    hint = "pass an empty text to hide it"
    return [f"Example text of the template is in {documents}: {', '.join(keys)}; {hint}."] if keys else []


async def _rows(request: MailMergeRequest) -> list[Row]:
    rows = request.rows if isinstance(request.rows, list) else await _table(file_of(request.rows))
    try:
        check_rows(rows)
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    return [Row(index, values, request.data or {}) for index, values in enumerate(rows)]


async def _table(file: FileBytes) -> Any:
    """Return the rows of a file. Those of JSON keep nested values, and have no values that they leave out."""
    if file.lstrip().startswith(b"["):
        try:
            return from_json(bytes(file), allow_inf_nan=False)
        except ValueError as error:
            raise InvalidInput(f"rows: is not JSON: {error}.") from None
    return await load(file)


async def _outcomes(request: MailMergeRequest, rows: Sequence[Row], names: Sequence[str]) -> list[Outcome]:
    if request.file is not None:
        from mediakit.tools.documents.mail_merge.file_templates import fill_rows

        return await fill_rows(request, rows, names)
    from mediakit.tools.documents.mail_merge.pages import render_rows

    return await render_rows(request, rows, names)


on_change.append(mail_merge.reset_schema)
