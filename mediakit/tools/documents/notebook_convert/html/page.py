"""A notebook as one HTML page that needs no other file."""

from html import escape

from mediakit.engines.fonts import font_face_css
from mediakit.engines.notebooks.model import Notebook
from mediakit.tools.documents.notebook_convert.html.cells import CellWriter
from mediakit.tools.documents.notebook_convert.html.outputs import OutputWriter
from mediakit.tools.documents.notebook_convert.html.style_sheet import style_sheet
from mediakit.tools.documents.notebook_convert.html.widgets import WidgetWriter
from mediakit.tools.documents.notebook_convert.remarks import Remarks
from mediakit.tools.documents.notebook_convert.request import NotebookConvertRequest
from mediakit.tools.documents.notebook_convert.selection import Selection

STATIC_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content security policy (CSP) of pages without scripts: nothing runs, and nothing is loaded."""

SCRIPT_POLICY = (
    "default-src https: data: blob:; script-src 'unsafe-inline' 'unsafe-eval' https: data: blob:; "
    "style-src 'unsafe-inline' https:; base-uri 'none'; form-action 'none'"
)
"""CSP of pages with the scripts of outputs."""


def write_page(
    notebook: Notebook, selection: Selection, request: NotebookConvertRequest, title: str, remarks: Remarks
) -> str:
    """Return the page.

    Args:
        notebook: The notebook.
        selection: Its cells that are shown.
        request: How to show them.
        title: Title of the page.
        remarks: Counts what cannot be shown.
    """
    outputs = OutputWriter(remarks, scripts=request.scripts)
    outputs.widgets = WidgetWriter(notebook.widgets, outputs.write).write
    cells = CellWriter(outputs, remarks, notebook.language, prompts=not request.hide_prompts)
    body = "\n".join(filter(None, map(cells.write, selection.cells)))
    styles = f"{_fonts(request, body)}{style_sheet(request.theme)}"
    names = "" if request.hide_prompts else ' class="prompts"'
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{_policy(request)}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title, quote=False)}</title>\n<style>\n{styles}\n</style>\n</head>\n"
        f"<body>\n<main{names}>\n{_header(notebook, title, body)}{body}\n</main>\n</body>\n</html>\n"
    )


def _fonts(request: NotebookConvertRequest, body: str) -> str:
    """Return the fonts of a PDF, since those of servers differ. Pages for the screen use the fonts of the reader."""
    return font_face_css(body, ("sans", "mono")) if request.to == "pdf" else ""


def _policy(request: NotebookConvertRequest) -> str:
    if request.to == "pdf":  # the browser of the PDF engine runs no scripts, and the page has no addresses to load
        return ""
    policy = SCRIPT_POLICY if request.scripts else STATIC_POLICY
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'


def _header(notebook: Notebook, title: str, body: str) -> str:
    """Return title and authors, for notebooks whose cells have no title."""
    if "<h1" in body:
        return ""
    authors = f'<p class="authors">{escape(", ".join(notebook.authors))}</p>' if notebook.authors else ""
    return f'<header class="title"><h1>{escape(title, quote=False)}</h1>{authors}</header>\n'
