"""Write the sample documents of `mediakit.samples`, MINUTES, SLIDES and STATIONS: `python docs/sample_documents.py`.

All names and numbers in them are made up. Equal runs write equal files.
"""

# ruff: noqa: INP001  # a script, not part of a package

import io
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import docx
import openpyxl
import pptx
from docx.oxml import parse_xml
from docx.shared import Pt
from openpyxl.styles import Font
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

import mediakit
from mediakit.samples import LANDSCAPE, MINUTES, SLIDES, STATIONS

MOMENT = datetime(2026, 10, 5, 9, 30, tzinfo=UTC)
AUTHOR = "Mara Lind"

FORMULA = (
    '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:r><m:t>v=</m:t></m:r><m:f><m:num>'
    "<m:r><m:t>s</m:t></m:r></m:num><m:den><m:r><m:t>t</m:t></m:r></m:den></m:f></m:oMath>"
)


def minutes() -> bytes:
    """Return the minutes of a meeting: headings, lists, a table with merged cells, a formula, a link."""
    document = docx.Document()
    document.styles["Normal"].font.size = Pt(11)
    document.add_heading("Minutes of the lake survey", 0)
    line = document.add_paragraph("Present: ")
    line.add_run("Mara Lind").bold = True
    line.add_run(", Tomas Berg, ")
    line.add_run("Ines Okoro (by phone)").italic = True
    document.add_heading("Decisions", 1)
    for text in ("Measure four stations twice a month.", "Publish the data in October."):
        document.add_paragraph(text, style="List Number")
    document.add_heading("Equipment", 1)
    document.add_paragraph("Order before Friday:")
    for text in ("Bottles with caps", "A second sounder"):
        document.add_paragraph(text, style="List Bullet")
    speed = document.add_paragraph("The speed of the boat is ")
    speed._p.append(parse_xml(FORMULA))  # type: ignore[arg-type]  # noqa: SLF001  # python-docx has no formulas
    table = document.add_table(rows=4, cols=3, style="Table Grid")
    for row, texts in enumerate(
        (("Station", "Depth in m", ""), ("", "spring", "autumn"), ("Inlet", "4.2", "3.9"), ("Deep", "21.5", "21.1"))
    ):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    _set_properties(document.core_properties, "Minutes of the lake survey")
    return _saved(document.save)


def slides() -> bytes:
    """Return a presentation: a title slide, bullets with notes, a chart, and an image with alternative text."""
    deck = pptx.Presentation()
    title, bullets, only_title = (deck.slide_layouts[index] for index in (0, 1, 5))
    first = deck.slides.add_slide(title)
    first.shapes.title.text = "Lake survey 2026"
    first.placeholders[1].text = "Results after one year"
    second = deck.slides.add_slide(bullets)
    second.shapes.title.text = "What we measured"
    frame = second.placeholders[1].text_frame
    frame.text = "Four stations"
    for text, level in (("Inlet and outlet", 1), ("Two in deep water", 1), ("Twice a month", 0)):
        paragraph = frame.add_paragraph()
        paragraph.text, paragraph.level = text, level
    second.notes_slide.notes_text_frame.text = "Say that the outlet was closed in May."
    third = deck.slides.add_slide(only_title)
    third.shapes.title.text = "Water temperature"
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ["Spring", "Summer", "Autumn"]
    data.add_series("Inlet", (8.5, 18.2, 11.4))
    data.add_series("Deep", (6.1, 9.7, 8.8))
    third.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(2), Inches(8), Inches(4.5), data)
    fourth = deck.slides.add_slide(only_title)
    fourth.shapes.title.text = "The camp"
    photo = mediakit.images(LANDSCAPE, width=480, format="jpeg").content
    placed = fourth.shapes.add_picture(io.BytesIO(photo), Inches(1), Inches(2), Inches(6))
    properties = placed._element.nvPicPr.cNvPr  # noqa: SLF001  # python-pptx has no alternative texts
    properties.set("descr", "A lake at dusk with a small red tent")
    _set_properties(deck.core_properties, "Lake survey 2026")
    return _saved(deck.save)


def stations() -> bytes:
    """Return a workbook: dates, percent and currency, a second sheet, and a hidden one."""
    book = openpyxl.Workbook()
    sheet: Any = book.active
    sheet.title = "Readings"
    sheet.append(["Day", "Station", "Depth", "Clear", "Cost"])
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    rows = [
        (date(2026, 4, 7), "Inlet", 4.2, 0.85, 120),
        (date(2026, 4, 7), "Deep", 21.5, 0.92, 180.5),
        (date(2026, 7, 21), "Inlet", 3.9, 0.615, 120),
    ]
    for row in rows:
        sheet.append(row)
        for column, number_format in (("A", "d mmmm yyyy"), ("D", "0.0%"), ("E", "[$€-2] #,##0.00")):
            sheet[f"{column}{sheet.max_row}"].number_format = number_format
    places = book.create_sheet("Stations")
    for place in (("Station", "Since"), ("Inlet", 2019), ("Deep", 2021)):
        places.append(place)
    book.create_sheet("Draft")["A1"] = "hidden"
    book["Draft"].sheet_state = "hidden"
    _set_properties(book.properties, "Stations of the lake survey")
    return _saved(book.save)


def _set_properties(properties: Any, title: str) -> None:
    properties.title, properties.created, properties.modified = title, MOMENT, MOMENT
    for name in ("author", "creator", "last_modified_by", "lastModifiedBy"):
        if hasattr(properties, name):
            setattr(properties, name, AUTHOR)


def _saved(save: Callable[[Any], Any]) -> bytes:
    file = io.BytesIO()
    save(file)
    return _repacked(file.getvalue())


def _repacked(package: bytes) -> bytes:
    """Return a package whose entries have one fixed time, also those of the workbooks in it."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(package)) as source,
        zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target,
    ):
        for name in source.namelist():
            entry = zipfile.ZipInfo(name, MOMENT.timetuple()[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            content = source.read(name)
            if name == "docProps/core.xml":
                content = _with_moment(content)
            elif name.endswith(".xlsx"):
                content = _repacked(content)
            target.writestr(entry, content)
    return packed.getvalue()


def _with_moment(properties: bytes) -> bytes:
    """Return core properties whose times are the fixed one: openpyxl writes the time of saving."""
    stamp = f"{MOMENT:%Y-%m-%dT%H:%M:%SZ}".encode()
    return re.sub(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*", rb"\g<1>" + stamp, properties)


if __name__ == "__main__":
    for path, content in ((MINUTES, minutes()), (SLIDES, slides()), (STATIONS, stations())):
        path.write_bytes(content)
        print(f"{path.name}: {len(content):,} bytes")  # noqa: T201
