"""The result of `pdf_form`: the fields, and the PDF if one was written."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field

from mediakit.core.messages import nearest, quote, readable_size
from mediakit.core.tool import Wire
from mediakit.display.tables import ShownColumn, table_html
from mediakit.engines.pdf.forms.field_info import FieldInfo, FieldValue
from mediakit.errors import InvalidInput
from mediakit.results.data import DataResult
from mediakit.results.files import PdfResult
from mediakit.results.item import to_plain
from mediakit.results.result import Bundle

COLUMNS = ("name", "type", "value", "options", "label", "page")
"""Columns of the table that a notebook shows."""

EXAMPLE = {
    "name": "country", "type": "choice", "value": "FR", "default": None, "options": ["ES", "FR"],
    "option_labels": ["Spain", "France"], "required": True, "read_only": False, "multiline": False, "multiple": False,
    "editable": False, "max_length": None, "label": "Country", "page": 1, "x0": 56.0, "y0": 120.5, "x1": 300.0,
    "y1": 142.5,
}  # fmt: skip


class PdfForm(DataResult):
    """The fields of a form, by position or name: `form["city"].value`. `pdf` is the filled or flattened PDF."""

    _wire = Wire(outputs=("json", "binary", "url", "pdf"), is_data=True)

    fields: Annotated[list[FieldInfo], Field(examples=[[EXAMPLE]])]
    """The fields, in the order of the form."""
    pages: Annotated[int, Field(examples=[1])]
    """Number of pages of the PDF."""
    pdf: PdfResult | None = None
    """The file, if one was made."""

    @property
    def values(self) -> dict[str, FieldValue]:
        """The values of all fields that can have one, by full name."""
        return {field.name: field.value for field in self if field.type not in ("button", "signature")}

    def _facts(self) -> str:
        return f"{len(self)} {'field' if len(self) == 1 else 'fields'}"

    def _caption(self) -> str:
        return "" if self.pdf is None else f"{self.pdf._caption()} · {self._facts()}"

    def _rows(self) -> list[Mapping[str, Any]]:
        return [to_plain(field) for field in self]

    def __iter__(self) -> Iterator[FieldInfo]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, key: int | str) -> FieldInfo:
        if isinstance(key, int):
            return self.fields[key]
        found = next((field for field in self if field.name == key), None)
        if found is None:
            raise InvalidInput(f"field: there is no field {quote(key)}; {nearest(key, [each.name for each in self])}")
        return found

    def _bundle(self) -> Bundle:
        if self.pdf is not None:
            return self._file_bundle()
        columns = [ShownColumn(name, "", name == "page") for name in COLUMNS]
        rows = [[_shown(row[name]) for name in COLUMNS] for row in self._rows()]
        caption = f"PDF form · {self._facts()} · {self.pages} {'page' if self.pages == 1 else 'pages'}"
        return {"text/html": table_html(columns, rows, caption, len(rows))}, {}

    def __repr__(self) -> str:
        written = f", {readable_size(len(self.content))}" if self.pdf else ""
        return f"<PdfForm {self._facts()}{written}>"


def _shown(value: Any) -> str | None:
    """Return a cell as text; empty instead of null, which would fill the table."""
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else str(value)
