"""Tabular results of tools as tables of other tools: their rows, not their JSON."""

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
