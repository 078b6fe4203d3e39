"""The worker process for Python packages: `python -m bench.package_worker MODULE FUNCTION`.

Reads one JSON request per line and writes one JSON response per line. Measured times exclude start-up and transport.
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
"""Converts the values of a case to a job; imports and reading of input files are not measured."""


def main(module: str, function: str) -> None:
    """Handle requests until the input ends."""
    responses, sys.stdout = sys.stdout, sys.stderr  # packages may print to standard output
    prepare: Prepare = getattr(importlib.import_module(module), function)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            job = prepare(request["values"])
            response = _time(job, request["repeats"]) if request["repeats"] else _make(job)
        except Exception as error:  # noqa: BLE001 - every error of a package is reported
            response = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(response), file=responses, flush=True)


def _make(job: Job) -> dict[str, str]:
    return {"content": base64.b64encode(job()).decode()}


def _time(job: Job, repeats: int) -> dict[str, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(repeats):
        job()
    return {"wall": (time.perf_counter() - wall) / repeats, "cpu": (time.process_time() - cpu) / repeats}


if __name__ == "__main__":
    main(*sys.argv[1:])
