"""The tool `markdown_convert`."""

from collections.abc import Mapping
from typing import Any

from mediakit.core import meta_schemas
from mediakit.core.media import extension_of
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import run_guarded
from mediakit.errors import NotConvertible, ResourcesTimeout
from mediakit.results.files import FileResult, PdfResult
from mediakit.samples import GUIDE_MARKDOWN
from mediakit.tools.documents.markdown_convert.conversion import (
    FileCall,
    MarkdownConvertRequest,
    PdfCall,
    WrittenText,
    html_page,
    html_text,
    local_image_warnings,
    print_document,
)

FORMATS = {
    "html": "text/html",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}

META: Mapping[str, meta_schemas.Schema] = {
    "title": {"type": ["string", "null"], "description": "Title of the document.", "examples": ["Lake survey"]},
    "headings": {
        "type": "array",
        "description": "The headings in their order.",
        "items": {
            "type": "object",
            "required": ["level", "text", "anchor"],
            "properties": {
                "level": {"type": "integer", "description": "1 to 6."},
                "text": {"type": "string"},
                "anchor": {"type": "string", "description": "The id of the heading, for links."},
            },
        },
        "examples": [[{"level": 1, "text": "Lake survey", "anchor": "lake-survey"}]],
    },
    "words": meta_schemas.integer("Number of words, without code.", 420),
    "format": meta_schemas.optional(meta_schemas.text("Paper size of a PDF.", "A4")),
    "pages": meta_schemas.optional(meta_schemas.integer("Number of pages of a PDF.", 3)),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@overloads(PdfCall, PdfResult, FileCall, FileResult)
@tool(
    MarkdownConvertRequest,
    tag="Documents",
    raw={"text/markdown": "markdown", "text/plain": "markdown"},
    produces=FORMATS,
    deadline_seconds=140,
    meta=META,
    errors=[NotConvertible, ResourcesTimeout],
    examples=[
        Example("A web page", {"markdown": "# Tea\n\n- [x] Boil **water**\n- [ ] Wait 3 minutes\n"}),
        Example(
            "A report as PDF, with contents and page numbers",
            {"markdown": GUIDE_MARKDOWN, "to": "pdf", "theme": "report", "toc": True, "page_numbers": True},
        ),
        Example("The look of GitHub", {"markdown": GUIDE_MARKDOWN, "theme": "github", "numbered": True, "toc": True}),
        Example("A Word document", {"markdown": GUIDE_MARKDOWN, "to": "docx", "toc": True, "page_numbers": True}),
        Example("HTML for a page of yours", {"markdown": "Water boils at *100 °C*.", "document": False}),
    ],
)
async def markdown_convert(request: MarkdownConvertRequest) -> FileResult | PdfResult:
    """Convert Markdown to an HTML page, a PDF or a Word document.

    The text is CommonMark and GitHub Flavored Markdown, with footnotes, definition lists, formulas, highlighted code,
    alerts and front matter. The HTML is one file with its styles and fonts inside. It runs no scripts: raw HTML of the
    text is cleaned. Images are data: URIs, or load from public addresses. A PDF has tags, an outline and links. A Word
    document has real styles, lists, footnotes and equations; images are stored only from data: URIs.

    Raises:
        InvalidInput: A field is invalid, or the document needs more than 1 GB of memory.
        NotConvertible: The conversion took longer than 30 seconds.
        ResourcesTimeout: An image of a PDF did not finish loading within 20 seconds.
        ServerBusy: All render slots are taken and the queue is full.
        BrowserMissing: No working Chromium was found, which a PDF needs.
    """
    media = FORMATS[request.to]
    name = f"document.{extension_of(media)}"
    if request.to == "docx":
        work = "mediakit.tools.documents.markdown_convert.conversion:write_document"
        content, report = await run_guarded(work, request, returns=tuple[bytes, dict[str, Any]], field="markdown")
        return FileResult(content, media, name, report)
    work = "mediakit.tools.documents.markdown_convert.conversion:write_text"
    text = await run_guarded(work, request, returns=WrittenText, field="markdown")
    if request.to == "pdf":
        printed = await print_document(text, request)
        warnings = [*text.warnings, *local_image_warnings(text), *(each["message"] for each in printed.warnings)]
        meta = {"format": request.format, "pages": printed.pages, **text.meta, "warnings": warnings}
        result = PdfResult(printed.content, media, meta)
        result.filename = name
        return result
    written = html_page(text, request) if request.document else html_text(text, request)
    return FileResult(written.encode(), media, name, text.meta)
