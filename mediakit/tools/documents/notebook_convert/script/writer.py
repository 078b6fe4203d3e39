"""Writes a notebook as a script: code as it is, Markdown as comments."""

from collections.abc import Iterator

from mediakit.engines.notebooks.model import Cell, Notebook
from mediakit.tools.documents.notebook_convert.script.languages import ScriptLanguage, script_language
from mediakit.tools.documents.notebook_convert.script.magics import comment_magics
from mediakit.tools.documents.notebook_convert.selection import Selection


def write_script(notebook: Notebook, selection: Selection) -> tuple[str, str]:
    """Return the script and the extension of its file."""
    language = script_language(notebook.language, notebook.extension)
    cells = (_cell(shown.cell, language) for shown in selection.cells if shown.has_input)
    return "\n".join(f"{cell}\n" for cell in cells), language.extension


def _cell(cell: Cell, language: ScriptLanguage) -> str:
    kind = "" if cell.kind == "code" else f" [{cell.kind}]"
    mark = _comment(f"%%{kind}", language)
    source = cell.source.replace("\r\n", "\n").rstrip("\n")
    if cell.kind != "code":
        return "\n".join((mark, *_comments(source, language)))
    return f"{mark}\n{comment_magics(source) if language.has_magics else source}"


def _comments(text: str, language: ScriptLanguage) -> Iterator[str]:
    for line in text.split("\n"):
        yield _comment(line, language)


def _comment(line: str, language: ScriptLanguage) -> str:
    if language.comment_end:
        line = line.replace(language.comment_end.strip(), "* /" if "/" in language.comment_end else "* )")
    return f"{language.comment} {line}".rstrip() + language.comment_end
