"""Memory growth: `python -m bench.memory` renders 500 times through the HTTP API and measures all processes.

The proportional set size (PSS) counts shared memory once. Linux only.
"""

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path

import httpx
import psutil

JOBS = (
    ("/capture", {"template": "social"}),
    ("/pdf", {"template": "invoice"}),
    ("/capture", {"html": "<h1>hello</h1>", "format": "webp"}),
    ("/capture", {"html": "<meta name=referrer content=origin><p>" + "word " * 2000, "full_page": True}),
)


def used_memory(server: psutil.Process) -> int:
    """Return the memory of a process and its children in bytes."""
    total = 0
    for process in (server, *server.children(recursive=True)):
        lines = Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
    return total


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__)
    parser.add_argument("--renders", type=int, default=500)
    arguments = parser.parse_args()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "MEDIAKIT_HOME": home}
        command = [sys.executable, "-m", "mediakit", "serve", "--dev", "--port", str(port)]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                measure(psutil.Process(process.pid), f"http://127.0.0.1:{port}", key_of(process), arguments.renders)
            finally:
                process.terminate()


def key_of(process: "subprocess.Popen[str]") -> str:
    """Return the key that the server prints."""
    assert process.stdout
    return next(word for line in process.stdout for word in line.split() if word.startswith("mk_"))


def measure(server: psutil.Process, url: str, key: str, renders: int) -> None:
    with httpx.Client(base_url=url, headers={"x-api-key": key}, timeout=60) as client:
        while True:
            try:
                client.get("/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        for number, (path, body) in zip(range(1, renders + 1), cycle(JOBS), strict=False):
            client.post(path, json=body).raise_for_status()
            if number % 50 == 0:
                time.sleep(2)
                print(f"{number:>5} renders  {used_memory(server) / 2**20:7.0f} MB", flush=True)


if __name__ == "__main__":
    main()
