"""The results of `docx_template`: the filled document, or the fields of the template."""

import html
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any

from pydantic import Field

from mediakit.core.messages import nearest, quote, readable_size
from mediakit.display.documents import file_html
from mediakit.display.tables import ShownColumn, table_html
from mediakit.engines.word_templates.field_info import TemplateField
from mediakit.errors import InvalidInput
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult
from mediakit.results.item import to_plain
from mediakit.results.result import Bundle, Result

EXAMPLE: list[Mapping[str, str]] = [
    {"name": "client.name", "kind": "value", "in": "body, header 1"},
    {"name": "items", "kind": "list", "in": "body"},
]


class TemplateFields(Result):
    """The fields of a Word template by name: `result["client.name"]`."""

    fields: list[TemplateField]

    def __iter__(self) -> Iterator[TemplateField]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __getitem__(self, name: str) -> TemplateField:
        found = next((each for each in self.fields if each.name == name), None)
        if found is None:
            known = [each.name for each in self.fields]
            raise InvalidInput(f"field: there is no field {quote(name)}; {nearest(name, known)}")
        return found

    def _facts(self) -> str:
        return f"{len(self.fields)} {'field' if len(self.fields) == 1 else 'fields'}"


class DocxResult(TemplateFields, FileResult):
    """A filled Word document, and the fields of its template in `fields`."""

    def __init__(
        self, content: bytes, mime_type: str, filename: str = "", meta: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(content, mime_type, filename, meta)
        self.fields = [TemplateField(row["name"], row["kind"], row["in"]) for row in self.meta["fields"]]

    @cached_property
    def preview(self) -> str:
        """The text of the document as HTML, for notebooks."""
        from mediakit.tools.documents.docx_template.preview import preview_html

        return preview_html(self.content)

    def _bundle(self) -> Bundle:
        return {"text/html": file_html(self.filename, self.mime_type, self.content, None, preview=self.preview)}, {}

    def __repr__(self) -> str:
        return f"<DocxResult {html.unescape(self.filename)}, {self._facts()}, {readable_size(len(self.content))}>"


class DocxFields(TemplateFields, DataResult):
    """The fields of a Word template; there is no document, and `content` is JSON."""

    fields: Annotated[list[TemplateField], Field(examples=[EXAMPLE])]
    """The fields of the template, if the call has no data."""

    def _rows(self) -> list[Mapping[str, Any]]:
        return [to_plain(each) for each in self.fields]

    def _json_name(self) -> str:
        return "fields.json"

    def _bundle(self) -> Bundle:
        columns = [ShownColumn(name, "") for name in ("name", "kind", "in")]
        rows = [list(row.values()) for row in self._rows()]
        return {"text/html": table_html(columns, rows, f"Word template · {self._facts()}", len(rows))}, {}
