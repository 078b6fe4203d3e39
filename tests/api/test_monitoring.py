"""`/metrics` of several worker processes, and `/readyz` while a service fails, on real servers."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psutil
import pytest

from tests.conftest import Api, free_port

CALLS = 'mediakit_calls_total{method="GET",path="/healthz",status="200"}'


@contextmanager
def running_server(home: Path, *options: str, **variables: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run `mediakit serve`, and return its URL and its process."""
    port = free_port()
    command = [sys.executable, "-m", "mediakit", "serve", "--port", str(port), *options]
    environment = {**os.environ, "MEDIAKIT_HOME": str(home), **variables}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as process:
        url = f"http://127.0.0.1:{port}"
        try:
            wait_until(lambda: get(url).get("status") == "ok")
            yield url, process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


def get(url: str) -> dict[str, object]:
    try:
        return dict(httpx.get(f"{url}/healthz").json())
    except httpx.TransportError:
        return {}


def wait_until(is_true: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, "the condition was not met"
        time.sleep(0.1)


def metric(url: str, name: str) -> float:
    """Return a value of `/metrics`; 0 if it is missing."""
    found = re.search(f"^{re.escape(name)} (.+)$", httpx.get(f"{url}/metrics").text, re.MULTILINE)
    return float(found[1]) if found else 0


def worker_processes(parent: int) -> list[psutil.Process]:
    return [child for child in psutil.Process(parent).children() if "spawn_main" in " ".join(child.cmdline())]


def test_metrics_are_sums_of_worker_processes_and_survive_their_restart(tmp_path: Path) -> None:
    with running_server(tmp_path, "--workers", "2", TMPDIR=str(tmp_path)) as (url, process):
        wait_until(lambda: metric(url, "mediakit_render_slots") == 4)
        before = metric(url, CALLS)
        for _ in range(40):
            httpx.get(f"{url}/healthz")
        assert {metric(url, CALLS) for _ in range(20)} == {before + 40}
        killed = worker_processes(process.pid)[0]
        killed.kill()
        killed.wait(30)
        wait_until(lambda: metric(url, "mediakit_render_slots") == 4 and len(worker_processes(process.pid)) == 2)
        assert metric(url, CALLS) >= before + 40
    assert not list(tmp_path.glob("mediakit-metrics-*"))


@pytest.mark.anyio
async def test_metrics_of_one_process_have_gauges(api: Api) -> None:
    text = (await api.http.get("/metrics")).text
    names = ("render_slots", "renders_running", "renders_waiting", "browsers_running", "file_calls_running")
    for name in names:
        assert re.search(rf"^mediakit_{name} \d", text, re.MULTILINE)
    assert "\nmediakit_credits_held 0.0\n" in text
    assert "\nmediakit_outbox_messages 0.0\n" in text


def test_full_disk_makes_server_unready_until_there_is_space(tmp_path: Path) -> None:
    with running_server(tmp_path) as (url, process):
        wait_until(lambda: httpx.get(f"{url}/readyz").json()["checks"]["database"] == "ok")
        _, hard = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, hard))  # every write to a file fails
        wait_until(lambda: httpx.get(f"{url}/readyz").status_code == 503)
        response = httpx.get(f"{url}/readyz")
        assert response.json()["error"].startswith("The server is not ready: database, disk")
        assert response.json()["checks"]["database"] == "cannot be written"
        assert response.headers["retry-after"] == str(response.json()["retry_after"])
        assert httpx.get(f"{url}/healthz").json() == {"status": "ok"}
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (hard, hard))
        wait_until(lambda: httpx.get(f"{url}/readyz").json()["checks"]["disk"] == "ok")
        wait_until(lambda: httpx.get(f"{url}/readyz").json()["checks"]["database"] == "ok")


def test_missing_redis_and_browser_make_server_unready(tmp_path: Path) -> None:
    redis = f"redis://127.0.0.1:{free_port()}"
    browser = tmp_path / "chromium"
    browser.touch(0o755)
    with running_server(tmp_path, MEDIAKIT_REDIS_URL=redis, MEDIAKIT_BROWSER=str(browser)) as (url, _):
        browser.unlink()
        response = httpx.get(f"{url}/readyz")
    assert response.status_code == 503
    assert response.json()["checks"] == {"database": "ok", "browser": "was not found", "redis": "does not respond"}
