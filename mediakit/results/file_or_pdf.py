"""`FileOrPdf`: describes the results of tools that return a PDF for one option, and another file for the others."""

from collections.abc import Mapping
from typing import Any, ClassVar

from mediakit.results.file import FileResult
from mediakit.results.pdf import PdfResult


class FileOrPdf(FileResult):
    """What the HTTP API and clients need to know of such results. Calls return a `FileResult` or a `PdfResult`."""

    outputs: ClassVar[tuple[str, ...]] = PdfResult.outputs
    members: ClassVar[tuple[str, ...]] = (PdfResult.member, FileResult.member)

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the name, which PDFs do not have."""
        return {name: {**schema, "x-optional": True} for name, schema in FileResult.extra_schema().items()}

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> FileResult | PdfResult:  # type: ignore[override]  # one of both
        """Return the result in the JSON body of a server's response, without the account's usage."""
        kind = PdfResult if PdfResult.member in body else FileResult
        return kind.from_envelope(body)
