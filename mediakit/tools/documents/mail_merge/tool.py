"""The tool `mail_merge`, its results and its report."""

import asyncio
import html
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Self, cast

import pybase64
from pydantic_core import from_json

from mediakit.core import meta_schemas
from mediakit.core.inputs import file_of
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, tool
from mediakit.display import ShownColumn, table_html
from mediakit.engines.guarded import LONG_PDF, run_guarded
from mediakit.engines.tables.model import Column, ColumnType, Table
from mediakit.engines.tables.row_files import load
from mediakit.engines.templates.registry import on_change
from mediakit.errors import InvalidInput, NotConvertible, ResourcesTimeout
from mediakit.results.files import PDF, ZIP, FileResult, PdfResult, ZipResult, file_result, unzipped_files
from mediakit.results.result import Bundle, Result
from mediakit.samples import BADGE_HTML, FORM, PARTICIPANTS, PROPOSAL, PROPOSAL_DATA
from mediakit.tools.documents.mail_merge.request import FilesCall, MailMergeRequest, MergedCall, adapt_rows, check_rows
from mediakit.tools.documents.mail_merge.rows import Document, Joined, Row, file_names

SECONDS = 60.0
"""Time limit of a call."""

REPORT_FILE = "report.csv"

REPORT_TYPES: Mapping[str, ColumnType] = {
    "row": "integer", "filename": "text", "ok": "boolean", "error": "text", "pages": "integer", "fitted": "text",
    "defaults_used": "text",
}  # fmt: skip
"""The types of the columns of `report.csv`."""

REPORT_NAMES = tuple(REPORT_TYPES)

_NAMES: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}

REPORT_EXAMPLE = {
    "row": 1, "filename": "Ada Lovelace.pdf", "ok": True, "error": None, "pages": 1, "fitted": [],
    "defaults_used": ["signer"],
}  # fmt: skip

REPORT_SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "description": "The rows in their order.",
    "items": {
        "type": "object",
        "required": list(REPORT_NAMES),
        "properties": {
            "row": {"type": "integer", "description": "Number of the row, from 1."},
            "filename": {"type": ["string", "null"], "description": "Name of its document; null if the row failed."},
            "ok": {"type": "boolean", "description": "Whether the row has a document."},
            "error": {"type": ["string", "null"], "description": "Why it has none."},
            "pages": {"type": ["integer", "null"], "description": "Pages of a PDF."},
            "fitted": {**_NAMES, "description": "Keys of the template whose text was made smaller or cut."},
            "defaults_used": {**_NAMES, "description": "Keys of the template that have their example text."},
        },
    },
    "examples": [[REPORT_EXAMPLE]],
}

META: Mapping[str, meta_schemas.Schema] = {
    "count": meta_schemas.integer("Number of documents.", 12),
    "failed": meta_schemas.integer("Number of rows without a document.", 0),
    "report": REPORT_SCHEMA,
    "pages": meta_schemas.optional(meta_schemas.integer("Number of pages of a merged PDF.", 12)),
    "warnings": meta_schemas.texts("What may not be as expected."),
}

GUESTS = [
    {"name": "Ada Lovelace", "role": "Speaker", "ticket": "SUMMIT-0001", "link": "https://example.com/ada"},
    {"name": "Grace O’Malley & Sons", "role": "Sponsor", "ticket": "SUMMIT-0002", "link": "https://example.com/grace"},
    {"name": "Zu Chongzhi", "role": "Workshop", "ticket": "SUMMIT-0003", "link": "https://example.com/zu"},
]

REGISTRATIONS = [
    {"name": "Ada Lovelace", "email": "ada@example.com", "country": "United Kingdom", "newsletter": True},
    {"name": "Sofia Kowalewska", "email": "sofia@example.com", "country": "Germany", "newsletter": False},
]

CLIENTS = [
    {"client.name": "Mae Winter", "client.company": "Harbor Tea Company", "title": "A website for Harbor Tea"},
    {"client.name": "Jules Brandt", "client.company": "Alpine Optics", "title": "A website for Alpine Optics"},
]

EXAMPLES = [
    Example(
        "Certificates of a template",
        {
            "rows": PARTICIPANTS,
            "template": "certificate",
            "data": {"issuer": "Open Learning Institute", "accent": "#0f766e"},
            "filename": "{certificate_id} {recipient}",
        },
    ),
    Example(
        "Badges with QR codes and barcodes, in one PDF",
        {
            "rows": GUESTS,
            "html": BADGE_HTML,
            "data": {"event": "Lake Summit 2026"},
            "filename": "{name}",
            "format": "A5",
            "merge": True,
        },
    ),
    Example("A PDF form for each row", {"rows": REGISTRATIONS, "file": FORM, "filename": "{n:03} {name}"}),
    Example(
        "Word documents of a template",
        {"rows": CLIENTS, "file": PROPOSAL, "data": PROPOSAL_DATA, "filename": "{client.company}"},
    ),
]


def report_csv(report: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the report as CSV, whose cells no spreadsheet runs as formulas."""
    from mediakit.engines.tables.writers.text_formats import delimited

    rows = [{name: ", ".join(it) if isinstance(it, list) else it for name, it in row.items()} for row in report]
    columns = [Column(name, kind, [row[name] for row in rows]) for name, kind in REPORT_TYPES.items()]
    return delimited(Table(columns), ",", "\r\n", escape_formulas=True).encode()


if TYPE_CHECKING:
    import pandas as pd

MAX_SHOWN_FAILURES = 20


class Merged(Result):
    """Documents of the rows of a table."""

    @property
    def report(self) -> "pd.DataFrame":
        """A row for each row of the table: what it became, or why it failed. Needs pandas or Polars."""
        from mediakit.results.data import data_frame

        rows = [{name: row[name] for name in REPORT_NAMES} for row in self.meta["report"]]
        return cast("pd.DataFrame", data_frame(rows))

    def _failed(self) -> str:
        return f", {self.meta['failed']} failed" if self.meta["failed"] else ""

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}{self._failed()}>"


class MergedFiles(Merged, ZipResult[FileResult]):
    """The documents by position or name. The archive also has `report.csv`."""

    def __init__(self, documents: Sequence[FileResult], report: bytes, filename: str, meta: Mapping[str, Any]) -> None:
        self._report_file = FileResult(report, "text/csv", REPORT_FILE)
        super().__init__(documents, filename, meta)

    def _attached(self) -> Sequence[FileResult]:
        return (self._report_file,)

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any = None) -> Self:  # noqa: ARG003
        files = unzipped_files(pybase64.b64decode(body[cls._wire.member]))
        report = next(file for file in files if file.filename == REPORT_FILE)
        return cls([file for file in files if file is not report], report.content, body["filename"], meta)

    def _bundle(self) -> Bundle:
        """Show also the rows that failed, as a table."""
        data, metadata = super()._bundle()
        if failed := [each for each in self.meta["report"] if not each["ok"]]:
            columns = [ShownColumn("row", "", is_right_aligned=True), ShownColumn("error", "")]
            rows = [[str(each["row"]), html.unescape(each["error"] or "")] for each in failed[:MAX_SHOWN_FAILURES]]
            count = f"{len(failed)} {'row' if len(failed) == 1 else 'rows'} failed"
            data = {**data, "text/html": data["text/html"] + table_html(columns, rows, count, len(failed))}
        return data, metadata


class MergedPdf(Merged, PdfResult):
    """One PDF with a bookmark for each row."""

    def __init__(self, content: bytes, mime_type: str = PDF, meta: Mapping[str, Any] | None = None) -> None:
        super().__init__(content, mime_type, meta, filename="documents.pdf")

    def _caption(self) -> str:
        count = self.meta["count"]
        documents = f"{count} {'document' if count == 1 else 'documents'}{self._failed()}"
        return f"{super()._caption()} · {documents}"


@overloads(MergedCall, MergedPdf, FilesCall, MergedFiles)
@tool(
    MailMergeRequest,
    tag="Documents",
    produces=(ZIP, PDF),
    media_type_of=lambda values: PDF if values.get("merge") in (True, "true", "1") else ZIP,
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
    from mediakit.tools.documents.mail_merge.making import fill_rows, render_rows

    rows = await _rows(request)
    names = file_names(request.filename, rows, request.target)
    made = await (render_rows if request.file is None else fill_rows)(request, rows)
    report = [document.report_row(row.number, name) for row, name, document in zip(rows, names, made, strict=True)]
    documents = [(name, document) for name, document in zip(names, made, strict=True) if not document.error]
    if not documents:
        first = rows[0].error(made[0].error)
        raise InvalidInput(f"rows: all {len(rows)} failed; the first: {first}")
    meta: dict[str, Any] = {"count": len(documents), "failed": len(rows) - len(documents), "report": report}
    warnings = dict.fromkeys(_warnings(rows, made))
    if not request.merge:
        files = [file_result(document.content, name) for name, document in documents]
        for file, (_, document) in zip(files, documents, strict=True):
            file.meta.update({} if document.pages is None else {"pages": document.pages})
        return MergedFiles(files, report_csv(report), "documents.zip", {**meta, "warnings": list(warnings)})
    joined = await run_guarded(
        "mediakit.tools.documents.mail_merge.filling:join",
        [document.content for _, document in documents],
        [PurePath(name).stem for name, _ in documents],
        returns=Joined,
        guard=LONG_PDF,
        field="rows",
    )
    sentences = list(dict.fromkeys([*warnings, *joined.warnings]))
    return MergedPdf(joined.content, PDF, {**meta, "pages": joined.pages, "warnings": sentences})


def _warnings(rows: Sequence[Row], made: Sequence[Document]) -> Iterator[str]:
    """Yield what is said of rows without a document, of example texts, and of each document."""
    failed = [row.error(document.error) for row, document in zip(rows, made, strict=True) if document.error]
    if failed:
        yield f"{len(failed)} of {len(rows)} rows failed; the first: {failed[0]}"
    if keys := list(dict.fromkeys(key for document in made for key in document.defaults_used)):
        count = sum(bool(document.defaults_used) for document in made)
        place = f"{count} {'document' if count == 1 else 'documents'}: {', '.join(keys)}"
        yield f"Example text of the template is in {place}; pass an empty text to hide it."
    yield from (each for document in made for each in document.warnings)


async def _rows(request: MailMergeRequest) -> list[Row]:
    """Return the rows. Those of a JSON file keep nested values, and have no values that they leave out."""
    rows, file = request.rows, None if isinstance(request.rows, list) else file_of(request.rows)
    if file is not None and file.lstrip().startswith(b"["):
        try:
            rows = from_json(bytes(file), allow_inf_nan=False)
        except ValueError as error:
            raise InvalidInput(f"rows: is not JSON: {error}.") from None
    elif file is not None:
        rows = await load(file)
    try:
        check_rows(rows)
    except ValueError as error:
        raise InvalidInput(str(error)) from None
    return [Row(index, values, request.data or {}) for index, values in enumerate(rows)]


on_change.append(mail_merge.reset_schema)
