"""The results of `mail_merge`: several files, or one PDF, with a report of the rows."""

import html
import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, Self
from zipfile import ZipFile

import pybase64

from mediakit.display.tables import ShownColumn, table_html
from mediakit.results.file import FileResult
from mediakit.results.files import FilesResult, result_of, zip_content
from mediakit.results.one_of_several import OneOfSeveral
from mediakit.results.pdf import PdfResult
from mediakit.results.result import Result, without_usage
from mediakit.tools.documents.mail_merge.report import REPORT_FILE, REPORT_NAMES

if TYPE_CHECKING:
    import pandas as pd

MAX_SHOWN_FAILURES = 20


class MergedFiles(FilesResult[Result]):
    """The documents by position or name. The archive also has `report.csv`."""

    def __init__(self, documents: Sequence[Result], report: bytes, filename: str, meta: Mapping[str, Any]) -> None:
        super().__init__(documents, filename, meta)
        self._report_file = FileResult(report, "text/csv", REPORT_FILE)
        self.content = zip_content([*documents, self._report_file])
        self.meta["size_bytes"] = len(self.content)

    @property
    def report(self) -> "pd.DataFrame":
        """A row for each row of the table: what it became, or why it failed. Needs pandas or Polars."""
        return _frame(self.meta)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the documents and the report into a folder, or the archive if the path ends with `.zip`.

        Raises:
            InvalidInput: The path has another extension than `.zip`, or is an existing file.
        """
        target = super().save(path)
        if target.is_dir():
            (target / REPORT_FILE).write_bytes(self._report_file.content)
        return target

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        content = pybase64.b64decode(body[cls.member])
        meta = without_usage(body["meta"])
        with ZipFile(io.BytesIO(content)) as archive:
            files = {entry.filename: archive.read(entry) for entry in archive.infolist()}
        report = files.pop(REPORT_FILE)
        documents = [result_of(file, name) for name, file in files.items()]
        return cls(documents, report, body["filename"], meta)

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        data, metadata = super()._repr_mimebundle_()
        return {**data, "text/html": data["text/html"] + failures_html(self.meta)}, metadata

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}{_failed(self.meta)}>"


class MergedPdf(PdfResult):
    """One PDF with a bookmark for each row."""

    filename = "documents.pdf"

    @property
    def report(self) -> "pd.DataFrame":
        """A row for each row of the table: what it became, or why it failed. Needs pandas or Polars."""
        return _frame(self.meta)

    @property
    def caption(self) -> str:
        """The line below the first pages."""
        count = self.meta["count"]
        documents = f"{count} {'document' if count == 1 else 'documents'}{_failed(self.meta)}"
        return f"{super().caption} · {documents}"

    def __repr__(self) -> str:
        return f"<MergedPdf {super().__repr__().partition(' ')[2][:-1]}{_failed(self.meta)}>"


class FilesOrPdf(OneOfSeveral):
    """What the HTTP API and clients need to know of the results."""

    kinds = (MergedPdf, MergedFiles)
    members: ClassVar[tuple[str, ...]] = (MergedPdf.member, MergedFiles.member)
    outputs: ClassVar[tuple[str, ...]] = PdfResult.outputs


def document_of(content: bytes, filename: str, pages: int | None) -> Result:
    """Return the document of a row."""
    made = result_of(content, filename)
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
