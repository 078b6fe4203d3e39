"""Two servers behind Caddy are restarted one after the other, while clients call them."""

import itertools
import shutil
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from mediakit import Client
from tests.conftest import free_port
from tests.support.server_process import ServerProcess, running_server, wait_until

CLIENTS = 8

PROXY = """\
{{
	admin off
	auto_https off
}}
http://127.0.0.1:{port} {{
	reverse_proxy 127.0.0.1:{first} 127.0.0.1:{second} {{
		lb_policy least_conn
		health_uri /readyz
		health_interval 500ms
	}}
}}
"""

pytestmark = [
    pytest.mark.skipif(not shutil.which("caddy"), reason="Caddy is not installed (apt-get install caddy)"),
    pytest.mark.timeout(300),
]


@contextmanager
def caddy(folder: Path, first: int, second: int) -> Iterator[str]:
    """Run Caddy in front of two ports, and yield its URL."""
    port = free_port()
    file = folder / "Caddyfile"
    file.write_text(PROXY.format(port=port, first=first, second=second))
    command = ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]
    environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
    with (
        (folder / "caddy.log").open("wb") as log,
        subprocess.Popen(command, env=environment, stderr=log) as process,
    ):
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def is_up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz").is_success
    except httpx.TransportError:
        return False


def test_rolling_restart_loses_no_call(tmp_path: Path) -> None:
    ports = [free_port(), free_port()]
    statuses: Counter[int] = Counter()
    numbers = itertools.count()
    is_over = threading.Event()
    with ExitStack() as stack:
        stacks = [stack.enter_context(ExitStack()) for _ in ports]

        def start(index: int) -> ServerProcess:
            return stacks[index].enter_context(running_server(tmp_path, port=ports[index], MEDIAKIT_DRAIN_SECONDS="3"))

        servers = [start(0), start(1)]
        url = stack.enter_context(caddy(tmp_path, *ports))
        wait_until(lambda: is_up(url))
        key = servers[0].key

        def call_until_over() -> None:
            with httpx.Client(timeout=60) as http:
                while not is_over.is_set():
                    body = {"data": f"call {next(numbers)}", "size": 64}
                    statuses[http.post(f"{url}/qr", json=body, headers={"x-api-key": key}).status_code] += 1

        with ThreadPoolExecutor(CLIENTS) as pool:
            calls = [pool.submit(call_until_over) for _ in range(CLIENTS)]
            try:
                for index, server in enumerate(servers):
                    wait_until(lambda server=server: "POST /qr" in server.log)  # type: ignore[misc]
                    stacks[index].close()
                    servers[index] = restarted = start(index)
                    wait_until(lambda server=restarted: "POST /qr" in server.log)  # type: ignore[misc]
            finally:
                is_over.set()
            for each in calls:
                each.result()
        with Client(url, api_key=key) as client:
            assert statuses == {200: client.status().used}
