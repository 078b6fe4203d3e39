"""Measure what a call costs on 1, 2 and 3 servers that share PostgreSQL and Redis: `python -m bench.capacity`.

On one machine, more servers share the same processors, so calls per second say little about many machines. Processor
time per call does: it has to stay the same with every number of servers. The table has it for each part.

PostgreSQL must run at `MEDIAKIT_TEST_POSTGRESQL`; a database is created and dropped. Redis is started on a free port.
"""

import argparse
import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import psutil
from sqlalchemy import create_engine, make_url, text

POSTGRESQL = os.environ.get("MEDIAKIT_TEST_POSTGRESQL", "postgresql+psycopg://postgres@127.0.0.1:5432/test")
SERVER_COUNTS = (1, 2, 3)
START_TIMEOUT_SECONDS = 120
PARTS = ("server", "PostgreSQL", "Redis", "load generator")


@dataclass(frozen=True)
class Load:
    """Calls of one endpoint. All servers together get at most 10 000, the number of credits of the largest plan."""

    path: str
    body: dict[str, object]
    calls: int
    """Calls per server."""
    connections: int
    """Connections per server. The same number for each, because calls that arrive together are charged together."""


LOADS = (
    Load("/qr", {"data": "https://example.com", "output": "binary"}, calls=500, connections=8),
    Load("/capture", {"html": "<h1>Hello</h1>", "output": "binary"}, calls=30, connections=2),
)


@dataclass(frozen=True)
class Measurement:
    """The cost of a load on a number of servers."""

    servers: int
    calls_per_second: float
    milliseconds: dict[str, float]
    """Processor time per call, by part."""
    memory_mb: float
    """Private memory of all servers, with their Chromium processes."""


def main() -> None:
    """Print a table for each load."""
    parser = argparse.ArgumentParser(prog="python -m bench.capacity", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="rounds; the one with the lowest cost counts")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="paths to measure; default: all")
    arguments = parser.parse_args()
    with environment() as settings:
        for load in LOADS:
            if load.path in (arguments.paths or [load.path]):
                print_table(load, arguments.rounds, settings)


def print_table(load: Load, rounds: int, settings: dict[str, str]) -> None:
    """Measure each number of servers in turn, and print the round with the lowest cost of each."""
    measured = [measure(load, count, settings) for _ in range(rounds) for count in SERVER_COUNTS]
    print(f"\n{load.path}: {load.calls} calls and {load.connections} connections per server\n")
    print(f"| servers | calls/s | {' | '.join(f'{part}, ms' for part in PARTS)} | sum, ms | memory, MB |")
    print(f"| {' | '.join('---' for _ in range(len(PARTS) + 4))} |")
    for count in SERVER_COUNTS:
        print(row(min((each for each in measured if each.servers == count), key=cost)), flush=True)


def cost(measured: Measurement) -> float:
    return sum(measured.milliseconds.values())


def row(measured: Measurement) -> str:
    costs = [measured.milliseconds[part] for part in PARTS]
    cells = (measured.servers, f"{measured.calls_per_second:.0f}", *(f"{cost:.2f}" for cost in (*costs, sum(costs))))
    return f"| {' | '.join(map(str, cells))} | {measured.memory_mb:.0f} |"


def measure(load: Load, count: int, settings: dict[str, str]) -> Measurement:
    """Start servers, run a load after a warm-up, and return its cost."""
    with ExitStack() as stack:
        ports = [free_port() for _ in range(count)]
        servers = [stack.enter_context(server(port, settings)) for port in ports]
        key = create_key(settings)
        calls = count * load.calls
        asyncio.run(run(load, ports, key, calls=30 * count))
        before, start = usage(servers, settings), time.perf_counter()
        asyncio.run(run(load, ports, key, calls=calls))
        seconds, after = time.perf_counter() - start, usage(servers, settings)
        costs = {part: 1000 * (after[part] - before[part]) / calls for part in PARTS}
        return Measurement(count, calls / seconds, costs, sum(map(private_mb, trees(servers))))


async def run(load: Load, ports: Sequence[int], key: str, *, calls: int) -> None:
    """Send calls over connections that are spread evenly over the servers."""
    body = json.dumps(load.body).encode()
    remaining = iter(range(calls))
    connections = (
        send(remaining, ports[index % len(ports)], request_bytes(load.path, body, key))
        for index in range(load.connections * len(ports))
    )
    await asyncio.gather(*connections)


async def send(remaining: Iterator[int], port: int, request: bytes) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for _ in remaining:
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(head.decode())
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        await reader.readexactly(int(lengths[0].partition(b":")[2]))
    writer.close()


def request_bytes(path: str, body: bytes, key: str) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nx-api-key: {key}\r\n"
        f"content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def usage(servers: Sequence[psutil.Process], settings: dict[str, str]) -> dict[str, float]:
    """Return the processor time of each part, in seconds. PostgreSQL's background processes are not included."""
    database = make_url(settings["MEDIAKIT_DATABASE_URL"]).database or ""
    redis = psutil.Process(int(settings["REDIS_PID"]))
    named = psutil.process_iter(["name", "cmdline"])
    backends = [process for process in named if is_backend(process, database)]
    return {
        "server": sum(map(cpu_seconds, trees(servers))),
        "PostgreSQL": sum(map(cpu_seconds, backends)),
        "Redis": cpu_seconds(redis),
        "load generator": time.process_time(),
    }


def is_backend(process: psutil.Process, database: str) -> bool:
    return "postgres" in (process.info["name"] or "") and database in " ".join(process.info["cmdline"] or ())


def trees(servers: Sequence[psutil.Process]) -> list[psutil.Process]:
    return [process for server in servers for process in (server, *server.children(recursive=True))]


def cpu_seconds(process: psutil.Process) -> float:
    with suppress(psutil.Error):
        times = process.cpu_times()
        return float(times.user + times.system)
    return 0.0


def private_mb(process: psutil.Process) -> float:
    with suppress(psutil.Error):
        memory = process.memory_info()
        return float(memory.rss - memory.shared) / 2**20
    return 0.0


@contextmanager
def environment() -> Iterator[dict[str, str]]:
    """Create a database and start Redis, and yield the environment variables of the servers."""
    name = f"mediakit_capacity_{uuid.uuid4().hex}"
    url = make_url(POSTGRESQL).set(database=name).render_as_string(hide_password=False)
    admin = create_engine(POSTGRESQL, isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        with tempfile.TemporaryDirectory() as home, redis_server() as (redis_url, redis_pid):
            yield {
                "MEDIAKIT_HOME": home,
                "MEDIAKIT_DATABASE_URL": url,
                "MEDIAKIT_REDIS_URL": redis_url,
                "MEDIAKIT_RATE_LIMITS": "1000000",
                "MEDIAKIT_RENDER_SLOTS": "1",
                "REDIS_PID": str(redis_pid),
            }
    finally:
        with admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        admin.dispose()


@contextmanager
def redis_server() -> Iterator[tuple[str, int]]:
    port = free_port()
    command = ("redis-server", "--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            yield f"redis://127.0.0.1:{port}", process.pid
        finally:
            process.terminate()


@contextmanager
def server(port: int, settings: dict[str, str]) -> Iterator[psutil.Process]:
    command = (sys.executable, "-m", "mediakit", "serve", "--port", str(port))
    log = Path(settings["MEDIAKIT_HOME"], f"server-{port}.log")
    with (
        log.open("w") as output,
        subprocess.Popen(command, env={**os.environ, **settings}, stdout=output, stderr=subprocess.STDOUT) as process,
    ):
        try:
            wait_until_ready(port)
            yield psutil.Process(process.pid)
        finally:
            process.terminate()


def wait_until_ready(port: int) -> None:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/healthz") as response:
            if response.status == 200:
                return
        time.sleep(0.1)
    raise RuntimeError("A server did not start.")


def create_key(settings: dict[str, str]) -> str:
    """Create an account with the largest plan, and return a key."""
    email = f"{uuid.uuid4().hex}@example.com"
    mediakit(settings, "account", "create", email, "--plan", "scale", "--verified")
    return mediakit(settings, "key", "create", email).splitlines()[-1]


def mediakit(settings: dict[str, str], *arguments: str) -> str:
    command = (sys.executable, "-m", "mediakit", *arguments)
    done = subprocess.run(command, env={**os.environ, **settings}, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


if __name__ == "__main__":
    main()
