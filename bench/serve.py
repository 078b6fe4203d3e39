"""The cost of the service: `python -m bench.serve` compares `/qr` with stock uvicorn, Starlette and orjson.

All servers run at the same time and are loaded in turns with wrk (https://github.com/wg/wrk), for several rounds; the
table has the medians. A response that is not 2xx ends the benchmark. Needs wrk, and PostgreSQL and Redis on this
machine (see `tests/support/accounts_kit.py`).
"""

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
from sqlalchemy import create_engine, make_url, text

from bench.figures import ratios, store
from bench.packages import pip_package
from bench.serve_process import free_port, running
from mediakit.accounts import Accounts
from mediakit.settings import AccountSettings
from tests.support.accounts_kit import POSTGRESQL, REDIS

BODY = '{"data": "https://example.com/some/longer/path?of=a&link=1"}'
CONNECTIONS = (1, 16, 64)
RATE = 100_000
"""Requests per minute, so that requests are counted but not rejected."""

WRK_SCRIPT = f"""
wrk.method, wrk.body = "POST", '{BODY}'
wrk.headers["content-type"] = "application/json"
wrk.headers["x-api-key"] = os.getenv("KEY")
"""


@dataclass
class Contender:
    """A running server, and what was measured."""

    name: str
    url: str
    settings: AccountSettings | None = None
    """None for the app without accounts."""
    milliseconds: dict[int, list[tuple[float, float]]] = field(default_factory=dict)
    """Latencies that 50 and 99 percent of the requests do not exceed, by number of connections."""
    process: psutil.Process | None = None
    cpu: dict[int, list[float]] = field(default_factory=dict)
    """Milliseconds of CPU time of the server's processes per request, by number of connections."""
    rates: dict[int, list[float]] = field(default_factory=dict)
    """Requests per second by number of connections."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.serve", description=__doc__)
    parser.add_argument("--seconds", type=int, default=3, help="length of one measurement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--connections", type=int, nargs="+", default=CONNECTIONS)
    parser.add_argument(
        "--only", default="", help="measure only contenders whose name contains this, and the reference"
    )
    arguments = parser.parse_args()
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "post.lua"
        script.write_text(WRK_SCRIPT)
        contenders = [stack.enter_context(each) for each in _contenders(Path(folder), arguments.only)]
        for _ in range(arguments.rounds):
            for connections in arguments.connections:
                for contender in contenders:
                    _measure(contender, script, connections, arguments.seconds)
    _print(contenders, arguments.connections)
    store("serve", [row for contender in contenders if contender.settings for row in _rows(contender, contenders)])


def _contenders(folder: Path, only: str) -> Iterator[AbstractContextManager[Contender]]:
    for workers in (1, 2):
        yield _bare(workers)
    for workers in (1, 2):
        for shared in (False, True):
            name = f"{'PostgreSQL + Redis' if shared else 'SQLite'}, {workers} worker{'s' * (workers > 1)}"
            if only in name:
                yield _mediakit(name, folder / name.replace(" ", ""), workers, shared=shared)


@contextmanager
def _bare(workers: int) -> Iterator[Contender]:
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "bench.bare_app:app", "--port", str(port), "--workers", str(workers)]
    command += ["--no-access-log", "--log-level", "warning"]
    name = f"uvicorn and orjson, {workers} worker{'s' * (workers > 1)}"
    paths = [str(pip_package("orjson")), str(Path(__file__).parents[1])]
    with running(command, {"PYTHONPATH": os.pathsep.join(paths)}, port) as process:
        yield Contender(name, f"http://127.0.0.1:{port}/qr", process=psutil.Process(process.pid))


@contextmanager
def _mediakit(name: str, home: Path, workers: int, *, shared: bool) -> Iterator[Contender]:
    port = free_port()
    environment = {"MEDIAKIT_HOME": str(home), "MEDIAKIT_RATE_LIMITS": str(RATE)}
    with ExitStack() as stack:
        url = stack.enter_context(_database()) if shared else None
        if url:
            environment |= {"MEDIAKIT_DATABASE_URL": url, "MEDIAKIT_REDIS_URL": REDIS}
        command = [sys.executable, "-m", "mediakit", "serve", "--port", str(port), "--workers", str(workers)]
        with running(command, environment, port) as process:
            settings = AccountSettings(home=home, database_url=url)
            yield Contender(name, f"http://127.0.0.1:{port}/qr", settings, process=psutil.Process(process.pid))


@contextmanager
def _database() -> Iterator[str]:
    """Create an empty PostgreSQL database, and drop it at the end."""
    admin = create_engine(POSTGRESQL, isolation_level="AUTOCOMMIT")
    name = f"mediakit_bench_{uuid.uuid4().hex}"
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
        try:
            yield make_url(POSTGRESQL).set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    admin.dispose()


def _measure(contender: Contender, script: Path, connections: int, seconds: int) -> None:
    """Load a server, with a new account if it has accounts."""
    key, settings = "none", contender.settings
    if settings:
        with closing(Accounts.open(settings)) as accounts:
            email = f"{uuid.uuid4().hex}@example.com"
            accounts.create_account(email, "scale", verified=True)
            key = accounts.create_key(email).key
    httpx.post(contender.url, content=BODY, headers={"x-api-key": key, "content-type": "application/json"})
    load = ["-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script), contender.url]
    before = _cpu_seconds(contender.process)
    output = subprocess.run(["wrk", *load], env={"KEY": key}, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in output or "Socket errors" in output:
        sys.exit(f"{contender.name}, {connections} connections:\n{output}")
    requests = int(re.findall(r"(\d+) requests in", output)[0])
    contender.cpu.setdefault(connections, []).append((_cpu_seconds(contender.process) - before) * 1000 / requests)
    contender.milliseconds.setdefault(connections, []).append((_latency(output, 50), _latency(output, 99)))
    contender.rates.setdefault(connections, []).append(float(re.findall(r"Requests/sec:\s+([\d.]+)", output)[0]))


def _cpu_seconds(server: psutil.Process | None) -> float:
    processes = [server, *server.children(recursive=True)] if server else []
    return sum(sum(process.cpu_times()[:2]) for process in processes)


def _latency(output: str, percent: int) -> float:
    value, unit = re.findall(rf"{percent}%\s+([\d.]+)(us|ms|s)\b", output)[0]
    return float(value) * {"us": 0.001, "ms": 1.0, "s": 1000.0}[unit]


def _rows(contender: Contender, contenders: list[Contender]) -> Iterator[dict[str, Any]]:
    """Yield the ratios of a server with accounts to the server without, for the page on speed."""
    reference = _reference(contender, contenders)
    for n, samples in contender.milliseconds.items():
        wall = _ratio([half for half, _ in samples], [half for half, _ in reference.milliseconds[n]])
        cpu = _ratio(contender.cpu[n], reference.cpu[n])
        work = f"QR code over HTTP: {contender.name}, {n} connection{'s' * (n > 1)}"
        yield ratios(work, "uvicorn and orjson, without accounts", "python -m bench.serve", cpu=cpu, wall=wall)


def _reference(contender: Contender, contenders: list[Contender]) -> Contender:
    """Return the server without accounts that has the same number of workers."""
    return next(each for each in contenders if each.name.split(",")[1] == contender.name.split(",")[1])


def _print(contenders: list[Contender], connections: list[int]) -> None:
    print(
        "| Server | "
        + " | ".join(f"{n} connections: p50, p99 ms (ratio), requests/s (ratio), CPU ms" for n in connections)
        + " |"
    )
    print("|---" * (len(connections) + 1) + "|")
    for contender in contenders:
        reference = _reference(contender, contenders)
        cells = []
        for n in connections:
            median, slow = (statistics.median(values) for values in zip(*contender.milliseconds[n], strict=True))
            slower = _ratio([slow for _, slow in contender.milliseconds[n]], [s for _, s in reference.milliseconds[n]])
            rate, faster = statistics.median(contender.rates[n]), _ratio(contender.rates[n], reference.rates[n])
            cpu = statistics.median(contender.cpu[n])
            cells.append(f"{median:.2f}, {slow:.2f} ({slower:.2f}), {rate:.0f} ({faster:.2f}), {cpu:.2f}")
        print(f"| {contender.name} | {' | '.join(cells)} |")


def _ratio(values: list[float], reference: list[float]) -> float:
    """Return the median of the ratios of the rounds."""
    return statistics.median(value / bare for value, bare in zip(values, reference, strict=True))


if __name__ == "__main__":
    main()
