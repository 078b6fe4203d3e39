"""Workbooks: read back by another library when written, written by another library when read."""

import base64
import datetime as dt
import io
import zipfile
import zlib
from typing import Any

import openpyxl
import pytest
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from mediakit.engines.tables.model import Column, Document, Facts, ReadOptions, Table
from mediakit.engines.tables.reading import read_file
from mediakit.engines.tables.writers import WriteOptions, write
from mediakit.errors import InvalidInput

OLD_DATES = (
    "eNrtWE1oE0EU/mazaX5s89dUbIUQClatLSheRGhXC1oQLFUPilW0MQFLTVKClxbB1pqLIAielIIUquKl6sUfVNCLeBAqehAEIdGjJ0HFQ5v1zd"
    "vd2sYIDWjRMl+YN2/ez87LzJuf3Vcz4cLk3aYiytAJF0qmDzULZIKKz2mEQHrTlKxTe6mYCv8VfF6ayBo3HtW99Mg5lPNdhIY7+jOiwAcqRzCE"
    "nmwmFV9GdHEM/ULG0EFUYIIkATRyVBGmJ5jWM73Nlo+Z7mDJRaYdZFsQhzFj9LRus7P4kNbMugDkc++zzzuWbEEDXsgsPntJWLZu7MwN9J9a8Y"
    "qYXospUAp0pzKpnGz7cZ2U2CwR04O4AT8wTGhPp9uTyZi+CjdluvSdPLo9nS4gSo0pfDXjwBdnk3gaV/LllQuQ/Ptiuec3ci/NcCW5j+a6ktxP"
    "E14uv6zpwCjM47xG8+R7RrcS68AsLVYXsXYZGRgiTSKby1DmJf3yLOG9J7Ro76njNVlLNIkg82FemSGKdvbW59d7E73GMZaM8nljnUrrZBQwMS"
    "Y9yDnAGtc8bWWPTUzP8VPXMt/ENEp5TnVLb4PN7B5nm/OsbaF+tjLeGOsX8BuIz3/a9yCW/2hsJH66uzgSnX5rTKKZRiFJ/vI3jjbRJq5ekXho"
    "OLWwd7D3TBt/2c28WsiO3bSP3iDm5PojhJlaLTk6Yr6l2WMlvUWZ9xOsYVkEe+plL9+em2YU1+gE0Nheq2Bv7bQXxtxk3zUhx6lPk710ahHck0"
    "raaX/CDwUFBQUFBQUFhX8fgu+N1i1Z3qHd9j3cY3/XmaNSUp9JViz2I0u/0/RWtwsZqnMYrip/VsMtnGeJJfo43wslDlLvOQwiwXEMVp2/9B4l"
    "Fv6fJTuG/twSqrb/UjVx/uX+fwC+RO0R"
)
"""An XLS file with a column of dates, -3651 and 10000 days after the end of 1899, compressed, as base64."""

MORNING = dt.datetime(2024, 1, 31, 8, 30)  # noqa: DTZ001  # cells have no zones


def book(*sheets: tuple[str, list[list[Any]]]) -> openpyxl.Workbook:
    made = openpyxl.Workbook()
    made.remove(made.worksheets[0])
    for name, rows in sheets:
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return made


def saved(made: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def read(content: bytes, **options: Any) -> Document:
    return read_file(content, "book.xlsx", ReadOptions(**options))


def written(*columns: Column) -> openpyxl.Workbook:
    content = write(Document(Facts(), {"data": Table(list(columns))}), WriteOptions(to="xlsx", title="Sales")).content
    return openpyxl.load_workbook(io.BytesIO(content))


def test_cells_keep_their_types() -> None:
    rows: list[list[Any]] = [["id", "n", "day", "at", "ok"], ["007", 1.5, dt.date(2024, 1, 31), MORNING, True]]
    found = read(saved(book(("S", rows)))).table
    assert [column.type for column in found.columns] == ["text", "number", "date", "datetime", "boolean"]
    assert list(found.rows()) == [("007", 1.5, "2024-01-31", "2024-01-31T08:30:00", True)]


def test_first_visible_sheet_with_cells_is_read_and_hidden_ones_are_named() -> None:
    made = book(("Empty", []), ("Hidden", [["x"], [1]]), ("Data", [["y"], [2]]))
    made["Hidden"].sheet_state = "hidden"
    document = read(saved(made))
    assert (document.facts.sheet, document.table.names) == ("Data", ["y"])
    assert any('Hidden sheets were not read: "Hidden"' in warning for warning in document.facts.warnings)


def test_sheet_is_chosen_by_name_or_number() -> None:
    content = saved(book(("A", [["x"], [1]]), ("B", [["y"], [2]])))
    assert read(content, sheet="B").table.names == ["y"]
    assert read(content, sheet="2").table.names == ["y"]
    assert list(read(content, sheet="*").tables) == ["A", "B"]


def test_unknown_sheet_names_those_that_are_there() -> None:
    with pytest.raises(InvalidInput, match=r'^sheet: "Jan" is not there; there are "January", "February"\.$'):
        read(saved(book(("January", []), ("February", []))), sheet="Jan")


def test_merged_cells_stay_first_or_fill() -> None:
    made = book(("S", [["region", "n"], ["North", 1], [None, 2]]))
    made["S"].merge_cells("A2:A3")
    content = saved(made)
    assert read(content).table.columns[0].values == ["North", None]
    assert read(content, merged="fill").table.columns[0].values == ["North", "North"]


def test_errors_and_formulas_without_value_are_null_with_warnings() -> None:
    made = book(("S", [["a", "b"], [1, 2], ["=A2/0", 3]]))
    made["S"]["B2"] = "#N/A"
    made["S"]["B2"].data_type = "e"
    document = read(saved(made))
    assert list(document.table.rows()) == [(1, None), (None, 3)]
    assert document.facts.warnings == [
        "1 cell with an error such as #N/A: null.",
        "1 formula without a saved value: null.",
    ]


def test_lone_far_cell_does_not_become_a_million_rows() -> None:
    made = book(("S", [["a"], [1], [None], [2]]))
    made["S"]["A1048576"] = 3
    document = read(saved(made))
    assert document.table.columns[0].values == [1, None, 2, 3]
    assert document.facts.warnings == ["1,048,571 blank rows between rows with cells were omitted."]


def test_table_that_begins_in_the_middle_of_a_sheet_is_found() -> None:
    made = book(("S", []))
    values: dict[str, str | int] = {"C4": "a", "D4": "b", "C5": 1, "D5": 2}
    for place, value in values.items():
        made["S"][place] = value
    for options in ({}, {"merged": "fill"}):
        assert list(read(saved(made), **options).table.records()) == [{"a": 1, "b": 2}]


def test_grid_of_texts_begins_at_a1() -> None:
    made = book(("S", []))
    made["S"]["B3"] = 5
    document = read(saved(made), header=False, types="text")
    assert list(document.table.rows()) == [(None, None), (None, None), (None, "5")]
    assert document.is_grid


def test_damaged_and_foreign_archives_are_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "hello")
    with pytest.raises(InvalidInput, match="a ZIP archive that is not a workbook"):
        read(file.getvalue())
    with pytest.raises(InvalidInput, match="damaged"):
        read(saved(book(("S", [["a"], [1]])))[:-200])


def test_decompression_bomb_is_refused_before_it_is_unpacked() -> None:
    content = io.BytesIO(saved(book(("S", [["a"], [1]]))))
    with zipfile.ZipFile(content, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/bomb.xml", b"0" * 50_000_000)
    with pytest.raises(InvalidInput, match="decompression bomb"):
        read(content.getvalue())


def test_written_cells_are_typed_and_text_is_never_a_formula() -> None:
    made = written(
        Column("id", "text", ["007", "=1+1"]),
        Column("n", "number", [1.5, None]),
        Column("day", "date", ["2024-01-31", None]),
        Column("big", "integer", [1234567890123456, 3]),
    )
    sheet = made["Sales"]
    assert [cell.value for cell in sheet[2]] == ["007", 1.5, MORNING.replace(hour=0, minute=0), "1234567890123456"]
    assert (sheet["A3"].value, sheet["A3"].data_type) == ("=1+1", "s")
    assert sheet["A2"].number_format == "@"
    assert sheet["A1"].font.bold
    assert sheet.freeze_panes == "A2"


def test_written_text_survives_markup_breaks_and_control_characters() -> None:
    texts = ["a<b>&c", "line\r\nbreak", " spaced ", "bell\x07", "_x0041_", "😀", ""]
    made = written(Column("t", "text", texts))
    content = write(Document(Facts(), {"data": Table([Column("t", "text", texts)])}), WriteOptions(to="xlsx")).content
    assert read(content).table.columns[0].values[:6] == texts[:6]
    assert made["Sales"]["A2"].value == "a<b>&c"


def test_text_too_long_for_a_cell_is_refused_with_its_place() -> None:
    with pytest.raises(InvalidInput, match=r'got 32,768 in B2 of "Sales"'):
        written(Column("a", "integer", [1]), Column("b", "text", ["x" * 32_768]))


def test_same_table_gives_the_same_bytes() -> None:
    document = Document(Facts(), {"data": Table([Column("a", "integer", [1])])})
    assert write(document, WriteOptions(to="xlsx")) == write(document, WriteOptions(to="xlsx"))


def formatted(code: str, *numbers: float, name: str = "x") -> bytes:
    """Return a workbook with a column of numbers in one number format."""
    made = book(("S", [[name], *([number] for number in numbers)]))
    for row in made["S"].iter_rows(min_row=2):
        row[0].number_format = code
    return saved(made)


@pytest.mark.parametrize(
    ("code", "numbers", "shown"),
    [
        ("00000", [1234, 90210], ["01234", "90210"]),
        ("00", [7, 12], ["07", "12"]),
        ("000-00-0000", [12345678], ["012-34-5678"]),
        ("[<=99999]00000;00000-0000", [501, 12345678], ["00501", "01234-5678"]),
        ('"ID-"0000', [42], ["ID-0042"]),
        ("000 000", [1234], ["001 234"]),
        ("[$-409]0000000", [12], ["0000012"]),
        ("0000", [12345], ["12345"]),
    ],
)
def test_format_of_zeros_gives_identifiers_as_they_are_shown(code: str, numbers: list[float], shown: list[str]) -> None:
    assert list(read(formatted(code, *numbers)).table.records()) == [{"x": each} for each in shown]


@pytest.mark.parametrize("code", ["0", "0.00", "#,##0", "00.0", "0%", "General", "0.00E+00", "#00", '0 "kg"'])
def test_other_number_formats_stay_numbers(code: str) -> None:
    assert read(formatted(code, 7, 12)).table.columns[0].values == [7, 12]


@pytest.mark.parametrize(
    ("code", "days", "expected"),
    [
        ("yyyy-mm-dd", -3651, "1889-12-31"),
        ("d.m.yyyy", -40000, "1790-06-24"),
        ("mmm yy", -1, "1899-12-29"),
        ("yyyy-mm-dd hh:mm", -0.5, "1899-12-29T12:00:00"),
        ("yyyy-mm-dd", 0, "1899-12-30"),
        ("yyyy-mm-dd", -109571, "1600-01-01"),
    ],
)
def test_dates_before_1900_are_dates(code: str, days: float, expected: str) -> None:
    assert read(formatted(code, days)).table.columns[0].values == [expected]


def test_dates_before_1904_are_dates_where_days_count_from_then() -> None:
    made = book(("S", [["x"], [-1]]))
    made["S"]["A2"].number_format = "yyyy-mm-dd"
    made.epoch = CALENDAR_MAC_1904
    assert read(saved(made)).table.columns[0].values == ["1903-12-31"]


@pytest.mark.parametrize(
    ("days", "shown"),
    [
        ([0.3125, 1.5729166666666667, 0], ["07:30:00", "37:45:00", "00:00:00"]),
        ([-1 / 86400, 1.25], ["-00:00:01", "30:00:00"]),
        ([4.5, 100], ["108:00:00", "2400:00:00"]),
        ([-2.5], ["-60:00:00"]),
    ],
)
@pytest.mark.parametrize("code", ["[h]:mm", "[hh]:mm:ss", "[mm]:ss"])
def test_durations_have_one_notation(code: str, days: list[float], shown: list[str]) -> None:
    found = read(formatted(code, *days)).table.columns[0]
    assert (found.values, found.type, found.unit) == (shown, "text", "h:mm:ss")


PADDED = '<office:automatic-styles><datastyle:number datastyle:min-integer-digits="5"/></office:automatic-styles>'


def open_document(*cells: tuple[str, str, str]) -> bytes:
    """Return an ODS file with one column of cells: their type, their attributes and their text."""
    rows = "".join(
        f'<table:table-row><table:table-cell office:value-type="{kind}" {attributes}><text:p>{text}</text:p>'
        "</table:table-cell></table:table-row>"
        for kind, attributes, text in cells
    )
    names = "".join(
        f' xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for name in ("office", "table", "text", "datastyle")
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )
        archive.writestr(
            "content.xml",
            f'<office:document-content{names} office:version="1.2">{PADDED}<office:body><office:spreadsheet>'
            f'<table:table table:name="S">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return file.getvalue()


def test_durations_of_ods_have_one_notation() -> None:
    cells = [("string", "", "took")] + [
        ("time", f'office:time-value="{value}"', "shown") for value in ("PT07H30M00S", "PT37H45M00S", "-PT00H00M01S")
    ]
    found = read(open_document(*cells)).table.columns[0]
    assert (found.name, found.values) == ("took", ["07:30:00", "37:45:00", "-00:00:01"])


def test_zeros_that_ods_shows_are_kept() -> None:
    cells = [
        ("string", "", "zip"),
        ("float", 'office:value="1234"', "01234"),
        ("float", 'office:value="90210"', "90210"),
    ]
    column = read(open_document(*cells)).table.columns[0]
    assert (column.type, column.values) == ("text", ["01234", "90210"])


def test_numbers_that_ods_shows_without_zeros_stay_numbers() -> None:
    cells = [("string", "", "n"), ("float", 'office:value="0"', "00"), ("float", 'office:value="12"', "12.00")]
    column = read(open_document(*cells)).table.columns[0]
    assert (column.type, column.values) == ("integer", [0, 12])


def test_date_before_1900_in_xls_is_null_with_a_warning() -> None:
    document = read(zlib.decompress(base64.b64decode(OLD_DATES)))
    assert [row["born"] for row in document.table.records()] == [None, "1927-05-18"]
    assert document.facts.warnings == ['Column "born": 1 cell with a date before 1900: null.']


@pytest.mark.parametrize("error", ["#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#SPILL!", "#CALC!"])
def test_cells_with_errors_are_null_with_a_warning(error: str) -> None:
    made = book(("S", [["x", "y"], [1, 2], [3, error], [5, 6]]))
    made["S"]["B3"].data_type = "e"
    document = read(saved(made))
    assert document.table.columns[1].values == [2, None, 6]
    assert document.facts.warnings == ["1 cell with an error such as #N/A: null."]


def test_error_of_ods_is_null_with_a_warning() -> None:
    cells = [("float", f'office:value="{number}"', f"{number}") for number in (4, 6)]
    content = open_document(("string", "", "x"), cells[0], ("string", "", "#DIV/0!"), cells[1])
    document = read(content)
    assert document.table.columns[0].values == [4, None, 6]
    assert document.facts.warnings == ["1 cell with an error such as #N/A: null."]


def test_workbook_that_crashes_the_reader_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        pass

    def panic(*_: object) -> None:
        raise PanicException("index out of bounds")

    import python_calamine

    monkeypatch.setattr(python_calamine.CalamineWorkbook, "from_filelike", panic)
    with pytest.raises(InvalidInput, match=r"^file: is a damaged workbook: its records do not fit together\.$"):
        read(saved(book(("S", [["x"]]))))


def test_escaped_characters_of_texts_are_read_and_written() -> None:
    texts = ["a\rb", "a_x000D_b", "_x0041_"]
    made = written(Column("x", "text", list(texts)))
    assert read(saved(made)).table.columns[0].values == texts
