"""A real `mediakit serve` process for tests, with its memory and open connections."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from mediakit import Client
from tests.conftest import free_port

READY_TIMEOUT_SECONDS = 60.0
MEGABYTE = 1024 * 1024
MEMORY_LIMIT_MB = 100
"""How much the memory of an attacked server may grow."""


@dataclass
class ServerProcess:
    """A running server process."""

    url: str
    port: int
    key: str
    process: psutil.Process
    log_path: Path

    @property
    def log(self) -> str:
        """The text of the log."""
        return self.log_path.read_text("utf-8", "replace")

    @property
    def memory_mb(self) -> float:
        """The resident memory of the process in megabytes."""
        return float(self.process.memory_info().rss) / MEGABYTE

    @property
    def peak_memory_mb(self) -> float:
        """The largest resident memory of the process in megabytes since `reset_peak_memory`."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 1024

    def reset_peak_memory(self) -> None:
        """Start to measure the peak memory again."""
        Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    @property
    def connections(self) -> int:
        """The number of TCP connections that clients have to the server, including those that wait to be accepted."""
        processes = [self.process, *self.process.children()]
        return sum(each.status != psutil.CONN_LISTEN for one in processes for each in one.net_connections("tcp"))

    def is_healthy(self) -> bool:
        """Return whether the server responds to a new connection."""
        return httpx.get(f"{self.url}/healthz", timeout=30).is_success


@contextmanager
def running_server(
    home: Path,
    *,
    port: int | None = None,
    workers: int = 1,
    open_files: int | None = None,
    file_bytes: int | None = None,
    **settings: str,
) -> Iterator[ServerProcess]:
    """Run `mediakit serve --dev`.

    Args:
        home: Folder of the server.
        port: Its port; a free one by default.
        workers: Number of its processes.
        open_files: Limit for its file descriptors.
        file_bytes: Limit for the size of a file that it writes.
        settings: Environment variables.
    """
    port = port or free_port()
    log_path = home / f"log {port}"
    command = [sys.executable, "-u", "-m", "mediakit", "serve", "--dev", "--port", str(port)]
    command += ["--workers", str(workers)]
    environment = {**os.environ, "MEDIAKIT_HOME": str(home), **settings}
    limits = {psutil.RLIMIT_NOFILE: open_files, psutil.RLIMIT_FSIZE: file_bytes}
    with (
        log_path.open("wb") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment) as process,
    ):
        for kind, value in limits.items():
            if value:
                psutil.Process(process.pid).rlimit(kind, (value, value))
        assert process.stdout
        key = next(line.strip() for line in process.stdout if re.match(r"mk_live_\S+$", line))
        server = ServerProcess(f"http://127.0.0.1:{port}", port, key, psutil.Process(process.pid), log_path)
        try:
            wait_until(lambda: _is_ready(server), READY_TIMEOUT_SECONDS)
            yield server
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()


def wait_until(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"no success within {seconds} seconds"
        time.sleep(0.05)


def _is_ready(server: ServerProcess) -> bool:
    try:
        return httpx.get(f"{server.url}/readyz").status_code == 200
    except httpx.TransportError:
        return False


def serve_customer(server: ServerProcess) -> None:
    """Check that the server answers a call."""
    with Client(server.url, api_key=server.key) as client:
        assert client.qr("hi").width == 512


@contextmanager
def little_memory(server: ServerProcess) -> Iterator[None]:
    """Check the memory of the server and its workers during an attack, and that it serves a customer after it."""
    before = server.memory_mb
    server.reset_peak_memory()
    yield
    serve_customer(server)
    assert server.peak_memory_mb < before + MEMORY_LIMIT_MB
