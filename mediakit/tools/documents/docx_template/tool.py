"""The tool `docx_template`."""

from mediakit.core.inputs import file_of
from mediakit.core.media import safe_name
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import run_guarded
from mediakit.engines.word_templates.template_data import adapt_data
from mediakit.engines.word_templates.worker_jobs import fill_template
from mediakit.errors import NotConvertible
from mediakit.samples import PROPOSAL
from mediakit.samples.proposal_data import PROPOSAL_DATA
from mediakit.tools.documents.docx_template.request import DocxTemplateRequest
from mediakit.tools.documents.docx_template.response_schema import META
from mediakit.tools.documents.docx_template.result import DOCX, DocxResult


@tool(
    DocxTemplateRequest,
    tag="Documents",
    produces=(DOCX,),
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
async def docx_template(request: DocxTemplateRequest) -> DocxResult:
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
    filled = await run_guarded(fill_template, bytes(file), request.data, request.missing)
    if filled.content is None:
        return DocxResult(filled.fields, meta={"warnings": filled.warnings})
    meta = {
        "fields": [field.row() for field in filled.fields],
        "unused": filled.unused,
        "blank": filled.blank,
        "warnings": filled.warnings,
    }
    return DocxResult(filled.fields, filled.content, f"{safe_name(file.stem or 'document')}.docx", meta)
