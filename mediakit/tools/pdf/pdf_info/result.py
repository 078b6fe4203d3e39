"""`PdfInfo`: what is known of a PDF."""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import pybase64

from mediakit.core.messages import quote
from mediakit.errors import InvalidInput
from mediakit.results.files import PdfResult
from mediakit.results.legacy import LegacyData, without_usage
from mediakit.tools.pdf.pdf_info.response_schema import SCHEMA

PDF = "application/pdf"
JSON = "application/json"

FILE_FIELDS = ("pdf", "mime_type")
"""Fields of the changed PDF; the others describe it."""


class PdfInfo(LegacyData):
    """What is known of a PDF. Its attributes are the fields of the HTTP response."""

    member = "pdf"
    outputs: ClassVar[tuple[str, ...]] = ("json", "binary", "url", "pdf")
    _internal_names = frozenset(("has_file",))

    version: str
    """Version of PDF, such as `1.7`."""
    pages: int
    """Number of pages."""
    title: str | None
    author: str | None
    subject: str | None
    keywords: str | None
    creator: str | None
    """Program that made the document."""
    producer: str | None
    """Program that made the PDF."""
    created: str | None
    """ISO 8601."""
    modified: str | None
    """ISO 8601."""
    language: str | None
    encrypted: bool
    restrictions: list[str]
    """What readers must not do without the owner password."""
    page_sizes: list[dict[str, Any]]
    """Width and height in millimeters, rotation, count and name of each size of a page."""
    page_labels: list[str] | None
    outline: list[dict[str, Any]]
    """Level, title and page of each bookmark."""
    attachments: list[dict[str, Any]]
    """Name, description, media type, size and MD5 of each attachment."""
    fonts: list[dict[str, Any]]
    """Name, type, and whether it is embedded and a subset, of each font."""
    images: int
    links: int
    annotations: int
    form: dict[str, Any]
    """Number of fields, and the kind of an XFA form."""
    signatures: list[dict[str, Any]]
    """Field, signer and time of each signature, and whether it covers the whole file."""
    javascript: list[dict[str, str]]
    """Where each script is, and its code."""
    tagged: bool
    linearized: bool
    conformance: list[str]
    """Standards that the file claims to follow."""
    layers: list[dict[str, Any]]
    """Name of each layer, and whether it shows."""
    pages_without_text: list[int]

    def __init__(
        self,
        fields: Mapping[str, Any],
        pdf: bytes | None = None,
        meta: Mapping[str, Any] | None = None,
        *,
        alt: str = "",
    ) -> None:
        for name in SCHEMA:
            if name not in FILE_FIELDS:
                setattr(self, name, fields[name])
        self.meta = dict(meta or {})
        self.mime_type = PDF if pdf is not None else JSON
        self.pdf: PdfResult | None = None if pdf is None else PdfResult(pdf, PDF, {**self.meta, "pages": self.pages})
        """The changed PDF; None if nothing was written."""
        self._alt = alt

    @property
    def has_file(self) -> bool:
        """Whether something was written."""
        return self.pdf is not None

    @property
    def content(self) -> bytes:  # type: ignore[override]  # made on demand
        """The changed PDF, or the fields and the meta as a JSON file."""
        return self.file

    @property
    def file(self) -> bytes:
        """The changed PDF, or the fields and the meta as a JSON file."""
        return super().file if self.pdf is None else self.pdf.content

    @property
    def extent(self) -> str:
        """Number of pages."""
        return f"{self.pages} {'page' if self.pages == 1 else 'pages'}"

    def fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response."""
        fields = {name: getattr(self, name) for name in SCHEMA if name not in FILE_FIELDS}
        if self.pdf is None:
            return fields
        return {**fields, "pdf": pybase64.b64encode(self.pdf.content).decode(), "mime_type": PDF}

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of each field."""
        return dict(SCHEMA)

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        try:
            pdf = pybase64.b64decode(body["pdf"]) if "pdf" in body else None
            return cls(body, pdf, without_usage(body["meta"]))
        except KeyError as error:
            raise InvalidInput(f"The server's response does not describe a PDF: {error} is missing.") from None

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        from mediakit.tools.pdf.pdf_info import notebook_view

        return {
            "text/plain": repr(self),
            "text/html": notebook_view.html(self.fields(), self.meta, self.pdf._caption() if self.pdf else ""),
        }, {}

    def __repr__(self) -> str:
        title = quote(self.title) if self.title else "without a title"
        return f"<PdfInfo {title}, {self.extent}{', changed' if self.pdf else ''}>"
