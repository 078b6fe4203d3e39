"""The Word files of the themes."""

import runpy
from pathlib import Path
from typing import Any

import docx
import pytest

from mediakit.engines.docx_writer.writer import FOLDER
from tests.support.docx_rules import DocxFile

SCRIPT = Path(__file__).parents[2] / "docs" / "word_themes.py"


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(SCRIPT))


@pytest.mark.parametrize("theme", ["plain", "report", "github"])
def test_file_of_a_theme_is_what_the_script_writes(script: dict[str, Any], theme: str) -> None:
    stored = DocxFile((FOLDER / f"{theme}.docx").read_bytes())

    assert stored.parts == DocxFile(script["theme_file"](script["LOOKS"][theme])).parts


@pytest.mark.parametrize("theme", ["plain", "report", "github"])
def test_file_of_a_theme_has_no_text_and_nothing_of_other_programs(theme: str) -> None:
    document = docx.Document(str(FOLDER / f"{theme}.docx"))
    names = {str(part.partname) for part in document.part.package.iter_parts()}

    assert (document.paragraphs, document.core_properties.author) == ([], "")
    assert names == {
        *(f"/word/{name}.xml" for name in ("document", "styles", "numbering", "settings", "fontTable")),
        "/docProps/core.xml",
        "/docProps/app.xml",
    }
