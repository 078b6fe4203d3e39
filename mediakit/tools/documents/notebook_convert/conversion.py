"""Converts a notebook in a worker: to HTML, to Markdown with its images as files, or to a script.

Scripts have the percent format that Jupytext, VS Code, Spyder and PyCharm open as cells. Code stays as it is, and
Markdown becomes comments. So do IPython's magics, shell commands and help requests, so that the script is valid Python:
https://ipython.readthedocs.io/en/stable/interactive/reference.html
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from mediakit.core.inputs import file_of
from mediakit.core.media import safe_name, type_of
from mediakit.engines.markdown.blocks import join_blocks
from mediakit.engines.notebooks import MARKDOWN, Cell, CellWriter, Notebook, read_notebook
from mediakit.results.files import FileResult, ImageResult
from mediakit.results.saving import zip_content
from mediakit.tools.documents.notebook_convert.cleaning import clean_svg
from mediakit.tools.documents.notebook_convert.html import write_page
from mediakit.tools.documents.notebook_convert.selection import Remarks, ShownCell, select_cells
from mediakit.tools.documents.notebook_convert.tool import ConvertedNotebook, NotebookConvertRequest

LANGUAGES_BY_COMMENT = {
    "#": "ansible.yml bash.sh coconut.coco coffeescript.coffee elixir.exs gnuplot.gp ipython.py julia.jl nim.nim "
    "perl.pl powershell.ps1 python.py python2.py python3.py r.r raku.raku ruby.rb sage.sage sh.sh tcl.tcl zsh.zsh",
    "//": "c.c c#.cs c++.cpp c++11.cpp c++14.cpp c++17.cpp csharp.cs f#.fsx fsharp.fsx go.go groovy.groovy java.java "
    "javascript.js kotlin.kts php.php rust.rs scala.scala scilab.sci stata.do swift.swift typescript.ts",
    "--": "haskell.hs lua.lua sql.sql",
    ";;": "clojure.clj common-lisp.lisp scheme.scm",
    "%": "erlang.erl matlab.m octave.m prolog.pl",
    "!": "fortran.f90",
    "/": "q.q",
    "/* */": "maxima.mac sas.sas",
    "(* *)": "ocaml.ml wolfram-language.wl",
}
"""Languages of kernels with the extensions of their files, by the comment signs that a line begins and ends with."""

PYTHON_CELL_MAGICS = frozenset(("capture", "prun", "time", "timeit", "python", "python3", "pypy"))
"""Cell magics whose cell is Python code."""

_COMMANDS = (
    re.compile(r"[ \t]*[%!]"),
    re.compile(r"[ \t]*(?:\?{1,2}[\w.*%]|[\w.*%\[\]'\"]+\?{1,2}[ \t]*\Z)"),
    re.compile(r"[ \t]*[^\W\d][\w., \t\[\]'\"]{0,200}=[ \t]*(?:!|%[^\W\d])"),
)
"""Magics and commands of the shell, requests for help, and commands whose output is assigned."""
_CELL_MAGIC = re.compile(r"\s*%%([\w.!]*)")

_TOKEN = re.compile(r"(?P<quote>'''|\"\"\"|'|\")|(?P<open>[([{])|(?P<close>[)\]}])|(?P<comment>\#)|\\.", re.DOTALL)
_ESCAPED_OR_QUOTE = {quote: re.compile(rf"\\.|{quote}", re.DOTALL) for quote in ("'''", '"""', "'", '"')}


class ScriptLanguage(NamedTuple):
    """A language of scripts."""

    extension: str
    """Extension of its files with the dot."""
    comment: str
    """Start of a comment of one line."""
    comment_end: str = ""
    """End of a comment, for languages without comments of one line."""
    has_magics: bool = False
    """Whether its kernel takes IPython's magics and shell commands."""


def script_language(name: str, extension: str) -> ScriptLanguage:
    """Return a language by the name that the kernel gives it.

    Args:
        name: Name in lower case; empty if the notebook does not say. Such notebooks are older than other kernels than
            Python's, or made by a Python program.
        extension: The kernel's own extension with the dot; it is used for languages that are not in the list.
    """
    wanted = name.replace(" ", "-") or "python"
    for signs, languages in LANGUAGES_BY_COMMENT.items():
        for language in languages.split():
            known, _, known_extension = language.rpartition(".")
            if known == wanted:
                start, _, end = signs.partition(" ")
                return ScriptLanguage(
                    f".{known_extension}", start, f" {end}" if end else "", known_extension in ("py", "sage")
                )
    return ScriptLanguage(extension or ".txt", "#")


def write_script(notebook: Notebook, cells: Sequence[ShownCell]) -> tuple[str, str]:
    """Return the script and the extension of its file."""
    language = script_language(notebook.language, notebook.extension)
    written = (_cell(shown.cell, language) for shown in cells if shown.has_input)
    return "\n".join(f"{cell}\n" for cell in written), language.extension


def _cell(cell: Cell, language: ScriptLanguage) -> str:
    mark = _comment("%%" if cell.kind == "code" else f"%% [{cell.kind}]", language)
    source = cell.source.replace("\r\n", "\n").rstrip("\n")
    if cell.kind != "code":
        return "\n".join((mark, *(_comment(line, language) for line in source.split("\n"))))
    return f"{mark}\n{comment_magics(source) if language.has_magics else source}"


def _comment(line: str, language: ScriptLanguage) -> str:
    if language.comment_end:
        line = line.replace(language.comment_end.strip(), "* /" if "/" in language.comment_end else "* )")
    return f"{language.comment} {line}".rstrip() + language.comment_end


def comment_magics(source: str) -> str:
    """Return the source of a cell whose magics and commands are comments."""
    if not re.search(r"[%!?]", source):
        return source
    cell_magic = _CELL_MAGIC.match(source)
    if not cell_magic:
        return _comment_lines(source)
    magic, newline, body = source[cell_magic.start() :].lstrip().partition("\n")
    if cell_magic[1] in PYTHON_CELL_MAGICS:
        body = _comment_lines(body)
    elif newline:
        body = "\n".join(f"# {line}".rstrip() for line in body.split("\n"))
    return f"# {magic}".rstrip() + newline + body


def _comment_lines(source: str) -> str:
    written: list[str] = []
    state = _LineState()
    continued = False  # the line before is a command that goes on with a backslash
    for line in source.split("\n"):
        is_command = continued or (state.is_statement_start and any(kind.match(line) for kind in _COMMANDS))
        if continued:
            written.append(f"# {line}".rstrip())
        elif is_command:  # inside a block with a statement, because a block must not be empty
            text = line.lstrip()
            indent = line[: len(line) - len(text)]
            written.append(f"{indent}pass  # {text}" if indent and text else f"{indent}# {text}")
        else:
            written.append(line)
            state.read(line)
        continued = is_command and line.endswith("\\")
    return "\n".join(written)


class _LineState:
    """What is open at the end of a line: a string, brackets, or a statement that goes on."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._goes_on = False

    @property
    def is_statement_start(self) -> bool:
        """Whether the next line begins a statement."""
        return not (self._quote or self._depth or self._goes_on)

    def read(self, line: str) -> None:
        """Read a line of Python."""
        position, has_comment = 0, False
        while position < len(line):
            if self._quote:
                position = self._read_string(line, position)
                continue
            token = _TOKEN.search(line, position)
            if token is None or token["comment"]:
                has_comment = token is not None
                break
            self._quote = token["quote"] or ""
            self._depth = max(0, self._depth + bool(token["open"]) - bool(token["close"]))
            position = token.end()
        if self._quote in ("'", '"'):  # a string of one line ends with it, unless a backslash continues it
            self._quote = self._quote if line.endswith("\\") else ""
        self._goes_on = not has_comment and not self._quote and line.endswith("\\")

    def _read_string(self, line: str, position: int) -> int:
        """Return the position after the string's end; the end of the line if it goes on."""
        for match in _ESCAPED_OR_QUOTE[self._quote].finditer(line, position):
            if match[0] == self._quote:
                self._quote = ""
                return match.end()
        return len(line)


FOLDER = "images"


def write_markdown(notebook: Notebook, cells: Sequence[ShownCell], remarks: Remarks) -> tuple[str, dict[str, bytes]]:
    """Return the Markdown of the cells that are shown, and its images by the paths that it has for them."""
    images: dict[str, bytes] = {}

    def add_image(content: bytes, extension: str, _alt: str) -> str:
        cleaned = clean_svg(content.decode()) if extension == "svg" else content
        if cleaned is None:
            remarks.add("svg")
            return ""
        path = f"{FOLDER}/image-{len(images) + 1}.{extension}"
        images[path] = cleaned
        return path

    writer = CellWriter(notebook, add_image, html_images=True, omit=remarks.add)
    shown = (writer.blocks(each.cell, has_input=each.has_input) for each in cells)
    text = join_blocks(block for blocks in shown for block in blocks)
    return f"{text}\n" if text else "", images


def archive(name: str, text: str, images: Mapping[str, bytes]) -> bytes:
    """Return a ZIP file of the Markdown and its images; the same files are the same bytes."""
    files: list[FileResult] = [FileResult(text.encode(), MARKDOWN, name)]
    for path, content in images.items():
        image = ImageResult(content, type_of(PurePath(path)) or "image/png")
        image.filename = path
        files.append(image)
    return zip_content(each._saved() for each in files)


MARKDOWN_IN_ARCHIVE = "notebook.md"
MAX_TITLE_CHARACTERS = 200
MAX_STEM_CHARACTERS = 100
DEFAULT_STEM = "notebook"


def convert(request: NotebookConvertRequest) -> ConvertedNotebook:
    """Convert a notebook.

    Raises:
        InvalidInput: The file is not a notebook that can be read.
    """
    notebook = read_notebook(file_of(request.file))
    stem = file_of(request.file).stem
    cells, hidden = select_cells(notebook, request)
    remarks = Remarks()
    titles = ((request.title or "").strip(), notebook.title, notebook.first_heading, stem)
    title = " ".join(next(filter(None, titles), "Notebook").split())[:MAX_TITLE_CHARACTERS]
    content, mime_type, extension = _write(notebook, cells, request, title, remarks)
    meta: dict[str, Any] = {
        "title": title,
        "cells": len(notebook.cells),
        "language": notebook.language or "python",
        "hidden": hidden,
        "warnings": [*notebook.warnings, *remarks.sentences()],
    }
    name = safe_name(stem)[:MAX_STEM_CHARACTERS] if stem.strip() else DEFAULT_STEM
    return ConvertedNotebook(content, mime_type, f"{name}{extension}", meta)


def _write(
    notebook: Notebook, cells: Sequence[ShownCell], request: NotebookConvertRequest, title: str, remarks: Remarks
) -> tuple[bytes, str, str]:
    """Return the content of the file, its media type and its extension."""
    if request.to == "script":
        script, extension = write_script(notebook, cells)
        return script.encode(), "text/x-python" if extension == ".py" else "text/plain", extension
    if request.to == "markdown":
        text, images = write_markdown(notebook, cells, remarks)
        if images:
            return archive(MARKDOWN_IN_ARCHIVE, text, images), "application/zip", ".zip"
        return text.encode(), "text/markdown", ".md"
    page = write_page(notebook, cells, request, title, remarks)
    return page.encode(), "text/html", ".pdf" if request.to == "pdf" else ".html"
