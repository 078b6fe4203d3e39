"""Notebooks as Markdown, with a ZIP file for images, and as scripts."""

import ast
import io
import zipfile

import pytest

import mediakit
from mediakit.results.files import FileResult
from mediakit.samples import LOGO, NOTEBOOK
from mediakit.tools.documents.notebook_convert.conversion import comment_magics
from tests.tools.documents.notebook_convert.notebooks import PNG, book, code, converted, markdown, shown, stream


def test_markdown_without_images_is_a_file() -> None:
    table = "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>"
    cells = (markdown("# Title\n\ntext *here*"), code("f(1)", stream("\x1b[31mred\x1b[0m\n"), shown(text_html=table)))
    result = converted(*cells, to="markdown")
    assert (result.mime_type, result.filename) == ("text/markdown", "notebook.md")
    assert result.text == (
        "# Title\n\ntext *here*\n\n```python\nf(1)\n```\n\n```\nred\n```\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"
    )


def test_markdown_with_images_is_a_zip_file() -> None:
    cell = markdown("![logo](attachment:l.png)", attachments={"l.png": {"image/png": PNG}})
    result = converted(cell, code("", shown(image_png=PNG), shown(text_latex="$x$")), to="markdown")
    assert (result.mime_type, result.filename) == ("application/zip", "notebook.zip")
    with zipfile.ZipFile(io.BytesIO(result.content)) as archive:
        assert archive.namelist() == ["notebook.md", "images/image-1.png", "images/image-2.png"]
        assert archive.read("images/image-2.png") == LOGO.read_bytes()
        text = archive.read("notebook.md").decode()
    assert text == "![logo](images/image-1.png)\n\n![Output 2](images/image-2.png)\n\n$$\nx\n$$\n"


@pytest.mark.parametrize("to", ["html", "markdown", "script"])
def test_same_notebook_gives_same_bytes(to: str) -> None:
    first, second = (mediakit.notebook_convert(NOTEBOOK, to=to) for _ in range(2))  # type: ignore[call-overload]
    assert first.content == second.content


def test_script_of_the_sample_is_valid_python() -> None:
    result = mediakit.notebook_convert(NOTEBOOK, "script")
    assert isinstance(result, FileResult)
    assert (result.filename, result.mime_type) == ("lake.py", "text/x-python")
    names = [node.name for node in ast.parse(result.text).body if isinstance(node, ast.FunctionDef)]
    assert names == ["volume"]
    assert "# # Depths of a mountain lake\n" in result.text
    assert result.text.startswith("# %% [markdown]\n")


@pytest.mark.parametrize(
    ("language", "extension", "name", "comment"),
    [
        ("R", ".r", "notebook.r", "# Text"),
        ("julia", ".jl", "notebook.jl", "# Text"),
        ("javascript", ".js", "notebook.js", "// Text"),
        ("ocaml", ".ml", "notebook.ml", "(* Text *)"),
        ("unknown", ".xy", "notebook.xy", "# Text"),
        ("unknown", "", "notebook.txt", "# Text"),
    ],
)
def test_script_is_of_the_language_of_the_kernel(language: str, extension: str, name: str, comment: str) -> None:
    info = {"name": language, "file_extension": extension}
    result = mediakit.notebook_convert(book(markdown("Text"), code("%x <- 1"), language_info=info), "script")
    assert isinstance(result, FileResult)
    assert result.filename == name
    assert comment in result.text
    assert "\n%x <- 1\n" in result.text


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("%matplotlib inline\nx = 1", "# %matplotlib inline\nx = 1"),
        ("!ls \\\n  -l\nx", "# !ls \\\n#   -l\nx"),
        ("files = !ls", "# files = !ls"),
        ("t = %timeit -o f()", "# t = %timeit -o f()"),
        ("print?\n?print\nx.y??", "# print?\n# ?print\n# x.y??"),
        ("if a:\n    %time b", "if a:\n    pass  # %time b"),
        ("%%bash\nls\n\npwd", "# %%bash\n# ls\n#\n# pwd"),
        ("%%time\n!ls\nx = 1", "# %%time\n# !ls\nx = 1"),
        ('s = """\n%not\n!not\n"""', 's = """\n%not\n!not\n"""'),
        ("x = (5\n  % 2)", "x = (5\n  % 2)"),
        ("x = 5 \\\n  % 2", "x = 5 \\\n  % 2"),
        ("# it's\n%magic", "# it's\n# %magic"),
        ("s = 'it\\'s ('\n%magic", "s = 'it\\'s ('\n# %magic"),
    ],
)
def test_magics_are_comments(source: str, written: str) -> None:
    assert comment_magics(source) == written


def test_hidden_parts_are_not_in_scripts_and_markdown() -> None:
    cells = (markdown("text"), code("secret", stream("out"), tags=("hide_input",)), code("gone", tags=("remove-cell",)))
    assert converted(*cells, to="script").text == "# %% [markdown]\n# text\n"
    assert converted(*cells, to="markdown").text == "text\n\n```\nout\n```\n"
