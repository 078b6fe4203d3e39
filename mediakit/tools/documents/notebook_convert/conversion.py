"""The conversion itself, which runs in a worker process: a notebook in, the bytes of a file out."""

from typing import Any

from mediakit.core.inputs import file_of
from mediakit.engines.notebooks.model import Notebook
from mediakit.engines.notebooks.reading import read_notebook
from mediakit.tools.documents.notebook_convert.html.page import write_page
from mediakit.tools.documents.notebook_convert.markdown import MarkdownWriter, archive
from mediakit.tools.documents.notebook_convert.remarks import Remarks
from mediakit.tools.documents.notebook_convert.request import ConvertedNotebook, NotebookConvertRequest
from mediakit.tools.documents.notebook_convert.script.writer import write_script
from mediakit.tools.documents.notebook_convert.selection import Selection, select_cells
from mediakit.tools.documents.notebook_convert.titles import file_name, title_of

MARKDOWN_IN_ARCHIVE = "notebook.md"


def convert(request: NotebookConvertRequest) -> ConvertedNotebook:
    """Convert a notebook.

    Raises:
        InvalidInput: The file is not a notebook that can be read.
    """
    notebook = read_notebook(file_of(request.file))
    selection = select_cells(notebook, request)
    remarks = Remarks()
    content, mime_type, extension = _write(notebook, selection, request, remarks)
    meta: dict[str, Any] = {
        "title": title_of(notebook, request),
        "cells": len(notebook.cells),
        "language": notebook.language or "python",
        "hidden": selection.hidden,
        "warnings": [*notebook.warnings, *remarks.sentences()],
    }
    return ConvertedNotebook(content, mime_type, file_name(file_of(request.file).stem, extension), meta)


def _write(
    notebook: Notebook, selection: Selection, request: NotebookConvertRequest, remarks: Remarks
) -> tuple[bytes, str, str]:
    """Return the content of the file, its media type and its extension."""
    if request.to == "script":
        script, extension = write_script(notebook, selection)
        return script.encode(), "text/x-python" if extension == ".py" else "text/plain", extension
    if request.to == "markdown":
        writer = MarkdownWriter(notebook, remarks)
        text = writer.write(selection)
        if writer.images:
            return archive(MARKDOWN_IN_ARCHIVE, text, writer.images), "application/zip", ".zip"
        return text.encode(), "text/markdown", ".md"
    page = write_page(notebook, selection, request, title_of(notebook, request), remarks)
    return page.encode(), "text/html", ".pdf" if request.to == "pdf" else ".html"
