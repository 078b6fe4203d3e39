"""Run the code of a call, as a user who copies it."""

import json
import os
import pathlib
import subprocess
import sys
from pathlib import Path

import mediakit
from mediakit.results.files import FileResult
from mediakit.results.result import Result, has_file
from mediakit.server import Server


def assert_code_returns(result: Result, language: str, code: str, folder: Path, server: Server) -> None:
    """Run code in a folder, and assert that it returns or writes the same result.

    Args:
        result: The expected result.
        language: `python`, `curl`, `javascript` or `shell`.
        code: The code.
        folder: The current directory, with the files that the code reads.
        server: The server whose key is in the environment.
    """
    if language == "python":
        assert eval(code, {"mediakit": mediakit, "pathlib": pathlib}) == result
        return
    before = set(folder.iterdir())
    environment = {**os.environ, "MEDIAKIT_API_KEY": server.key}
    run = subprocess.run(_command(language, code), env=environment, check=True, capture_output=True, cwd=folder)
    written = [path for path in folder.iterdir() if path not in before]
    content = written[0].read_bytes() if written else run.stdout
    if language == "shell":
        assert content == result.save(folder.parent / f"{folder.name}-saved{written[0].suffix}").read_bytes()
    elif not isinstance(result, FileResult) and not (has_file(result) and content == result.file):
        assert_same_data(result, content)
    else:
        assert content == result.file


def _command(language: str, code: str) -> list[str]:
    if language == "javascript":
        return ["node", "--input-type=module", "--eval", code]
    mediakit_command = f'mediakit() {{ "{sys.executable}" -m mediakit "$@"; }}\n'
    return ["bash", "-c", mediakit_command + code]


def assert_same_data(result: Result, content: bytes) -> None:
    """Assert that a JSON response has the fields of a result, except the file name, which a raw body does not have."""
    members = json.loads(result.envelope())
    expected = {name: value for name, value in members.items() if name not in ("filename", "meta")}
    assert expected.items() <= json.loads(content).items()
