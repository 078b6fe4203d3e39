"""The result of `docx_template`: the filled document, or the placeholders of the template."""

import html
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any

from pydantic import Field

from mediakit.core.messages import nearest, quote, readable_size
from mediakit.core.tool import Wire
from mediakit.display.documents import file_html
from mediakit.display.tables import ShownColumn, table_html
from mediakit.engines.word_templates.field_info import TemplateField
from mediakit.errors import InvalidInput
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult
from mediakit.results.item import field, to_plain
from mediakit.results.result import Bundle
from mediakit.results.saving import SavedFile

EXAMPLE: list[Mapping[str, str]] = [
    {"name": "client.name", "kind": "value", "in": "body, header 1"},
    {"name": "items", "kind": "list", "in": "body"},
]


class DocxResult(DataResult):
    """A filled Word document and the fields of its template; without data only the fields.

    `result["client.name"]` is a field. Without data there is no file: `content` is the list of fields as JSON.
    """

    _wire = Wire(outputs=("json", "binary", "url"), sends_file=True)

    document: FileResult | None = None
    """The filled document; absent without data."""
    fields: Annotated[list[TemplateField], Field(examples=[EXAMPLE])] = field(metadata={"optional": True}, kw_only=True)
    """The fields of the template, if the call has no data."""

    @property
    def filename(self) -> str:
        """Name of the file."""
        return self._saved().filename

    def _absent(self) -> frozenset[str]:
        return frozenset(("fields",) if self.document else ())

    @classmethod
    def _received(cls, values: dict[str, Any]) -> dict[str, Any]:
        return {"fields": values["meta"].get("fields"), **values}

    def _members(self) -> Mapping[str, Any]:
        return {"fields": self._rows()}

    def _rows(self) -> list[Mapping[str, Any]]:
        return [to_plain(each) for each in self.fields]

    def _saved(self) -> SavedFile:
        saved = super()._saved()
        return saved if self.document else SavedFile(saved.content, saved.mime_type, "fields.json")

    def _facts(self) -> str:
        return f"{len(self.fields)} {'field' if len(self.fields) == 1 else 'fields'}"

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

    @cached_property
    def preview(self) -> str:
        """The text of the document as HTML, for notebooks; empty without a document."""
        from mediakit.tools.documents.docx_template.preview import preview_html

        return preview_html(self.content) if self.document else ""

    def _bundle(self) -> Bundle:
        if self.document:
            shown = file_html(self.filename, self.document.mime_type, self.content, None, preview=self.preview)
        else:
            columns = [ShownColumn(name, "") for name in ("name", "kind", "in")]
            rows = [list(row.values()) for row in self._rows()]
            shown = table_html(columns, rows, f"Word template · {self._facts()}", len(rows))
        return {"text/html": shown}, {}

    def __repr__(self) -> str:
        if not self.document:
            return f"<DocxResult {self._facts()}>"
        return f"<DocxResult {html.unescape(self.filename)}, {self._facts()}, {readable_size(len(self.content))}>"
