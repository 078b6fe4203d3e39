"""Tabular results of tools as tables of other tools: their rows, not their JSON."""

import pandas as pd
import pyarrow as pa

import mediakit

ROWS = [{"city": "Oslo", "email": "a@example.com", "n": 2}, {"city": "Vigo", "email": "b@example", "n": 3}]


def test_rows_of_a_query_are_a_table() -> None:
    query = mediakit.data_query(ROWS, "SELECT city, sum(n) AS total, DATE '2024-01-31' AS day FROM data GROUP BY ALL")
    expected = sorted([("Oslo", 2, "2024-01-31"), ("Vigo", 3, "2024-01-31")])
    converted = mediakit.data_convert(query, "json").rows
    assert sorted((row["city"], row["total"], row["day"]) for row in converted) == expected
    assert mediakit.table_image(query, format="html").meta["rows"] == 2
    assert mediakit.table_image(rows=query, columns=["total"], format="svg").meta["rows_shown"] == 2
    assert mediakit.data_profile(query).rows == 2
    assert mediakit.data_diff(query, query, key=["city"]).same
    assert mediakit.data_query("SELECT max(total) AS most FROM totals", totals=query).rows == [{"most": 3}]
    assert mediakit.data_query(query, "SELECT count(*) AS n FROM data").rows == [{"n": 2}]


def test_verdicts_are_a_table() -> None:
    verdicts = mediakit.validate_email(file=ROWS, column="email")
    rows = mediakit.data_convert(verdicts, "json", columns=["input", "valid"]).rows
    assert rows == [{"input": "a@example.com", "valid": True}, {"input": "b@example", "valid": False}]
    again = mediakit.validate_email(file=verdicts, column="input")
    assert [each.valid for each in again] == [True, False]


def test_file_of_a_query_is_read_as_a_file() -> None:
    query = mediakit.data_query(ROWS, "SELECT city FROM data", format="csv")
    assert mediakit.data_convert(query, "json").meta["input_format"] == "csv"


def test_repeated_names_of_a_frame_are_numbered() -> None:
    sales, costs = pd.DataFrame({"id": [1], "v": [3]}), pd.DataFrame({"id": [2], "w": [5]})
    expected = [{"id": 1, "v": 3, "id_2": 2, "w": 5}]
    arrow = pa.table([[1], [3], [2], [5]], names=["id", "v", "id", "w"])
    for frame in (pd.concat([sales, costs], axis=1), arrow):
        assert mediakit.data_convert(frame).rows == mediakit.data_query(frame, "FROM data").rows == expected
        names = [each["name"] for each in mediakit.chart.build("bar", frame).series]
        assert names == ["id", "v", "id_2", "w"]


def test_first_argument_of_a_validator_can_be_a_result_with_rows() -> None:
    query = mediakit.data_query(ROWS, "SELECT email, n FROM data ORDER BY n")
    assert [each.valid for each in mediakit.validate_email(query, column="email")] == [True, False]
