"""`pdf_extract(what="tables")`: cells, files, continuation and data frames."""

import csv
import io
import zipfile
from collections.abc import Sequence
from time import perf_counter

import openpyxl
import pymupdf
import pytest

import mediakit
from mediakit.engines.pdf.tables.lattice import find_grids
from mediakit.engines.pdf.tables.words import MAX_FILLS, Ruling, read_drawings
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_extract import PdfTable
from tests.engines.pdf.tables.pages import PageBuilder
from tests.support.pdf_kit import blank, saved

FRUITS = [["Fruit", "2023", "2024"], ["Apple", "1,200", "1,310.5"], ["Pear", "830", "=1+1"], ["Plum", "41", "n/a"]]


def ruled(builder: PageBuilder, top: float, rows: Sequence[Sequence[str]] = FRUITS) -> None:
    builder.grid([60, 160, 260, 360], [top + 20 * index for index in range(len(rows) + 1)])
    for index, row in enumerate(rows):
        builder.row([65, 165, 265], top + 14 + 20 * index, row)


def fruits(*tops: float) -> bytes:
    builder = PageBuilder()
    for top in tops or (100.0,):
        ruled(builder, top)
    return builder.content()


def test_json_has_cells_and_place_of_each_table() -> None:
    content = mediakit.pdf_extract(fruits(100, 300), what="tables")
    assert [(table.page, table.index) for table in content.tables] == [(1, 1), (1, 2)]
    table = content.tables[1]
    assert table.rows == FRUITS
    assert (table.x0, table.y0, table.x1, table.y1) == pytest.approx((60, 300, 360, 380), abs=1)
    assert table.header_rows == 1
    assert not table.continues
    assert content.length == 2


SEEDS = [
    ["Code", "What it is", "Bags", "Cost"],
    ["S1", "Seeds of tall meadow|grass for dry slopes and|sunny banks", "3", "7.25"],
    ["S2", "Clover", "12", "14.50"],
    ["S3", "A mix of herbs that bees|like, with borage, thyme,|sage and some marjoram", "9", "21.75"],
]
"""A table whose cells wrap at `|`."""
REGIONS = [
    ["Region", "Count", "Share"],
    ["North with all of|the islands", "12", "4%"],
    ["South of the lake|and hills", "7", "2%"],
]


def wrapped_table(rows: Sequence[Sequence[str]], xs: Sequence[float], style: str) -> bytes:
    """Return a PDF with a table between two paragraphs."""
    builder = PageBuilder()
    builder.text(60, 80, "The seeds of this spring.")
    top, left, right = 100.0, xs[0] - 5, xs[-1] + 60
    for index, row in enumerate(rows):
        cells = [cell.split("|") for cell in row]
        bottom = top + 12 * max(map(len, cells)) + 8
        if style == "striped" and index % 2:
            builder.page.draw_rect((left, top, right, bottom), color=None, fill=(0.9, 0.9, 0.9))
        for x, lines in zip(xs, cells, strict=True):
            for number, line in enumerate(lines):
                builder.text(x, top + 13 + 12 * number, line)
        if style == "box" or (style == "ruled" and index in (0, len(rows) - 1)) or style == "lines":
            builder.line(left, bottom, right, bottom)
        if index == 0 and style in ("box", "ruled"):
            builder.line(left, top, right, top)
        top = bottom
    if style == "box":
        builder.line(left, 100, left, top)
        builder.line(right, 100, right, top)
    builder.text(60, top + 30, "Ask for more.")
    return builder.content()


@pytest.mark.parametrize("style", ["plain", "striped", "ruled", "box", "lines"])
@pytest.mark.parametrize(("rows", "xs"), [(SEEDS, (65, 115, 255, 315)), (REGIONS, (65, 185, 245))])
def test_last_row_keeps_all_lines_of_a_wrapped_cell(rows: list[list[str]], xs: tuple[float, ...], style: str) -> None:
    (table,) = mediakit.pdf_extract(wrapped_table(rows, xs, style), what="tables").tables
    assert table.rows == [[cell.replace("|", " ") for cell in row] for row in rows]


def test_cells_of_many_lines_are_rows_of_one_table() -> None:
    tall = "|".join(
        ["A long text about", "the bed and all that", "grows there, from", "the first day of", "April to the last"] * 2
    )
    rows = [SEEDS[0], ["B1", tall, "4", "8.00"], ["B2", tall, "5", "9.50"]]
    (table,) = mediakit.pdf_extract(wrapped_table(rows, (65, 115, 255, 315), "lines"), what="tables").tables
    assert table.rows == [[cell.replace("|", " ") for cell in row] for row in rows]


def test_text_below_a_table_is_not_in_its_last_row() -> None:
    builder = PageBuilder()
    end = builder.rows([60, 160, 260], 100, FRUITS)
    builder.text(60, end + 2, "All in tons.")
    (table,) = mediakit.pdf_extract(builder.content(), what="tables").tables
    assert table.rows == FRUITS


def test_csv_of_one_table_escapes_formulas() -> None:
    content = mediakit.pdf_extract(fruits(), what="tables", format="csv")
    assert content.mime_type == "text/csv"
    rows = list(csv.reader(io.StringIO(content.file.decode())))
    assert rows == [*FRUITS[:2], ["Pear", "830", "'=1+1"], FRUITS[3]]


def test_csv_keeps_formulas_on_request() -> None:
    content = mediakit.pdf_extract(fruits(), what="tables", format="csv", escape_formulas=False)
    assert list(csv.reader(io.StringIO(content.file.decode()))) == FRUITS


def test_csv_of_several_tables_is_zip_with_file_for_each() -> None:
    content = mediakit.pdf_extract(fruits(100, 300), what="tables", format="csv")
    with zipfile.ZipFile(io.BytesIO(content.file)) as archive:
        assert archive.namelist() == ["page-1-table-1.csv", "page-1-table-2.csv"]
        rows = list(csv.reader(io.StringIO(archive.read("page-1-table-2.csv").decode())))
    assert rows[1] == FRUITS[1]


def test_xlsx_has_sheet_for_each_table_with_numbers_and_no_formulas() -> None:
    content = mediakit.pdf_extract(fruits(100, 300), what="tables", format="xlsx")
    book = openpyxl.load_workbook(io.BytesIO(content.file))
    assert book.sheetnames == ["Page 1, table 1", "Page 1, table 2"]
    sheet = book["Page 1, table 2"]
    assert [[cell.value for cell in row] for row in sheet.iter_rows()] == [
        ["Fruit", "2023", "2024"],
        ["Apple", 1200, 1310.5],
        ["Pear", 830, "=1+1"],
        ["Plum", 41, "n/a"],
    ]
    assert sheet["C3"].data_type != "f"
    assert sheet.freeze_panes == "A2"


def test_xlsx_merges_cells_as_the_page_does() -> None:
    builder = PageBuilder()
    builder.grid([60, 160, 260, 360], [120, 140, 160])
    for x in (60, 160, 360):
        builder.line(x, 100, x, 120)
    builder.line(60, 100, 360, 100)
    builder.centered(160, 360, 114, "Year")
    builder.row([65, 165, 265], 134, ["Fruit", "2023", "2024"])
    builder.row([65, 165, 265], 154, ["Apple", "1.200", "1.310,5"])
    content = mediakit.pdf_extract(builder.content(), what="tables", format="xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(content.file)).worksheets[0]
    assert [str(area) for area in sheet.merged_cells.ranges] == ["B1:C1"]
    assert [cell.value for cell in sheet[3]] == ["Apple", 1200, 1310.5]


def test_markdown_is_pipe_table() -> None:
    content = mediakit.pdf_extract(fruits(), what="tables", format="markdown")
    assert content.content.splitlines()[:3] == [
        "| Fruit | 2023 | 2024 |",
        "| --- | --- | --- |",
        "| Apple | 1,200 | 1,310.5 |",
    ]


def test_data_frame_has_types_and_names() -> None:
    frame = mediakit.pdf_extract(fruits(), what="tables").tables[0].to_frame()
    assert list(frame.columns) == ["Fruit", "2023", "2024"]
    assert frame["2023"].tolist() == [1200, 830, 41]


def test_table_at_end_of_page_continues_on_next_page() -> None:
    builder = PageBuilder()
    builder.paragraph(60, 80, 450, 6)
    ruled(builder, 700)
    builder.next_page()
    ruled(builder, 60)
    builder.paragraph(60, 300, 450, 6)
    builder.next_page()
    builder.paragraph(60, 80, 450, 6)
    ruled(builder, 300)
    content = mediakit.pdf_extract(builder.content(), what="tables")
    assert [table.continues for table in content.tables] == [True, False, False]
    first = mediakit.pdf_extract(builder.content(), pages="1", what="tables")
    assert [table.continues for table in first.tables] == [True]


def tagged_tables(html: str) -> list[PdfTable]:
    return mediakit.pdf_extract(mediakit.pdf(html, tagged=True).content, what="tables").tables


def html_rows(*rows: Sequence[str], cell: str = "td") -> str:
    return "".join("<tr>" + "".join(f"<{cell}>{text}</{cell}>" for text in row) + "</tr>" for row in rows)


@pytest.mark.browser
def test_tagged_table_has_all_columns_and_its_header_however_narrow_the_gaps() -> None:
    head, *body = [
        ["order_id", "customer_name", "quantity", "unit_price", "total"],
        ["1001", "Ada Lovelace", "3", "9.50", "28.50"],
        ["1002", "Alan Turing", "12", "120.00", "1440.00"],
        ["1003", "Grace Hopper", "7", "3.25", "22.75"],
    ]
    html = f"<h1>Orders</h1><table>{html_rows(head, cell='th')}{html_rows(*body)}</table>"
    [table] = tagged_tables(html)
    assert table.rows == [head, *body]
    assert (table.header_rows, table.confidence, table.continues) == (1, 1.0, False)


@pytest.mark.browser
def test_tagged_table_has_none_for_covered_cells_and_keeps_empty_ones() -> None:
    html = """<h1>Harvest</h1><table><tr><th></th><th colspan="2">Year</th></tr>
        <tr><th>Fruit</th><th>2023</th><th>2024</th></tr>
        <tr><td rowspan="2">Apple</td><td>1</td><td></td></tr><tr><td></td><td>4</td></tr>
        <tr><td>Pear</td><td></td><td>6</td></tr></table>"""
    [table] = tagged_tables(html)
    assert table.rows == [
        ["", "Year", None],
        ["Fruit", "2023", "2024"],
        ["Apple", "1", ""],
        [None, "", "4"],
        ["Pear", "", "6"],
    ]
    assert table.header_rows == 2


@pytest.mark.browser
def test_table_without_tags_is_found_beside_a_tagged_one() -> None:
    lines = "".join(
        f'<div style="position:absolute;top:{400 + 24 * row}px;left:{60 + 160 * column}px">{text}</div>'
        for row, texts in enumerate(FRUITS)
        for column, text in enumerate(texts)
    )
    html = f"<h1>Harvest</h1><table>{html_rows(['City', 'People'], cell='th')}{html_rows(['Faro', '67650'])}</table>"
    tables = tagged_tables(html + lines)
    assert [table.rows for table in tables] == [[["City", "People"], ["Faro", "67650"]], FRUITS]
    assert [table.index for table in tables] == [1, 2]


@pytest.mark.browser
def test_tagged_table_continues_where_its_element_goes_on() -> None:
    body = html_rows(*([f"Name {number}", str(number * 7)] for number in range(60)))
    tables = tagged_tables(f"<h1>Long</h1><table>{body}</table>")
    assert [table.continues for table in tables] == [True, False]
    assert [row[0] for table in tables for row in table.rows] == [f"Name {number}" for number in range(60)]


def test_pdf_without_tables_gives_empty_file_and_warning() -> None:
    builder = PageBuilder()
    builder.paragraph(60, 80, 450, 6)
    content = mediakit.pdf_extract(builder.content(), what="tables", format="xlsx")
    assert content.length == 0
    assert "No tables were found." in content.meta["warnings"]
    assert openpyxl.load_workbook(io.BytesIO(content.file)).worksheets[0].max_row == 1


def test_notes_below_the_last_ruling_are_not_in_the_table() -> None:
    builder = PageBuilder()
    builder.rows([60, 160, 260], 100, FRUITS)
    for y in (88, 104, 108 + 20 * 3):
        builder.line(55, y, 360, y)
    builder.row([60, 160], 178, ["1 Note of a source.", "2 Another note."])
    (table,) = mediakit.pdf_extract(builder.content(), what="tables").tables
    assert not any("note" in (text or "") for row in table.rows for text in row)


def test_large_grid_is_read_in_time() -> None:
    places = [10.0 + 5 * index for index in range(91)]
    rulings = [Ruling(place, places[0], places[-1]) for place in places]
    started = perf_counter()
    (grid,) = find_grids(rulings, rulings)
    assert len(grid.cells) == 90 * 90
    assert perf_counter() - started < 5


def test_fills_of_many_colors_are_limited_together() -> None:
    pdf = blank()
    boxes = " ".join(f"{10 * (index % 30)} {20 * (index // 30)} 8 8 re f" for index in range(750))
    pdf.pages[0].obj.Contents = pdf.make_stream("\n".join(f"{color / 8} 0 0 rg {boxes}" for color in range(8)).encode())
    document = pymupdf.open(stream=saved(pdf))  # type: ignore[no-untyped-call]
    page = document[0]
    drawings = read_drawings(page, (1, 0, 0, 1, 0, 0))
    assert sum(len(boxes) for boxes in drawings.fills.values()) == MAX_FILLS


def test_format_of_text_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"format: csv goes with what=tables\."):
        mediakit.pdf_extract(fruits(), format="csv")


def test_equal_input_gives_equal_bytes() -> None:
    pdf = fruits(100, 300)
    files = [mediakit.pdf_extract(pdf, what="tables", format="xlsx").file for _ in range(2)]
    assert files[0] == files[1]


def test_table_of_code_with_a_plain_header_is_a_table_in_markdown() -> None:
    builder = PageBuilder()
    rows = [["ls", "--all"], ["cp", "--recursive"], ["rm", "--force"], ["du", "--summarize"]]
    for x, text in zip((60, 160), ("Command", "Option"), strict=True):
        builder.text(x, 100, text, font="hebo")
    builder.line(55, 106, 300, 106)
    for index, row in enumerate(rows):
        for x, text in zip((60, 160), row, strict=True):
            builder.text(x, 120 + 18 * index, text, font="cour")
        builder.line(55, 125 + 18 * index, 300, 125 + 18 * index)
    lines = ["| Command | Option |", "| --- | --- |", *(f"| `{name}` | `{option}` |" for name, option in rows)]
    assert mediakit.pdf_extract(builder.content(), what="markdown").content == "\n".join(lines)
