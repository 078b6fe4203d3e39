"""The result of `docx_template`: the filled document, or the placeholders of the template."""

import html
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import pybase64
from pydantic_core import to_json

from mediakit.core.messages import nearest, quote, readable_size
from mediakit.display.tables import ShownColumn, table_html
from mediakit.engines.word_templates.field_info import TemplateField
from mediakit.errors import InvalidInput
from mediakit.results.file import FileResult
from mediakit.results.result import without_usage
from mediakit.tools.documents.docx_template.response_schema import FIELDS_SCHEMA

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


class DocxResult(FileResult):
    """A filled Word document and the fields of its template; without data only the fields.

    `result["client.name"]` is a field. Without data there is no file: `content` is the list of fields as JSON.
    """

    def __init__(
        self,
        fields: Sequence[TemplateField],
        content: bytes | None = None,
        filename: str = "",
        meta: Mapping[str, Any] | None = None,
    ) -> None:
        self.fields = list(fields)
        """The fields of the template, in the order in which they are first used."""
        self._has_file = content is not None
        if content is None:
            super().__init__(self._listing(meta or {}), "application/json", "fields.json", meta)
            del self.meta["size_bytes"]
        else:
            super().__init__(content, DOCX, filename, meta)

    @property
    def has_file(self) -> bool:
        """Whether the call made a document."""
        return self._has_file

    @property
    def extent(self) -> str:
        """Number of fields, such as `7 fields`."""
        return f"{len(self.fields)} {'field' if len(self.fields) == 1 else 'fields'}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the meta."""
        return {"fields": [field.row() for field in self.fields], "meta": self.meta}

    def _listing(self, meta: Mapping[str, Any]) -> bytes:
        return to_json({"fields": [field.row() for field in self.fields], "meta": meta}, indent=2)

    def envelope(self, usage: Mapping[str, Any] | None = None) -> bytes:
        """Return the JSON body of the HTTP response; `usage` is added to the meta."""
        if self._has_file:
            return super().envelope(usage)
        rows = [field.row() for field in self.fields]
        return to_json({"success": True, "fields": rows, "meta": {**self.meta, **(usage or {})}})

    @classmethod
    def extra_schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the members beside the file."""
        return {"filename": {"type": "string"}, "fields": {**FIELDS_SCHEMA, "x-optional": True}}

    @classmethod
    def from_envelope(cls, body: Mapping[str, Any]) -> Self:
        """Return the result in the JSON body of a server's response, without the account's usage."""
        meta = without_usage(body["meta"])
        if cls.member not in body:
            return cls(_fields(body["fields"]), meta=meta)
        return cls(_fields(meta["fields"]), pybase64.b64decode(body[cls.member]), body["filename"], meta)

    def __iter__(self) -> Iterator[TemplateField]:
        return iter(self.fields)

    def __len__(self) -> int:
        return len(self.fields)

    def __bool__(self) -> bool:
        return True  # a document without fields is a result, too

    def __getitem__(self, name: str) -> TemplateField:
        found = next((field for field in self.fields if field.name == name), None)
        if found is None:
            known = [field.name for field in self.fields]
            raise InvalidInput(f"field: there is no field {quote(name)}; {nearest(name, known)}")
        return found

    @cached_property
    def preview(self) -> str:
        """The text of the document as HTML, for notebooks; empty without a document."""
        from mediakit.tools.documents.docx_template.preview import preview_html

        return preview_html(self.content) if self._has_file else ""

    def _repr_mimebundle_(self, **_filters: object) -> tuple[dict[str, Any], dict[str, Any]]:
        if self._has_file:
            return super()._repr_mimebundle_()
        columns = [ShownColumn(name, "") for name in ("name", "kind", "in")]
        rows = [list(field.row().values()) for field in self.fields]
        shown = table_html(columns, rows, f"Word template · {self.extent}", len(rows))
        return {"text/plain": repr(self), "text/html": shown}, {}

    def _preview(self) -> str:
        return self.preview

    def __repr__(self) -> str:
        if not self._has_file:
            return f"<DocxResult {self.extent}>"
        return f"<DocxResult {html.unescape(self.filename)}, {self.extent}, {readable_size(len(self.content))}>"


def _fields(rows: Sequence[Mapping[str, Any]]) -> list[TemplateField]:
    return [TemplateField(row["name"], row["kind"], row["in"]) for row in rows]
