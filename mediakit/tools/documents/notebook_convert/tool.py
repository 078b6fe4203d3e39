"""The tool `notebook_convert`."""

from collections.abc import Mapping

from mediakit.core import meta_schemas
from mediakit.core.overloaded_tool import overloads
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.errors import NotConvertible, ResourcesTimeout
from mediakit.results.files import FileResult, PdfResult
from mediakit.samples import NOTEBOOK
from mediakit.tools.documents.notebook_convert.request import (
    ConvertedNotebook,
    FileCall,
    NotebookConvertRequest,
    PdfCall,
)

PDF = "application/pdf"
FORMATS = {
    "html": "text/html",
    "pdf": PDF,
    "markdown": "text/markdown",
    "script": "text/x-python",
    "text": "text/plain",
    "zip": "application/zip",
}

META: Mapping[str, meta_schemas.Schema] = {
    "title": meta_schemas.text("Title of the notebook.", "Depths of a mountain lake"),
    "cells": meta_schemas.integer("Number of cells of the notebook.", 24),
    "language": meta_schemas.text("Language of the code.", "python"),
    "hidden": meta_schemas.integer("Number of cells that are omitted, or that lack their code or outputs.", 0),
    "format": meta_schemas.optional(meta_schemas.text("Paper size of a PDF.", "A4")),
    "pages": meta_schemas.optional(meta_schemas.integer("Number of pages of a PDF.", 3)),
    "warnings": meta_schemas.texts("What may not be as expected."),
}


@overloads(PdfCall, PdfResult, FileCall, FileResult)
@tool(
    NotebookConvertRequest,
    tag="Documents",
    raw={"application/x-ipynb+json": "file"},
    produces=FORMATS,
    deadline_seconds=110,
    meta=META,
    errors=[NotConvertible, ResourcesTimeout],
    examples=[
        Example("A web page", {"file": NOTEBOOK}),
        Example(
            "A report without code as PDF", {"file": NOTEBOOK, "to": "pdf", "hide_code": True, "page_numbers": True}
        ),
        Example("A dark page without prompts", {"file": NOTEBOOK, "theme": "dark", "hide_prompts": True}),
        Example("Markdown, with the images in a ZIP file", {"file": NOTEBOOK, "to": "markdown"}),
        Example("A script", {"file": NOTEBOOK, "to": "script"}),
    ],
)
async def notebook_convert(request: NotebookConvertRequest) -> FileResult | PdfResult:
    """Convert a Jupyter notebook to a web page, a PDF, Markdown or a script.

    Code is not executed: the outputs are those that the notebook has. Of each output, the richest safe form is
    shown: an image, HTML such as a table, Markdown, a formula or text with its colors. The page is one file that runs
    no scripts and loads nothing. Scripts have their Markdown and magics as comments, in cells that Jupytext, VS Code
    and PyCharm recognize.

    Raises:
        InvalidInput: A field is invalid, the file is not a notebook of nbformat 3 or 4, or it needs more than 1 GB of
            memory.
        NotConvertible: The conversion took longer than 30 seconds.
        ServerBusy: All render slots are taken and the queue is full.
        BrowserMissing: No working Chromium was found, which a PDF needs.
    """
    work = "mediakit.tools.documents.notebook_convert.conversion:convert"
    converted = await run_guarded(work, request, returns=ConvertedNotebook, guard=Guard("notebook"))
    if request.to == "pdf":
        return await _pdf(request, converted)
    return FileResult(converted.content, converted.mime_type, converted.filename, converted.meta)


async def _pdf(request: NotebookConvertRequest, converted: ConvertedNotebook) -> PdfResult:
    from mediakit.tools.documents.notebook_convert.printing import print_notebook

    layout = request.layout
    printed = await print_notebook(converted.content.decode(), layout, page_numbers=request.page_numbers)
    meta = {"format": layout.paper, "pages": printed.pages, **converted.meta}
    result = PdfResult(printed.content, PDF, meta)
    result.filename = converted.filename
    return result
