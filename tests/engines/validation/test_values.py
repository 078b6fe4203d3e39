"""What all validators share: the values of a request, and the result."""

import io
import json
import uuid
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import mediakit
from mediakit.engines.validation.values import LEADING_ZEROS, cleaned, lines_of, trimmed
from mediakit.errors import InvalidInput
from mediakit.samples import SUPPLIERS
from tests.conftest import Api

pytestmark = pytest.mark.anyio

GERMAN = "DE89370400440532013000"
BELGIAN = "BE68539007547034"
COLUMN = [GERMAN, None, "x", "DE89 3704 0044 0532 0130 00"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" a b\t", "a b"),
        ("\ufeff\u200ba\u00ad\u200d ", "a"),
        ("a\u200bb", "ab"),
        ("\x1d01\x1d", "\x1d01\x1d"),
        ("\x00\n", ""),
    ],
)
def test_cleaning_removes_what_is_not_visible(text: str, shown: str) -> None:
    assert cleaned(text) == shown


def test_trimming_keeps_invisible_characters_inside() -> None:
    assert trimmed("\u200ba\u200bb\u200b") == "a\u200bb"


def test_lines_are_split_but_not_at_the_last_line_break() -> None:
    assert lines_of(" a \n") == [" a \n"]
    assert lines_of("\na\r\n\rb\n\n") == ["a", "", "b"]


def test_one_value_has_its_fields_as_attributes() -> None:
    result = mediakit.validate_iban(f"\u200b {GERMAN}\n")
    assert (result.valid, result.normalized, result.input) == (True, GERMAN, f"\u200b {GERMAN}\n")
    assert (len(result), result[0].normalized, result.to_dict()["country"]) == (1, GERMAN, "DE")
    assert repr(result) == "<ValidationResult valid>"
    assert "results" not in result.to_dict()


def test_several_values_have_results_counts_and_duplicates() -> None:
    result = mediakit.validate_iban([GERMAN, "x", "", f"iban {GERMAN}", BELGIAN])
    assert [each.valid for each in result] == [True, False, False, True, True]
    assert [each.input for each in result] == [GERMAN, "x", "", f"iban {GERMAN}", BELGIAN]
    assert (result.count, result.valid_count, result.invalid_count) == (5, 3, 2)
    assert result.duplicates == [[0, 3]]
    assert (result[2].code, result[2].reason) == ("empty", "The value is empty.")
    assert not result.valid
    assert repr(result) == "<ValidationResult 3 of 5 valid>"
    assert json.loads(result.to_json())["results"][4]["country"] == "BE"
    with pytest.raises(AttributeError, match=r"This result has 5 values; use .results\[0\].normalized"):
        _ = result.normalized


def test_every_result_has_every_key() -> None:
    result = mediakit.validate_iban([GERMAN, "", "x"])
    assert len({tuple(each.to_dict()) for each in result}) == 1
    assert result[1].bank_name is None


@pytest.mark.parametrize(
    "column",
    [
        COLUMN,
        tuple(COLUMN),
        pd.Series(COLUMN),
        pd.Series(COLUMN, dtype="category"),
        np.array(COLUMN, dtype=object),
        pl.Series("iban", COLUMN),
        pa.chunked_array([COLUMN]),
        pd.DataFrame({"iban": COLUMN}),
    ],
    ids=lambda column: type(column).__name__,
)
def test_columns_of_python_are_accepted(column: Any) -> None:
    for result in (mediakit.validate_iban(column), mediakit.validate_iban(values=column)):
        assert [each.valid for each in result] == [True, False, False, True]
        assert [each.input for each in result] == [GERMAN, "", "x", COLUMN[3]]


def test_frame_has_the_index_of_the_series() -> None:
    index = pd.Index([7, 3, 3, 9], name="row")
    result = mediakit.validate_iban(pd.Series(COLUMN, index=index))
    frame = result.to_frame()
    assert frame.index.equals(index)
    assert list(frame["valid"]) == [True, False, False, True]
    assert list(frame.columns[:6]) == ["input", "valid", "normalized", "reason", "code", "suggestion"]
    assert list(result.invalid.to_frame().index) == [3, 3]
    assert (len(result.invalid), result.invalid[1].input) == (2, "x")
    assert list(mediakit.validate_iban(COLUMN).to_frame().index) == [0, 1, 2, 3]


def test_column_of_a_data_frame_is_chosen_by_name_or_number() -> None:
    frame = pd.DataFrame({"a": ["x", "y"], "iban": [GERMAN, BELGIAN]}, index=["p", "q"])
    result = mediakit.validate_iban(file=frame, column="iban")
    assert result.valid
    assert list(result.to_frame().index) == ["p", "q"]
    assert mediakit.validate_iban(file=pl.from_pandas(frame), column=2).valid
    assert mediakit.validate_iban(file=[{"iban": GERMAN}, {"iban": BELGIAN}]).valid
    assert mediakit.validate_iban(file={"a": ["x"], "iban": [GERMAN]}, column="iban").valid


def test_numbers_become_text_with_a_warning() -> None:
    result = mediakit.validate_iban(pd.Series([12.0, None]))
    assert [each.input for each in result] == ["12", ""]
    assert result.meta["warnings"] == [LEADING_ZEROS]
    assert mediakit.validate_iban(12).meta["warnings"] == [LEADING_ZEROS]
    assert mediakit.validate_iban("12").meta["warnings"] == []


def test_missing_value_is_a_blank() -> None:
    for missing in (None, float("nan"), pd.NA, "", " \u200b"):
        assert mediakit.validate_iban(missing).code == "empty"


def test_table_file_is_read_as_text() -> None:
    result = mediakit.validate_iban(file=SUPPLIERS, column="7")
    assert result[0].input == "4006381333931"
    assert result.meta["warnings"] == []
    blank = mediakit.validate_iban(file=b"iban,name\n,a\nx,b\n", column="iban")
    assert [each.code for each in blank] == ["empty", "unknown_country"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "iban: exactly one of iban, values and file is required, got none."),
        ({"iban": "x", "values": ["x"]}, "iban: exactly one of iban, values and file is required, got iban, values."),
        ({"values": []}, "values: must have at least 1 item."),
        ({"values": ["x"] * 1001}, "values: must have at most 1000 items, got 1001."),
        ({"values": ["x", True]}, "values[1]: must be text."),
        ({"values": ["x", "y" * 1001]}, "values[1]: must have at most 1000 characters, got 1001."),
        ({"iban": "y" * 1001}, "iban: must have at most 1000 characters, got 1001."),
        ({"iban": "x\n" + "y" * 1001}, "iban: line 2 must have at most 1000 characters, got 1001."),
        ({"iban": "x\n" * 1001}, "iban: must have at most 1000 lines, got 1001."),
        ({"iban": "x", "column": "a"}, "column: requires file."),
        ({"file": SUPPLIERS, "column": "ibna"}, 'column: there is no column "ibna"; did you mean "iban"?'),
        ({"file": b"a,b\nx,y\n"}, 'column: is required, because the table has 2 columns: "a", "b".'),
        ({"file": b"a\n" + b"x\n" * 1001}, "file: must have at most 1000 rows."),
        (
            {"file": b"a,b\nx," + b"y" * 1001, "column": 2},
            "file: the value in row 1 must have at most 1000 characters, got 1001.",
        ),
    ],
)
def test_bad_request_names_its_field(arguments: dict[str, Any], error: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.validate_iban(**arguments)
    assert str(caught.value).startswith(error)


async def test_http_refuses_null_and_numbers(api: Api) -> None:
    for value in (None, 5, 5.5, True, ["x"]):
        response = await api.json("/validate-iban", {"values": ["a", "b", "c", value]})
        assert (response.status_code, response.json()["error"]) == (400, "values[3]: must be text.")
    output = await api.json("/validate-iban", {"iban": "x", "output": "binary"})
    assert output.status_code == 400
    blanks = await api.json("/validate-iban", {"values": ["", "  "]})
    assert [each["code"] for each in blanks.json()["results"]] == ["empty", "empty"]


async def test_http_answers_json_to_every_body(api: Api) -> None:
    for text, is_single in ((GERMAN, True), (f"{GERMAN}\n", True), (f"{GERMAN}\n\n{BELGIAN}", False), ("", True)):
        response = await api.raw("/validate-iban", text.encode(), "text/plain")
        assert (response.status_code, response.headers["content-type"]) == (200, "application/json")
        assert ("results" in response.json()) is not is_single
    assert response.json()["code"] == "empty"


def test_envelope_is_read_back() -> None:
    for values in (GERMAN, [GERMAN, "x"]):
        result = mediakit.validate_iban(values)
        body = json.loads(result.envelope({"used": 1, "remaining": 2, "unlimited": False}))
        assert type(result).from_envelope(body) == result
    with pytest.raises(InvalidInput, match="does not fit"):
        type(result).from_envelope({"meta": {}})


def test_notebook_shows_counts_and_the_first_rows_escaped() -> None:
    long = "<b>&" + "x" * 200
    html = mediakit.validate_iban([long, *["x"] * 998, GERMAN])._repr_mimebundle_()[0]["text/html"]
    assert "1 of 1,000 valid, 999 not valid" in html
    assert html.count("<tr") == 21
    assert "and 980 more" in html
    assert "<b>&x" not in html
    assert f'title="&lt;b&gt;&amp;{"x" * 200}"' in html
    assert html.index("verdict") < html.index("input")
    swapped = mediakit.validate_iban([GERMAN, "DE98370400440532013000"])._repr_mimebundle_()[0]["text/html"]
    places = [swapped.index(f">{name}<") for name in ("input", "normalized", "suggestion", "reason", "country")]
    assert places == sorted(places)
    single = mediakit.validate_iban("<x>")._repr_mimebundle_()[0]["text/html"]
    assert "Not valid" in single
    assert "<x>" not in single


def test_objects_of_a_file_with_other_members_are_not_tables() -> None:
    given: Any = {"file": "eA==", "name": "x.csv", "type": "text/csv"}
    with pytest.raises(InvalidInput, match='file: must have the members "file"'):
        mediakit.validate_iban(file=given)


def test_first_argument_may_be_rows_or_an_open_file() -> None:
    rows = [{"name": "Ana", "account": GERMAN}, {"name": "Bo", "account": "x"}, {"name": "Cy"}]
    assert [each.valid for each in mediakit.validate_iban(rows, column="account")] == [True, False, False]
    file = io.BytesIO(f"account\n{BELGIAN}\n{GERMAN}\n".encode())
    assert [each.normalized for each in mediakit.validate_iban(file)] == [BELGIAN, GERMAN]


def test_objects_of_the_uuid_module_are_text() -> None:
    given = uuid.UUID("{12345678-1234-4678-9234-567812345678}")
    assert mediakit.validate_code(given).kind == "uuid"
    assert [each.valid for each in mediakit.validate_code([given, None], "uuid")] == [True, False]


def test_iban_with_digits_of_another_script_is_read() -> None:
    assert mediakit.validate_iban("ＤＥ٨٩ ３７０４ ００４４ ０５３２ ０１３０ ００").normalized == GERMAN
