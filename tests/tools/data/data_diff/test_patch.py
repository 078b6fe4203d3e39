"""The JSON patches of `data_diff`: applied to the old document they give the new one."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mediakit
from mediakit.engines.tables.model import Column, ColumnType, Table
from mediakit.samples import SALES, SALES_REVISED
from mediakit.tools.data.data_diff.request import DataDiffRequest
from mediakit.tools.data.data_diff.table_diff import diff_tables, patch_table
from mediakit.tools.data.data_diff.tree_diff import diff_trees
from tests.support.json_patch import apply_patch

OPTIONS = DataDiffRequest(text="{}", text2="{}", format="patch")

values = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["", "a", "b/~c"]),
    lambda inner: (
        st.lists(inner, max_size=5) | st.dictionaries(st.sampled_from(["id", "a", "b/~c", ""]), inner, max_size=4)
    ),
    max_leaves=25,
)


def normal(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@given(old=values, new=values)
@settings(max_examples=100, deadline=None)
def test_patch_of_any_document_gives_the_other(old: Any, new: Any) -> None:
    outcome = diff_trees(old, new, OPTIONS)
    assert normal(apply_patch(old, outcome.patch)) == normal(new)
    assert outcome.fields["same"] is (normal(old) == normal(new))


rows = st.lists(st.tuples(st.integers(0, 4), st.sampled_from("abc"), st.none() | st.booleans()), max_size=8)
names = st.permutations(["x", "y", "z", "w"])


@given(old=rows, new=rows, old_names=names, new_names=names, has_key=st.booleans())
@settings(max_examples=100, deadline=None)
def test_patch_of_any_table_gives_the_rows_of_the_other(
    old: list[Any], new: list[Any], old_names: list[str], new_names: list[str], *, has_key: bool
) -> None:
    first, second = table(old, old_names), table(new, new_names)
    shared = [name for name in first.names if name in second.names]
    options = replace(OPTIONS, key=shared[:1] if has_key else None)
    patch = patch_table(diff_tables(first, second, options), options)
    assert normal(apply_patch(list(first.records()), patch)) == normal(list(second.records()))


def table(rows: list[Any], names: list[str]) -> Table:
    """Return a table with three columns of different types."""
    kinds: tuple[ColumnType, ...] = ("integer", "text", "boolean")
    columns = [[row[place] for row in rows] for place in range(3)]
    return Table([Column(*parts) for parts in zip(names[:3], kinds, columns, strict=True)])


def test_patch_of_tables_applies_to_their_rows() -> None:
    result = mediakit.data_diff(SALES, SALES_REVISED, format="patch")
    old, new = (mediakit.data_convert(path).data for path in (SALES, SALES_REVISED))
    assert apply_patch(old, result.patch) == new
    assert (result.mime_type, result.filename) == ("application/json-patch+json", "sales_revised-diff.json-patch")


def test_patch_of_arrays_of_objects_applies_to_the_documents_as_they_are() -> None:
    old, new = '[{"id": 1, "a": {"b": 2}}, {"id": 2}]', '[{"id": 1, "a": {"b": 3}}, {"id": 3, "c": []}]'
    result = mediakit.data_diff(text=old, text2=new, format="patch")
    assert apply_patch(json.loads(old), result.patch) == json.loads(new)
    assert result.patch[0] == {"op": "replace", "path": "/0/a/b", "value": 3}


def test_patch_is_complete_whatever_is_listed() -> None:
    old, new = ({"v": [{"n": n * factor} for n in range(50)]} for factor in (1, 2))
    result = mediakit.data_diff(text=json.dumps(old), text2=json.dumps(new), format="patch", max_changes=1)
    assert (len(result.to_dict()["changed"]), result.truncated) == (1, True)
    assert apply_patch(old, result.patch) == new


def test_long_patch_replaces_the_whole() -> None:
    first, second = (Table([Column("n", "integer", [*range(start, start + 100_001)])]) for start in (0, 200_000))
    patch = patch_table(diff_tables(first, second, OPTIONS), OPTIONS)
    assert [(each["op"], each["path"], len(each["value"])) for each in patch] == [("replace", "", 100_001)]


def test_values_that_are_only_written_differently_are_patched_too() -> None:
    old, new = [{"id": 1, "v": "1.50"}, {"id": 2, "v": "x"}], [{"id": 1, "v": 1.5}, {"id": 2, "v": 7}]
    result = mediakit.data_diff(old, new, mode="table", key=["id"], format="patch")
    assert result.summary["changed"] == 1
    assert apply_patch(old, result.patch) == new


@pytest.mark.parametrize("option", ["tolerance", "ignore_case"])
def test_ignored_differences_are_not_patched(option: str) -> None:
    options: dict[str, Any] = {option: 1 if option == "tolerance" else True}
    text, text2 = ('{"a": 1}', '{"a": 1.5}') if option == "tolerance" else ('{"a": "x"}', '{"a": "X"}')
    assert mediakit.data_diff(text=text, text2=text2, format="patch", **options).patch == []


def test_patch_is_saved_as_json(tmp_path: Path) -> None:
    old, new = {"mast": {"height": 9}}, {"mast": {"height": 11}, "crew": 2}
    saved = mediakit.data_diff(text=json.dumps(old), text2=json.dumps(new), format="patch").save(tmp_path / "p.json")
    assert apply_patch(old, json.loads(saved.read_bytes())) == new
    saved = mediakit.data_diff(text=json.dumps(old), text2=json.dumps(new)).save(tmp_path / "d.json")
    assert json.loads(saved.read_bytes())["summary"]["changed"] == 1
