"""Workbooks: read back by another library when written, written by another library when read."""

import datetime as dt
import io
import zipfile
from typing import Any

import openpyxl
import pytest

from mediakit.engines.tables.model import Column, Document, Facts, Table
from mediakit.engines.tables.options import ReadOptions
from mediakit.engines.tables.reading import read_file
from mediakit.engines.tables.writers import WriteOptions, write
from mediakit.errors import InvalidInput

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
