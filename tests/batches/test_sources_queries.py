"""Rows of lazy tables and of queries, which are read in parts."""

import sqlite3
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest
import sqlalchemy as sa

from mediakit.errors import InvalidInput
from tests.batches.sources import opened, rows_of, values_of

DATA = {"data": ["tea", None, "milk"] * 700, "size": [200, 300, None] * 700}
EXPECTED = [{"data": "tea", "size": 200}, {"size": 300}, {"data": "milk"}] * 700


def dask_frame() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import dask.dataframe as dd

    return dd.from_pandas(pd.DataFrame(DATA), npartitions=3)  # type: ignore[no-untyped-call]


LAZY: dict[str, Callable[[], Any]] = {
    "polars": lambda: pl.LazyFrame(DATA),
    "dask": dask_frame,
    "duckdb relation": lambda: duckdb.from_arrow(pa.table(DATA)),
    "duckdb cursor": lambda: duckdb.connect().register("t", pa.table(DATA)).execute("select * from t"),
    "arrow reader": lambda: pa.table(DATA).to_reader(max_chunksize=100),
    "arrow batch": lambda: pa.RecordBatch.from_pydict(DATA),
    "arrow data set": lambda: pyarrow.dataset.dataset(pa.table(DATA)),
}


@pytest.mark.parametrize("name", LAZY)
def test_lazy_tables_are_read_in_chunks(name: str) -> None:
    source = opened(LAZY[name]())
    assert (source.columns, source.repeatable, source.fits_memory) == (("data", "size"), False, False)
    chunks = list(source.chunks())
    assert max(map(len, chunks)) <= 1000
    rows = [row for chunk in chunks for row in chunk]
    assert [row.values for row in rows] == EXPECTED
    assert [row.number for row in rows] == list(range(1, 2101))


@pytest.mark.parametrize("name", LAZY)
def test_columns_of_lazy_tables_are_renamed(name: str) -> None:
    assert values_of(LAZY[name](), columns={"data": "text"})[0] == {"text": "tea", "size": 200}
    with pytest.raises(InvalidInput, match='columns: no row has a column "sise"; did you mean "size"'):
        opened(LAZY[name](), columns={"sise": "width"})


def test_values_of_a_dask_series_are_values_of_the_first_field() -> None:
    assert values_of(dask_frame()["data"], "text")[:3] == [{"text": "tea"}, {}, {"text": "milk"}]


def test_polars_computes_nothing_before_rows_are_read() -> None:
    computed = 0

    def count(frame: pl.DataFrame) -> pl.DataFrame:
        nonlocal computed
        computed += len(frame)
        return frame

    source = opened(pl.LazyFrame({"data": range(10)}).map_batches(count))
    assert computed == 0
    assert len(next(source.chunks())) == computed == 10


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[sa.Engine]:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'guests.db'}")
    with engine.begin() as connection:
        connection.execute(sa.text("create table guests (data text, size integer)"))
        rows = [dict(zip(DATA, row, strict=True)) for row in zip(*DATA.values(), strict=True)]
        connection.execute(sa.text("insert into guests values (:data, :size)"), rows)
    yield engine
    engine.dispose()


QUERY = sa.text("select data, size from guests order by rowid")


@pytest.mark.parametrize("streams", [False, True])
def test_result_of_sqlalchemy_is_read_in_chunks(streams: bool, engine: sa.Engine) -> None:
    with engine.connect().execution_options(stream_results=streams) as connection:
        source = opened(connection.execute(QUERY))
        assert (source.columns, source.repeatable, source.fits_memory) == (("data", "size"), False, False)
        chunks = source.chunks()
        first = next(chunks)
        assert len(first) == 1000
        assert [row.values for row in [*first, *(row for chunk in chunks for row in chunk)]] == EXPECTED
        assert values_of(connection.execute(QUERY), columns={"data": "text"})[0] == {"text": "tea", "size": 200}
        with pytest.raises(InvalidInput, match="columns: no row has a column"):
            opened(connection.execute(QUERY), columns={"Name": "text"})


def test_mappings_scalars_and_lists_of_rows_of_sqlalchemy_are_rows(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        assert values_of(connection.execute(QUERY).mappings()) == EXPECTED
        assert values_of(connection.execute(QUERY).all()) == EXPECTED
        assert opened(connection.execute(QUERY).all()).columns == ("data", "size")
        assert values_of(connection.execute(QUERY).scalars(), "text")[:2] == [{"text": "tea"}, {}]


def test_orm_query_has_the_labels_of_its_columns(engine: sa.Engine) -> None:
    from sqlalchemy.orm import Session

    table = sa.Table("guests", sa.MetaData(), autoload_with=engine)
    with Session(engine) as session:
        result = session.execute(sa.select(table.c.data.label("text")).limit(1))
        assert values_of(result) == [{"text": "tea"}]


def test_statement_that_was_not_executed_is_rejected() -> None:
    with pytest.raises(InvalidInput, match=r"rows: must be the result of a statement, such as connection\.execute"):
        opened(sa.select(sa.column("data")))


def test_repeated_column_of_a_query_is_rejected() -> None:
    connection = sqlite3.connect(":memory:")
    with pytest.raises(InvalidInput, match='rows: two columns have the name "a"; names must be unique'):
        rows_of(connection.execute("select 1 a, 2 a"))
    connection.close()


@pytest.mark.parametrize("factory", [None, sqlite3.Row])
def test_cursor_is_read_in_chunks(factory: Any, engine: sa.Engine) -> None:
    connection = sqlite3.connect(str(engine.url.database))
    connection.row_factory = factory
    source = opened(connection.execute("select data, size from guests order by rowid"))
    assert [row.values for chunk in source.chunks() for row in chunk] == EXPECTED
    with pytest.raises(InvalidInput, match="rows: the cursor has no result; execute a SELECT"):
        opened(connection.cursor())
    connection.close()


def test_sqlite_connection_of_another_thread_is_rejected_with_the_fix(engine: sa.Engine) -> None:
    connection = sqlite3.connect(str(engine.url.database))
    chunks = opened(connection.execute("select data from guests")).chunks()
    errors: list[Exception] = []

    def read() -> None:
        try:
            next(chunks)
        except InvalidInput as error:
            errors.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    assert "Open it with check_same_thread=False, or pass all rows at once" in str(errors[0])
    connection.close()
