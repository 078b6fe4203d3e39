"""Rows of table files: large files are read in parts, with the same rows as small ones."""

import datetime as dt
import io
import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from openpyxl import Workbook

from mediakit.batches.sources import tables
from mediakit.core.inputs import FileBytes
from mediakit.errors import InvalidInput
from tests.batches.sources import opened, rows_of, values_of

CSV: dict[str, str | bytes] = {
    "commas": "data,size\ntea,200\nmilk,007\n",
    "semicolons and CRLF": "data;size\r\ntea;200,5\r\nmilk;300,25\r\n",
    "tabs": "data\tsize\ntea\t200\nmilk\t300\n",
    "spaces": "data  size\ntea   200\nmilk  300\n",
    "old Mac": "data,size\rtea,200\rmilk,300\r",
    "no last line end": "data,size\ntea,200\nmilk,",
    "quotes": 'data,size\n"tea, green",200\n"say ""hi""",300\n',
    "line break in a cell": 'data,size\n"tea\ngreen",200\n"milk\r\n",300\n',
    "spaces before quotes": 'data, size\n"tea, green", "200"\nmilk, "300"\n',
    "backslashes": 'data,size\n"say \\"hi\\"",200\nmilk,300\n',
    "a path": 'data,size\n"C:\\",200\n"milk",300\n',
    "inches": 'data,size\n5" pipe,200\nmilk 3",300\n',
    "text after a quote": 'data,size\n"green" tea,200\n"milk",300\n',
    "space after a quote": 'data,size\n"green" ,200\n"milk",300\n',
    "lines above": "Guests of 2026\n\ndata,size,who\ntea,200,Ada\nmilk,300,Bob\nx,1,Cleo\n",
    "declared": "sep=|\ndata|size\ntea|200\nmilk|300\n",
    "no header": "1,200\n2,300\n3,400\n",
    "short and long rows": "data,size\ntea\nmilk,300,more,\n,,\n\nx,1\n",
    "blank lines": "\n\ndata,size\n\ntea,200\n\n",
    "repeated names": " data ,data,,size\n1,2,3,4\nx,y,z,5\n",
    "one column": "data\ntea\nmilk\n",
    "header only": "data,size\n",
    "empty": "",
    "null words": "data,size\nNA,200\nnull,-\n",
    "UTF-8 with a mark": b"\xef\xbb\xbf" + "data,size\nThé,200\n".encode(),
    "UTF-16": "data,size\nThé,200\n".encode("utf-16"),
    "UTF-16 without a mark": "data,size\nThé vert,200\n".encode("utf-16-le"),
    "windows-1252": "data,size\nThé à la crème,200\nCafé – “brûlé”,300\n".encode("cp1252"),
    "windows-1251": ("data,size\n" + "чай с молоком и сахаром,200\n" * 20).encode("cp1251"),
    "Shift JIS": "data,size\n毎朝、家族と温かいお茶を飲みます,200\n東京の小さな店で牛乳を買った,300\n".encode(
        "shift_jis"
    ),
}

JSON_LINES: dict[str, list[dict[str, Any]]] = {
    "values": [{"data": "tea", "size": 200, "on": True, "price": 1.50}, {"data": None, "size": None, "price": 2.0}],
    "different columns": [{"data": "tea"}, {"size": 1}, {}, {"data": "x", "who": "Ada"}],
    "nested": [{"a": {"b": {"c": 1}, "d": "x"}, "e": [1, {"f": 2}]}, {"a": {}, "e": []}, {"a": {"b": 5}}],
    "names": [{" data ": "tea", "": 1}],
    "numbers": [{"data": 12345678901234567890123, "size": 0.1, "x": 1e300}],
    "empty text": [{"data": "", "size": "0012"}],
    "moments": [{"data": "2026-01-02", "size": "2026-01-02T03:04:05Z"}],
}


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read every file as if it were large."""
    monkeypatch.setattr(tables, "SMALL_BYTES", -1)


def both(path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Return the rows of a file read as a whole, and in parts."""
    whole = rows_of(path)
    monkeypatch.setattr(tables, "SMALL_BYTES", -1)
    parts = opened(path)
    rows = [row for chunk in parts.chunks() for row in chunk]
    assert (parts.total, parts.repeatable, parts.fits_memory) == (len(rows), True, False)
    assert [row for chunk in parts.chunks() for row in chunk] == rows
    return whole, rows


@pytest.mark.parametrize("name", CSV)
def test_large_csv_has_the_rows_of_a_small_one(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "guests.csv"
    content = CSV[name]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    whole, parts = both(path, monkeypatch)
    assert parts == whole
    assert whole or name in ("header only", "empty")


def test_first_row_with_many_columns_far_below_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "guests.csv"
    path.write_text("data,size\n" + "tea,200\n" * 3000 + "milk,300,é\n", "latin-1")
    whole, parts = both(path, monkeypatch)
    assert parts == whole
    assert parts[0].columns == ("data", "size", "column_3")
    assert parts[-1].values == {"data": "milk", "size": "300", "column_3": "é"}


@pytest.mark.parametrize("name", JSON_LINES)
def test_large_json_lines_have_the_values_of_small_ones(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "guests.jsonl"
    path.write_text("\n\n".join(map(json.dumps, JSON_LINES[name])), "utf-8")
    whole, parts = both(path, monkeypatch)
    assert [(row.number, row.values) for row in parts] == [(row.number, row.values) for row in whole]
    assert set(parts[0].columns) == set(whole[0].columns)


def test_large_parquet_has_the_rows_of_a_small_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "guests.parquet"
    frame = pl.DataFrame({
        "data": ["tea", None, "milk"] * 1000,
        "size": [200, 300, None] * 1000,
        "price": [Decimal("1.50"), None, Decimal("3.00")] * 1000,
        "share": [0.5, float("nan"), None] * 1000,
        "day": [dt.date(2026, 1, 2), None, None] * 1000,
        "at": [dt.datetime(2026, 1, 2, 3), None, None] * 1000,  # noqa: DTZ001
        "took": [dt.timedelta(seconds=90), None, None] * 1000,
        "raw": [b"\x00\x01", None, b""] * 1000,
        "tags": [["a", "b"], [], None] * 1000,
        "who": [{"name": "Ada"}, None, {"name": None}] * 1000,
        "on": [True, False, None] * 1000,
    })  # fmt: skip
    frame.write_parquet(path, row_group_size=700)
    whole, parts = both(path, monkeypatch)
    assert len(parts) == 3000
    assert parts == whole


def test_uploaded_file_is_read_in_parts(large: None) -> None:
    upload = FileBytes.named(b"data,size\ntea,200\n", "guests.csv")
    assert values_of(upload) == [{"data": "tea", "size": "200"}]
    buffer = io.BytesIO()
    pl.DataFrame({"data": ["tea"]}).write_parquet(buffer)
    assert values_of(FileBytes.named(buffer.getvalue(), "guests.parquet")) == [{"data": "tea"}]


def test_small_file_fits_memory(tmp_path: Path) -> None:
    path = tmp_path / "guests.csv"
    path.write_text("data\ntea\n")
    source = opened(str(path))
    assert (source.total, source.repeatable, source.fits_memory) == (1, True, True)


def test_file_with_many_lines_is_read_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "guests.csv"
    path.write_text("data\n" + "tea\n" * 250_000)
    source = opened(path)
    assert (source.total, source.fits_memory) == (250_000, False)
    assert next(source.chunks())[0].values == {"data": "tea"}


def test_table_with_too_many_cells_for_the_reader_of_small_files_is_read_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "guests.parquet"
    pl.DataFrame({f"c{place}": [None] * 60_000 for place in range(100)}).write_parquet(path)
    source = opened(path)
    assert (source.total, source.fits_memory) == (60_000, False)


def test_columns_of_files_are_renamed(large: None, tmp_path: Path) -> None:
    csv, lines, parquet = (tmp_path / f"guests.{suffix}" for suffix in ("csv", "jsonl", "parquet"))
    csv.write_text("Name,size\nAda,3\n")
    lines.write_text('{"Name": "Ada", "size": 3}\n')
    pl.DataFrame({"Name": ["Ada"], "size": ["3"]}).write_parquet(parquet)
    for path in (csv, lines, parquet):
        assert values_of(path, columns={"Name": "recipient"}) == [{"recipient": "Ada", "size": "3"}]
        with pytest.raises(InvalidInput, match='columns: no row has a column "Nmae"; did you mean "Name"'):
            rows_of(path, columns={"Nmae": "recipient"})


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"data": "x"', "rows: line 1204 of guests.jsonl is not JSON: column 13: expected a comma."),
        ('{"data": NaN}', "rows: line 1204 of guests.jsonl is not JSON: NaN is not a number in JSON."),
        ('{"a": 1, "a": 2}', 'rows: line 1204 of guests.jsonl is not JSON: the key "a" occurs twice in an object.'),
        ('"tea"', 'rows: line 1204 of guests.jsonl must be an object, such as {"recipient": "Ada"}.'),
        ("[1, 2]", 'rows: line 1204 of guests.jsonl must be an object, such as {"recipient": "Ada"}.'),
    ],
)
def test_damaged_line_is_named(line: str, message: str, large: None, tmp_path: Path) -> None:
    path = tmp_path / "guests.jsonl"
    path.write_text('{"data": "x"}\n' * 1203 + line + '\n{"data": "x"}\n')
    chunks = opened(path).chunks()
    assert len(next(chunks)) == 1000
    with pytest.raises(InvalidInput) as raised:
        next(chunks)
    assert str(raised.value) == message


def test_quote_that_is_never_closed_is_named(large: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "guests.csv"
    path.write_text("data,size\n" + '"tea",200\n' * 2000 + '"milk,300\n' + "x,1\n" * 2000)
    message = "rows: line 2002 of guests.csv: a quote opens here and is never closed."
    with pytest.raises(InvalidInput, match=message):
        opened(path)
    monkeypatch.setattr("mediakit.batches.sources.tables.MAX_RECORD", 1000)
    with pytest.raises(InvalidInput, match=message):
        opened(path)


def test_file_that_is_not_a_text_is_rejected(large: None, tmp_path: Path) -> None:
    path = tmp_path / "guests.csv"
    path.write_bytes(b"data\n" + b"tea\n" * 300_000 + b"\0\0\0\n")
    with pytest.raises(InvalidInput, match=r"rows: guests\.csv is not a text; it has NUL characters\."):
        opened(path)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 100)
    with pytest.raises(InvalidInput, match=r"rows: must be a table \(CSV, JSON Lines, Excel, ODS, Parquet\), got"):
        opened(path)


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_byte_of_another_charset_is_named(suffix: str, large: None, tmp_path: Path) -> None:
    path = tmp_path / f"guests.{suffix}"
    lines = {"csv": ("data\n", "Thé à la crème\n"), "jsonl": ("", '{"data": "Thé à la crème"}\n')}[suffix]
    path.write_bytes((lines[0] + lines[1] * 100_000).encode("cp1252") + b"\x81\n")
    with pytest.raises(InvalidInput, match=r"byte 0x81.* is not windows-1252; save the file as UTF-8\."):
        opened(path)


def test_line_without_end_is_rejected(large: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MAX_LINE", 100)
    path = tmp_path / "guests.csv"
    path.write_text("data\ntea\n" + "x" * 101)
    with pytest.raises(InvalidInput, match=r"rows: line 3 of guests\.csv has more than 100 characters\."):
        opened(path)


def test_large_workbook_is_rejected_with_other_formats(large: None, tmp_path: Path) -> None:
    path = tmp_path / "guests.xlsx"
    Workbook().save(path)
    with pytest.raises(InvalidInput) as raised:
        opened(path)
    assert str(raised.value).startswith("rows: guests.xlsx (")
    assert "is read up to 20 MB and 5,000,000 cells; save it as CSV, JSON Lines or Parquet" in str(raised.value)


def test_damaged_parquet_is_rejected(large: None, tmp_path: Path) -> None:
    path = tmp_path / "guests.parquet"
    path.write_bytes(b"PAR1" + b"x" * 100)
    with pytest.raises(InvalidInput, match=r"rows: guests\.parquet is a damaged Parquet file: "):
        opened(path)


def test_parquet_without_polars_is_read_by_duckdb(large: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "guests[1].parquet"
    frame = pl.DataFrame({"data": ["tea", None], "day": [dt.date(2026, 1, 2), None], "price": [Decimal("1.50"), None]})
    frame.write_parquet(path)
    monkeypatch.setitem(sys.modules, "polars", None)
    for source in (opened(path), opened(FileBytes.named(path.read_bytes(), "guests.parquet"))):
        assert source.total == 2
        rows = [row.values for row in next(source.chunks())]
        assert rows == [{"data": "tea", "day": "2026-01-02", "price": "1.50"}, {}]


def test_missing_file_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"rows: cannot read 'guests\.csv': No such file or directory\."):
        opened("guests.csv")


def test_large_regular_csv_file_is_read(tmp_path: Path) -> None:
    lines = "".join(f"item {row},{200 + row % 9}\n" for row in range(20_000))
    (tmp_path / "many.csv").write_text(f"data,size\n{lines}", "utf-8")
    rows = [row for chunk in opened(tmp_path / "many.csv").chunks() for row in chunk]
    assert len(rows) == 20_000
    assert dict(rows[-1].values) == {"data": "item 19999", "size": "201"}
