"""The tool `data_convert`."""

import datetime as dt
import io
import json
import zipfile
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import yaml

import mediakit
import mediakit.tools.data.data_convert as tool_module
from mediakit.engines.guarded import TABLE
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.samples import SALES
from mediakit.tools.data.data_convert import TableResult

CSV = "id;day;amount\n007;31.12.2024;1.234,50\n012;01.02.2025;7,25\n"
ROWS = [{"id": "007", "day": "2024-12-31", "amount": 1234.5}, {"id": "012", "day": "2025-02-01", "amount": 7.25}]
TYPES = ["text", "date", "number"]
DAY = dt.date(2024, 1, 31)


def types(result: TableResult) -> list[str]:
    return [column["type"] for column in result.columns]


@pytest.fixture
def sales(tmp_path: Path) -> Path:
    path = tmp_path / "sales.csv"
    path.write_text(CSV, "utf-8")
    return path


@pytest.fixture
def book() -> bytes:
    """A workbook with two sheets."""
    made = openpyxl.Workbook()
    made.worksheets[0].title = "A"
    for row in (["x"], [1]):
        made["A"].append(row)
    sheet = made.create_sheet("B")
    for texts in (["y"], ["z"]):
        sheet.append(texts)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def test_path_gives_json_named_after_the_file(sales: Path) -> None:
    result = mediakit.data_convert(sales)
    assert (json.loads(result.content), result.data) == (ROWS, ROWS)
    assert (result.filename, result.mime_type) == ("sales.json", "application/json")


def test_text_path_bytes_file_object_and_result_are_read_alike(sales: Path) -> None:
    with sales.open("rb") as file:
        sources: list[Any] = [str(sales), CSV.encode(), file, mediakit.data_convert(sales, "xlsx")]
        assert [mediakit.data_convert(source).rows for source in sources] == [ROWS] * 4


def test_meta_describes_how_the_input_was_read() -> None:
    meta = mediakit.data_convert(text=CSV).meta
    found = [meta[name] for name in ("rows", "delimiter", "decimal", "date_order", "skipped_lines", "warnings")]
    assert found == [2, ";", ",", "dmy", 0, []]
    assert meta["columns"] == [{"name": name, "type": kind} for name, kind in zip(ROWS[0], TYPES, strict=True)]


@pytest.mark.parametrize("to", ["jsonl", "csv", "tsv", "xlsx", "parquet", "yaml", "toml", "markdown"])
def test_result_of_each_format_reads_back_as_the_same_rows(to: Any) -> None:
    again = mediakit.data_convert(mediakit.data_convert(text=CSV, to=to))
    assert (again.rows, types(again)) == (ROWS, TYPES)


@pytest.mark.parametrize("to", ["json", "csv", "xlsx", "html", "sql"])
def test_result_has_rows_columns_and_frame_in_every_format(to: Any) -> None:
    result = mediakit.data_convert(text=CSV, to=to)
    assert (len(result), list(result), result.rows, types(result)) == (2, ROWS, ROWS, TYPES)
    frame = result.to_frame()
    assert frame["day"].tolist() == [dt.date(2024, 12, 31), dt.date(2025, 2, 1)]
    assert frame["amount"].tolist() == [1234.5, 7.25]


def test_text_is_the_content_in_its_encoding() -> None:
    result = mediakit.data_convert(rows=[{"name": "Zoë"}], to="csv", output_encoding="latin-1")
    assert (result.text, result.content) == ("name\nZoë\n", "name\nZoë\n".encode("latin-1"))
    with pytest.raises(InvalidInput, match=r"^text: data\.xlsx is not a text file"):
        _ = mediakit.data_convert(text=CSV, to="xlsx").text


def test_pandas_frame_keeps_its_types() -> None:
    frame = pd.DataFrame({
        "id": ["007", "1"],
        "n": pd.array([1, None], dtype="Int64"),
        "x": [0.5, float("nan")],
        "at": [pd.Timestamp("2024-01-31 08:30"), pd.NaT],
        "ok": [True, False],
        "price": [Decimal("1.10"), None],
        "kind": pd.Categorical(["a", "b"]),
    })  # fmt: skip
    result = mediakit.data_convert(frame, "json")
    assert types(result) == ["text", "integer", "number", "datetime", "boolean", "number", "text"]
    assert result.rows[0]["at"] == "2024-01-31T08:30:00"
    assert list(result.rows[1].values()) == ["1", None, None, None, False, None, "b"]


def test_index_of_pandas_is_a_column_if_it_has_a_name_or_texts() -> None:
    frame = pd.DataFrame({"n": [1]}, index=pd.Index(["a"], name="key"))
    assert mediakit.data_convert(frame).rows == [{"key": "a", "n": 1}]
    assert mediakit.data_convert(pd.DataFrame({"n": [1]}, index=[7])).rows == [{"n": 1}]
    assert mediakit.data_convert(pd.DataFrame({"n": [4]}).agg(["max"])).rows == [{"index": "max", "n": 4}]
    repeated = pd.DataFrame({"n": [1], "m": [2]}).set_index("n", drop=False)
    assert mediakit.data_convert(repeated).rows == [{"n": 1, "n_2": 1, "m": 2}]


def test_polars_and_pyarrow_tables_are_read() -> None:
    data = {"id": ["007"], "day": [dt.date(2024, 12, 31)], "amount": [1234.5]}
    for table in (pl.DataFrame(data), pl.LazyFrame(data), pa.table(data)):
        result = mediakit.data_convert(table, "json")
        assert (result.rows, types(result)) == (ROWS[:1], TYPES)


def test_lists_and_dicts_of_python_are_tables() -> None:
    expected = [{"a": 1, "b": "2024-01-31"}, {"a": 2, "b": None}]
    assert mediakit.data_convert([{"a": 1, "b": DAY}, {"a": 2}]).rows == expected
    assert mediakit.data_convert({"a": [1, 2], "b": [DAY, None]}).rows == expected
    assert mediakit.data_convert(rows=[["a", "b"], [1, DAY], [2, None]]).rows == expected


def test_dict_of_single_values_is_one_row() -> None:
    assert mediakit.data_convert({"name": "Ana", "age": 31}).rows == [{"name": "Ana", "age": 31}]


def test_frame_without_rows_keeps_its_columns() -> None:
    assert mediakit.data_convert(pd.DataFrame({"a": [], "b": []}), "csv").text == "a,b\n"


def test_columns_are_chosen_ordered_and_renamed() -> None:
    result = mediakit.data_convert(text=CSV, columns=["amount", {"name": "id", "as": "order"}])
    assert result.rows[0] == {"amount": 1234.5, "order": "007"}
    with pytest.raises(InvalidInput, match=r'^columns\[0\]: there is no column "amout"; did you mean "amount"\?$'):
        mediakit.data_convert(text=CSV, columns=["amout"])


def test_json_has_three_orients() -> None:
    assert mediakit.data_convert(text=CSV, orient="columns").data["id"] == ["007", "012"]
    assert mediakit.data_convert(text=CSV, orient="arrays", indent=0).data[0] == ["id", "day", "amount"]
    with pytest.raises(InvalidInput, match=r"^orient: requires to json, got csv\.$"):
        mediakit.data_convert(text=CSV, to="csv", orient="columns")


def test_values_of_any_shape_go_through_json_yaml_and_toml() -> None:
    text = 'port: 80\nhosts: [a, b]\nempty: ~\nnested: {"no": no, id: "012"}\n'
    value = {"port": 80, "hosts": ["a", "b"], "empty": None, "nested": {"no": "no", "id": "012"}}
    assert mediakit.data_convert(text=text).data == value
    assert yaml.safe_load(mediakit.data_convert(text=json.dumps(value), to="yaml").text) == value
    result = mediakit.data_convert(text=json.dumps(value), to="toml")
    assert result.meta["warnings"] == ["TOML has no null; keys without a value were omitted."]
    assert mediakit.data_convert(result).data == {name: part for name, part in value.items() if name != "empty"}


def test_value_becomes_a_table_where_the_format_or_an_option_needs_one() -> None:
    text = '[{"a": {"b": 1}, "c": [1, 2]}]'
    assert mediakit.data_convert(text=text).data == json.loads(text)
    assert mediakit.data_convert(text=text, to="csv").text == 'a.b,c\n1,"[1, 2]"\n'
    assert mediakit.data_convert(text=text, columns=["a.b"]).data == [{"a.b": 1}]
    assert mediakit.data_convert(text=text, max_rows=1, flatten=False).data == json.loads(text)


def test_all_sheets_become_sheets_an_object_or_an_archive(book: bytes) -> None:
    assert mediakit.data_convert(book, sheet="*").data == {"A": [{"x": 1}], "B": [{"y": "z"}]}
    archive = mediakit.data_convert(book, "csv", sheet="*")
    with zipfile.ZipFile(io.BytesIO(archive.content)) as opened:
        assert {name: opened.read(name) for name in opened.namelist()} == {"A.csv": b"x\n1\n", "B.csv": b"y\nz\n"}
    assert (archive.filename, archive.mime_type) == ("data.zip", "application/zip")
    content = mediakit.data_convert(book, "xlsx", sheet="*").content
    assert openpyxl.load_workbook(io.BytesIO(content)).sheetnames == ["A", "B"]


def test_sheet_is_chosen_by_number_or_name(book: bytes) -> None:
    assert mediakit.data_convert(book, sheet=2).rows == mediakit.data_convert(book, sheet="B").rows == [{"y": "z"}]


def test_workbook_has_typed_cells_and_is_named_after_the_file(sales: Path) -> None:
    result = mediakit.data_convert(sales, "xlsx")
    made = openpyxl.load_workbook(io.BytesIO(result.content))
    assert (result.filename, made.sheetnames) == ("sales.xlsx", ["sales"])
    assert [cell.value for cell in made["sales"][2]] == ["007", dt.datetime.fromisoformat("2024-12-31"), 1234.5]


def test_markup_in_the_cells_of_a_csv_file_is_text() -> None:
    made = mediakit.data_convert(b"<b>name</b>,price\n<i>tea</i>,3\n")
    assert made.data == [{"<b>name</b>": "<i>tea</i>", "price": 3}]


def test_grid_of_a_sheet_is_an_array_of_arrays() -> None:
    made = mediakit.data_convert(rows=[{"a": 1, "b": None}], to="xlsx")
    assert mediakit.data_convert(made, header=False, types="text").data == [["a", "b"], ["1", None]]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "file: exactly one of file, text and rows is required, got none."),
        ({"text": "a", "rows": [{"a": 1}]}, "file: exactly one of file, text and rows is required, got text, rows."),
        ({"text": 'a\n"b'}, "text: line 2: a quote opens here and is never closed."),
        ({"text": '{"a" 1}', "input_format": "json"}, "text: is not JSON: line 1, column 6: expected a colon."),
        ({"text": "5", "input_format": "json", "to": "csv"}, "text: must be a table"),
        ({"text": "a", "input_format": "excel"}, "input_format: excel is not a text; send it as file."),
        (
            {"file": b"%PDF-1.7"},
            "file: must be a table (CSV, JSON, Excel, ODS, Parquet, YAML, TOML, Markdown), got a PDF.",
        ),
        (
            {"file": b"<table><tr><td>1</td></tr></table>\n"},
            "file: must be a table (CSV, JSON, Excel, ODS, Parquet, YAML, TOML, Markdown), got an HTML page.",
        ),
        (
            {"file": b'<?xml version="1.0"?><rows><row a="1"/></rows>'},
            "file: must be a table (CSV, JSON, Excel, ODS, Parquet, YAML, TOML, Markdown), got an XML file.",
        ),
        ({"file": b""}, "file: must not be empty."),
        ({"file": b"PAR1xxxx"}, "file: is a damaged Parquet file"),
        ({"text": "a", "types": {"a": "int"}}, "types: must have one of text, integer"),
        ({"text": "a", "delimiter": "x"}, "delimiter: must be one character"),
        ({"text": "a", "header": "maybe"}, 'header: must be auto, true or false, got "maybe".'),
        ({"text": "a", "columns": [{"name": "a"}]}, "columns[0]: must be a name, or an object such as"),
        ({"text": "a", "bom": True}, "bom: requires to csv or tsv, got json."),
        ({"file": b"a", "encoding": "klingon"}, 'encoding: "klingon" is not known'),
    ],
)
def test_invalid_input_is_refused_with_the_field(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.data_convert(**values)
    assert str(caught.value).startswith(message)


def test_empty_toml_is_an_empty_object() -> None:
    assert mediakit.data_convert(b"", input_format="toml").data == {}


def test_work_over_the_time_limit_is_not_convertible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tool_module, "TABLE", replace(TABLE, seconds=0.01))
    with pytest.raises(NotConvertible, match=r"^text: took longer than 0\.01 seconds; send a smaller table\.$"):
        mediakit.data_convert(text="a,b\n" + "1,x\n" * 200_000)


def test_notebook_shows_the_first_rows_with_types_escaped() -> None:
    rows = [{"name": "<b>&", "n": number} for number in range(30)]
    shown, _ = mediakit.data_convert(rows=rows, to="csv")._repr_mimebundle_()
    html = shown["text/html"]
    assert "&lt;b&gt;&amp;" in html
    assert "<b>&" not in html
    assert "and 10 more rows" in html
    assert (html.count("<tr"), html.count(">integer<")) == (21, 1)
    assert shown["text/plain"].startswith("<TableResult data.csv, 30 rows × 2 columns, ")


def test_notebook_shows_a_value_of_any_shape_as_text() -> None:
    shown, _ = mediakit.data_convert(text='{"a": [1]}', to="yaml")._repr_mimebundle_()
    assert "a:\n  - 1" in shown["text/html"]


def test_result_from_an_envelope_has_content_and_meta() -> None:
    body = json.loads(mediakit.data_convert(text=CSV, to="csv").envelope())
    result = TableResult.from_envelope(body)
    assert (result.text, result.filename, result.meta["rows"]) == (body["text"], "data.csv", 2)


def test_envelope_of_a_file_over_5_mb_has_no_text() -> None:
    small, large = ({"a": "x" * length} for length in (4_000_000, 5_100_000))
    assert "data" in mediakit.data_convert(rows=[small]).to_dict()
    assert set(mediakit.data_convert(rows=[large], to="csv").to_dict()) == {"mime_type", "filename", "meta"}


def test_sample_becomes_sql_and_html() -> None:
    assert 'CREATE TABLE "orders"' in mediakit.data_convert(SALES, "sql", table="orders").text
    assert "<td>Zoë O'Neil</td>" in mediakit.data_convert(SALES, "html").text


def test_code_of_a_call_runs_in_the_shell_and_over_http(sales: Path) -> None:
    result = mediakit.data_convert(sales, "csv", header=True, types={"id": "integer"})
    assert result.code("shell") == (
        f'mediakit data-convert {sales} --to csv --header true --types \'{{"id": "integer"}}\' -o data-convert.csv'
    )
    assert "content-type: text/csv" in result.code("curl")


@pytest.mark.parametrize(
    ("to", "text"), [("csv", "ship,tons,2024-05\n"), ("markdown", "| ship | tons | 2024-05 |"), ("json", "[]")]
)
def test_table_of_names_alone_keeps_its_columns(to: Any, text: str) -> None:
    for content in ("ship,tons,2023-05,2024-05\n", "ship;tons;2023-05;2024-05"):
        result = mediakit.data_convert(text=content, to=to, columns=["ship", "tons", "2024-05"])
        assert result.text is not None
        assert result.text.startswith(text)
        assert [column["name"] for column in result.meta["columns"]] == ["ship", "tons", "2024-05"]
        assert result.meta["rows"] == 0


def test_units_are_in_meta() -> None:
    result = mediakit.data_convert(text="ship,share,fee\nAlba,12 %,$5.50\nBera,3.5 %,$7\n")
    assert result.rows == [{"ship": "Alba", "share": 12, "fee": 5.5}, {"ship": "Bera", "share": 3.5, "fee": 7}]
    assert result.meta["columns"] == [
        {"name": "ship", "type": "text"},
        {"name": "share", "type": "number", "unit": "%"},
        {"name": "fee", "type": "number", "unit": "$"},
    ]
    assert result.meta["warnings"] == ['Column "share" has numbers in %.', 'Column "fee" has numbers in $.']


def test_units_of_a_large_table_are_found() -> None:
    lines = "".join(f"ship{number},{number}.5 €\n" for number in range(9000))
    result = mediakit.data_convert(text=f"ship,fee\n{lines}")
    assert (result.meta["columns"][1], result.rows[-1]["fee"]) == (
        {"name": "fee", "type": "number", "unit": "€"},
        8999.5,
    )


@pytest.mark.parametrize("above", ["Report,\n", "Report,\n,\n", "Port:,Vigo\n", "Port,Vigo\nYear,2023-01\n,\n"])
def test_lines_above_a_large_table_are_skipped(above: str) -> None:
    lines = "".join(f"ship{number},{number}\n" for number in range(12000))
    result = mediakit.data_convert(text=f"{above}ship,tons\n{lines}")
    assert (result.meta["rows"], result.columns[1]) == (12000, {"name": "tons", "type": "integer"})
