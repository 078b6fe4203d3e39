"""`data_diff` of tables: matching of columns and rows, comparison of cells, options and errors."""

import datetime as dt
import io
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import polars as pl
import pytest

import mediakit
from mediakit.errors import InvalidInput
from mediakit.samples import SALES, SALES_REVISED
from mediakit.tools.data.data_diff.tool import DiffResult

OLD = "id,city,visitors\n1,Lisbon,120\n2,Oslo,80\n3,Porto,95\n"
NEW = "id,city,visitors\n1,Lisbon,120\n2,Bergen,80\n4,Nairobi,60\n"


def diff(old: Any, new: Any, **options: Any) -> DiffResult:
    sides = {"text" if isinstance(old, str) else "file": old, "text2" if isinstance(new, str) else "file2": new}
    return mediakit.data_diff(**sides, **options)


def counts(result: DiffResult) -> tuple[int, int, int, int]:
    return tuple(result.summary[name] for name in ("added", "removed", "changed", "unchanged"))  # type: ignore[return-value]


def test_rows_are_matched_by_the_key_that_both_tables_have() -> None:
    fields = diff(OLD, NEW).to_dict()
    assert (fields["same"], fields["mode"], fields["key"], fields["key_found"]) == (False, "table", ["id"], True)
    assert fields["added"] == [{"row": 3, "id": 4, "city": "Nairobi", "visitors": 60}]
    assert fields["removed"] == [{"row": 3, "id": 3, "city": "Porto", "visitors": 95}]
    assert fields["changed"] == [
        {"key": {"id": 2}, "row": 2, "row2": 2, "changes": {"city": {"from": "Oslo", "to": "Bergen"}}}
    ]
    assert fields["summary"] == {
        "added": 1, "removed": 1, "changed": 1, "moved": 0, "unchanged": 1,
        "columns_added": 0, "columns_removed": 0, "columns_renamed": 0, "cells_changed": 1,
    }  # fmt: skip
    assert (fields["duplicate_keys"], fields["truncated"], fields["meta"]["warnings"]) == ([], False, [])


def test_samples_of_different_delimiters_and_dates_are_compared_by_value() -> None:
    result = mediakit.data_diff(SALES, SALES_REVISED)
    assert counts(result) == (1, 1, 3, 4)
    assert result.columns["added"] == ["carrier"]
    assert result.key == ["order"]


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("1.50", "1.5", True),
        ("1", "1.0", True),
        ("01", "1", False),
        ("31.12.2024", "2024-12-31", True),
        ("2024-12-31", "2024-12-31T00:00:00", True),
        ("2024-12-31", "2024-12-31T10:00:00", False),
        ("yes", "true", True),
        ("a", "A", False),
        ("1234567890123456789", "1234567890123456788", False),
        ("0.1234567890123456789", "0.1234567890123456788", False),
    ],
)
def test_cells_are_compared_as_they_are_read(old: str, new: str, same: bool) -> None:
    assert diff(f"id,v\nx,{old}\n", f"id,v\nx,{new}\n", key=["id"]).same is same


def test_cells_of_a_text_column_equal_typed_cells_that_they_read_as() -> None:
    old = [{"id": 1, "v": "1.50"}, {"id": 2, "v": "x"}, {"id": 3, "v": "007"}]
    new = [{"id": 1, "v": 1.5}, {"id": 2, "v": 2}, {"id": 3, "v": 7}]
    result = diff(old, new, key=["id"])
    assert [row["row"] for row in result.to_dict()["changed"]] == [2, 3]
    assert result.columns["type_changed"] == [{"column": "v", "from": "text", "to": "number"}]


def test_booleans_are_not_numbers() -> None:
    assert not diff([{"id": 1, "v": True}], [{"id": 1, "v": 1}], key=["id"]).same
    assert diff([{"id": 1, "v": True}], "id,v\n1,true\n", key=["id"]).same


def test_empty_text_equals_null_only_where_a_format_has_one_of_both() -> None:
    assert diff([{"id": 1, "v": ""}], "id,v\n1,\n", key=["id"]).same
    assert not diff([{"id": 1, "v": ""}, {"id": 2, "v": "a"}], [{"id": 1, "v": None}, {"id": 2, "v": "a"}]).same


def test_types_text_compares_cells_as_written() -> None:
    assert not diff("id,v\na,1.50\n", "id,v\na,1.5\n", key=["id"], types="text").same


def test_types_may_name_a_column_of_one_table_only() -> None:
    result = diff("id,a\n1,02\n", "id,b\n1,02\n", types={"a": "integer", "b": "text"}, key=["id"])
    assert result.to_dict()["columns"]["added"] == ["b"]
    with pytest.raises(InvalidInput, match='types: there is no column "c"'):
        diff("id,a\n1,02\n", "id,b\n1,02\n", types={"c": "integer"})


@pytest.mark.parametrize(
    ("options", "same"),
    [
        ({}, False),
        ({"tolerance": 0.09}, False),
        ({"tolerance": 0.1}, True),
        ({"relative_tolerance": 0.09}, False),
        ({"relative_tolerance": 0.1}, True),
    ],
)
def test_tolerance_is_exact_at_its_limit(options: dict[str, float], same: bool) -> None:
    assert diff("id,v\na,1.0\nb,2\n", "id,v\na,1.1\nb,2\n", key=["id"], **options).same is same


def test_capitals_and_space_are_ignored_where_asked() -> None:
    old, new = "id,name\na,Ana  Ruiz\n", "id,name\nA,ana ruiz \n"
    assert diff(old, new, ignore_case=True, ignore_space=True).same
    assert counts(diff(old, new, ignore_space=True, key=["id"])) == (1, 1, 0, 0)
    assert diff("Id,v\n1,2\n", "id,v\n1,2\n", ignore_case=True).same


def test_ignored_columns_are_neither_compared_nor_listed() -> None:
    result = diff(OLD, NEW.replace("visitors", "guests"), ignore=["visitors", "guests", "$.city"])
    assert (result.summary["changed"], result.summary["columns_added"]) == (0, 0)
    assert result.to_dict()["added"] == [{"row": 3, "id": 4}]
    nested = [[{"id": 1, "meta": {"at": value}}] for value in (1, 2)]
    assert diff(nested[0], nested[1], ignore=["$[*].meta.*"]).same


def test_order_of_rows_and_columns_counts_only_if_asked_to() -> None:
    old, new = "id,v\n1,a\n2,b\n3,c\n", "v,id\nc,3\na,1\nb,2\n"
    result = diff(old, new)
    assert (result.same, result.summary["moved"], result.columns["moved"]) == (True, 1, ["id"])
    assert not diff(old, new, ignore_order=False).same
    assert not diff("a,b\n1,2\n", "b,a\n2,1\n", ignore_order=False).same


def test_key_of_two_columns_is_found() -> None:
    old = "shop,day,n\n" + "".join(f"{shop},{day},5\n" for shop in "ab" for day in (1, 2))
    result = diff(old, old.replace("b,2,5", "b,2,6"))
    assert (result.key, counts(result)) == (["shop", "day"], (0, 0, 1, 3))


def test_measurements_are_not_keys() -> None:
    old, new = "name,weight\na,1.5\na,2.5\nb,3.5\n", "name,weight\na,1.5\na,2.5\nb,4.5\n"
    result = diff(old, new)
    assert result.key is None
    assert counts(result) == (0, 0, 1, 2)


def test_key_is_the_set_by_which_most_cells_agree() -> None:
    old = "line,id,name\n1,a7,Ana\n2,b8,Bo\n3,c9,Cy\n"
    new = "line,id,name\n1,b8,Bo\n2,c9,Cy\n"
    assert diff(old, new).key == ["id"]


def test_rows_without_a_key_are_matched_as_a_multiset() -> None:
    old, new = "v,w\na,1\na,1\na,1\nb,2\n", "v,w\na,1\nb,2\nb,2\na,1\n"
    result = diff(old, new)
    assert result.key is None
    assert counts(result) == (1, 1, 0, 3)


def test_rows_without_a_key_are_matched_by_similarity() -> None:
    old = "name,city,visits\nAna,Oslo,1\nAna,Oslo,1\nBo,Rome,2\nCy,Bonn,3\n"
    new = "name,city,visits\nCy,Bonn,4\nAna,Oslo,1\nBo,Rome,2\nAna,Oslo,1\nZed,Lima,9\n"
    result = diff(old, new)
    assert counts(result) == (1, 0, 1, 3)
    assert result.to_dict()["changed"] == [
        {"key": None, "row": 4, "row2": 1, "changes": {"visits": {"from": 3, "to": 4}}}
    ]


def test_rows_with_one_key_are_all_kept_and_named() -> None:
    old = "id,city,n\n7,Oslo,1\n7,Rome,2\n8,Bonn,3\n"
    new = "id,city,n\n7,Rome,2\n7,Oslo,5\n7,Lima,9\n8,Bonn,3\n"
    result = diff(old, new, key=["id"])
    assert counts(result) == (1, 0, 1, 2)
    assert result.duplicate_keys == [{"key": {"id": 7}, "rows": [1, 2], "rows2": [1, 2, 3]}]
    assert result.to_dict()["changed"][0]["changes"] == {"n": {"from": 1, "to": 5}}
    assert result.meta["warnings"] == ["1 key stands in more than one row; such rows are matched by similarity."]


def test_strict_keys_refuse_rows_with_one_key() -> None:
    with pytest.raises(InvalidInput) as error:
        diff("id,v\n17,a\n17,b\n17,c\n", "id,v\n17,a\n", key=["id"], strict_keys=True)
    assert str(error.value) == "key: 3 rows of file have id 17."


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("id,v\n1,2\n", "nr,v\n3,2\n", 'key: "id" is not in file2.'),
        ("nr,v\n1,2\n", "id,v\n3,2\n", 'key: "id" is not in file.'),
        ("nr,v\n1,2\n", "no,v\n3,2\n", 'key: "id" is not in file.'),
    ],
)
def test_missing_key_is_named_with_its_file(old: str, new: str, message: str) -> None:
    with pytest.raises(InvalidInput) as error:
        diff(old, new, key=["id"])
    assert str(error.value) == message


def test_columns_of_equal_content_are_compared_as_renamed_with_a_warning() -> None:
    result = diff("id,town\n1,Oslo\n2,Rome\n3,Lima\n", "id,place\n1,Oslo\n2,Rome\n4,Bonn\n")
    assert result.columns["renamed"] == [{"from": "town", "to": "place"}]
    assert (result.same, result.columns["added"], counts(result)) == (False, [], (1, 1, 0, 2))
    assert result.meta["warnings"] == [
        'Columns "town" and "place" have equal content and are compared as one that was renamed.'
    ]


def test_rename_pairs_columns_and_is_not_a_difference() -> None:
    result = diff("id,qty\n1,2\n", "nr,quantity\n1,2\n", rename={"id": "nr", "qty": "quantity"}, key=["id"])
    assert (result.same, result.summary["columns_renamed"], result.key) == (True, 2, ["id"])
    with pytest.raises(InvalidInput, match='rename: in file2, there is no column "amount"'):
        diff("id,qty\n1,2\n", "id,quantity\n1,2\n", rename={"qty": "amount"})


def test_max_changes_limits_what_is_listed_but_not_what_is_counted() -> None:
    result = diff(OLD, "id,city,visitors\n" + "".join(f"{10 + n},c,1\n" for n in range(9)), max_changes=2)
    assert (len(result.to_dict()["added"]), result.summary["added"], result.truncated) == (2, 9, True)
    assert len(result) == 12


def test_column_named_row_keeps_its_name() -> None:
    assert diff("row,v\n1,a\n", "row,v\n2,b\n").to_dict()["added"] == [{"_row": 1, "row": 2, "v": "b"}]


def test_tables_of_different_kinds_are_compared(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["id", "day", "ok"], ["01", dt.date(2024, 12, 31), True], ["02", dt.date(2025, 1, 1), False]):
        sheet.append(row)
    book.save(tmp_path / "book.xlsx")
    csv = "id;day;ok\n01;31.12.2024;yes\n02;01.01.2025;no\n"
    rows = [{"id": "01", "day": "2024-12-31", "ok": True}, {"id": "02", "day": "2025-01-01", "ok": False}]
    assert diff(tmp_path / "book.xlsx", csv).same
    assert diff(tmp_path / "book.xlsx", rows).same
    assert diff(csv, rows).same


def test_two_sheets_of_a_workbook_are_compared() -> None:
    book = openpyxl.Workbook()
    for name, value in (("Jan", 1), ("Feb", 2)):
        sheet = book.create_sheet(name)
        for row in (["id", "n"], ["a", value]):
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    result = mediakit.data_diff(file.getvalue(), file.getvalue(), sheet="Jan", sheet2="Feb", key=["id"])
    assert result.to_dict()["changed"][0]["changes"] == {"n": {"from": 1, "to": 2}}
    with pytest.raises(InvalidInput, match=r'sheet: "\*" is not possible here'):
        mediakit.data_diff(file.getvalue(), file.getvalue(), sheet="*")


def test_data_frames_are_compared_with_their_types() -> None:
    old = pd.DataFrame({"id": ["01", "02"], "day": pd.to_datetime(["2024-01-01", "2024-01-02"]), "n": [1.5, None]})
    new = pl.DataFrame({"id": ["01", "02"], "day": [dt.date(2024, 1, 1), dt.date(2024, 1, 3)], "n": [1.5, None]})
    result = mediakit.data_diff(old, new)
    assert result.to_dict()["changed"] == [
        {
            "key": {"id": "02"},
            "row": 2,
            "row2": 2,
            "changes": {"day": {"from": "2024-01-02T00:00:00", "to": "2024-01-03"}},
        }
    ]
    money = [pd.DataFrame({"id": [1], "price": [price]}) for price in (Decimal("1.50"), 1.5)]
    assert mediakit.data_diff(*money).same
    assert mediakit.data_diff({"id": [1, 2], "v": ["a", "b"]}, pl.DataFrame({"id": [2, 1], "v": ["b", "a"]})).same


def test_tables_without_rows_or_columns_in_common() -> None:
    assert diff("id,v\n", "id,v\n", header=True).same
    assert counts(diff("id,v\n", "id,v\n1,2\n", header=True)) == (1, 0, 0, 0)
    result = diff("a\n1\n", "b\n2\n")
    assert counts(result) == (1, 1, 0, 0)
    assert result.meta["warnings"] == ["The tables have no column in common."]


def test_sources_are_required_on_both_sides() -> None:
    with pytest.raises(InvalidInput) as error:
        mediakit.data_diff(text=OLD)
    assert str(error.value) == "file2: exactly one of file2, text2 and rows2 is required, got none."


def test_errors_of_the_second_input_name_it() -> None:
    with pytest.raises(InvalidInput, match="text2: line 2: a quote opens here and is never closed"):
        diff(OLD, 'id,v\n"1,2\n')


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ignore": ["citi"]}, 'ignore: there is no column "citi"; did you mean "city"?'),
        ({"ignore": ["$.a[?b]"]}, 'ignore: "$.a[?b]" is not a JSON path'),
        ({"mode": "tree", "key": ["id"]}, "key: requires mode table, got tree."),
        ({"tolerance": -1}, "tolerance"),
        ({"rename": "x"}, 'rename: must be an object of names, such as {"qty": "quantity"}.'),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput) as error:
        diff(OLD, NEW, **options)
    assert str(error.value).startswith(message)


def test_numbers_of_different_units_differ() -> None:
    first, second = b"id,fee\n1,$5\n2,$7\n", "id,fee\n1,€5\n2,€7\n".encode()
    changed = mediakit.data_diff(first, second, key=["id"]).to_dict()["changed"]
    assert changed[0]["changes"] == {"fee": {"from": "5 $", "to": "5 €"}}
    assert mediakit.data_diff(first, b"id,fee\n1,$5.00\n2,$7\n").same
    assert not mediakit.data_diff(b"id,rate\n1,5 %\n2,7 %\n", b"id,rate\n1,5\n2,7\n").same


def test_objects_inside_an_object_of_python_are_compared() -> None:
    result = mediakit.data_diff({"ship": {"crew": 4}, "log": {"days": 9}}, {"ship": {"crew": 5}, "log": {"days": 9}})
    assert (result.same, result.mode, result.changed_rows[0]["path"]) == (False, "tree", "$.ship.crew")


def test_dict_of_pandas_is_a_table() -> None:
    frame = pd.DataFrame({"id": [7, 8, 9], "mass": [1.5, 2.5, 3.5]})
    other = frame.assign(mass=[1.5, 2.25, 3.5])
    result = mediakit.data_diff(frame.to_dict(), other)
    assert (result.key, result.summary["changed"], result.changed_rows[0]["row"]) == (["id"], 1, 2)


def test_amount_with_a_unit_is_shown_without_a_fraction_of_zero() -> None:
    result = diff("id,fee\n1,$5.00\n2,$2.50\n", "id,fee\n1,5\n2,2.5\n")
    assert [row["changes"]["fee"]["from"] for row in result.changed_rows] == ["5 $", "2.5 $"]
