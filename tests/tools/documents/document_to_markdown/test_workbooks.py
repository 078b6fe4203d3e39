"""Workbooks as Markdown: XLSX, XLS, XLSB and ODS."""

import io
import re
import struct
import zipfile
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from typing import Any

import openpyxl
import openpyxl.chart
import openpyxl.drawing.image
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import Font
from PIL import Image

import mediakit
from mediakit.errors import InvalidInput

MS_OFFICE = "http://schemas.microsoft.com/office"
THREADED = f"{MS_OFFICE}/spreadsheetml/2018/threadedcomments"


def xlsx(fill: Callable[[Any], object], name: str = "Sales") -> bytes:
    """Return a workbook whose first sheet `fill` has written."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = name
    fill(book)
    return saved(book)


def saved(book: Any) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def cells(**values: Any) -> Callable[[Any], None]:
    """Return a function that writes cells; a value with a number format is a tuple."""

    def fill(book: Any) -> None:
        for place, value in values.items():
            cell = book.active[place]
            if isinstance(value, tuple):
                cell.value, cell.number_format = value
            else:
                cell.value = value

    return fill


def rewritten(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """Return a package with one part changed."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            data = source.read(name)
            target.writestr(name, change(data) if name == part else data)
    return file.getvalue()


def with_parts(content: bytes, *added: Any) -> bytes:
    """Return a package with further relationships (part, type, target), and with the parts of a final mapping."""
    *relationships, parts = added
    for number, (part, kind, target) in enumerate(relationships):
        element = f'<Relationship Id="rIdX{number}" Type="{kind}" Target="{target}"/></Relationships>'.encode()
        content = rewritten(content, part, lambda xml, element=element: xml.replace(b"</Relationships>", element))  # type: ignore[misc]
    file = io.BytesIO(content)
    with zipfile.ZipFile(file, "a") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return file.getvalue()


def value_of(**values: Any) -> str:
    """Return the only cell of a workbook as Markdown."""
    content = mediakit.document_to_markdown(xlsx(cells(**values))).content
    return content.split("\n")[2].strip("| ")


def test_sheets_are_tables_below_their_names() -> None:
    def fill(book: Any) -> None:
        book.active.append(["city", "orders"])
        book.active.append(["Lisbon", 12])
        book.create_sheet("Empty")

    result = mediakit.document_to_markdown(xlsx(fill))
    assert result.content == "## Sales\n\n| city | orders |\n| --- | --- |\n| Lisbon | 12 |\n\n## Empty"
    assert (result.type, result.sheets) == ("xlsx", ["Sales", "Empty"])


def test_empty_borders_are_omitted_and_gaps_within_are_kept() -> None:
    content = mediakit.document_to_markdown(xlsx(cells(C4="a", E4="b", C6="c"))).content
    assert content.split("\n")[2:] == ["| a |  | b |", "| --- | --- | --- |", "|  |  |  |", "| c |  |  |"]


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (datetime.fromisoformat("2026-03-01"), "dd.mm.yyyy", "2026-03-01"),
        (datetime.fromisoformat("2026-03-01T09:05:07"), "m/d/yy h:mm", "2026-03-01 09:05:07"),
        (date(1900, 2, 28), "yyyy-mm-dd", "1900-02-28"),
        (time(9, 30), "h:mm AM/PM", "09:30:00"),
        (timedelta(hours=25, minutes=3), "[h]:mm", "25:03:00"),
        (45000, '"Day" 0', "45000"),
        (45000, "[Red]General", "45000"),
        (0.256, "0%", "26%"),
        (0.256, "0.00%", "25.60%"),
        (1234.5, "#,##0.00 [$€-407]", "1,234.50 €"),
        (-1234.5, '"$"#,##0.00;[Red]\\("$"#,##0.00\\)', "($1,234.50)"),
        (-3, "[$£-809]#,##0.00", "-£3.00"),
        (1234567, '[$$-409]#,##0.0,,"M"', "$1.2M"),
        (0.125, "[$EUR] 0.##", "EUR 0.13"),
        (1234.5678, "#,##0.00", "1234.5678"),
        (3.0, "General", "3"),
        (0.1, "General", "0.1"),
        (True, "General", "TRUE"),
        ("2026-03-01", "@", "2026-03-01"),
    ],
)
def test_values_are_shown(value: Any, number_format: str, shown: str) -> None:
    assert value_of(A1=(value, number_format)) == shown


@pytest.mark.parametrize(
    ("value", "number_format", "shown"),
    [
        (501, "00000", "00501"),
        (850012345, "00000-0000", "85001-2345"),
        (78051120, "000-00-0000", "078-05-1120"),
        (78051120, r"000\-00\-0000", "078-05-1120"),
        (2025550143, "(000) 000-0000", "(202) 555-0143"),
        (2025550143, r"[<=9999999]###\-####;\(###\)\ ###\-####", "(202) 555-0143"),
        (5550143, r"[<=9999999]###\-####;\(###\)\ ###\-####", "555-0143"),
        (612345678, "0# ## ## ## ##", "06 12 34 56 78"),
        (301234567, "+49 000 0000000", "+49 030 1234567"),
        (745, '00":"00', "07:45"),
        (59, "0000", "0059"),
        (42, '"INV-"00000', "INV-00042"),
        (-7, "000", "-007"),
        (12.5, "0000.00", "0012.50"),
        (3, "+0;-0;0", "+3"),
        (-3, "+0;-0;0", "-3"),
        (1, '"yes";"below";"no"', "yes"),
        (0, '"yes";"below";"no"', "no"),
        (7, "@", "7"),
        (7, ";;;", "7"),
        (1234567, "# ##0", "1234567"),
        (1234567, "#,##0", "1234567"),
        (5, '0" kg"', "5"),
        (0.5, "# ?/?", "0.5"),
        (12345, "0.00E+00", "12345"),
        (0.125, "[>0.1]0.0%;0%", "12.5%"),
        (0.05, "[>0.1]0.0%;0%", "5%"),
        (-0.2, "[<0]0%;0.0%", "20%"),
        (1234567, '$#,##0"k"0', "$1,234,56k7"),
        (100000, "$,# ##0", "$100, 000"),
        ("1501", '"No. "@', "No. 1501"),
        ("x", '0;-0;0;"("@")"', "(x)"),
        ("x", "0;@", "x"),
        ("x", '0;-0;0;"none"', "x"),
    ],
)
def test_zeros_and_signs_that_a_format_writes_are_shown(value: Any, number_format: str, shown: str) -> None:
    """Sections, placeholders and literal texts of ISO/IEC 29500-1, 18.8.31."""
    assert value_of(A1=(value, number_format)) == shown


def test_format_of_a_thousand_characters_is_read() -> None:
    assert value_of(A1=(7, "0" * 900)) == "7".rjust(900, "0")


def test_dates_of_the_1904_system_are_four_years_later() -> None:
    book = rewritten(
        xlsx(cells(A1=(1, "yyyy-mm-dd"))),
        "xl/workbook.xml",
        lambda xml: re.sub(rb"<workbookPr[^>]*>", b'<workbookPr date1904="1"/>', xml),
    )
    assert "| 1904-01-02 |" in mediakit.document_to_markdown(book).content


def test_formulas_have_their_saved_value_and_others_are_named() -> None:
    book = xlsx(cells(A1="=1+1", A2="=2+2", A3="total"))
    book = rewritten(
        book, "xl/worksheets/sheet1.xml", lambda xml: re.sub(rb"(<f>1\+1</f>)<v\s*(?:/>|></v>)", rb"\1<v>2</v>", xml)
    )
    result = mediakit.document_to_markdown(book)
    assert result.content.split("\n")[2:] == ["| 2 |", "| --- |", "|  |", "| total |"]
    assert result.meta["warnings"] == ["1 formula has no saved value; it is empty."]


def test_hidden_sheets_are_read_only_when_named() -> None:
    def fill(book: Any) -> None:
        book.active["A1"] = "seen"
        book.create_sheet("Costs")["A1"] = "secret"
        book["Costs"].sheet_state = "hidden"

    book = xlsx(fill)
    result = mediakit.document_to_markdown(book)
    assert "secret" not in result.content
    assert "Costs" in result.meta["warnings"][0]
    named = mediakit.document_to_markdown(book, sheets=["Costs"])
    assert named.content.endswith("| secret |\n| --- |")
    assert named.sheets == ["Costs"]


def test_unknown_sheet_is_an_error_that_names_the_sheets() -> None:
    with pytest.raises(InvalidInput, match=r'^sheets: there is no sheet "Q5"; it has Sales\.$'):
        mediakit.document_to_markdown(xlsx(cells(A1=1)), sheets=["Q5"])


def test_merged_cells_have_their_value_once() -> None:
    def fill(book: Any) -> None:
        book.active["A1"], book.active["A2"], book.active["B2"] = "Sum", 1, 2
        book.active.merge_cells("A1:B1")

    assert mediakit.document_to_markdown(xlsx(fill)).content.split("\n")[2:] == [
        "| Sum |  |",
        "| --- | --- |",
        "| 1 | 2 |",
    ]


def test_links_of_cells_are_kept() -> None:
    def fill(book: Any) -> None:
        book.active["A1"] = "Docs"
        book.active["A1"].hyperlink = "https://example.com/a?b=1&c=2"

    assert "| [Docs](https://example.com/a?b=1&c=2) |" in mediakit.document_to_markdown(xlsx(fill)).content


def test_comments_of_cells_are_footnotes_with_their_author_on_request() -> None:
    def fill(book: Any) -> None:
        book.active["A1"], book.active["B2"] = "total", 7
        book.active["B2"].comment = Comment("Check | this\nagain", "Ada")
        book.active["C3"].comment = Comment("Bob:\nwhy empty?", "Bob")

    book = xlsx(fill)
    assert "[^" not in mediakit.document_to_markdown(book).content
    assert mediakit.document_to_markdown(book, comments=True).content.split("\n")[2:] == [
        "| total |  |  |",
        "| --- | --- | --- |",
        "|  | 7[^c1] |  |",
        "|  |  | [^c2] |",
        "",
        r"[^c1]: Ada: Check \| this again",
        "",
        "[^c2]: Bob: why empty?",
    ]
    text = mediakit.document_to_markdown(book, comments=True, format="text").content
    assert "7[c1]" in text
    assert text.endswith("[c1]: Ada: Check | this again\n\n[c2]: Bob: why empty?")


def test_threads_of_comments_are_read_in_place_of_their_note() -> None:
    def fill(book: Any) -> None:
        book.active["A1"] = "plan"
        book.active["A1"].comment = Comment("[Threaded comment] Your version of Excel ...", "tc={1}")

    comment = '<threadedComment ref="A1" personId="{}" id="{}"><text>{}</text></threadedComment>'
    comments = comment.format("P1", 1, "Really?") + comment.format("P2", 2, "Yes &amp; soon")
    threads = f'<ThreadedComments xmlns="{THREADED}">{comments}</ThreadedComments>'
    person = '<person displayName="{}" id="{}"/>'
    people = f'<personList xmlns="{THREADED}">{person.format("Ada", "P1")}{person.format("Bob", "P2")}</personList>'
    book = with_parts(
        xlsx(fill),
        (
            "xl/worksheets/_rels/sheet1.xml.rels",
            f"{MS_OFFICE}/2017/10/relationships/threadedComment",
            "../threadedComments/t.xml",
        ),
        ("xl/_rels/workbook.xml.rels", f"{MS_OFFICE}/2017/10/relationships/person", "persons/person.xml"),
        {"xl/threadedComments/t.xml": threads, "xl/persons/person.xml": people},
    )
    content = mediakit.document_to_markdown(book, comments=True).content
    assert content.split("\n")[2:] == [
        "| plan[^c1][^c2] |",
        "| --- |",
        "",
        "[^c1]: Ada: Really?",
        "",
        "[^c2]: Bob: Yes & soon",
    ]


def test_images_charts_and_linked_workbooks_are_named() -> None:
    def fill(book: Any) -> None:
        for row in ("a", 1), ("b", 2):
            book.active.append(row)
        file = io.BytesIO()
        Image.new("RGB", (3, 2)).save(file, "PNG")
        book.active.add_image(openpyxl.drawing.image.Image(file), "D1")
        chart = openpyxl.chart.BarChart()
        chart.add_data(openpyxl.chart.Reference(book.active, min_col=2, min_row=1, max_row=2))
        book.active.add_chart(chart, "F1")

    book = xlsx(fill)
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    book = with_parts(
        book,
        ("xl/_rels/workbook.xml.rels", f"{kind}/externalLink", "externalLinks/externalLink1.xml"),
        ("xl/worksheets/_rels/sheet1.xml.rels", f"{kind}/oleObject", "../embeddings/oleObject1.bin"),
        {"xl/externalLinks/externalLink1.xml": "<externalLink/>", "xl/embeddings/oleObject1.bin": "x"},
    )
    warnings = mediakit.document_to_markdown(book).meta["warnings"]
    assert sorted(warnings) == [
        "Charts on sheets that were omitted: 1.",
        "Embedded files that were omitted: 1.",
        "Images on sheets that were omitted: 1.",
        "Linked documents that were not loaded: 1.",
    ]
    assert not [
        each for each in mediakit.document_to_markdown(book, images="none").meta["warnings"] if "Images" in each
    ]


def test_letters_of_symbol_fonts_are_the_symbols_that_they_show() -> None:
    def fill(book: Any) -> None:
        book.active.append(["\xfc", "\xfb", "\xfc"])
        book.active["A1"].font = Font(name="Wingdings")
        book.active["B1"] = CellRichText("done ", TextBlock(InlineFont(rFont="Wingdings"), "\xfe"))

    assert mediakit.document_to_markdown(xlsx(fill)).content.split("\n")[2] == "| ✓ | done ☑ | ü |"


def test_lines_in_cells_and_pipes_are_kept() -> None:
    assert value_of(A1="a\nb|c") == r"a<br>b\|c"


def test_title_and_author_are_those_of_the_properties() -> None:
    def fill(book: Any) -> None:
        book.properties.title, book.properties.creator = "Orders", "Ada"
        book.properties.created = datetime.fromisoformat("2026-03-01T09:30")

    result = mediakit.document_to_markdown(xlsx(fill))
    assert (result.title, result.author, result.created) == ("Orders", "Ada", "2026-03-01T09:30:00Z")


def test_cell_a_million_rows_below_closes_the_gap() -> None:
    result = mediakit.document_to_markdown(xlsx(cells(A1="top", XFD1048576="far")))
    assert result.content.split("\n")[2:] == ["| top |  |", "| --- | --- |", "|  | far |"]
    assert any("blank rows" in warning for warning in result.meta["warnings"])


def test_wide_sheets_are_truncated_after_a_row() -> None:
    def fill(book: Any) -> None:
        for row in range(200):
            book.active.append([f"{row}-{column}" for column in range(50)])

    result = mediakit.document_to_markdown(xlsx(fill), max_chars=5000)
    assert result.truncated
    assert 3000 < result.length <= 5000
    assert result.content.endswith("|")


@pytest.mark.parametrize(
    "change",
    [
        lambda xml: xml.replace(b"<sheetData>", b"<sheetData><row"),
        lambda xml: b'<!DOCTYPE x [<!ENTITY a "b">]>' + xml.rpartition(b"?>")[2],
    ],
)
def test_damaged_sheets_are_refused(change: Callable[[bytes], bytes]) -> None:
    with pytest.raises(InvalidInput, match=r"file: its part xl/worksheets/sheet1\.xml"):
        mediakit.document_to_markdown(rewritten(xlsx(cells(A1=1)), "xl/worksheets/sheet1.xml", change))


def test_workbook_without_sheets_is_refused() -> None:
    book = rewritten(xlsx(cells(A1=1)), "xl/_rels/workbook.xml.rels", lambda _: b"")
    with pytest.raises(InvalidInput, match=r"^file: is a workbook without sheets that can be read\.$"):
        mediakit.document_to_markdown(book)


@pytest.mark.parametrize("number", [b"NaN", b"INF", b"1e999999999"])
def test_numbers_out_of_range_are_not_read_as_numbers(number: bytes) -> None:
    book = rewritten(
        xlsx(cells(A1=1, A2="x")),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b"<v>1</v>", b"<v>%b</v>" % number),
    )
    assert "NaN" not in mediakit.document_to_markdown(book).content


def test_entities_in_attributes_do_not_expand() -> None:
    def change(xml: bytes) -> bytes:
        entities = "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
        start = f'<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa">{entities}]>'.encode()
        return start + xml.rpartition(b"?>")[2].replace(b"<row ", b'<row x="&j;" ', 1)

    with pytest.raises(InvalidInput, match="declares a DTD"):
        mediakit.document_to_markdown(rewritten(xlsx(cells(A1=1)), "xl/worksheets/sheet1.xml", change))


def test_external_entities_are_not_read() -> None:
    def change(xml: bytes) -> bytes:
        return b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + xml.rpartition(b"?>")[2]

    with pytest.raises(InvalidInput, match="declares a DTD"):
        mediakit.document_to_markdown(rewritten(xlsx(cells(A1=1)), "xl/workbook.xml", change))


def compound_file(*streams: str) -> bytes:
    """Return an OLE compound file of one table and one directory, with empty streams ([MS-CFB])."""
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6)
    header += bytes(10) + struct.pack("<LLLLLLLL", 1, 1, 0, 0, 0xFFFFFFFE, 0, 0xFFFFFFFE, 0)
    table = struct.pack("<LL", 0xFFFFFFFD, 0xFFFFFFFE) + b"\xff" * 504
    entries = b"".join(
        name.encode("utf-16-le").ljust(64, b"\0") + struct.pack("<HB", 2 * len(name) + 2, kind) + bytes(61)
        for name, kind in [("Root Entry", 5), *((stream, 2) for stream in streams)]
    )
    return (header + struct.pack("<L", 0)).ljust(512, b"\xff") + table + entries.ljust(512, b"\0")


def test_encrypted_workbook_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^file: is encrypted; remove the password in Office first\.$"):
        mediakit.document_to_markdown(compound_file("EncryptedPackage"))


@pytest.mark.parametrize(
    ("stream", "message"), [("WordDocument", "an old Word file"), ("PowerPoint Document", "an old PowerPoint file")]
)
def test_old_office_files_are_refused_with_the_way_out(stream: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=f"^file: is {message}"):
        mediakit.document_to_markdown(compound_file(stream))


def unpacks_to_more(content: bytes, name: str, size: int) -> bytes:
    """Return a ZIP container that declares another size for an entry than the one that it unpacks to."""
    forged = bytearray(content)
    for signature, name_at, size_at in ((b"PK\3\4", 30, 22), (b"PK\1\2", 46, 24)):
        at = forged.find(signature)
        while at >= 0:
            if forged[at + name_at : at + name_at + len(name)] == name.encode():
                forged[at + size_at : at + size_at + 4] = struct.pack("<L", size)
            at = forged.find(signature, at + 4)
    return bytes(forged)


@pytest.mark.parametrize("tool", [mediakit.document_to_markdown, mediakit.data_profile])
def test_container_that_unpacks_to_more_than_it_declares_is_named_a_bomb(tool: Callable[..., Any]) -> None:
    spreadsheet = ods(ods_table(ods_row(ods_cell('office:value-type="string"', "x" * 500_000))))
    with pytest.raises(InvalidInput, match=r"^file: is a decompression bomb: its part content\.xml unpacks to"):
        tool(unpacks_to_more(spreadsheet, "content.xml", 20))


def test_part_of_a_workbook_that_unpacks_to_more_than_it_declares_is_named_a_bomb() -> None:
    part = "xl/worksheets/sheet1.xml"
    with pytest.raises(InvalidInput, match=f"^file: is a decompression bomb: its part {part}"):
        mediakit.document_to_markdown(unpacks_to_more(xlsx(cells(A1="x" * 5000)), part, 100))


@pytest.mark.parametrize("kind", ["spreadsheet", "text", "presentation"])
def test_opendocument_bomb_is_named_a_file_that_unpacks_to_too_much(kind: str) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr("content.xml", bytes(310_000_000))
    with pytest.raises(InvalidInput, match=r"^file: unpacks to more than 300 MB\.$"):
        mediakit.document_to_markdown(file.getvalue())


ODS = """<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0">
<office:automatic-styles><style:style style:name="h" style:family="table">
 <style:table-properties table:display="false"/></style:style>
</office:automatic-styles><office:body><office:spreadsheet>{}</office:spreadsheet></office:body></office:document-content>"""


def ods(tables: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", ODS.format(tables))
    return file.getvalue()


def ods_cell(attributes: str, text: str = "") -> str:
    return f"<table:table-cell {attributes}>{f'<text:p>{text}</text:p>' if text else ''}</table:table-cell>"


def ods_table(*rows: str, name: str = "Plan", style: str = "") -> str:
    return f'<table:table table:name="{name}" table:style-name="{style}">{"".join(rows)}</table:table>'


def ods_row(*cells: str, repeated: int = 1) -> str:
    return f'<table:table-row table:number-rows-repeated="{repeated}">{"".join(cells)}</table:table-row>'


def test_ods_values_are_shown() -> None:
    table = ods_table(
        ods_row(
            ods_cell('office:value-type="float" office:value="1234.5"', "1.234,50"),
            ods_cell('office:value-type="percentage" office:value="0.5"', "50,00%"),
            ods_cell('office:value-type="currency" office:value="3"', "3,00 €"),
            ods_cell('office:value-type="date" office:date-value="2026-03-01T09:30:00"', "1. März"),
            ods_cell('office:value-type="time" office:time-value="PT25H03M00S"', "25:03"),
            ods_cell('office:value-type="boolean" office:boolean-value="true"', "WAHR"),
            ods_cell('office:value-type="string"', "a<text:s text:c='2'/>b<text:line-break/>c"),
        )
    )
    assert mediakit.document_to_markdown(ods(table)).content.split("\n")[2] == (
        "| 1234.5 | 50,00% | 3,00 € | 2026-03-01 09:30:00 | 25:03:00 | TRUE | a b<br>c |"
    )


@pytest.mark.parametrize(
    ("value", "shown", "wanted"),
    [
        ("501", "00501", "00501"),
        ("78051120", "078-05-1120", "078-05-1120"),
        ("745", "07:45", "07:45"),
        ("1234567", "1.234.567", "1234567"),
        ("1234567", "1 234 567", "1234567"),
        ("-1234", "-1,234", "-1234"),
        ("1234.5", "1,234.50", "1234.5"),
        ("5", "5 kg", "5"),
        ("1", "WAHR", "WAHR"),
        ("1234.5", "$1,234.50", "$1,234.50"),
        ("7", "", "7"),
    ],
)
def test_ods_codes_keep_their_zeros_and_signs(value: str, shown: str, wanted: str) -> None:
    table = ods_table(ods_row(ods_cell(f'office:value-type="float" office:value="{value}"', shown)))
    assert mediakit.document_to_markdown(ods(table)).content.split("\n")[2] == f"| {wanted} |"


def test_ods_links_of_cells_are_kept() -> None:
    link = '<text:a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://example.com/tea">Tea</text:a>'
    table = ods_table(ods_row(ods_cell('office:value-type="string"', link), ods_cell("", "4")))
    line = mediakit.document_to_markdown(ods(table)).content.split("\n")[2]
    assert line == "| [Tea](https://example.com/tea) | 4 |"


def test_ods_links_of_comments_and_of_several_places_are_not_links_of_the_cell() -> None:
    def link(name: str) -> str:
        return f'<text:a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://example.com/{name}">{name}</text:a>'

    commented = f"<office:annotation><text:p>{link('a')}</text:p></office:annotation><text:p>Plain</text:p>"
    cells = (f"<table:table-cell>{commented}</table:table-cell>", ods_cell("", f"{link('b')} or {link('c')}"))
    content = mediakit.document_to_markdown(ods(ods_table(ods_row(*cells)))).content
    assert content.split("\n")[2] == "| Plain | b or c |"


def test_ods_links_of_repeated_cells_are_repeated() -> None:
    link = '<text:a xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://example.com/">Tea</text:a>'
    row = ods_row(ods_cell('table:number-columns-repeated="2"', link), repeated=2)
    lines = mediakit.document_to_markdown(ods(ods_table(row))).content.split("\n")
    assert lines[2] == lines[4] == "| [Tea](https://example.com/) | [Tea](https://example.com/) |"


def test_ods_comments_are_footnotes_and_images_are_named() -> None:
    note = (
        '<office:annotation><dc:creator xmlns:dc="http://purl.org/dc/elements/1.1/">Ada</dc:creator>'
        "<text:p>Check</text:p><text:p>this</text:p></office:annotation>"
    )
    image = (
        '<draw:frame xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
        'xmlns:xlink="http://www.w3.org/1999/xlink"><draw:image xlink:href="{}"/></draw:frame>'
    )
    content = f"{note}<text:p>x</text:p>{image.format('media/1.png')}"
    cell = f'<table:table-cell office:value-type="string">{content}</table:table-cell>'
    linked = f"<table:table-cell>{image.format('https://example.com/a.png')}</table:table-cell>"
    book = ods(ods_table(ods_row(cell, linked)))
    result = mediakit.document_to_markdown(book, comments=True)
    assert result.content.split("\n")[2:] == ["| x[^c1] |", "| --- |", "", "[^c1]: Ada: Check this"]
    assert result.meta["warnings"] == [
        "Images on sheets that were omitted: 1.",
        "Linked images that were not loaded: 1.",
    ]
    assert "[^" not in mediakit.document_to_markdown(book).content


def test_ods_repeated_cells_and_empty_borders() -> None:
    empty = '<table:table-cell table:number-columns-repeated="16384"/>'
    table = ods_table(
        ods_row(ods_cell('table:number-columns-repeated="2" office:value-type="string"', "x"), empty, repeated=2),
        ods_row(empty, repeated=1_048_574),
    )
    assert mediakit.document_to_markdown(ods(table)).content.split("\n")[2:] == [
        "| x | x |",
        "| --- | --- |",
        "| x | x |",
    ]


def test_ods_hidden_sheets_are_are_omitted() -> None:
    result = mediakit.document_to_markdown(ods(ods_table(name="A") + ods_table(name="B", style="h")))
    assert result.sheets == ["A"]


def test_ods_of_a_million_repeated_rows_is_truncated() -> None:
    cell = ods_cell('table:number-columns-repeated="16384" office:value-type="string"', "bomb")
    result = mediakit.document_to_markdown(ods(ods_table(ods_row(cell, repeated=1_048_576))), max_chars=200_000)
    assert result.truncated
    assert result.length <= 200_000


@pytest.mark.parametrize("book", [b"\x99\x01\x00", b"\x83\x01\x00\x8f\x01\x00\x9c\x01\x0c" + bytes(12)])
def test_binary_workbook_with_cut_records_is_refused_as_damaged(book: bytes) -> None:
    file = io.BytesIO()
    package = "http://schemas.openxmlformats.org/package/2006"
    main = "application/vnd.ms-excel.sheet.binary.macroEnabled.main"
    with zipfile.ZipFile(file, "w") as archive:
        part = f'<Override PartName="/xl/workbook.bin" ContentType="{main}"/>'
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{package}/content-types">{part}</Types>')
        archive.writestr("xl/_rels/workbook.bin.rels", f'<Relationships xmlns="{package}/relationships"/>')
        archive.writestr("xl/workbook.bin", book)
    with pytest.raises(InvalidInput, match=r"^file: is a damaged workbook: "):
        mediakit.document_to_markdown(file.getvalue())


@pytest.mark.parametrize("attribute", [b'r="1"', b'r="A1"', b's="0"', b't="s"'])
def test_indexes_of_thousands_of_digits_are_ignored(attribute: bytes) -> None:
    book = rewritten(
        xlsx(cells(A1="seen", A2="x")),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(attribute, b'%b"%b"' % (attribute[:2], b"9" * 5000), 1).replace(
            b"<v>1</v>", b"<v>%b</v>" % (b"9" * 5000)
        ),
    )
    assert mediakit.document_to_markdown(book).type == "xlsx"
