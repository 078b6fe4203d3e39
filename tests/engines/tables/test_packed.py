"""Packed cells: large regular tables are read with the same result as cell by cell."""

from dataclasses import asdict
from typing import Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mediakit.engines.tables.model import ReadOptions, Table
from mediakit.engines.tables.readers import delimited
from mediakit.engines.tables.reading import read_text
from mediakit.engines.tables.writers import WriteOptions
from mediakit.engines.tables.writers import write as write_document
from mediakit.errors import InvalidInput
from tests.support.delimited_tables import tables

CSV = ReadOptions(input_format="csv")
options = st.builds(
    ReadOptions,
    input_format=st.just("csv"),
    decimal=st.sampled_from(["auto", "auto", ".", ","]),
    types=st.sampled_from(["auto", "auto", "auto", "text"]),
    nulls=st.sampled_from([None, None, ["NA"], ["-", "false"]]),
    max_rows=st.sampled_from([None, None, 3]),
    keep_cells=st.booleans(),
    header=st.sampled_from(["auto", True, False]),
)


def described(text: str, read: ReadOptions) -> Any:
    """Return all that reading finds out; the words of an error if it fails."""
    try:
        document = read_text(text, read)
    except InvalidInput as error:
        return str(error)
    table: Table = document.table
    columns = [(one.name, one.type, repr(one.values), one.cells) for one in table.columns]
    return columns, len(table), asdict(document.facts)


def read_both_ways(text: str, read: ReadOptions) -> tuple[Any, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "MIN_PACKED_CHARACTERS", 10**9)
        slow = described(text, read)
        patch.setattr(delimited, "MIN_PACKED_CHARACTERS", 0)
        return described(text, read), slow


@settings(deadline=None, max_examples=150)
@given(tables(), options)
@example('a,b\n"x ""y""",1\n"",2\n', CSV)
@example('a,b\r\n"x\r\ny",1.250\r\nz,2.500\r\n', ReadOptions(input_format="csv", keep_cells=True))
@example("a;b\n1.250;1,5\n2.500;2,5\n", CSV)
@example("a,b\n1.250,1.5\n2.500,2.25\n", CSV)
@example("a,b\n5,1.50\n-0,2\n", CSV)
def test_packed_table_equals_table_read_cell_by_cell(text: str, read: ReadOptions) -> None:
    packed, slow = read_both_ways(text, read)
    assert packed == slow


@settings(deadline=None, max_examples=100)
@given(st.text('ab1",;\r\n \\', max_size=40))
def test_text_of_marks_is_read_the_same_way(text: str) -> None:
    packed, slow = read_both_ways(text, CSV)
    assert packed == slow


def written(text: str, read: ReadOptions, write: WriteOptions, least: int) -> Any:
    """Return a file made of a text, where texts of at least this length count as long."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "MIN_PACKED_CHARACTERS", least)
        try:
            document = read_text(text, read)
        except InvalidInput as error:
            return str(error)
        return write_document(document, write).content


@settings(deadline=None, max_examples=100)
@given(tables(), options, st.sampled_from(["json", "jsonl", "csv"]), st.sampled_from([0, 2]))
@example('a,b\n-0.0,"x""\ty"\n1.50,é\n20.00,\n', CSV, "json", 2)
@example("a,b\n0.00001,true\n1.5,false\n,\n", CSV, "jsonl", 0)
@example("a %s,b\n2024-01-01 10:00:00,5\n", ReadOptions(input_format="csv", header=True), "json", 0)
def test_file_of_packed_table_equals_file_of_table_of_objects(
    text: str, read: ReadOptions, to: Literal["json", "jsonl", "csv"], indent: int
) -> None:
    write = WriteOptions(to, indent=indent)
    assert written(text, read, write, 0) == written(text, read, write, 10**9)
