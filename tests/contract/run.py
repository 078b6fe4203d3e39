"""Runs Schemathesis against a server of its own."""

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
PATHS_WITHOUT_BROWSER = (
    "/",
    "/status",
    "/files/{token}",
    "/templates",
    "/healthz",
    "/readyz",
    "/metrics",
    "/qr",
    "/barcode",
    "/images",
    "/chart",
    "/code-reader",
    "/pdf-merge",
    "/web-to-markdown",
    "/data-convert",
    "/markdown-convert",
    "/notebook-convert",
    "/file-encode",
    "/unzip",
    "/zip",
)
"""Every operation without a browser; `/web-to-markdown` uses one for URLs only."""

_LOG_LINE = re.compile(r"mediakit\.api \S+ \S+ (\d{3}) ")


@dataclass(frozen=True)
class RunPlan:
    """What a run calls."""

    phases: str = "examples,coverage,fuzzing"
    examples: int = 60
    """Generated requests of an operation in the fuzzing phase."""
    seed: int = 1
    paths: Sequence[str] = ()
    """The only paths to call; empty for all."""

    @property
    def options(self) -> list[str]:
        """The options of the command."""
        selected = [word for path in self.paths for word in ("--include-path", path)]
        return ["--phases", self.phases, "-n", str(self.examples), "--seed", str(self.seed), *selected]


@dataclass(frozen=True)
class Report:
    """What a run found."""

    exit_code: int
    text: str
    statuses: dict[str, int]
    """Calls by status, as the log of the server has them."""

    @property
    def calls(self) -> int:
        """Number of calls."""
        return sum(self.statuses.values())


@dataclass(frozen=True)
class RunningServer:
    """A server with its key."""

    url: str
    key: str


def run(plan: RunPlan) -> Report:
    """Run Schemathesis over a new server, and return what it found."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        with _server(Path(folder), log) as server:
            finished = _schemathesis(Path(folder), server, plan)
        statuses = Counter(match[1] for line in log.read_text().splitlines() if (match := _LOG_LINE.search(line)))
    return Report(finished.returncode, finished.stdout + finished.stderr, dict(sorted(statuses.items())))


@contextmanager
def _server(folder: Path, log: Path) -> Iterator[RunningServer]:
    environment = {**os.environ, "MEDIAKIT_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "mediakit", "serve", "--dev", "--port", "0"]
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        assert process.stdout is not None
        lines = [next(process.stdout) for _ in range(3)]
        url = lines[0].split()[3]
        try:
            # Made on first use; Schemathesis waits for 10 seconds at most, which is too short on a busy machine.
            httpx.get(f"{url}/openapi.json", timeout=120).raise_for_status()
            yield RunningServer(url, lines[2].strip())
        finally:
            process.terminate()
            process.stdout.read()


def _schemathesis(folder: Path, server: RunningServer, plan: RunPlan) -> "subprocess.CompletedProcess[str]":
    config = ["--config-file", str(FOLDER / "schemathesis.toml")]
    command = [str(Path(sys.executable).parent / "st"), *config, "run", f"{server.url}/openapi.json"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "SCHEMATHESIS_HOOKS": "tests.contract.hooks",
        "MEDIAKIT_LINK_TOKEN": _link_token(server),
    }
    options = ["-H", f"x-api-key: {server.key}", *plan.options]
    return subprocess.run(
        [*command, *options], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def _link_token(server: RunningServer) -> str:
    values = {"data": "A link that exists for 15 minutes", "output": "url"}
    response = httpx.post(f"{server.url}/qr", json=values, headers={"x-api-key": server.key}, timeout=60)
    token: str = response.raise_for_status().json()["url"].rpartition("/")[2]
    return token
