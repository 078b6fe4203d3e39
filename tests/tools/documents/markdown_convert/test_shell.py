"""`mediakit markdown-convert`: text, files and standard input."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from mediakit.cli import main


@pytest.mark.parametrize("name", ["notes.md", "Notes.MARKDOWN"])
def test_name_of_a_markdown_file_converts_the_file(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("# Ünï\n", "utf-8")
    page = tmp_path / "page.html"

    result = CliRunner().invoke(main, ["markdown-convert", str(tmp_path / name), "-o", str(page)])

    assert result.exit_code == 0, result.output
    assert "Ünï</h1>" in page.read_text("utf-8")


def test_missing_markdown_file_is_an_error() -> None:
    result = CliRunner().invoke(main, ["markdown-convert", "no-such-file.md", "-o", "-"])

    assert result.exit_code != 0
    assert "cannot read no-such-file.md" in result.output


@pytest.mark.parametrize(("argument", "given"), [("*text*", None), ("-", "*text*")])
def test_text_and_standard_input_are_converted(argument: str, given: str | None) -> None:
    result = CliRunner().invoke(main, ["markdown-convert", argument, "--no-document", "-o", "-"], input=given)

    assert result.output == "<p><em>text</em></p>\n"
