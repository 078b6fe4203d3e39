"""Title and file name of the result."""

import re

from mediakit.core.inputs import file_of
from mediakit.core.media import safe_name
from mediakit.engines.notebooks.model import Notebook
from mediakit.tools.documents.notebook_convert.request import NotebookConvertRequest

MAX_TITLE_CHARACTERS = 200
MAX_STEM_CHARACTERS = 100
DEFAULT_STEM = "notebook"

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*$|^(?! )(\S.*)\n(?:=+|-+)[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^ {0,3}(?P<fence>`{3,}|~{3,}).*?(?:^ {0,3}(?P=fence)|\Z)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_MARKUP = re.compile(r"<[^>\n]{0,500}>|[*`~]|(?<!\w)_|_(?!\w)|\\(?=[^\w\s])")


def title_of(notebook: Notebook, request: NotebookConvertRequest) -> str:
    """Return the title that was requested, else that of the metadata, the first heading, or the file name."""
    titles = ((request.title or "").strip(), notebook.title, first_heading(notebook), file_of(request.file).stem)
    return " ".join(next(filter(None, titles), "Notebook").split())[:MAX_TITLE_CHARACTERS]


def first_heading(notebook: Notebook) -> str:
    """Return the text of the first heading in a Markdown cell, without its markup; empty if there is none."""
    for cell in notebook.cells:
        if cell.kind != "markdown" or not ("#" in cell.source or "\n=" in cell.source or "\n-" in cell.source):
            continue
        if match := _HEADING.search(_FENCE.sub("", cell.source[:20_000])):
            return " ".join(_MARKUP.sub("", _LINK.sub(r"\1", match[1] or match[2])).split())
    return ""


def file_name(stem: str, extension: str) -> str:
    """Return the name of the result: that of the notebook with another extension.

    Args:
        stem: Name of the notebook without its extension; may be empty.
        extension: Extension with the dot.
    """
    return f"{safe_name(stem)[:MAX_STEM_CHARACTERS] if stem.strip() else DEFAULT_STEM}{extension}"
