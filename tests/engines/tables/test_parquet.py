"""Parquet files: nested columns, nanoseconds, durations, numbers of 32 bits."""

import datetime as dt
import io
import json
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mediakit
from mediakit.engines.tables.model import ReadOptions, Table
from mediakit.engines.tables.reading import read_file


def saved(**columns: Any) -> bytes:
    file = io.BytesIO()
    pl.DataFrame(columns).write_parquet(file)
    return file.getvalue()


def read(content: bytes, **options: Any) -> Table:
    return read_file(content, "t.parquet", ReadOptions(**options)).table


NESTED = saved(
    id=[1, 2, 3],
    tags=[["a", "b"], [], None],
    owner=[{"name": "Ana", "since": dt.date(2021, 5, 6)}, None, {"name": "Bo", "since": None}],
    visits=[[{"n": 1}, {"n": 4}], None, [{"n": 2}]],
)


def test_structures_are_columns_and_lists_are_json_with_flatten() -> None:
    table = read(NESTED)
    assert [(column.name, column.type) for column in table.columns] == [
        ("id", "integer"),
        ("tags", "text"),
        ("owner.name", "text"),
        ("owner.since", "date"),
        ("visits", "text"),
    ]
    assert next(iter(table.rows())) == (1, '["a", "b"]', "Ana", "2021-05-06", '[{"n": 1}, {"n": 4}]')


def test_nested_values_stay_without_flatten() -> None:
    rows = json.loads(mediakit.data_convert(NESTED, flatten=False).content)
    assert rows[0]["owner"] == {"name": "Ana", "since": "2021-05-06"}
    assert [row["tags"] for row in rows] == [["a", "b"], [], None]


@pytest.mark.parametrize(
    "source", [NESTED, pl.read_parquet(io.BytesIO(NESTED)), pl.read_parquet(io.BytesIO(NESTED)).to_arrow()]
)
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select len(tags) x from data where id < 3 order by id", [2, 0]),
        ("select tags[1] x from data order by id", ["a", None, None]),
        ("select unnest(tags) x from data", ["a", "b"]),
        ("select owner.name x from data order by id", ["Ana", None, "Bo"]),
        ("select visits[-1].n x from data order by id", [4, None, 2]),
        ("select list_sum(list_transform(visits, lambda v: v.n)) x from data order by id", [5, None, 2]),
        ("select list_contains(tags, 'b') x from data where id = 1", [True]),
    ],
)
def test_nested_columns_are_lists_and_structures_in_sql(source: Any, sql: str, expected: list[Any]) -> None:
    assert [row["x"] for row in mediakit.data_query(source, sql).rows] == expected


def test_nested_values_of_json_are_lists_and_structures_in_sql() -> None:
    rows = [{"a": {"b": [1, 2]}, "mixed": [1, "x"]}, {"a": {"c": 5}, "mixed": None}]
    found = mediakit.data_query(rows=rows, sql="select a.b[2] b, a.c c, mixed from data")
    assert found.rows == [{"b": 2, "c": None, "mixed": '[1, "x"]'}, {"b": None, "c": 5, "mixed": None}]


def test_floats_of_32_bits_have_their_own_digits() -> None:
    values = [0.1, 19.99, 1234.5677, -3.4e38, 1e-7, None]
    series = pl.Series(values, dtype=pl.Float32)
    assert read(saved(v=series)).columns[0].values == values
    assert json.loads(mediakit.data_convert(pl.DataFrame({"v": series})).content)[0] == {"v": 0.1}
    nested = pl.Series([[0.1, 0.2]], dtype=pl.List(pl.Float32))
    assert read(saved(v=nested), flatten=False).columns[0].values == [[0.1, 0.2]]


def test_floats_of_32_bits_of_pandas_numpy_and_arrow_have_their_own_digits() -> None:
    import numpy as np
    import pandas as pd

    values = np.array([0.1, 2.3], np.float32)
    for table in (pd.DataFrame({"v": values}), [{"v": each} for each in values], {"v": values},
                  pl.DataFrame({"v": values}).to_arrow()):  # fmt: skip
        assert [row["v"] for row in mediakit.data_convert(table).rows] == [0.1, 2.3]


def test_nanoseconds_are_kept() -> None:
    moments = pl.Series([1_700_000_000_123_456_789, 1, None], dtype=pl.Datetime("ns"))
    column = read(saved(at=moments)).columns[0]
    assert column.type == "datetime"
    assert column.values == ["2023-11-14T22:13:20.123456789", "1970-01-01T00:00:00.000000001", None]
    with_zone = moments.dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")
    assert read(saved(at=with_zone)).columns[0].values[0] == "2023-11-15T07:13:20.123456789+09:00"
    sql = 'select epoch_ns("at") n from data where "at" is not null order by 1'
    assert [row["n"] for row in mediakit.data_query(saved(at=moments), sql).rows] == [1, 1_700_000_000_123_456_789]


def test_durations_have_one_notation_and_are_intervals_in_sql() -> None:
    content = saved(took=[dt.timedelta(seconds=-1), dt.timedelta(hours=30, minutes=5), dt.timedelta(minutes=90)])
    assert read(content).columns[0].values == ["-00:00:01", "30:05:00", "01:30:00"]
    assert mediakit.data_query(content, "select max(took) + min(took) x from data").rows == [{"x": "30:04:59"}]


def test_times_and_durations_keep_their_nanoseconds() -> None:
    at = pl.Series([45_296_123_456_789, None], dtype=pl.Time)
    took = pl.Series([108_300_000_000_001, -1_000_000_001], dtype=pl.Duration("ns"))
    first, second = read(saved(at=at, took=took)).columns
    assert (first.type, first.values) == ("time", ["12:34:56.123456789", None])
    assert second.values == ["30:05:00.000000001", "-00:00:01.000000001"]
    rows = mediakit.data_query(saved(at=at, took=took), 'select "at" from data where "at" is not null').rows
    assert rows == [{"at": "12:34:56.123456789"}]


def test_parquet_with_two_columns_of_one_name_is_read() -> None:
    place = pa.array([{"city": "Oslo", "at": [59, 10]}, None])
    table = pa.table([place, pa.array([7, 8]), pa.array([[1], []]), pa.array([5, 6])], names=["at", "n", "at", "n_2"])
    file = io.BytesIO()
    pq.write_table(table, file)
    expected = [
        {"at": {"city": "Oslo", "at": [59, 10]}, "n": 7, "at_2": [1], "n_2": 5},
        {"at": None, "n": 8, "at_2": [], "n_2": 6},
    ]
    assert json.loads(mediakit.data_convert(file.getvalue(), flatten=False).content) == expected
    assert mediakit.data_query(file.getvalue(), "select sum(len(at_2)) x, sum(n_2) y from data").rows == [
        {"x": 1, "y": 11}
    ]
