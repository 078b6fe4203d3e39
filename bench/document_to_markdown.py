"""`document_to_markdown` compared with markitdown.

markitdown has many dependencies. Install it with `pip install --target FOLDER "markitdown[all]"`, and set
MEDIAKIT_BENCH_MARKITDOWN to the folder.
"""

import os
from collections.abc import Mapping
from datetime import date, timedelta
from io import BytesIO
from typing import Any

from bench.package_worker import Job
from bench.race import Bench, Case, NotMeasured
from bench.worker import Worker, ours, python

FOLDER = "MEDIAKIT_BENCH_MARKITDOWN"


def workbook(rows: int) -> bytes:
    """Return a workbook of six columns: numbers, dates and texts."""
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Orders")
    for number in range(rows):
        day = date(2026, 1, 1) + timedelta(days=number % 300)
        sheet.append([number, f"Row {number}", number * 1.5, day, "A short note", number % 7])
    book.save(file := BytesIO())
    return file.getvalue()


def presentation(slides: int) -> bytes:
    """Return a presentation of slides with a title and seven bullets."""
    import pptx

    deck = pptx.Presentation()
    for number in range(slides):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Slide {number}"
        frame = slide.placeholders[1].text_frame
        frame.text = "The first point"
        for point in range(6):
            paragraph = frame.add_paragraph()
            paragraph.text, paragraph.level = f"Point {point} of slide {number}", point % 3
    deck.save(file := BytesIO())
    return file.getvalue()


DOCUMENTS = {"xlsx": workbook, "pptx": presentation}


def with_mediakit(values: Mapping[str, Any]) -> Job:
    import mediakit

    content = DOCUMENTS[values["kind"]](values["size"])

    def convert() -> bytes:
        return mediakit.document_to_markdown(content).content.encode()

    return convert


def with_markitdown(values: Mapping[str, Any]) -> Job:
    try:
        from markitdown import MarkItDown  # type: ignore[import-not-found]
    except ImportError:
        raise NotMeasured(f"markitdown is not installed; set {FOLDER}") from None
    content, converter = DOCUMENTS[values["kind"]](values["size"]), MarkItDown()
    extension = f".{values['kind']}"

    def convert() -> bytes:
        text: str = converter.convert_stream(BytesIO(content), file_extension=extension).text_content
        return text.encode()

    return convert


def describe(case: Case, content: bytes) -> str:
    """Return the number of rows or headings."""
    lines = content.decode().splitlines()
    if case.values["kind"] == "xlsx":
        return f"{sum(line.startswith('| ') for line in lines) - 1:,} rows"
    return f"{sum(line.startswith('#') for line in lines)} headings, {sum('- ' in line for line in lines)} list items"


BENCHES = [
    Bench(
        tool="document_to_markdown",
        about="Documents become Markdown. mediakit parses in a separate process and checks the limits of the file.",
        cases=[
            Case("XLSX, 3,000 rows", {"kind": "xlsx", "size": 3000}),
            Case("PPTX, 60 slides", {"kind": "pptx", "size": 60}),
        ],
        ours=ours("bench.document_to_markdown:with_mediakit"),
        peers=[
            Worker(
                "markitdown",
                python("bench.document_to_markdown:with_markitdown"),
                lambda: {"PYTHONPATH": os.environ.get(FOLDER, "")},
            )
        ],
        inspect=describe,
    )
]
