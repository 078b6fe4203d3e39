"""Commands run in this process; `start` runs those that need their own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mediakit.cli import main

Run = Callable[..., Result]
Start = Callable[..., "subprocess.CompletedProcess[Any]"]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run mediakit in an empty folder with an empty home."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MEDIAKIT_HOME", str(tmp_path / "home"))

    def call(*arguments: str, stdin: bytes | str = b"") -> Result:
        return CliRunner().invoke(main, arguments, input=stdin, prog_name="mediakit")

    return call


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Run mediakit in a process of its own, in an empty folder with an empty home."""

    def call(
        *arguments: str, interpreter: tuple[str, ...] = (), stdout: int = subprocess.PIPE, text: bool = True, **env: str
    ) -> "subprocess.CompletedProcess[Any]":
        return subprocess.run(
            [sys.executable, *interpreter, "-m", "mediakit", *arguments],
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=text,
            cwd=tmp_path,
            env={**os.environ, "MEDIAKIT_HOME": str(tmp_path / "home"), **env},
            timeout=240,
        )

    return call
