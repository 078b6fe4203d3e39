"""Batches of generators, queries and renamed columns."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy as sa

import mediakit
from mediakit.errors import InvalidInput
from tests.batches.test_batch import texts


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sa.Connection]:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'drinks.db'}")
    with engine.connect() as connection:
        connection.execute(sa.text("create table drinks (name text, size integer)"))
        connection.execute(sa.text("insert into drinks values ('tea', 200), ('milk', null)"))
        yield connection
    engine.dispose()


@pytest.mark.parametrize("is_saved", [False, True])
def test_result_of_a_query_is_a_batch(is_saved: bool, connection: sa.Connection, tmp_path: Path) -> None:
    result = connection.execution_options(stream_results=True).execute(sa.text("select name, size from drinks"))
    target = tmp_path / "out" if is_saved else None
    made = mediakit.batch(mediakit.qr, result, columns={"name": "data"}, name="{data}", to=target)
    assert texts(made) == {"tea": "tea", "milk": "milk"}
    assert made["tea"].width == 200
    if target:
        assert sorted(path.name for path in target.glob("*.png")) == ["milk.png", "tea.png"]


@pytest.mark.parametrize("is_saved", [False, True])
def test_generators_and_lazy_frames_are_batches(is_saved: bool, tmp_path: Path) -> None:
    rows = ({"data": name} for name in ("tea", "", "milk"))
    made = mediakit.batch(mediakit.qr, rows, name="{data}", to=tmp_path / "rows" if is_saved else None)
    assert texts(made) == {"tea": "tea", "milk": "milk"}
    assert [failed.row for failed in made.errors] == [2]
    lazy = pl.LazyFrame({"data": ["tea", "milk"]}).filter(pl.col("data") != "milk")
    assert texts(mediakit.batch(mediakit.qr, lazy, name="{data}", to=tmp_path / "lazy" if is_saved else None)) == {
        "tea": "tea"
    }


def test_column_that_is_renamed_must_exist(tmp_path: Path) -> None:
    path = tmp_path / "drinks.csv"
    path.write_text("Name\ntea\n")
    with pytest.raises(InvalidInput, match='columns: no row has a column "Nmae"; did you mean "Name"'):
        mediakit.batch(mediakit.qr, path, columns={"Nmae": "data"})
    assert texts(mediakit.batch(mediakit.qr, path, columns={"Name": "data"})) == {"1": "tea"}
