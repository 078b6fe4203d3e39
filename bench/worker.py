"""Contenders in separate processes, which receive jobs through standard input and output."""

import base64
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import psutil

import mediakit
from bench.packages import NPM, PYPI, npm_package, pip_package
from bench.race import Case, NotMeasured, Sample

HERE = Path(__file__).resolve().parent

Environment = Callable[[], dict[str, str]]
"""Installs packages and returns the environment variables to find them."""


class Worker:
    """A process that handles one request per line."""

    def __init__(self, name: str, command: list[str], environment: Environment = dict) -> None:
        self.name = name
        self.command = command
        self._environment = environment
        self._errors: IO[str] | None = None
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        environment = os.environ | self._environment()
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - stop() closes it
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            self.command, cwd=HERE.parent, env=environment, stdin=pipe, stdout=pipe, stderr=self._errors, text=True
        )

    def stop(self) -> None:
        if self._process:
            self._process.communicate()  # closes its input, which stops it
        if self._errors:
            self._errors.close()

    def make(self, case: Case) -> bytes:
        return base64.b64decode(self._request(case, repeats=0)["content"])

    def time(self, case: Case, repeats: int) -> Sample:
        before = self._cpu_of_children()
        response = self._request(case, repeats)
        return Sample(response["wall"], response["cpu"] + (self._cpu_of_children() - before) / repeats)

    def peak(self) -> int:
        """Return the sum of the peak memory of the process and its children in bytes; Linux only."""
        return sum(self.peaks())

    def peaks(self) -> list[int]:
        """Return the peak memory of the process and of each child in bytes; Linux only."""
        if not self._process:
            return []
        worker = psutil.Process(self._process.pid)
        return [_peak(process) for process in (worker, *worker.children(recursive=True))]

    def _cpu_of_children(self) -> float:
        """Return the CPU seconds of all child processes so far, including those that have ended."""
        if not self._process:
            return 0
        worker = psutil.Process(self._process.pid)
        own = worker.cpu_times()
        return own.children_user + own.children_system + sum(map(_cpu, worker.children(recursive=True)))

    def _request(self, case: Case, repeats: int) -> Any:
        line = self._exchange(json.dumps({"values": case.values, "repeats": repeats}))
        response = json.loads(line) if line else {"error": self._exit_reason()}
        if "error" in response:
            raise NotMeasured(response["error"])
        return response

    def _exchange(self, request: str) -> str:
        """Return the response to a request; empty if the process has ended."""
        if not self._process or not self._process.stdin or not self._process.stdout:
            return ""
        try:
            print(request, file=self._process.stdin, flush=True)
        except BrokenPipeError:
            return ""
        return self._process.stdout.readline()

    def _exit_reason(self) -> str:
        if not self._process or not self._errors:
            return "the process was not started"
        self._process.communicate()
        self._errors.seek(0)
        errors = [line.strip() for line in self._errors if "Error" in line]
        return errors[-1] if errors else f"the process exited with status {self._process.returncode}"


def _cpu(process: psutil.Process) -> float:
    try:
        used = process.cpu_times()
    except psutil.NoSuchProcess:
        return 0
    return used.user + used.system + used.children_user + used.children_system


def _peak(process: psutil.Process) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) * 1024


def ours(job: str) -> Worker:
    """Return mediakit as a contender.

    Args:
        job: `module:function` that converts the values of a case to a job.
    """
    return Worker(f"mediakit {mediakit.__version__}", python(job))


def python_peer(package: str, job: str, *others: str, remark: str = "Python") -> Worker:
    """Return a PyPI package as a contender.

    Args:
        package: Name of the package.
        job: `module:function` that converts the values of a case to a job.
        others: Other packages that the job needs.
        remark: What tells two jobs of one package apart.
    """
    name = f"{package} {PYPI[package]} ({remark})"
    return Worker(name, python(job), lambda: {"PYTHONPATH": _paths(pip_package, package, *others)})


def node_peer(package: str, script: str, *others: str) -> Worker:
    """Return an npm package as a contender.

    Args:
        package: Name of the package.
        script: File in this directory that exports a function from the values of a case to a job.
        others: Other packages that the script needs.
    """
    command = ["node", str(HERE / "serve.cjs"), str(HERE / script)]
    return Worker(
        f"{package} {NPM[package]} (Node)", command, lambda: {"NODE_PATH": _paths(npm_package, package, *others)}
    )


def _paths(install: Callable[[str], Path], *packages: str) -> str:
    return os.pathsep.join(str(install(package)) for package in packages)


def python(job: str) -> list[str]:
    """Return the command of a Python worker."""
    return [sys.executable, "-m", "bench.package_worker", *job.split(":")]
