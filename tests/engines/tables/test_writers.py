"""Writers: what they write is read back by other libraries."""

import csv
import io
import json
import sqlite3
import tomllib
import zipfile
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
import yaml

from mediakit.engines.tables.model import Column, Document, Facts, Table
from mediakit.engines.tables.writers import WriteOptions, write
from mediakit.errors import InvalidInput

TABLE = Table([
    Column("name", "text", ['Ana "Q"', "x, y\nz", None]),
    Column("n", "integer", [1, None, 12345678901234567890]),
    Column("price", "number", [1.5, 2.0, None]),
    Column("ok", "boolean", [True, None, False]),
    Column("day", "date", ["2024-01-31", None, "2024-02-01"]),
])  # fmt: skip
RECORDS: list[dict[str, Any]] = [
    {"name": 'Ana "Q"', "n": 1, "price": 1.5, "ok": True, "day": "2024-01-31"},
    {"name": "x, y\nz", "n": None, "price": 2.0, "ok": None, "day": None},
    {"name": None, "n": 12345678901234567890, "price": None, "ok": False, "day": "2024-02-01"},
]


def text(source: Table = TABLE, **options: Any) -> str:
    return write(Document(Facts(), {"data": source}), WriteOptions(**options)).content.decode()


def of_value(value: Any, to: Any, facts: Facts | None = None) -> str:
    return write(Document(facts or Facts(), value=value, is_value=True), WriteOptions(to=to)).content.decode()


@pytest.mark.parametrize("indent", [0, 2, 8])
def test_json_rows_are_objects(indent: int) -> None:
    assert json.loads(text(to="json", indent=indent)) == RECORDS


def test_json_orients() -> None:
    assert json.loads(text(to="json", orient="columns")) == {name: [r[name] for r in RECORDS] for name in RECORDS[0]}
    assert json.loads(text(to="json", orient="arrays")) == [list(RECORDS[0]), *(list(r.values()) for r in RECORDS)]


def test_json_keeps_the_digits_of_decimals_and_percent_signs_in_names() -> None:
    table = Table([Column("50 %s", "number", [Decimal("0.12345678901234567890")])])
    assert text(table, to="json", indent=0) == '[{"50 %s": 0.12345678901234567890}]\n'


def test_json_lines_are_one_object_per_row() -> None:
    assert [json.loads(line) for line in text(to="jsonl").splitlines()] == RECORDS


def test_csv_is_quoted_where_needed() -> None:
    rows = list(csv.reader(io.StringIO(text(to="csv"), newline="")))
    assert rows[1] == ['Ana "Q"', "1", "1.5", "true", "2024-01-31"]
    assert rows[2] == ["x, y\nz", "", "2", "", ""]


def test_csv_of_one_column_keeps_its_empty_rows() -> None:
    assert text(Table([Column("a", "text", ["x", None])]), to="csv") == 'a\nx\n""\n'


def test_csv_options_set_delimiter_newline_mark_and_encoding() -> None:
    table = Table([Column("a", "text", ["é"]), Column("b", "integer", [1])])
    options = WriteOptions(to="csv", delimiter=";", newline="crlf", encoding="utf-16-le", bom=True)
    content = write(Document(Facts(), {"data": table}), options).content
    assert content.decode("utf-16") == "a;b\r\né;1\r\n"


def test_character_that_the_encoding_lacks_is_refused_with_its_line() -> None:
    with pytest.raises(
        InvalidInput, match=r'^output_encoding: latin-1 has no "€" \(U\+20AC\), as in line 2; use utf-8\.$'
    ):
        text(Table([Column("a", "text", ["€"])]), to="csv", encoding="latin-1")


def test_formulas_are_escaped_only_where_asked_and_never_numbers() -> None:
    table = Table([Column("a", "text", ["=1+1", "-5", "@x", "plain"])])
    assert text(table, to="csv").split() == ["a", "=1+1", "-5", "@x", "plain"]
    assert text(table, to="csv", escape_formulas=True).split() == ["a", "'=1+1", "-5", "'@x", "plain"]


WORDS = [
    *("no", "012", "1e3", "true", "null", "~", "2024-01-01", "0x1F", "1:30", "#x", "ok"),
    *("", " x", "a: b", "- a", "é\u2028", "x #y"),
]


@pytest.mark.parametrize("word", WORDS)
def test_yaml_text_is_read_back_as_the_same_text_by_yaml_1_1_too(word: str) -> None:
    assert yaml.safe_load(of_value({word or "k": [word, {"v": word}]}, "yaml")) == {word or "k": [word, {"v": word}]}


def test_yaml_table_is_a_list_of_mappings_in_order() -> None:
    assert yaml.safe_load(text(Table(TABLE.columns[:4]), to="yaml")) == [
        {name: row[name] for name in ("name", "n", "price", "ok")} for row in RECORDS
    ]


def test_toml_leaves_out_nulls_with_a_warning() -> None:
    facts = Facts()
    assert tomllib.loads(of_value({"a": None, "b": [1, {"c": None}]}, "toml", facts)) == {"b": [1, {}]}
    assert facts.warnings == ["TOML has no null; keys without a value were omitted."]


def test_toml_rows_are_an_array_of_tables() -> None:
    assert tomllib.loads(text(to="toml"))["rows"][1] == {"name": "x, y\nz", "price": 2.0}


def test_markdown_escapes_pipes_and_breaks() -> None:
    table = Table([Column("a|b", "text", ["x\ny", "*z*"]), Column("n_1", "integer", [1, 2])])
    assert text(table, to="markdown") == "| a\\|b | n_1 |\n| --- | ---: |\n| x<br>y | 1 |\n| \\*z\\* | 2 |\n"


def test_html_escapes_markup() -> None:
    assert "<td>&lt;script&gt;</td>" in text(Table([Column("a", "text", ["<script>"])]), to="html")


def test_sql_is_run_by_a_database() -> None:
    data = Table([
        Column('we"ird', "text", ["O'Neil", None, "a\\b"]),
        Column("n", "integer", [1, 2**40, None]),
        Column("ok", "boolean", [True, False, None]),
        Column("x", "number", [1.5, -2.25, None]),
    ])  # fmt: skip
    database = sqlite3.connect(":memory:")
    database.executescript(text(data, to="sql", table="my table"))
    assert database.execute('SELECT * FROM "my table"').fetchall() == list(data.rows())


def test_parquet_keeps_types() -> None:
    table = Table(
        [*TABLE.columns[2:], Column("at", "datetime", ["2024-01-31T08:30:00", None, "2024-01-31T08:30:00.5"])]
    )
    frame = pl.read_parquet(io.BytesIO(write(Document(Facts(), {"data": table}), WriteOptions(to="parquet")).content))
    assert [str(kind) for kind in frame.dtypes[:3]] == ["Float64", "Boolean", "Date"]
    assert frame["at"].is_null().sum() == 1


def test_several_tables_are_an_archive_of_csv_or_an_object_of_json() -> None:
    document = Document(
        Facts(), {"A/1": Table([Column("x", "integer", [1])]), "B": Table([Column("y", "integer", [2])])}
    )
    written = write(document, WriteOptions(to="csv"))
    with zipfile.ZipFile(io.BytesIO(written.content)) as archive:
        assert archive.namelist() == ["A_1.csv", "B.csv"]
    assert written.is_archive
    assert json.loads(write(document, WriteOptions(to="json")).content) == {"A/1": [{"x": 1}], "B": [{"y": 2}]}
    with pytest.raises(InvalidInput, match="not with sql"):
        write(document, WriteOptions(to="sql"))
