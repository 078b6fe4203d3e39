"""The tool `notebook_convert`: its request, its function and what it returns."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import Field, PlainValidator, WithJsonSchema, model_validator

from mediakit.core import meta_schemas
from mediakit.core.inputs import FileBytes, FileInput, file_schema, load_file
from mediakit.core.overloaded_tool import overloads
from mediakit.core.request import request
from mediakit.core.suggestions import Synonyms
from mediakit.core.tool import Example, tool
from mediakit.engines.guarded import Guard, run_guarded
from mediakit.engines.paper import MIN_HEADER_MARGIN_MM, Margins, PageLayout, PaperFormat
from mediakit.errors import InvalidInput, NotConvertible, ResourcesTimeout
from mediakit.results.files import FileResult, PdfResult
from mediakit.samples import NOTEBOOK

NotebookFormat = Literal["html", "pdf", "markdown", "script"]
Theme = Literal["light", "dark"]

DEFAULT_REMOVE_TAGS = ("remove_cell", "hide_cell")

NOTEBOOK_KEYS = ("cells", "worksheets", "nbformat")

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

FOOTER = (
    '<div style="text-align:center;font-size:8pt;color:#626b7a"><span class="pageNumber"></span> / '
    '<span class="totalPages"></span></div>'
)


def _load(value: Any) -> FileBytes:
    """Return a file; the object of a notebook becomes its JSON."""
    if not isinstance(value, Mapping) or not any(key in value for key in NOTEBOOK_KEYS):
        return load_file(value)
    try:
        return load_file(json.dumps(value).encode())
    except (TypeError, ValueError, RecursionError):
        raise ValueError("must be a notebook that JSON can hold.") from None


_NOTEBOOK = {"type": "object", "description": "The notebook itself.", "required": ["cells"]}
_SCHEMA = {"anyOf": [*file_schema()["anyOf"], _NOTEBOOK], "x-kind": "file"}

NotebookFile = Annotated[FileInput, PlainValidator(_load), WithJsonSchema(_SCHEMA)]
"""A notebook: a file, or in JSON its object."""

Tag = Annotated[str, Field(min_length=1, max_length=100)]


@request
class NotebookConvertRequest:
    """A notebook, and the document that it becomes."""

    file: NotebookFile
    """Jupyter notebook (.ipynb) of nbformat 3 or 4. In JSON and in Python also the object itself."""
    to: Annotated[
        NotebookFormat, Synonyms("output, output_format, target, type", {"script": "py, python", "markdown": "md"})
    ] = "html"
    """Format of the result. Markdown with images is a ZIP file with `notebook.md` and `images/`."""
    _: KW_ONLY
    theme: Theme = "light"
    """Colors of html."""
    hide_code: Annotated[bool, Synonyms("no_code, no_input, exclude_input")] = False
    """Leave out the code of all cells."""
    hide_outputs: Annotated[bool, Synonyms("no_output, exclude_output")] = False
    """Leave out all outputs."""
    hide_prompts: bool = False
    """Leave out the numbers of executions."""
    remove_tags: Annotated[
        Annotated[Sequence[Tag], Field(max_length=50)] | None,
        Field(json_schema_extra={"default": list(DEFAULT_REMOVE_TAGS)}),
    ] = None
    """Tags of cells to leave out. The tags remove_input and hide_input (code), and remove_output and hide_output,
    always apply. `remove-cell` is the same tag as `remove_cell`."""
    title: Annotated[str, Field(max_length=200)] | None = None
    """Title of the document. By default the one of the metadata, else the first heading or the name of the file."""
    format: Annotated[PaperFormat, Synonyms("paper, paper_size, page_size")] = "A4"
    """Paper size of pdf."""
    landscape: bool = False
    """Landscape orientation of pdf."""
    margin: Annotated[int, Field(ge=0, le=100)] = 15
    """Margin of pdf on all four sides, in millimeters."""
    page_numbers: bool = False
    """Print page numbers in the bottom margin of pdf."""
    scripts: bool = False
    """Keep the scripts of outputs in html, such as those of Plotly and Bokeh. They run when the page is opened: use it
    for notebooks that you trust."""

    @property
    def layout(self) -> PageLayout:
        """Size, orientation and margins of the pages."""
        return PageLayout(self.format, self.landscape, Margins(*[self.margin] * 4))

    @property
    def removed_tags(self) -> Sequence[str]:
        """Tags of cells to leave out."""
        return DEFAULT_REMOVE_TAGS if self.remove_tags is None else self.remove_tags

    @model_validator(mode="after")
    def _check_combinations(self) -> Self:
        if self.theme == "dark" and self.to != "html":
            raise ValueError("theme: dark goes with to=html.")
        if self.scripts and self.to != "html":
            raise ValueError("scripts: goes with to=html.")
        self.layout.check_margins()
        if self.page_numbers and self.to == "pdf" and self.margin < MIN_HEADER_MARGIN_MM:
            raise ValueError(f"page_numbers: requires margin of at least {MIN_HEADER_MARGIN_MM} mm, got {self.margin}.")
        return self


@request
class PdfCall(NotebookConvertRequest):
    """Arguments of calls that return a PDF, for type checkers."""

    to: Literal["pdf"]


@request
class FileCall(NotebookConvertRequest):
    """Arguments of calls that return another file, for type checkers."""

    to: Literal["html", "markdown", "script"] = "html"


@dataclass(frozen=True)
class ConvertedNotebook:
    """What a worker returns. For a PDF it is the HTML to print."""

    content: bytes
    mime_type: str
    filename: str
    meta: dict[str, Any]


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
    no scripts and loads nothing. Equations are numbered as Jupyter numbers them, with their references and macros.
    Scripts have their Markdown and magics as comments, in cells that Jupytext, VS Code and PyCharm recognize.

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
        return await _print(request, converted)
    return FileResult(converted.content, converted.mime_type, converted.filename, converted.meta)


async def _print(request: NotebookConvertRequest, converted: ConvertedNotebook) -> PdfResult:
    """Return the page as a PDF with tags, an outline and links."""
    from mediakit.engines.browser.html import PrintOptions, render_pdf

    footer = FOOTER if request.page_numbers else ""
    options = PrintOptions(layout=request.layout, footer=footer, outline=True, tagged=True)
    try:
        printed = await render_pdf(converted.content.decode(), options)
    except InvalidInput as error:
        reason = str(error).removeprefix("html: ").partition(" Make it shorter")[0]
        raise InvalidInput(f"file: {reason} Use hide_outputs, or divide the notebook.") from error
    meta = {"format": request.format, "pages": printed.pages, **converted.meta}
    if printed.warnings:
        meta["warnings"] = [*meta.get("warnings", ()), *(each["message"] for each in printed.warnings)]
    result = PdfResult(printed.content, PDF, meta)
    result.filename = converted.filename
    return result
