"""The results of `mail_merge`: several files, or one PDF, with a report of the rows."""

import html
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Self

import pybase64

from mediakit.display.tables import ShownColumn, table_html
from mediakit.results.files import PDF, FileResult, PdfResult, ZipResult, file_result, unzipped_files
from mediakit.results.result import Bundle
from mediakit.tools.documents.mail_merge.report import REPORT_FILE, REPORT_NAMES

if TYPE_CHECKING:
    import pandas as pd

MAX_SHOWN_FAILURES = 20


class MergedFiles(ZipResult[FileResult]):
    """The documents by position or name. The archive also has `report.csv`."""

    def __init__(self, documents: Sequence[FileResult], report: bytes, filename: str, meta: Mapping[str, Any]) -> None:
        self._report_file = FileResult(report, "text/csv", REPORT_FILE)
        super().__init__(documents, filename, meta)

    @property
    def report(self) -> "pd.DataFrame":
        """A row for each row of the table: what it became, or why it failed. Needs pandas or Polars."""
        return _frame(self.meta)

    def _attached(self) -> Sequence[FileResult]:
        return (self._report_file,)

    @classmethod
    def _parsed(cls, body: Mapping[str, Any], meta: Mapping[str, Any], annotation: Any = None) -> Self:  # noqa: ARG003
        files = unzipped_files(pybase64.b64decode(body[cls._wire.member]))
        report = next(file for file in files if file.filename == REPORT_FILE)
        return cls([file for file in files if file is not report], report.content, body["filename"], meta)

    def _bundle(self) -> Bundle:
        data, metadata = super()._bundle()
        return {**data, "text/html": data["text/html"] + failures_html(self.meta)}, metadata

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}{_failed(self.meta)}>"


class MergedPdf(PdfResult):
    """One PDF with a bookmark for each row."""

    def __init__(self, content: bytes, mime_type: str = PDF, meta: Mapping[str, Any] | None = None) -> None:
        super().__init__(content, mime_type, meta, filename="documents.pdf")

    @property
    def report(self) -> "pd.DataFrame":
        """A row for each row of the table: what it became, or why it failed. Needs pandas or Polars."""
        return _frame(self.meta)

    def _caption(self) -> str:
        count = self.meta["count"]
        documents = f"{count} {'document' if count == 1 else 'documents'}{_failed(self.meta)}"
        return f"{super()._caption()} · {documents}"

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}{_failed(self.meta)}>"


def document_of(content: bytes, filename: str, pages: int | None) -> FileResult:
    """Return the document of a row."""
    made = file_result(content, filename)
    if pages is not None:
        made.meta["pages"] = pages
    return made


def failures_html(meta: Mapping[str, Any]) -> str:
    """Return the rows that failed as a table; empty if none did."""
    failed = [each for each in meta["report"] if not each["ok"]]
    if not failed:
        return ""
    columns = [ShownColumn("row", "", True), ShownColumn("error", "", False)]  # noqa: FBT003  # aligned right or not
    rows = [[str(each["row"]), html.unescape(each["error"] or "")] for each in failed[:MAX_SHOWN_FAILURES]]
    count = f"{len(failed)} {'row' if len(failed) == 1 else 'rows'} failed"
    return table_html(columns, rows, count, len(failed))


def _failed(meta: Mapping[str, Any]) -> str:
    return f", {meta['failed']} failed" if meta["failed"] else ""


def _frame(meta: Mapping[str, Any]) -> "pd.DataFrame":
    from mediakit.results.frames import data_frame

    frame: pd.DataFrame = data_frame([{name: row[name] for name in REPORT_NAMES} for row in meta["report"]])
    return frame


def stem_of(filename: str) -> str:
    """Return the name of a document without its extension, which is the title of its bookmark."""
    return PurePath(filename).stem
