"""The tool `docx_template`."""

from collections.abc import Mapping
from typing import Any, get_args

from mediakit.core import meta_schemas
from mediakit.core.inputs import file_of
from mediakit.core.media import safe_name
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import run_guarded
from mediakit.engines.templates.data import adapt_data
from mediakit.engines.word_templates.field_info import FieldKind, Filled
from mediakit.errors import NotConvertible
from mediakit.results.item import to_plain
from mediakit.samples import PROPOSAL, PROPOSAL_DATA
from mediakit.tools.documents.docx_template.request import DocxTemplateRequest, FieldsCall, FillCall
from mediakit.tools.documents.docx_template.result import EXAMPLE, DocxFields, DocxResult

DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

FIELD: Mapping[str, Any] = {
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
        {"type": "array", "items": FIELD, "description": "The fields of the template.", "examples": [EXAMPLE]}
    ),
    "unused": meta_schemas.optional(meta_schemas.texts("Keys of the data that no placeholder asks for.", "phone")),
    "blank": meta_schemas.optional(meta_schemas.texts("Fields that are empty in the document.", "client.vat")),
    "warnings": meta_schemas.texts("What was removed, or is unreliable."),
}


def _media_type(values: Mapping[str, Any]) -> str:
    return "application/json" if values.get("data") is None else DOCX


@overloads(FieldsCall, DocxFields, FillCall, DocxResult)
@tool(
    DocxTemplateRequest,
    tag="Documents",
    produces=(DOCX,),
    media_type_of=_media_type,
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
