"""`data_diff` compared with csv-diff: two CSV files with a key, of which 1 of 100 rows differs."""

import json
from collections.abc import Mapping
from io import StringIO
from typing import Any

import mediakit
from bench.data_convert import csv_content
from bench.package_worker import Job
from bench.race import Bench, Case
from bench.worker import ours, python_peer

KEY = "id"


def changed(content: bytes) -> bytes:
    """Return the file with another note in every hundredth row."""
    lines = content.decode().split("\n")
    lines[1::100] = [line.replace("Row", "Line") for line in lines[1::100]]
    return "\n".join(lines).encode()


def with_mediakit(values: Mapping[str, Any]) -> Job:
    first = csv_content(values["rows"])
    second = changed(first)

    def compare() -> bytes:
        found = mediakit.data_diff(first, second, key=[KEY])
        return json.dumps({name: found.summary[name] for name in ("added", "removed", "changed")}).encode()

    return compare


def with_csv_diff(values: Mapping[str, Any]) -> Job:
    import csv_diff  # type: ignore[import-not-found]  # installed when the benchmark runs

    first = csv_content(values["rows"])
    second = changed(first)

    def compare() -> bytes:
        tables = [csv_diff.load_csv(StringIO(each.decode()), key=KEY) for each in (first, second)]
        found = csv_diff.compare(*tables)
        return json.dumps({name: len(found[name]) for name in ("added", "removed", "changed")}).encode()

    return compare


def read_back(_case: Case, content: bytes) -> str:
    """Return the number of rows that differ."""
    return ", ".join(f"{count:,} {name}" for name, count in json.loads(content).items())


BENCHES = [
    Bench(
        tool="data_diff",
        about="Two CSV files of ten columns, by the key `id`; 300,000 rows are 20 MB. mediakit compares typed values.",
        cases=[Case(f"{rows:,} rows", {"rows": rows}) for rows in (1000, 20_000, 300_000)],
        ours=ours("bench.data_diff:with_mediakit"),
        peers=[python_peer("csv-diff", "bench.data_diff:with_csv_diff")],
        inspect=read_back,
    )
]
