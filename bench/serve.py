"""The inside of a Python worker: `python -m bench.serve MODULE FUNCTION`.

It reads an order a line and writes an answer a line, both JSON. Start-up and transport are outside what it times.
"""

import base64
import importlib
import json
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

Job = Callable[[], bytes]
Prepare = Callable[[Mapping[str, Any]], Job]
"""Makes the values of a case a job: reading input files and imports are not what is timed."""


def main(module: str, function: str) -> None:
    """Answer orders until the input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr  # What a package prints is no answer.
    prepare: Prepare = getattr(importlib.import_module(module), function)
    for line in sys.stdin:
        order = json.loads(line)
        try:
            job = prepare(order["values"])
            answer = _time(job, order["repeats"]) if order["repeats"] else _make(job)
        except Exception as error:  # noqa: BLE001 - whatever a peer raises is the answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def _make(job: Job) -> dict[str, str]:
    return {"content": base64.b64encode(job()).decode()}


def _time(job: Job, repeats: int) -> dict[str, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(repeats):
        job()
    return {"wall": (time.perf_counter() - wall) / repeats, "cpu": (time.process_time() - cpu) / repeats}


if __name__ == "__main__":
    main(*sys.argv[1:])
