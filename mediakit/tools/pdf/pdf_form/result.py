"""The result of `pdf_form`: the fields, and the PDF if one was written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Self

from mediakit.core.messages import nearest, quote, readable_size
from mediakit.display.tables import ShownColumn, table_html
from mediakit.engines.pdf.forms.field_info import FieldInfo, FieldValue
from mediakit.errors import InvalidInput
from mediakit.results.pdf import PdfResult
from mediakit.results.pdf_data import PdfDataResult
from mediakit.tools.pdf.pdf_form.response_schema import FIELDS_SCHEMA

COLUMNS = ("name", "type", "value", "options", "label", "page")
"""Columns of the table that a notebook shows."""


class PdfForm(PdfDataResult):
    """The fields of a form, by position or name: `form["city"].value`. `pdf` is the filled or flattened PDF."""

    member = "pdf"

    def __init__(
        self,
        fields: Sequence[FieldInfo],
        pages: int,
        content: bytes | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(content, {"pages": pages, **(meta or {})} if content is not None else meta)
        self.fields = list(fields)  # type: ignore[method-assign,assignment]  # a name of the HTTP response
        """The fields, in the order of the form."""
        self.pages = pages
        """Number of pages of the PDF."""

    @property
    def values(self) -> dict[str, FieldValue]:
        """The values of all fields that can have one, by full name."""
        return {field.name: field.value for field in self if field.type not in ("button", "signature")}

    @property
    def extent(self) -> str:
        """Number of fields, such as `7 fields`."""
        return f"{len(self)} {'field' if len(self) == 1 else 'fields'}"

    @property
    def caption(self) -> str:
        """The line below the first pages of a written PDF."""
        if self.pdf is None:
            return ""
        return f"{self.pdf.caption} · {self.extent}"

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each field."""
        return [asdict(field) for field in self]

    def data_fields(self) -> dict[str, Any]:
        """Return the fields of the HTTP response, without the PDF."""
        return {"fields": self.rows(), "pages": self.pages}

    @classmethod
    def data_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of `data_fields`, by name."""
        return {
            "fields": FIELDS_SCHEMA,
            "pages": {"type": "integer", "description": "Number of pages of the PDF.", "examples": [1]},
        }

    @classmethod
    def from_data(cls, body: Mapping[str, Any], made: PdfResult | None, meta: Mapping[str, Any]) -> Self:
        """Return the result with the fields of a server's response."""
        fields = [FieldInfo(**field) for field in body["fields"]]
        return cls(fields, body["pages"], None if made is None else made.content, meta)

    def __iter__(self) -> Iterator[FieldInfo]:
        listed: list[FieldInfo] = self.fields  # type: ignore[assignment]
        return iter(listed)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return True  # a PDF without fields is a result, too

    def __getitem__(self, key: int | str) -> FieldInfo:
        fields = list(self)
        if isinstance(key, int):
            return fields[key]
        found = next((field for field in fields if field.name == key), None)
        if found is None:
            raise InvalidInput(f"field: there is no field {quote(key)}; {nearest(key, [each.name for each in fields])}")
        return found

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        if self.pdf is not None:
            data, metadata = self.pdf._repr_mimebundle_()
            return {**data, "text/plain": repr(self)}, metadata
        columns = [ShownColumn(name, "", name == "page") for name in COLUMNS]
        rows = [[_shown(row[name]) for name in COLUMNS] for row in self.rows()]
        caption = f"PDF form · {self.extent} · {self.pages} {'page' if self.pages == 1 else 'pages'}"
        return {"text/plain": repr(self), "text/html": table_html(columns, rows, caption, len(rows))}, {}

    def __repr__(self) -> str:
        written = f", {readable_size(len(self.content))}" if self.pdf else ""
        return f"<PdfForm {self.extent}{written}>"


def _shown(value: Any) -> str | None:
    """Return a cell as text; empty instead of null, which would fill the table."""
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
