"""The conversion itself, which runs in a worker process: a notebook in, the bytes of a file out."""

import re
from typing import Any

from mediakit.core.inputs import file_of
from mediakit.core.media import safe_name
from mediakit.engines.notebooks import Notebook, read_notebook
from mediakit.tools.documents.notebook_convert.html import write_page
from mediakit.tools.documents.notebook_convert.markdown import MarkdownWriter, archive
from mediakit.tools.documents.notebook_convert.script import write_script
from mediakit.tools.documents.notebook_convert.selection import Remarks, Selection, select_cells
from mediakit.tools.documents.notebook_convert.tool import ConvertedNotebook, NotebookConvertRequest

MARKDOWN_IN_ARCHIVE = "notebook.md"
MAX_TITLE_CHARACTERS = 200
MAX_STEM_CHARACTERS = 100
DEFAULT_STEM = "notebook"

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$|^(?! )(\S.*)\n(?:=+|-+)[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,}).*?(?:^ {0,3}(?P=fence)|\Z)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_MARKUP = re.compile(r"\\label\{[^{}\n]{0,200}\}|<[^>\n]{0,500}>|[*`~]|(?<!\w)_|_(?!\w)|\\(?=[^\w\s])")


def convert(request: NotebookConvertRequest) -> ConvertedNotebook:
    """Convert a notebook.

    Raises:
        InvalidInput: The file is not a notebook that can be read.
    """
    notebook = read_notebook(file_of(request.file))
    stem = file_of(request.file).stem
    selection = select_cells(notebook, request)
    remarks = Remarks()
    titles = ((request.title or "").strip(), notebook.title, first_heading(notebook), stem)
    title = " ".join(next(filter(None, titles), "Notebook").split())[:MAX_TITLE_CHARACTERS]
    content, mime_type, extension = _write(notebook, selection, request, title, remarks)
    meta: dict[str, Any] = {
        "title": title,
        "cells": len(notebook.cells),
        "language": notebook.language or "python",
        "hidden": selection.hidden,
        "warnings": [*notebook.warnings, *remarks.sentences()],
    }
    name = safe_name(stem)[:MAX_STEM_CHARACTERS] if stem.strip() else DEFAULT_STEM
    return ConvertedNotebook(content, mime_type, f"{name}{extension}", meta)


def _write(
    notebook: Notebook, selection: Selection, request: NotebookConvertRequest, title: str, remarks: Remarks
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
    page = write_page(notebook, selection, request, title, remarks)
    return page.encode(), "text/html", ".pdf" if request.to == "pdf" else ".html"


def first_heading(notebook: Notebook) -> str:
    """Return the text of the first heading in a Markdown cell, without its markup; empty if there is none."""
    for cell in notebook.cells:
        if cell.kind != "markdown" or not ("#" in cell.source or "\n=" in cell.source or "\n-" in cell.source):
            continue
        if match := _HEADING.search(_FENCE.sub("", cell.source[:20_000])):
            return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", match[1] or match[2])).split())
    return ""
