"""The conversion itself, which runs in a worker process: a notebook in, the bytes of a file out."""

from typing import Any

from mediakit.engines.notebooks.model import Notebook
from mediakit.engines.notebooks.reading import read_notebook
from mediakit.tools.documents.notebook_convert.html.page import write_page
from mediakit.tools.documents.notebook_convert.job import ConvertedNotebook, NotebookJob
from mediakit.tools.documents.notebook_convert.markdown import MarkdownWriter, archive
from mediakit.tools.documents.notebook_convert.remarks import Remarks
from mediakit.tools.documents.notebook_convert.script.writer import write_script
from mediakit.tools.documents.notebook_convert.selection import Selection, select_cells
from mediakit.tools.documents.notebook_convert.titles import file_name, title_of

MARKDOWN_IN_ARCHIVE = "notebook.md"


def convert(job: NotebookJob) -> ConvertedNotebook:
    """Convert a notebook.

    Raises:
        InvalidInput: The file is not a notebook that can be read.
    """
    notebook = read_notebook(job.content)
    selection = select_cells(notebook, job)
    remarks = Remarks()
    content, mime_type, extension = _write(notebook, selection, job, remarks)
    meta: dict[str, Any] = {
        "title": title_of(notebook, job),
        "cells": len(notebook.cells),
        "language": notebook.language or "python",
        "hidden": selection.hidden,
        "warnings": [*notebook.warnings, *remarks.sentences()],
    }
    return ConvertedNotebook(content, mime_type, file_name(job.stem, extension), meta)


def _write(notebook: Notebook, selection: Selection, job: NotebookJob, remarks: Remarks) -> tuple[bytes, str, str]:
    """Return the content of the file, its media type and its extension."""
    if job.to == "script":
        script, extension = write_script(notebook, selection)
        return script.encode(), "text/x-python" if extension == ".py" else "text/plain", extension
    if job.to == "markdown":
        writer = MarkdownWriter(notebook, remarks)
        text = writer.write(selection)
        if writer.images:
            return archive(MARKDOWN_IN_ARCHIVE, text, writer.images), "application/zip", ".zip"
        return text.encode(), "text/markdown", ".md"
    page = write_page(notebook, selection, job, title_of(notebook, job), remarks)
    return page.encode(), "text/html", ".pdf" if job.to == "pdf" else ".html"
