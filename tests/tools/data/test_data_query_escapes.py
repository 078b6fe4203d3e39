"""`data_query` refuses every way out of the tables of a call, and goes on answering."""

from typing import Any

import pytest

import mediakit
from mediakit.errors import InvalidInput
from tests.conftest import Api

pytestmark = pytest.mark.timeout(120)

in_this_process = pytest.mark.usefixtures("_queries_in_this_process")

ROWS = [{"id": 1}]
SECRET_OF_MODULE = ["a variable that queries must not see"]

FILES = (
    "select * from read_csv('/etc/passwd')",
    "select * from read_csv_auto('/etc/passwd')",
    "select * from read_text('/etc/passwd')",
    "select * from read_blob('/etc/passwd')",
    "select * from read_json('/etc/passwd')",
    "select * from read_ndjson_objects('/etc/passwd')",
    "select * from read_parquet('/etc/passwd')",
    "select * from parquet_scan('/tmp/*.parquet')",
    "select * from parquet_metadata('/etc/passwd')",
    "select * from parquet_schema('/etc/passwd')",
    "select * from sniff_csv('/etc/passwd')",
    "select * from glob('/etc/*')",
    "select * from read_text('/proc/self/environ')",
    "select * from '/etc/passwd'",
    "select * from '/tmp/data.csv'",
    "select * from 'https://example.com/data.csv'",
    "select * from read_csv('https://example.com/data.csv')",
    "select * from read_text('s3://bucket/key')",
    "select * from read_csv(['/etc/passwd', '/etc/group'])",
    "select * from query('select * from read_text(''/etc/passwd'')')",
    "select * from query_table(['/etc/passwd'])",
    "with a as materialized (select * from read_text('/etc/hosts')) select 1 from a",
    "from json_execute_serialized_sql(json_serialize_sql('select * from read_text(''/etc/passwd'')'))",
    "select getenv('PATH')",
    "select * from duckdb_extensions()",
)
STATEMENTS = (
    "copy (select 1) to '/tmp/mediakit_escape.csv'",
    "copy data to '/tmp/mediakit_escape.csv'",
    "copy data from '/etc/passwd'",
    "explain analyze copy (select 1) to '/tmp/mediakit_escape.csv'",
    "explain analyze create table x as select 1",
    "explain (analyze) insert into data values (2)",
    "/* */ explain /* */ analyze drop table data",
    "attach '/tmp/mediakit_escape.db'",
    "attach ':memory:' as other",
    "install httpfs",
    "load httpfs",
    "export database '/tmp/mediakit_escape'",
    "import database '/tmp/mediakit_escape'",
    "set enable_external_access = true",
    "set lock_configuration = false",
    "set python_enable_replacements = true",
    "reset enable_external_access",
    "pragma enable_profiling",
    "pragma database_list",
    "create secret s (type s3)",
    "create persistent secret s (type s3)",
    "call enable_logging()",
    "call pragma_version()",
    "create table x (a int)",
    "create table x as pivot data on id using count(*)",
    "create macro f() as 1",
    "create view v as from data",
    "insert into data values (2)",
    "with a as (insert into data values (2) returning id) select * from a",
    "update data set id = 2",
    "delete from data",
    "truncate data",
    "drop table data",
    "alter table data rename to other",
    "prepare p as select 1",
    "execute p",
    "begin",
    "commit",
    "rollback",
    "use memory",
    "vacuum",
    "checkpoint",
    "analyze",
    "detach memory",
    "set variable x = 1",
    "comment on table data is 'x'",
)
PYTHON = (
    "select * from ROWS",
    "select * from SECRET_OF_MODULE",
    "select * from job",
    "select * from connection",
    "select * from mediakit_source",
    "select * from arrays",
)


@in_this_process
@pytest.mark.parametrize("sql", [*FILES, *PYTHON])
def test_query_has_no_access_beyond_its_tables(sql: str) -> None:
    with pytest.raises(InvalidInput, match=r"^sql: ") as caught:
        mediakit.data_query(rows=ROWS, sql=sql)
    assert "root" not in caught.value.message


@in_this_process
@pytest.mark.parametrize("sql", STATEMENTS)
def test_statement_that_does_more_than_read_is_refused(sql: str) -> None:
    with pytest.raises(InvalidInput, match=r"^sql: "):
        mediakit.data_query(rows=ROWS, sql=sql)


@in_this_process
@pytest.mark.parametrize("sql", ["select 1; drop table data", "from data; copy data to '/tmp/mediakit_escape.csv'"])
def test_second_statement_is_refused(sql: str) -> None:
    with pytest.raises(InvalidInput, match=r"^sql: one statement\.$"):
        mediakit.data_query(rows=ROWS, sql=sql)


@pytest.mark.anyio
async def test_server_answers_after_attempts(api: Api) -> None:
    attempts: list[Any] = [FILES[2], STATEMENTS[0], "select repeat('x', 1000000000)", PYTHON[0]]
    for sql in attempts:
        assert (await api.json("/data-query", {"rows": ROWS, "sql": sql})).status_code == 400
    assert (await api.json("/data-query", {"rows": ROWS, "sql": "from data"})).json()["rows"] == ROWS
    assert (await api.status())["used"] == 1
