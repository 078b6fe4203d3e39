"""`docx_template`: lists and fills the placeholders of a Word document."""

import html
from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, get_args

from pydantic import Field

from mediakit.core import meta_schemas
from mediakit.core.inputs import FILE_SYNONYMS, FileInput, FileRule, file_of
from mediakit.core.media import safe_name
from mediakit.core.messages import nearest, quote, readable_size
from mediakit.core.overloaded_tool import overloads
from mediakit.core.request import request
from mediakit.core.runtime import runtime
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.display import ShownColumn, table_html
from mediakit.display.documents import file_html
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.engines.templates.data import FieldKind, MissingPolicy, TemplateData, adapt_data
from mediakit.engines.word_templates import Filled, TemplateField
from mediakit.errors import InvalidInput, MediakitError, NotConvertible
from mediakit.results.data import DataResult
from mediakit.results.files import FileResult
from mediakit.results.item import to_plain
from mediakit.results.result import Bundle, ListResult
from mediakit.samples import PROPOSAL, PROPOSAL_DATA

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from mediakit.engines.word_templates.package import Words

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

_SHOWN_FIELDS: list[Mapping[str, str]] = [
    {"name": "client.name", "kind": "value", "in": "body, header 1"},
    {"name": "items", "kind": "list", "in": "body"},
]
_FIELD: Mapping[str, Any] = {
    "type": "object",
    "required": ["name", "kind", "in"],
    "properties": {
        "name": {"type": "string", "description": "Path in the data; items of a list have its name: `items.price`."},
        "kind": {"type": "string", "enum": list(get_args(FieldKind))},
        "in": {"type": "string", "description": "Parts that use it, such as `body, header 1`."},
    },
}
META: Mapping[str, Mapping[str, Any]] = {
    "size_bytes": meta_schemas.optional(meta_schemas.integer("Size of the document, if one was made.", 14210)),
    "fields": meta_schemas.optional(
        {"type": "array", "items": _FIELD, "description": "The fields of the template.", "examples": [_SHOWN_FIELDS]}
    ),
    "unused": meta_schemas.optional(meta_schemas.texts("Keys of the data that no placeholder asks for.", "phone")),
    "blank": meta_schemas.optional(meta_schemas.texts("Fields that are empty in the document.", "client.vat")),
    "warnings": meta_schemas.texts("What was removed, or is unreliable."),
}


@request
class DocxTemplateRequest:
    """A Word template and what to fill in."""

    file: Annotated[FileInput, FileRule(takes=("document",)), FILE_SYNONYMS, Synonyms("template, docx")]
    """The template, a DOCX or DOTX with placeholders such as `{{ client.name }}`. Files with macros are refused."""
    data: Annotated[TemplateData | None, Synonyms("values, context, variables, fields")] = None
    """Values by name: text, numbers, true, false, null, lists and objects, up to 8 levels deep and 10,000 values.
    `{"image": "<base64>", "width": 40, "alt": "Logo"}` is an image with a width in millimeters, and
    `{"link": "https://example.com", "text": "Example"}` a link. Without data, the placeholders are only listed."""
    _: KW_ONLY
    missing: MissingPolicy = "error"
    """What to do about a placeholder without a value: refuse the call, leave it blank, or keep the placeholder."""


@request
class FillCall(DocxTemplateRequest):
    """Arguments of calls that return a document, for type checkers."""

    data: TemplateData


@request
class FieldsCall(DocxTemplateRequest):
    """Arguments of calls that only list the fields, for type checkers."""

    data: None = None


class TemplateFields(ListResult[TemplateField]):
    """The fields of a Word template by name: `result["client.name"]`."""

    _items = "fields"
    fields: list[TemplateField]

    def __getitem__(self, name: str) -> TemplateField:
        if (found := next((each for each in self.fields if each.name == name), None)) is None:
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
        try:
            work = "mediakit.tools.documents.docx_template:preview"
            return runtime.run(run_guarded(work, self.content, returns=str, guard=Guard(seconds=10)))
        except MediakitError:  # the file itself is what the call returned, and can be saved
            return ""

    def _bundle(self) -> Bundle:
        return {"text/html": file_html(self.filename, self.mime_type, self.content, None, preview=self.preview)}, {}

    def __repr__(self) -> str:
        return f"<DocxResult {html.unescape(self.filename)}, {self._facts()}, {readable_size(len(self.content))}>"


class DocxFields(TemplateFields, DataResult):
    """The fields of a Word template; there is no document, and `content` is JSON."""

    fields: Annotated[list[TemplateField], Field(examples=[_SHOWN_FIELDS])]
    """The fields of the template, if the call has no data."""

    def _json_name(self) -> str:
        return "fields.json"

    def _bundle(self) -> Bundle:
        columns = [ShownColumn(name, "") for name in ("name", "kind", "in")]
        rows = [list(row.values()) for row in self._rows()]
        return {"text/html": table_html(columns, rows, f"Word template · {self._facts()}", len(rows))}, {}


@overloads(FieldsCall, DocxFields, FillCall, DocxResult)
@tool(
    DocxTemplateRequest,
    tag="Documents",
    produces=(DOCX,),
    media_type_of=lambda values: "application/json" if values.get("data") is None else DOCX,
    meta=META,
    errors=[NotConvertible],
    adapt=adapt_data,
    columns_field="data",
    examples=[
        Example("The placeholders of a template", {"file": PROPOSAL}),
        Example("A proposal with a table that grows", {"file": PROPOSAL, "data": PROPOSAL_DATA}),
        Example(
            "What is not known yet stays blank",
            {"file": PROPOSAL, "data": {"client": PROPOSAL_DATA["client"], "title": "Draft"}, "missing": "blank"},
        ),
    ],
)
async def docx_template(request: DocxTemplateRequest) -> DocxResult | DocxFields:
    """Fill the placeholders of a Word document with data.

    A placeholder is `{{ client.name }}`, with filters such as `{{ total | number(2) }}` and
    `{{ due | date("%d %B %Y") }}`. `{% for item in items %} … {% endfor %}` repeats text, paragraphs or table rows, and
    `{% if paid %} … {% elif due %} … {% else %} … {% endif %}` chooses between them. Templates of docxtpl work as well.
    Placeholders may stand in the body, headers, footers, footnotes, text boxes, content controls, titles of charts and
    the properties of the document, and have the formatting of their first character. A template cannot run code.
    Without `data`, the fields are listed.

    Raises:
        InvalidInput: The file is not a Word document, a tag is wrong, or a value is missing or does not fit.
        NotConvertible: The work took longer than 30 seconds.
    """
    file = file_of(request.file)
    work = "mediakit.engines.word_templates.filling:fill"
    filled = await run_guarded(work, file, request.data, request.missing, returns=Filled)
    if filled.content is None:
        return DocxFields(fields=filled.fields, meta={"warnings": filled.warnings})
    meta = {
        "fields": [to_plain(field) for field in filled.fields],
        "unused": filled.unused,
        "blank": filled.blank,
        "warnings": filled.warnings,
    }
    return DocxResult(filled.content, DOCX, f"{safe_name(file.stem or 'document')}.docx", meta)


MAX_BLOCKS = 200
"""Paragraphs and tables that a preview shows."""
MAX_ROWS = 60
"""Rows of a table that a preview shows."""
MAX_CHARACTERS = 12_000
"""Characters of a preview, which are saved in the notebook file."""

_BOX = (
    "max-height:30em;overflow:auto;margin:10px 0 0;padding:10px 0 0;border-top:1px solid rgba(128,128,128,.25);"
    "overflow-wrap:anywhere;background:none;color:inherit"
)
_TEXT = "margin:0 0 6px;white-space:pre-wrap"
_HEADING = "margin:12px 0 5px;font-size:{}px;font-weight:600;line-height:1.3"
_TABLE = "border-collapse:collapse;margin:4px 0 10px;font-variant-numeric:tabular-nums;background:none"
_CELL = (
    "border:0;border-bottom:1px solid rgba(128,128,128,.28);padding:4px 14px 4px 0;text-align:left;"
    "vertical-align:top;white-space:pre-wrap;overflow-wrap:break-word"
)


def preview(content: bytes) -> str:
    """Return the first paragraphs and tables of a document as static HTML; runs in a worker."""
    from mediakit.engines.word_templates.package import WordFile, words_of

    file = WordFile(content)
    root = file.parse(file.main)
    shown, characters = [], 0
    for text, block in islice(_blocks(root.find(words_of(root)("body")), words_of(root)), MAX_BLOCKS):
        characters += len(text)
        if characters > MAX_CHARACTERS:
            shown.append(f'<div style="{_TEXT};opacity:.7">…</div>')
            break
        shown.append(block)
    if not shown:
        return ""
    return f'<div tabindex="0" role="region" aria-label="Document" style="{_BOX}" dir="auto">{"".join(shown)}</div>'


def _blocks(parent: "Element | None", words: "Words") -> Iterator[tuple[str, str]]:
    """Yield the text and the HTML of each paragraph and table; empty ones are omitted."""
    for element in () if parent is None else parent:
        text = _text(element, words)
        if element.tag == words("p") and text.strip():
            style = element.find(words("pPr", "pStyle"))
            name = "" if style is None else (style.get(words("val")) or "").lower()
            size = {"title": 18, "heading1": 18, "heading2": 15}.get(name, 14 if name.startswith("heading") else 0)
            yield text, f'<div style="{_HEADING.format(size) if size else _TEXT}" dir="auto">{html.escape(text)}</div>'
        elif element.tag == words("tbl"):
            rows = ""
            for row in element.findall(words("tr"))[:MAX_ROWS]:
                cells = (html.escape(_text(cell, words)) for cell in row.iter(words("tc")))
                shown = "".join(f'<td style="{_CELL}" dir="auto">{cell}</td>' for cell in cells)
                rows += f"<tr>{shown}</tr>"
            yield text, f'<table style="{_TABLE}">{rows}</table>'
        elif element.tag in words.all("sdt", "sdtContent"):
            yield from _blocks(element, words)


def _text(element: "Element", words: "Words") -> str:
    made = {words("tab"): "\t", words("br"): "\n", words("cr"): "\n", words("noBreakHyphen"): "-"}
    parts: list[str] = []
    for each in element.iter(words("t"), words("p"), *made):
        is_next = each.tag == words("p") and bool(parts)
        parts.append("\n" if is_next else made.get(str(each.tag), "") or (each.text or ""))
    return "".join(parts)
