"""Overhead of a batch on a Dask cluster: `python -m bench.batch_dask` runs calls of 1, 10 and 100 ms on two workers.

The calls only wait, so that other load on the machine matters less. The overhead is the part of the workers' time in
which no call runs, beside that of a plain submission of one task for each row.
"""

import argparse
import importlib
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from unittest import mock

import mediakit
from bench.figures import ratios, store
from mediakit.batches import runners
from mediakit.batches.calls import Group, Outcome

WORKERS = 2
MILLISECONDS = (1, 10, 100)
SECONDS = 10.0
"""Time of all calls of a worker."""


def wait(milliseconds: float) -> float:
    """Wait in a worker, and return how long it took, in seconds."""
    start = time.perf_counter()
    time.sleep(milliseconds / 1000)
    return time.perf_counter() - start


def waiting(group: Group, *, milliseconds: float) -> list[Outcome]:
    """Wait for each call of a group instead of making it."""
    return [Outcome(result=mediakit.qr, ms=wait(milliseconds) * 1000) for _ in group.calls]


def with_batch(client: Any, milliseconds: float, count: int) -> float:
    """Return the seconds of all calls of a batch."""
    with mock.patch.object(runners, "run_group", partial(waiting, milliseconds=milliseconds)):
        made = mediakit.batch(mediakit.qr, [str(number) for number in range(count)], executor=client)
    return sum(entry.ms for entry in made._entries) / 1000  # noqa: SLF001


def with_plain_tasks(client: Any, milliseconds: float, count: int) -> float:
    """Return the seconds of all calls that are submitted one by one."""
    seconds: list[float] = client.gather(client.map(wait, [milliseconds] * count, pure=False))
    return sum(seconds)


def overhead(run: Callable[[Any, float, int], float], client: Any, milliseconds: float, count: int) -> float:
    """Return the part of the workers' time in which no call runs."""
    start = time.perf_counter()
    busy = run(client, milliseconds, count)
    return 1 - busy / (time.perf_counter() - start) / WORKERS


def table(client: Any, rounds: int) -> str:
    """Return the medians as a Markdown table, and store their ratios; the two ways take turns."""
    rows = []
    lines = ["| Call | Rows | Batch, overhead | One task a row, overhead |", "| --- | --: | --: | --: |"]
    for milliseconds in MILLISECONDS:
        count = round(SECONDS * WORKERS * 1000 / milliseconds)
        measured = [
            [overhead(run, client, milliseconds, count) for run in (with_batch, with_plain_tasks)]
            for _ in range(rounds)
        ]
        batch, plain = (_median(column) for column in zip(*measured, strict=True))
        lines.append(f"| {milliseconds} ms | {count:,} | {batch:.1%} | {plain:.1%} |")
        work, peer = f"batch on Dask: calls of {milliseconds} ms", "a task for each row"
        rows.append(ratios(work, peer, "python -m bench.batch_dask", wall=(1 - plain) / (1 - batch)))
    store("batch_dask", rows)
    return "\n".join(lines)


def _median(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]


def main() -> None:
    distributed: Any = importlib.import_module("distributed")
    parser = argparse.ArgumentParser(prog="python -m bench.batch_dask", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    options = {"n_workers": WORKERS, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        with_batch(client, 1, 500)
        with_plain_tasks(client, 1, 500)
        print(table(client, rounds))


if __name__ == "__main__":
    import bench.batch_dask  # noqa: PLW0406  # so that workers can import its functions

    bench.batch_dask.main()
