"""`data_diff` of JSON, YAML and TOML documents as trees."""

import random
import tracemalloc
from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.tools.data.data_diff.rows import align
from mediakit.tools.data.data_diff.tool import DiffResult


def diff(old: str, new: str, **options: Any) -> DiffResult:
    return mediakit.data_diff(text=old, text2=new, **options)


def test_members_and_elements_are_named_by_their_paths() -> None:
    old = '{"name": "lake", "size": {"depth": 41, "old": true}, "tags": ["cold", "blue", "deep"]}'
    new = '{"name": "Lake", "size": {"depth": 41, "a b": null}, "tags": ["cold", "deep", "wide"]}'
    fields = diff(old, new).to_dict()
    assert (fields["same"], fields["mode"], fields["key"]) == (False, "tree", None)
    assert fields["changed"] == [{"path": "$.name", "path2": "$.name", "from": "lake", "to": "Lake"}]
    assert fields["removed"] == [{"path": "$.size.old", "value": True}, {"path": "$.tags[1]", "value": "blue"}]
    assert fields["added"] == [{"path": "$.size['a b']", "value": None}, {"path": "$.tags[2]", "value": "wide"}]
    assert (fields["summary"]["added"], fields["summary"]["removed"], fields["summary"]["changed"]) == (2, 2, 1)


def test_documents_of_different_kinds_are_compared() -> None:
    json, yaml, toml = '{"a": {"b": [1, 2.50]}}', "a:\n  b: [1, 2.5]\n", "[a]\nb = [1, 2.5]\n"
    assert diff(json, yaml).same
    assert diff(yaml, toml).same
    assert not diff(json, '{"a": {"b": [true, 2.5]}}').same


def test_arrays_are_compared_in_their_order() -> None:
    assert not diff('{"a": [1, 2]}', '{"a": [2, 1]}').same


def test_objects_of_an_array_are_matched_by_identifier_and_similarity() -> None:
    old = '{"items": [{"id": 1, "n": 1}, {"id": 2, "n": 2}, {"id": 3, "n": 3}]}'
    new = '{"items": [{"id": 2, "n": 5}, {"id": 3, "n": 3}, {"id": 4, "n": 1}]}'
    fields = diff(old, new).to_dict()
    assert fields["changed"] == [{"path": "$.items[1].n", "path2": "$.items[0].n", "from": 2, "to": 5}]
    assert [row["path"] for row in fields["removed"]] == ["$.items[0]"]
    assert [row["path"] for row in fields["added"]] == ["$.items[2]"]


@pytest.mark.parametrize(
    "path", ["$.meta.*", "$..at", "$.meta", "$.meta.at", "$['meta']", '$["meta"]["at"]', "$.meta..at", "$.*.at"]
)
def test_paths_are_ignored(path: str) -> None:
    assert diff('{"v": 1, "meta": {"at": 1}}', '{"v": 1, "meta": {"at": 2}}', ignore=[path]).same
    assert not diff('{"v": 1, "meta": {"at": 1}}', '{"v": 2, "meta": {"at": 2}}', ignore=[path]).same


def test_elements_are_ignored_by_index_and_all() -> None:
    old, new = '{"a": [{"x": 1, "y": 1}, {"x": 2, "y": 2}]}', '{"a": [{"x": 1, "y": 3}, {"x": 5, "y": 4}]}'
    assert diff(old, new, ignore=["$.a[*].y", "$.a[1].x"]).same
    assert diff(old, new, ignore=["$.a[1]", "$.a[0].y"]).same
    assert not diff(old, new, ignore=["$.a[*].y", "$.a[0].x"]).same


def test_tolerance_and_capitals_hold_in_trees() -> None:
    assert diff(
        '{"a": [1.0, "X y"]}', '{"a": [1.05, " x  Y"]}', tolerance=0.05, ignore_case=True, ignore_space=True
    ).same


def test_mode_decides_how_arrays_of_objects_are_compared() -> None:
    old, new = '[{"id": 1, "t": [1, 2]}]', '[{"id": 1, "t": [1, 3]}]'
    assert diff(old, new).mode == "table"
    assert diff(old, new).to_dict()["changed"][0]["changes"] == {"t": {"from": "[1, 2]", "to": "[1, 3]"}}
    assert diff(old, new, mode="tree").to_dict()["changed"][0]["path"] == "$[0].t[1]"
    assert diff("a,b\n1,2\n", '[{"a": 1, "b": 2}]', mode="tree").same


def test_columns_cannot_be_ignored_in_trees() -> None:
    with pytest.raises(InvalidInput, match='ignore: "meta" is not a JSON path'):
        diff('{"meta": 1}', '{"meta": 2}', ignore=["meta"])
    with pytest.raises(InvalidInput, match="key: requires mode table"):
        diff('{"meta": 1}', '{"meta": 2}', key=["meta"])


def test_deep_and_wide_documents_are_compared_in_time() -> None:
    deep = ["[" * 199 + value + "]" * 199 for value in ("1", "2")]
    assert diff(deep[0], deep[1], mode="tree").summary["changed"] == 1
    wide = [
        '{"a": [' + ",".join(f'{{"v": {n * factor}, "w": "{n}"}}' for n in range(20_000)) + "]}" for factor in (1, 3)
    ]
    result = diff(wide[0], wide[1])
    assert (result.summary["changed"], result.truncated) == (19_999, True)


def test_arrays_without_anything_in_common_are_compared_in_time() -> None:
    old, new = ('{"a": [' + ",".join(f'"{letter}{n}"' for n in range(30_000)) + "]}" for letter in "ab")
    assert diff(old, new).summary["changed"] == 30_000
    same, other = ('{"a": [' + ",".join(["1"] * count) + "]}" for count in (50_000, 49_999))
    assert diff(same, other).summary["removed"] == 1


def test_long_arrays_are_aligned_in_little_memory() -> None:
    chance = random.Random(1)
    first, second = ([chance.randint(0, 30) for _ in range(900)] for _ in range(2))
    tracemalloc.start()
    pairs = align(first, second)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(pairs) == 268
    assert peak < 12_000_000
