"""Columns of rows that are read in chunks."""

from typing import Any

import pytest

import mediakit
from mediakit.batches.columns import Columns
from mediakit.batches.sources.rows import Row
from mediakit.errors import InvalidInput


def row(values: dict[str, Any], *columns: str, number: int = 1) -> Row:
    return Row(number, values, columns or tuple(values))


def columns_of(tool: Any, ignored: tuple[str, ...] = (), known: tuple[str, ...] = (), **options: Any) -> Columns:
    return Columns(tool, options, ignored=ignored, used=(), columns=known)


def test_unknown_column_of_a_later_chunk_is_an_error_of_its_row() -> None:
    columns = columns_of(mediakit.qr)
    columns.check([row({"data": "tea"}), row({"data": "milk", "size": 300})])
    columns.check([row({"size": 200, "data": "tea"})])
    later = [row({"data": "tea"}), row({"data": "tea", "sise": 300})]
    columns.check(later)
    assert columns.values(later[0]) == {"data": "tea"}
    with pytest.raises(InvalidInput, match='rows: the column "sise" is not a field of qr; did you mean "size"'):
        columns.values(later[1])


def test_first_chunk_decides_about_columns_to_ignore() -> None:
    columns = columns_of(mediakit.qr, ignored=("price",))
    columns.check([row({"data": "tea", "price": 3})])
    columns.check([row({"data": "milk"})])
    assert columns.values(row({"data": "tea", "price": 3})) == {"data": "tea"}
    with pytest.raises(InvalidInput, match='ignore: no row has a column "price"'):
        columns_of(mediakit.qr, ignored=("price",)).check([row({"data": "tea"})])


def test_known_column_of_later_rows_can_be_ignored() -> None:
    columns = columns_of(mediakit.qr, ignored=("price",), known=("data", "price"))
    columns.check([row({"data": "tea"})])


def test_unknown_option_is_rejected_with_the_first_chunk() -> None:
    with pytest.raises(InvalidInput, match="sise: is not a known field"):
        columns_of(mediakit.qr, sise=300).check([row({"data": "tea"})])


def test_values_take_precedence_over_options_in_each_row() -> None:
    columns = columns_of(mediakit.qr, size=100)
    rows = [row({"data": "tea", "size": "300"}), row({"data": "milk"}, "data", "size"), row({"text": 5, "size": 200.0})]
    columns.check(rows)
    assert [columns.values(each) for each in rows] == [
        {"data": "tea", "size": 300},
        {"size": 100, "data": "milk"},
        {"text": "5", "size": 200},
    ]


def test_keys_of_a_template_in_a_later_chunk_are_columns() -> None:
    columns = columns_of(mediakit.capture)
    columns.check([row({"template": "og", "title": "Tea"})])
    first = row({"template": "og", "title": "Tea"})
    assert columns.values(first) == {"template": "og", "data": {"title": "Tea"}}
    second = row({"template": "certificate", "recipient": "Ada"})
    columns.check([second])
    assert columns.values(second) == {"template": "certificate", "data": {"title": "", "recipient": "Ada"}}
    assert columns.values(first) == {"template": "og", "data": {"title": "Tea"}}


def test_template_key_without_a_value_is_empty_in_every_chunk() -> None:
    columns = columns_of(mediakit.capture, known=("title", "site"), template="og")
    columns.check([row({"title": "Tea"})])
    assert columns.values(row({"title": "Tea"}))["data"] == {"title": "Tea", "site": ""}
