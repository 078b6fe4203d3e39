"""Rows are never all in memory: 300,000 rows are read in a process of their own, whose memory is measured."""

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import polars as pl
import pytest

ROWS = 300_000
"""Rows of 300 characters: all rows have 90 MB, and more as Python objects."""

LIMIT_MB = 60

COLUMNAR_LIMIT_MB = 150
"""Polars decodes a group of rows at once."""

PROGRAM = """
    import asyncio, sys, threading
    import polars, psutil
    from mediakit.batches.sources import open_rows

    def generated():
        for number in range(300_000):
            yield {"data": f"{number:0300}", "size": number}

    def lazy():
        return polars.LazyFrame({"size": range(300_000)}).with_columns(data=polars.col("size").cast(str).str.zfill(300))

    process = psutil.Process()
    stopped, peak = threading.Event(), 0

    def watch():
        global peak
        while not stopped.wait(0.005):
            peak = max(peak, process.memory_info().rss)

    def read(source):
        rows = asyncio.run(open_rows(source, "data"))
        count = 0
        for chunk in rows.chunks():
            count += len(chunk)
            assert chunk[-1].number == count and len(chunk[-1].values["data"]) == 300
        return count

    read([{"data": "x" * 300}])
    if sys.argv[2:]:
        read(sys.argv[2])
    start = process.memory_info().rss
    thread = threading.Thread(target=watch)
    thread.start()
    count = read({"generator": generated, "lazy": lazy}.get(sys.argv[1], lambda: sys.argv[1])())
    stopped.set()
    thread.join()
    print(count, (peak - start) // 1_000_000)
"""


def measured(source: str, warm_up: str = "") -> tuple[int, int]:
    """Return the number of rows of a source, and the memory in MB that reading them took."""
    arguments = [sys.executable, "-c", textwrap.dedent(PROGRAM), source, *([warm_up] if warm_up else [])]
    printed = subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
    count, megabytes = map(int, printed.split())
    return count, megabytes


@pytest.mark.parametrize("source", ["generator", "lazy"])
def test_iterables_and_lazy_frames_are_read_in_little_memory(source: str) -> None:
    count, megabytes = measured(source)
    assert count == ROWS
    assert megabytes < (COLUMNAR_LIMIT_MB if source == "lazy" else LIMIT_MB)


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_files_are_read_in_little_memory(suffix: str, tmp_path: Path) -> None:
    path, small = tmp_path / f"guests.{suffix}", tmp_path / f"small.{suffix}"
    for each, rows in ((path, ROWS), (small, 10)):
        numbers = pl.DataFrame({"size": range(rows)})
        # Hashes keep Parquet from compressing the rows to a small file.
        frame = numbers.with_columns(
            data=pl.concat_str([pl.col("size").hash(n).cast(str).str.zfill(20) for n in range(15)])
        )
        writers: dict[str, Any] = {"csv": frame.write_csv, "jsonl": frame.write_ndjson, "parquet": frame.write_parquet}
        writers[suffix](each)
    assert path.stat().st_size > 40_000_000
    count, megabytes = measured(str(path), str(small))
    assert count == ROWS
    assert megabytes < (COLUMNAR_LIMIT_MB if suffix == "parquet" else LIMIT_MB)
