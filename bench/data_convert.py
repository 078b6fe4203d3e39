"""`data_convert` compared with pandas, Polars and DuckDB: a CSV file becomes JSON."""

import json
import tempfile
from collections.abc import Mapping
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import mediakit
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import ours, python_peer

CITIES = ("Berlin", "Lisbon", "Tokyo", "Nairobi")


def csv_content(rows: int) -> bytes:
    """Return a CSV file of ten columns: numbers, dates, text, identifiers with leading zeros."""
    lines = ["id,order,city,day,items,price,discount,paid,note,code"]
    lines += [
        f"{number},{number:06},{CITIES[number % 4]},2025-{number % 12 + 1:02}-{number % 28 + 1:02},{number % 9},"
        f"{number % 500 / 4},{number % 30 / 100},{'true' if number % 3 else 'false'},Row {number},A-{number % 97}"
        for number in range(rows)
    ]
    return "\n".join(lines).encode()


def with_mediakit(values: Mapping[str, Any]) -> Job:
    content = csv_content(values["rows"])
    return lambda: mediakit.data_convert(content, "json", indent=0).content


def with_pandas(values: Mapping[str, Any]) -> Job:
    import pandas as pd

    content = csv_content(values["rows"])
    return lambda: pd.read_csv(BytesIO(content)).to_json(orient="records").encode()


def with_polars(values: Mapping[str, Any]) -> Job:
    import polars as pl

    content = csv_content(values["rows"])

    def convert() -> bytes:
        pl.read_csv(content, try_parse_dates=True).write_json(output := StringIO())
        return output.getvalue().encode()

    return convert


def with_duckdb(values: Mapping[str, Any]) -> Job:
    """Return a conversion with one thread, from a file to a file: DuckDB neither reads nor writes bytes."""
    import duckdb

    folder = Path(tempfile.mkdtemp())
    source, target = folder / "data.csv", folder / "data.json"
    source.write_bytes(csv_content(values["rows"]))

    def convert() -> bytes:
        with duckdb.connect(":memory:", config={"threads": 1}) as connection:
            connection.execute(f"COPY (FROM read_csv('{source}')) TO '{target}' (FORMAT json, ARRAY true)")
        return target.read_bytes()

    return convert


def read_back(case: Case, content: bytes) -> str:
    """Return the number of rows, and whether leading zeros are kept."""
    rows = json.loads(content)
    kept = rows[1]["order"] == "000001"
    return f"{len(rows):,} of {case.values['rows']:,} rows, leading zeros {'kept' if kept else 'lost'}"


BENCHES = [
    Bench(
        tool="data_convert",
        about="A CSV file of ten columns becomes JSON; 300,000 rows are 20 MB. mediakit detects format and types.",
        cases=[Case(f"{rows:,} rows", {"rows": rows}) for rows in (1000, 20_000, 300_000)],
        ours=ours("bench.data_convert:with_mediakit"),
        peers=[
            python_peer("pandas", "bench.data_convert:with_pandas"),
            python_peer("polars", "bench.data_convert:with_polars"),
            python_peer("duckdb", "bench.data_convert:with_duckdb"),
        ],
        inspect=read_back,
    )
]
