"""Contenders that live in a process of their own and take jobs over its standard input and output."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mediakit
from bench.packages import npm_package, pip_package
from bench.race import Case, NotMeasured, Sample

HERE = Path(__file__).resolve().parent

Launch = Callable[[], tuple[list[str], dict[str, str]]]
"""Installs what is needed; gives a command and its further environment."""


class Worker:
    """A process that answers orders, one line each."""

    def __init__(self, name: str, launch: Launch) -> None:
        self.name = name
        self._launch = launch
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command, environment = self._launch()
        self._process = subprocess.Popen(
            command,
            cwd=HERE.parent,
            env=os.environ | environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def stop(self) -> None:
        if self._process:
            self._process.communicate()
            self._process = None

    def make(self, case: Case) -> bytes:
        return base64.b64decode(self._ask(case, 0)["content"])

    def time(self, case: Case, repeats: int) -> Sample:
        answer = self._ask(case, repeats)
        return Sample(answer["wall"], answer["cpu"])

    def _ask(self, case: Case, repeats: int) -> Any:
        process = self._process
        if not process or not process.stdin or not process.stdout:
            raise NotMeasured("it is not running")
        try:
            print(json.dumps({"values": case.values, "repeats": repeats}), file=process.stdin, flush=True)
        except BrokenPipeError:
            line = ""
        else:
            line = process.stdout.readline()
        if not line:
            raise NotMeasured(_last_words(process))
        answer = json.loads(line)
        if "error" in answer:
            raise NotMeasured(answer["error"])
        return answer


def ours(job: str) -> Worker:
    """Give mediakit; `job` is `module:function` as for `python_peer`."""
    return Worker(f"mediakit {mediakit.__version__}", lambda: (_python(job), {}))


def python_peer(name: str, version: str, job: str) -> Worker:
    """Give a package of PyPI; `job` names the function, as `module:function`, that makes a case a job."""
    return Worker(
        f"{name} {version} (Python)", lambda: (_python(job), {"PYTHONPATH": str(pip_package(name, version))})
    )


def node_peer(name: str, version: str, script: str) -> Worker:
    """Give a package of npm; `script` lies beside this file and exports what makes a case a job."""

    def launch() -> tuple[list[str], dict[str, str]]:
        modules = npm_package(name, version)
        return ["node", str(HERE / "serve.cjs"), str(HERE / script)], {"NODE_PATH": str(modules)}

    return Worker(f"{name} {version} (Node)", launch)


def _python(job: str) -> list[str]:
    return [sys.executable, "-m", "bench.serve", *job.split(":")]


def _last_words(process: subprocess.Popen[str]) -> str:
    """Say why a process has ended, by the line of its error output that names the error."""
    _, said = process.communicate()
    lines = [line.strip() for line in said.splitlines() if "Error" in line]
    return lines[-1] if lines else f"it ended with status {process.returncode}"
