"""`PdfDataResult`: data about a PDF, and a PDF if the call wrote one."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Self

import pybase64

from mediakit.results.data import DataResult
from mediakit.results.pdf import PdfResult
from mediakit.results.result import without_usage

PDF = "application/pdf"


class PdfDataResult(DataResult):
    """Data about a PDF. `pdf` is the PDF that the call wrote, or None.

    As a file it is the PDF, or the data as JSON. Subclasses define `data_fields`, `data_schema` and `from_data`.
    """

    _internal_names = frozenset(("data_fields", "data_schema", "from_data"))
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url", "pdf")

    def __init__(self, content: bytes | None, meta: Mapping[str, Any] | None = None) -> None:
        self._content = content
        self.mime_type = "application/json" if content is None else PDF
        size = {} if content is None else {"size_bytes": len(content)}
        self.meta = {**size, **(meta or {})}
        self.alt = ""

    @cached_property
    def pdf(self) -> PdfResult | None:
        """The PDF that the call wrote; None if it wrote none."""
        if self._content is None:
            return None
        made = PdfResult(self._content, PDF, self.meta)
        if self._call is not None:
            made.attach_call(*self._call)
        return made

    @property
    def content(self) -> bytes:  # type: ignore[override]  # the PDF, or JSON
        """The PDF; the data as JSON if there is none."""
        return self.to_json().encode() if self._content is None else self._content

    @property
    def file(self) -> bytes:
        """The PDF; the data as JSON if there is none."""
        return self.content

    @property
    def has_file(self) -> bool:
        """Whether the call wrote a PDF."""
        return self._content is not None

    def data_fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response, without the PDF."""
        raise NotImplementedError

    @classmethod
    def data_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of `data_fields`, by name."""
        raise NotImplementedError

    @classmethod
    def from_data(cls, body: Mapping[str, Any], content: bytes | None, meta: Mapping[str, Any]) -> Self:
        """Return the result with the fields of a server's response."""
        raise NotImplementedError

    def response(self) -> dict[str, Any]:
        """Return the fields of the HTTP response."""
        written = {} if self._content is None else {"pdf": pybase64.b64encode(self._content).decode(), "mime_type": PDF}
        return {**self.data_fields(), **written}

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the meta, without the PDF."""
        return {**self.data_fields(), "meta": self.meta}

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the response, by name."""
        content = {"type": "string", "contentEncoding": "base64", "description": "The PDF, if one was written."}
        return {
            **cls.data_schema(),
            "pdf": {**content, "x-optional": True},
            "mime_type": {"type": "string", "enum": [PDF], "x-optional": True},
        }

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        content = pybase64.b64decode(body["pdf"]) if "pdf" in body else None
        return cls.from_data(body, content, without_usage(body["meta"]))
