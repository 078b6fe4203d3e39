"""`data_query`: SQL over tables, types, names, formats, errors and limits."""

import datetime as dt
import io
import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import mediakit
from mediakit.engines.sql import query
from mediakit.engines.sql.database import QUERY
from mediakit.engines.sql.named_tables import table_name
from mediakit.engines.tables.model import distinct_names
from mediakit.errors import InvalidCall, InvalidInput, NotConvertible
from mediakit.samples import SALES
from mediakit.tools.data.data_query import QueryResult
from tests.conftest import Api

pytestmark = pytest.mark.timeout(180)


OWN_PROCESS = (
    "test_file_is_queried_by_its_name_and_as_data",
    "test_query_that_needs_too_much_memory_is_refused",
    "test_large_result_is_refused",
    "test_slow_query_is_killed_and_the_next_one_answers",
    "test_client_returns_equal_result",
)
"""Tests whose queries have a process with limits, as those of users."""


@pytest.fixture(autouse=True)
def _in_this_process(request: pytest.FixtureRequest) -> None:
    if request.node.originalname not in OWN_PROCESS:
        request.getfixturevalue("_queries_in_this_process")


ROWS = [{"id": 1, "name": "Oslo"}, {"id": 2, "name": "Vigo"}]


def refusal(sql: str, **options: Any) -> str:
    with pytest.raises(InvalidInput) as caught:
        mediakit.data_query(rows=ROWS, sql=sql, **options)
    return caught.value.message


def types(result: QueryResult) -> list[str]:
    return [column["type"] for column in result.columns]


LARGE = [
    {
        "id": str(number),
        "code": f"{number:06}",
        "day": (dt.date(2020, 1, 1) + dt.timedelta(number)).isoformat(),
        "at": f"2024-01-02 03:04:{number % 60:02}",
        "price": f"{number / 4:.2f}",
        "paid": ("yes", "no")[number % 2],
        "stock": ("NA", str(number))[number % 7 > 0],
        "note": f'"Row, {number}"',
    }
    for number in range(4000)
]
"""Rows of a text that is too long for an object per cell."""


def csv_of(rows: list[dict[str, str]]) -> bytes:
    return "\n".join([",".join(rows[0]), *(",".join(row.values()) for row in rows), ""]).encode()


def test_types_and_values_of_large_file_are_those_of_its_cells() -> None:
    result = mediakit.data_query(csv_of(LARGE), "SELECT * FROM data", limit=5000)
    assert types(result) == [
        *("BIGINT", "VARCHAR", "DATE", "TIMESTAMP", "DECIMAL(18,2)", "BOOLEAN", "BIGINT", "VARCHAR")
    ]
    assert result.rows[1] == {
        "id": 1,
        "code": "000001",
        "day": "2020-01-02",
        "at": "2024-01-02T03:04:01",
        "price": 0.25,
        "paid": False,
        "stock": 1,
        "note": "Row, 1",
    }
    assert [row["stock"] for row in result.rows[:3]] == [None, 1, 2]
    assert result.tables[0]["rows"] == result.row_count == 4000
    assert sum(row["price"] for row in result.rows) == sum(number / 4 for number in range(4000))


@pytest.mark.parametrize(
    ("column", "cell", "kind"),
    [
        *(("id", "x", "VARCHAR"), ("id", "7.5", "DECIMAL(18,1)"), ("id", "9" * 19, "VARCHAR")),
        *(("day", "2024-02-30", "VARCHAR"), ("at", "2024-01-02 25:00:00", "VARCHAR"), ("paid", "maybe", "VARCHAR")),
        *(("price", "1.23456", "DECIMAL(18,5)"), ("price", "1e-7", "DOUBLE"), ("stock", "-", "BIGINT")),
    ],
)
def test_cell_of_another_form_at_the_end_of_large_file_counts(column: str, cell: str, kind: str) -> None:
    content = csv_of([*LARGE, {**LARGE[0], column: cell}])
    found = mediakit.data_query(content, f'SELECT "{column}" AS v FROM data', limit=5000)
    assert types(found) == [kind]
    assert found.row_count == 4001
    expected = None if cell == "-" else float(cell) if kind.startswith("D") else cell
    assert found.rows[-1]["v"] == expected


# --- tables -----------------------------------------------------------------------------------------------------------


def test_file_is_queried_by_its_name_and_as_data() -> None:
    result = mediakit.data_query(SALES, "SELECT paid, sum(amount) AS total FROM sales GROUP BY ALL ORDER BY total")
    assert list(result) == [{"paid": False, "total": 1027.1}, {"paid": True, "total": 3813.7}]
    assert (len(result), result.row_count, result.truncated) == (2, 2, False)
    assert mediakit.data_query(SALES, "SELECT count(*) AS n FROM data").rows == [{"n": 8}]


def test_columns_have_the_types_of_the_reader() -> None:
    result = mediakit.data_query(SALES, "FROM sales")
    assert types(result) == ["VARCHAR", "VARCHAR", "VARCHAR", "DATE", "BIGINT", "DECIMAL(18,2)", "BOOLEAN"]
    assert result.rows[0]["order"] == "00017"
    assert result.tables == [{"name": "sales", "rows": 8, "columns": result.columns}]


def test_tables_are_arguments_by_name_beside_the_query_as_first_argument() -> None:
    sales = pd.DataFrame({"city": ["Vigo", "Oslo", "Vigo"], "amount": [0.1, 5.0, 0.2]})
    result = mediakit.data_query(
        "select city, sum(amount) as total from sales group by city order by city", sales=sales
    )
    assert result.rows == [{"city": "Oslo", "total": 5.0}, {"city": "Vigo", "total": 0.3}]
    joined = mediakit.data_query(
        "select a.name, b.n from a join b using (id)", a=ROWS, b={"id": [2], "n": [dt.date(2024, 1, 31)]}, limit=5
    )
    assert joined.rows == [{"name": "Vigo", "n": "2024-01-31"}]


def test_files_are_tables_by_name_or_by_their_file_names(tmp_path: Path) -> None:
    path = tmp_path / "sales 2024.csv"
    path.write_text("a\n1\n", "utf-8")
    sql = "select (select count(*) from sales_2024) + (select count(*) from s) as n"
    assert mediakit.data_query(sql=sql, files=[path, {"name": "s.csv", "file": b"x\n1\n2\n"}]).rows == [{"n": 3}]
    named = mediakit.data_query("select * from x, y, data", x=str(path), y=path)
    assert named.rows == [{"a": 1, "a_2": 1, "a_3": 1}]
    assert [table["name"] for table in named.tables] == ["x", "y"]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_data_frames_keep_their_types(kind: Any) -> None:
    frame = kind({"id": ["007"], "day": [dt.date(2024, 1, 31)], "n": [3], "x": [0.1], "ok": [True]})
    result = mediakit.data_query(frame, "from data")
    assert types(result) == ["VARCHAR", "DATE", "BIGINT", "DECIMAL(18,1)", "BOOLEAN"]
    assert mediakit.data_query("from t", t=frame).rows == result.rows


def test_data_frame_without_rows_has_columns() -> None:
    result = mediakit.data_query("from t", t=pd.DataFrame({"a": [], "b": []}))
    assert ([column["name"] for column in result.columns], result.rows) == (["a", "b"], [])


def test_every_sheet_of_a_workbook_is_a_table() -> None:
    made = openpyxl.Workbook()
    made.worksheets[0].title = "North"
    made.worksheets[0].append(["x"])
    made.worksheets[0].append([1])
    south = made.create_sheet("Süd 2")
    south.append(["x"])
    south.append([2])
    made.save(file := io.BytesIO())
    book = {"name": "book.xlsx", "file": file.getvalue()}
    result = mediakit.data_query(
        book, "from book_North union all from book_Süd_2 union all from book union all from data"
    )
    assert [row["x"] for row in result.rows] == [1, 2, 1, 1]
    assert [table["name"] for table in result.tables] == ["book_North", "book_Süd_2"]
    assert [t["name"] for t in mediakit.data_query(book, "from data", sheet="Süd 2").tables] == ["book_Süd_2"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("sales 2024.csv", "sales_2024"), ("2024.csv", "_2024"), ("a.b.xlsx", "a_b"), ("größe", "größe"), ("***", "")],
)
def test_names_are_identifiers(name: str, expected: str) -> None:
    assert table_name(name) == expected


def test_names_that_differ_in_case_only_get_numbers() -> None:
    result = mediakit.data_query(text="Id,ID,id_2\n1,2,3\n", sql="from data")
    assert result.rows == [{"Id": 1, "ID_3": 2, "id_2": 3}]
    assert any("SQL ignores case" in warning for warning in result.meta["warnings"])


def test_names_of_very_many_equal_columns_are_numbered() -> None:
    names = distinct_names(["amount"] * 200_000, str.lower)  # with a search for each name, it would not end
    assert (names[1], names[-1]) == ("amount_2", "amount_200000")


def test_misspelled_option_is_not_a_table() -> None:
    with pytest.raises(InvalidInput, match=r'^limt: is not a known field; did you mean "limit"\?$'):
        mediakit.data_query(SALES, "from data", limt=5)  # type: ignore[call-overload]
    with pytest.raises(InvalidCall):
        mediakit.data_query(SALES, "from data", "x")  # type: ignore[call-overload]


def test_types_of_a_column_that_one_of_two_tables_has() -> None:
    result = mediakit.data_query(
        sql="select typeof(a.id) as a, typeof(b.n) as b from a, b",
        files=[{"name": "a.csv", "file": b"id\n1\n"}, {"name": "b.csv", "file": b"n\n1\n"}],
        types={"id": "text"},
    )
    assert result.rows == [{"a": "VARCHAR", "b": "BIGINT"}]
    assert 'types: there is no column "nam"; did you mean "name"?' in refusal("from data", types={"nam": "text"})


# --- queries ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("with a as (select id from data) select sum(id) as n from a", [{"n": 3}]),
        ("values (1, 'a')", [{"col0": 1, "col1": "a"}]),
        ("from data limit 1", [ROWS[0]]),
        ("pivot data on name using sum(id)", [{"Oslo": 1, "Vigo": 2}]),
        ("(select 1 as a);", [{"a": 1}]),
        ("select name from data qualify row_number() over (order by id desc) = 1 -- the last", [{"name": "Vigo"}]),
        ("select 1 as id, 2 as id", [{"id": 1, "id_2": 2}]),
        ("select [1, 2] as l, {'d': date '2024-01-31'} as s", [{"l": [1, 2], "s": {"d": "2024-01-31"}}]),
        ("select timestamptz '2024-01-31 10:00+02' as t", [{"t": "2024-01-31T08:00:00Z"}]),
        (
            "select timestamp '2024-01-31 10:00' as t, interval 1 year as i",
            [{"t": "2024-01-31T10:00:00", "i": "1 year"}],
        ),
        (
            "select [timestamptz '2024-01-31 10:00+02'] as l, {'t': timestamptz '2024-01-31 10:00:00.5+00'} as s",
            [{"l": ["2024-01-31T08:00:00Z"], "s": {"t": "2024-01-31T10:00:00.500000Z"}}],
        ),
        ("select 'a'::blob as b, uuid '00000000-0000-0000-0000-000000000001' as u", None),
        ("select 170141183460469231731687303715884105727 as h", [{"h": "170141183460469231731687303715884105727"}]),
        ("select 0.1::decimal(9,1) + 0.2::decimal(9,1) as d", [{"d": 0.3}]),
        ("select 1.00000000000000000001 as d", [{"d": "1.00000000000000000001"}]),
        ("select 9007199254740993 as big", [{"big": 9007199254740993}]),
    ],
)
def test_query_returns_rows(sql: str, expected: Any) -> None:
    rows = mediakit.data_query(rows=ROWS, sql=sql).rows
    assert rows == (expected or [{"b": "YQ==", "u": "00000000-0000-0000-0000-000000000001"}])


@pytest.mark.parametrize(
    "sql", ["describe data", "summarize data", "show tables", "explain from data", "explain analyze from data"]
)
def test_statements_that_describe_are_allowed(sql: str) -> None:
    assert mediakit.data_query(rows=ROWS, sql=sql).rows


def test_not_finite_numbers_are_null_with_a_warning() -> None:
    result = mediakit.data_query(rows=ROWS, sql="select 'nan'::double as a, 'inf'::double as b, 1.5 as c")
    assert (result.rows, result.meta["warnings"]) == (
        [{"a": None, "b": None, "c": 1.5}],
        ["NaN and infinity are null."],
    )


def test_sums_of_money_are_exact() -> None:
    text = "amount\n" + "0.1\n" * 10
    result = mediakit.data_query(text=text, sql="select sum(amount) as total, sum(amount) = 1 as exact from data")
    assert result.rows == [{"total": 1, "exact": True}]


def test_numbers_of_many_decimals_are_doubles_and_long_identifiers_text() -> None:
    result = mediakit.data_query(text="x,id,n\n0.1234567,12345678901234567890,5\n", sql="from data")
    assert types(result) == ["DOUBLE", "VARCHAR", "BIGINT"]


@pytest.mark.parametrize("parameters", [[1, "Oslo"], {"a": 1, "b": "Oslo"}])
def test_parameters_are_bound(parameters: Any) -> None:
    marks = ("?", "?") if isinstance(parameters, list) else ("$a", "$b")
    sql = f"select count(*) as n from data where id = {marks[0]} and name = {marks[1]}"
    assert mediakit.data_query(rows=ROWS, sql=sql, parameters=parameters).rows == [{"n": 1}]


def test_parameters_of_python_are_dates_and_decimals() -> None:
    found = mediakit.data_query(
        SALES,
        "select count(*) as n from sales where day > ? and amount > ?",
        parameters=[dt.date(2025, 1, 20), Decimal(100)],
    )
    assert found.rows[0]["n"] > 0
    assert "parameters" in refusal("select 1", parameters=5)
    assert "parameters" in refusal("select ?", parameters=[object()])
    assert refusal("select ?").startswith("sql: Invalid Input Error: Values were not provided")


def test_limit_cuts_the_result() -> None:
    result = mediakit.data_query(rows=ROWS, sql="from range(1000000000000)", limit=3)
    assert ([row["range"] for row in result], result.truncated, result.row_count) == ([0, 1, 2], True, 3)
    assert mediakit.data_query(rows=ROWS, sql="from range(3)", limit=3).truncated is False


# --- results ----------------------------------------------------------------------------------------------------------


def test_frame_has_types() -> None:
    frame = mediakit.data_query(SALES, 'select day, amount, paid, items, "order" from sales').to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["day"][0] == dt.date(2025, 1, 3)
    assert [str(kind) for kind in frame.dtypes][1:4] == ["Float64", "boolean", "Int64"]


@pytest.mark.parametrize("format", ["csv", "xlsx", "parquet", "markdown"])
def test_other_formats_are_files_that_read_back(format: Any) -> None:  # noqa: A002
    result = mediakit.data_query(SALES, 'select "order", day, amount, [1] as l from sales', format=format)
    assert result.filename == f"query.{'md' if format == 'markdown' else format}"
    again = mediakit.data_convert(result)
    assert again.rows[0] == {"order": "00017", "day": "2025-01-03", "amount": 1249.9, "l": "[1]"}
    assert result.rows[0]["l"] == [1]


def test_csv_escapes_formulas_if_asked() -> None:
    sql = "select '=1+1' as a"
    assert mediakit.data_query(rows=ROWS, sql=sql, format="csv").content == b"a\n=1+1\n"
    escaped = mediakit.data_query(rows=ROWS, sql=sql, format="csv", escape_formulas=True)
    assert escaped.content == b"a\n'=1+1\n"
    assert refusal(sql, escape_formulas=True) == "escape_formulas: requires format csv, got json."


def test_notebook_shows_counts_and_rows() -> None:
    result = mediakit.data_query(SALES, "select city, '<b>' as x from sales", limit=3)
    html = result._repr_mimebundle_()[0]["text/html"]
    assert "3 rows × 2 columns · more rows than the limit · from sales (8 rows)" in html
    assert "&lt;b&gt;" in html
    assert repr(result) == "<QueryResult 3 rows × 2 columns, truncated>"


def test_result_is_saved_as_json(tmp_path: Path) -> None:
    result = mediakit.data_query(rows=ROWS, sql="from data")
    assert json.loads(result.save(tmp_path / "rows").read_text("utf-8"))["rows"] == ROWS


# --- errors -----------------------------------------------------------------------------------------------------------


def test_error_has_near_name_line_and_caret() -> None:
    message = refusal("select id,\n  nme\nfrom data")
    assert message == (
        'sql: There is no column "nme"; did you mean "name"?\n'
        'Binder Error: Referenced column "nme" not found in FROM clause!\n'
        "LINE 2:   nme\n          ^^^"
    )


@pytest.mark.parametrize(
    "sql", ["select d.nme from data d", "select * from dta", "select lenth(name) from data", "select nme from data"]
)
def test_error_names_near_names_once_and_has_no_blank_line(sql: str) -> None:
    message = refusal(sql)
    assert message.count("id you mean") == 1
    assert message.splitlines()[0].endswith("?")
    assert "Candidate" not in message
    assert "" not in message.splitlines()


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("select * from dta", 'There is no table "dta"; did you mean "data"?'),
        ("select data.nme from data", 'There is no column "nme"; did you mean "name"?'),
        ("select zzzz from data", 'There is no column "zzzz"; there are "id", "name".'),
        ("select lenth(name) from data", 'There is no function "lenth"; did you mean "length"?'),
        ("selec 1", 'sql: Parser Error: syntax error at or near "selec"\nLINE 1: selec 1\n        ^'),
        ("select 'a'::int", "Conversion Error"),
        ("  ", "sql: is required, such as SELECT * FROM data."),
        ("-- nothing", "sql: must have a statement"),
        ("select 1; select 2", "sql: one statement."),
        ("select 1 as a, x'", "sql: "),
        ("x" * 20_001, "sql: "),
        ("(" * 10_000 + "1" + ")" * 9_000, "sql: "),
        ("select " + "(" * 3000 + "1" + ")" * 3000, "sql: "),
    ],
)
def test_error_names_what_is_wrong(sql: str, words: str) -> None:
    assert words in refusal(sql)


def test_tables_are_required_and_limited() -> None:
    for options in ({}, {"tables": {f"t{number}": [{"a": 1}] for number in range(11)}}):
        with pytest.raises(InvalidInput, match="1 to 10"):
            mediakit.data_query(sql="select 1", **options)  # type: ignore[call-overload]
    with pytest.raises(InvalidInput, match="file: has no columns"):
        mediakit.data_query(b"\n", "select 1")
    with pytest.raises(InvalidInput, match="file: exactly one of"):
        mediakit.data_query(SALES, "select 1", text="a\n1\n")


@pytest.mark.parametrize(
    "sql",
    ["select sum(u) from (select unnest(range(100000000)) u)", "select length(repeat('x', 1000000000))"],
)
def test_query_that_needs_too_much_memory_is_refused(sql: str) -> None:
    assert refusal(sql) == "The query needs more than 512 MB of memory."


def test_large_result_is_refused() -> None:
    assert "the result must have at most 50 MB" in refusal("select repeat('x', 1000000) as x from range(80)")
    with pytest.raises(InvalidInput, match="at most 2,000 columns, got 2,400"):
        mediakit.data_query("from t a, t b, t c", t=[{f"c{number}": 1 for number in range(800)}])


def test_slow_query_is_killed_and_the_next_one_answers() -> None:
    assert QUERY.seconds == 10
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mediakit.tools.data.data_query.QUERY", replace(QUERY, seconds=1))
        with pytest.raises(NotConvertible, match=r"^The query took longer than 1 seconds\.$"):
            mediakit.data_query(
                rows=ROWS, sql="select count(*) from range(1000000) a, range(1000000) b where hash(a, b) = 1"
            )
    assert mediakit.data_query(rows=ROWS, sql="select 1 as a").rows == [{"a": 1}]


def test_modules_of_a_query_are_imported_ahead() -> None:
    query.import_modules()


# --- HTTP -------------------------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_json_body_has_rows_and_duration(api: Api) -> None:
    body = (
        await api.json("/data-query", {"rows": ROWS, "sql": "from data where id = $id", "parameters": {"id": 2}})
    ).json()
    assert (body["rows"], body["row_count"], body["truncated"], body["meta"]["warnings"]) == ([ROWS[1]], 1, False, [])
    assert body["columns"] == [{"name": "id", "type": "BIGINT"}, {"name": "name", "type": "VARCHAR"}]
    assert isinstance(body["elapsed_ms"], int)
    made = (await api.json("/data-query", {"rows": ROWS, "sql": "from data", "format": "csv"})).json()
    assert (made["filename"], made["mime_type"], made["rows"]) == ("query.csv", "text/csv", ROWS)


@pytest.mark.anyio
async def test_raw_body_and_form_are_queried(api: Api) -> None:
    raw = await api.raw(
        "/data-query", SALES.read_bytes(), "text/csv", sql="select count(*) as n from data", parameters="[]"
    )
    assert raw.json()["rows"] == [{"n": 8}]
    as_csv = await api.raw("/data-query", b"a\n1\n", "text/csv", sql="from data", format="csv")
    assert as_csv.content == b"a\n1\n"
    parts = [("files", ("a.csv", b"x\n1\n")), ("files", ("b.csv", b"y\n2\n"))]
    form = await api.post("/data-query", files=parts, data={"sql": "select x + y as n from a, b"})
    assert form.json()["rows"] == [{"n": 3}]


@pytest.mark.anyio
async def test_errors_are_400(api: Api) -> None:
    for sql, words in (
        ("drop table data", "sql: only SELECT is allowed."),
        ("select 1; select 1", "sql: one statement."),
    ):
        response = await api.json("/data-query", {"rows": ROWS, "sql": sql})
        assert (response.status_code, response.json()["error"]) == (400, words)
    assert (await api.json("/data-query", {"rows": ROWS})).status_code == 400
    response = await api.json("/data-query", {"tables": {"a": 5}, "sql": "select 1"})
    assert response.json()["error"].startswith('tables: must be an object such as {"sales": [{"id": 1}]}')


@pytest.mark.anyio
async def test_client_returns_equal_result(api: Api) -> None:
    frame = pd.DataFrame({"id": ["007"], "day": [dt.date(2024, 1, 31)]})
    async with api.client() as client:
        result = await client.data_query("from t", t=frame)
        assert result == mediakit.data_query("from t", t=frame)
        assert result.rows == [{"id": "007", "day": "2024-01-31"}]


@pytest.mark.anyio
@pytest.mark.parametrize("output", ["binary", "url"])
async def test_other_output_than_json_of_rows_returns_400_without_a_query(api: Api, output: str) -> None:
    answer = await api.json("/data-query", {"rows": ROWS, "sql": "selec 1", "output": output})
    assert (answer.status_code, answer.json()["error"]) == (400, "output: this tool answers json only.")
    answer = await api.json("/data-query", {"rows": ROWS, "sql": "select 1", "format": "csv", "output": output})
    assert answer.status_code == 200
