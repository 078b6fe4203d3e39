"""A table with a column that is empty throughout is a table with all of its columns, whatever its format."""

import io
from collections.abc import Callable

import openpyxl
import pptx
import pytest
from pptx.util import Inches

import mediakit
from tests.tools.documents.document_to_markdown.test_odt import odt
from tests.tools.documents.document_to_markdown.test_rtf import rtf
from tests.tools.documents.document_to_markdown.word_files import docx, paragraph

ROWS = [["Question", "", "Points", ""], ["Name a lake", "", "2", ""], ["Name a river", "", "1", ""]]


def word() -> bytes:
    rows = "".join(f"<w:tr>{''.join(f'<w:tc>{paragraph(text)}</w:tc>' for text in row)}</w:tr>" for row in ROWS)
    return docx(f'<w:tbl><w:tblPr><w:tblLook w:firstRow="1"/></w:tblPr>{rows}</w:tbl>')


def open_text() -> bytes:
    rows = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in row)
        + "</table:table-row>"
        for row in ROWS
    )
    return odt(f"<table:table>{rows}</table:table>")


def slides() -> bytes:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    table = slide.shapes.add_table(3, 4, Inches(1), Inches(1), Inches(6), Inches(2)).table
    for number, row in enumerate(ROWS):
        for column, text in enumerate(row):
            table.cell(number, column).text = text
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def page() -> bytes:
    rows = "".join(f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in ROWS)
    return f"<html><body><table>{rows}</table></body></html>".encode()


def rich_text() -> bytes:
    edges = r"\cellx100\cellx200\cellx300\cellx400"
    rows = (rf"\trowd{edges}\pard\intbl " + "".join(rf"{text}\cell " for text in row) + r"\row" for row in ROWS)
    return rtf("".join(rows))


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [*ROWS, ["", "", "", "end"]]:
        sheet.append([text or None for text in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("make", [word, open_text, slides, page, rich_text, workbook])
def test_table_has_a_delimiter_cell_for_each_column(make: Callable[[], bytes]) -> None:
    lines = [line for line in mediakit.document_to_markdown(make()).content.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    assert {len(row) for row in cells} == {4}
    assert cells[1] == ["---"] * 4
    assert ["Name a lake", "", "2", ""] in cells
