"""`PdfDataResult`: data about a PDF, and a PDF if the call wrote one."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from mediakit.results.data_file import DataFileResult
from mediakit.results.pdf import PdfResult

PDF = "application/pdf"


class PdfDataResult(DataFileResult):
    """Data about a PDF. `pdf` is the PDF that the call wrote, or None.

    As a file it is the PDF, or the data as JSON.
    """

    member = "pdf"
    makes_files: ClassVar[bool] = False
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url", "pdf")

    def __init__(self, content: bytes | None, meta: Mapping[str, Any] | None = None) -> None:
        super().__init__(None if content is None else PdfResult(content, PDF, meta), meta)

    @cached_property
    def pdf(self) -> PdfResult | None:
        """The PDF that the call wrote; None if it wrote none."""
        if self._made is None:
            return None
        made = PdfResult(self._made.content, PDF, self.meta)
        if self._call is not None:
            made.attach_call(*self._call)
        return made

    @classmethod
    def read_file(cls, content: bytes, body: Mapping[str, Any], meta: Mapping[str, Any]) -> PdfResult:
        """Return the PDF of a server's response as a result."""
        return PdfResult(content, body["mime_type"], meta)
