"""`data_query` compared with DuckDB in the same process: a CSV file, grouped by a column."""

import json
from collections.abc import Mapping
from typing import Any

import mediakit
from bench.data_convert import csv_content
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import ours, python_peer

SQL = "SELECT city, count(*) AS n, sum(price) AS total FROM data GROUP BY city ORDER BY city"


def with_mediakit(values: Mapping[str, Any]) -> Job:
    content = csv_content(values["rows"])
    return lambda: json.dumps(mediakit.data_query(content, SQL).rows).encode()


def with_duckdb(values: Mapping[str, Any]) -> Job:
    import tempfile
    from pathlib import Path

    import duckdb

    path = Path(tempfile.mkdtemp()) / "data.csv"
    path.write_bytes(csv_content(values["rows"]))

    def query() -> bytes:
        connection = duckdb.connect(":memory:", config={"threads": 2})
        connection.execute("CREATE TABLE data AS FROM read_csv(?)", [str(path)])
        rows = connection.execute(SQL).fetchall()
        return json.dumps([dict(zip(("city", "n", "total"), row, strict=True)) for row in rows]).encode()

    return query


def read_back(case: Case, content: bytes) -> str:
    """Return the number of groups, and whether all rows were counted."""
    rows = json.loads(content)
    counted = sum(row["n"] for row in rows)
    return f"{len(rows)} groups of {counted:,} of {case.values['rows']:,} rows"


BENCHES = [
    Bench(
        tool="data_query",
        about="A CSV file of ten columns is grouped. mediakit forks a process for each query and detects the format.",
        cases=[Case(f"{rows:,} rows", {"rows": rows}) for rows in (1000, 200_000)],
        ours=ours("bench.data_query:with_mediakit"),
        peers=[python_peer("duckdb", "bench.data_query:with_duckdb")],
        inspect=read_back,
    )
]
