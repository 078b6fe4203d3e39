"""Rows of tables and iterables in memory, and of generators."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import mediakit
from mediakit.batches.sources import objects
from mediakit.batches.sources.rows import CHUNK_ROWS
from mediakit.errors import InvalidInput
from tests.batches.sources import opened, rows_of, values_of

DATA: dict[str, list[Any]] = {
    "data": ["tea", None, "milk"],
    "size": [200, 300, None],
    "price": [1.5, float("nan"), 2.0],
    "day": [pd.Timestamp(2026, 1, 2), None, pd.Timestamp(2026, 1, 3)],
}

SOURCES: dict[str, Any] = {
    "pandas": pd.DataFrame(DATA),
    "nullable": pd.DataFrame(DATA).convert_dtypes(),
    "polars": pl.DataFrame(DATA, strict=False),
    "arrow": pa.table(DATA),
    "records": pl.DataFrame(DATA, strict=False).to_dicts(),
    "different columns": [{"data": "tea"}, {"size": 3, "data": None}, {}],
    "values": ["tea", None, 5, Decimal("NaN"), float("nan"), pd.NaT],
    "series": pd.Series(["tea", None, "milk"]),
    "polars series": pl.Series("other", [1, None, 3]),
    "array": np.array([1.5, np.nan]),
    "named": {"a": {"data": "tea"}, "b": "milk", "c": None, "d": float("nan")},
    "paths": [Path("photos/tea.png"), "photos/milk.png"],
    "numbered columns": pd.DataFrame([["tea", 1], ["milk", 2]]),
    "no columns": pd.DataFrame(index=range(3)),
    "no rows": pd.DataFrame({"data": []}),
    "nothing": [],
}


@pytest.mark.parametrize("name", SOURCES)
def test_rows_in_memory_can_be_read_again(name: str) -> None:
    source = opened(SOURCES[name])
    rows = [row for chunk in source.chunks() for row in chunk]
    assert [row for chunk in source.chunks() for row in chunk] == rows
    assert (source.total, source.repeatable, source.fits_memory) == (len(rows), True, True)


def test_sources_of_one_table_have_equal_rows() -> None:
    expected: list[dict[str, Any]] = [
        {"data": "tea", "size": 200, "price": 1.5},
        {"size": 300},
        {"data": "milk", "price": 2.0},
    ]
    for name in ("pandas", "nullable", "polars", "arrow", "records"):
        rows = rows_of(SOURCES[name])
        found = [{name: value for name, value in row.values.items() if name != "day"} for row in rows]
        assert found == expected
        assert [row.columns for row in rows] == [("data", "size", "price", "day")] * 3
        assert rows[0].values["day"] == pd.Timestamp(2026, 1, 2)
        assert "day" not in rows[1].values


def test_values_and_named_rows_are_rows() -> None:
    assert values_of(SOURCES["values"]) == [{"data": "tea"}, {}, {"data": 5}, {}, {}, {}]
    assert values_of(SOURCES["named"]) == [{"data": "tea"}, {"data": "milk"}, {}, {}]
    assert [row.name for row in rows_of(SOURCES["named"])] == ["a", "b", "c", "d"]
    assert [row.name for row in rows_of(SOURCES["paths"])] == ["tea", None]
    assert values_of(SOURCES["array"]) == [{"data": 1.5}, {}]
    assert values_of(SOURCES["no columns"]) == [{}, {}, {}]


def test_missing_values_of_every_kind_are_omitted() -> None:
    frame = pd.DataFrame({"data": ["x", pd.NA], "n": pd.array([None, 1], "Int64"), "day": [pd.NaT, pd.Timestamp(0)]})
    assert values_of(frame) == [{"data": "x"}, {"n": 1, "day": pd.Timestamp(0)}]
    assert [row.columns for row in rows_of(frame)] == [("data", "n", "day")] * 2


@pytest.mark.parametrize("kind", [list, pd.Series, pl.Series, tuple])
def test_chunks_have_at_most_a_thousand_rows(kind: Any) -> None:
    chunks = list(opened(kind(range(2500))).chunks())
    assert [len(chunk) for chunk in chunks] == [CHUNK_ROWS, CHUNK_ROWS, 500]
    assert [row.number for chunk in chunks for row in chunk] == list(range(1, 2501))


def test_generator_is_read_only_as_far_as_its_chunks() -> None:
    read_rows = 0

    def rows() -> Iterator[dict[str, int]]:
        nonlocal read_rows
        for number in range(10_000_000):
            read_rows += 1
            yield {"data": number}

    source = opened(rows())
    assert (read_rows, source.total, source.repeatable, source.fits_memory) == (0, None, False, False)
    chunks = source.chunks()
    assert [row.values["data"] for row in next(chunks)] == list(range(CHUNK_ROWS))
    assert read_rows == CHUNK_ROWS
    source.close()
    with pytest.raises(InvalidInput, match="rows: can be read only once; pass a list"):
        source.chunks()


def test_chunk_of_a_slow_generator_ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "CHUNK_SECONDS", 0.0)
    chunks = opened(iter(["tea", "milk"])).chunks()
    assert [row.values["data"] for row in next(chunks)] == ["tea"]


def test_error_of_a_generator_has_the_number_of_the_row() -> None:
    def rows() -> Iterator[str]:
        yield from ["tea"] * CHUNK_ROWS
        raise KeyError("milk")

    chunks = opened(rows()).chunks()
    next(chunks)
    with pytest.raises(KeyError, match="milk") as raised:
        next(chunks)
    assert raised.value.__notes__ == ["Raised while the rows after row 1000 were read."]


def test_results_of_another_batch_are_named_rows() -> None:
    made = mediakit.batch(mediakit.qr, {"a": "tea", "b": "milk"})
    rows = rows_of(made, "file")
    assert [(row.name, row.values["file"]) for row in rows] == [("a", made["a"]), ("b", made["b"])]
    assert opened(made).total == 2


@pytest.mark.parametrize("source", [5, b"tea", print, object(), pd.Timestamp(0)])
def test_other_types_are_rejected(source: Any) -> None:
    with pytest.raises(InvalidInput, match="rows: must be a DataFrame, an iterable of dictionaries or values"):
        opened(source)


@pytest.mark.parametrize(
    "source",
    [
        pd.DataFrame({"Name": ["Ada"], "size": [3]}),
        pl.DataFrame({"Name": ["Ada"], "size": [3]}),
        [{"Name": "Ada", "size": 3}],
        {"x": {"Name": "Ada", "size": 3}},
        iter([{"Name": "Ada", "size": 3}]),
    ],
)
def test_columns_are_renamed(source: Any) -> None:
    (row,) = rows_of(source, columns={"Name": "recipient"})
    assert row.values == {"recipient": "Ada", "size": 3}
    assert row.columns == ("recipient", "size")


def test_columns_can_exchange_their_names() -> None:
    assert values_of([{"a": 1, "b": 2}], columns={"a": "b", "b": "a"}) == [{"b": 1, "a": 2}]


def test_column_of_a_later_row_of_a_list_can_be_renamed() -> None:
    rows = [{"data": "x"}] * CHUNK_ROWS + [{"data": "x", "Name": "Ada"}]
    assert values_of(rows, columns={"Name": "recipient"})[-1] == {"data": "x", "recipient": "Ada"}


UNKNOWN = r'columns: no row has a column "Nmae"; did you mean "Name"\?'


@pytest.mark.parametrize("source", [[{"Name": "x"}], pd.DataFrame({"Name": []}), pl.DataFrame({"Name": ["x"]})])
def test_unknown_column_of_a_table_is_rejected_at_once(source: Any) -> None:
    with pytest.raises(InvalidInput, match=UNKNOWN):
        opened(source, columns={"Nmae": "recipient"})


def test_unknown_column_of_a_stream_is_rejected_with_the_first_rows() -> None:
    chunks = opened(iter([{"Name": "x"}]), columns={"Nmae": "recipient"}).chunks()
    with pytest.raises(InvalidInput, match=UNKNOWN):
        next(chunks)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"Name": "x", "Title": "x"}, 'columns: "Name" and "Title" have one name, "x"; names must be unique.'),
        ({"Name": "Title"}, 'columns: "Name" and "Title" have one name, "Title"; names must be unique.'),
        ({"Name": 5}, "columns: must be names of fields by name of column"),
        (["Name"], "columns: must be names of fields by name of column"),
    ],
)
def test_invalid_new_names_are_rejected(columns: Any, message: str) -> None:
    for source in (pd.DataFrame({"Name": ["Ada"], "Title": ["Dr."]}), iter([{"Name": "Ada", "Title": "Dr."}])):
        with pytest.raises(InvalidInput) as raised:
            rows_of(source, columns=columns)
        assert message in str(raised.value)
