"""Run the code of a call, as a user who copies it."""

import json
import os
import pathlib
import subprocess
from pathlib import Path

import mediakit
from mediakit.results.files import FileResult
from mediakit.results.result import Result
from mediakit.server import Server
from tests.support.command_kit import run_shell_code


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
    if language == "shell":
        ran = run_shell_code(code, folder.parent)
        assert ran.exit_code == 0, ran.output
        printed = ran.stdout_bytes
    else:
        environment = {**os.environ, "MEDIAKIT_API_KEY": server.key}
        printed = subprocess.run(
            _command(language, code), env=environment, check=True, capture_output=True, cwd=folder
        ).stdout
    written = [path for path in folder.iterdir() if path not in before]
    content = written[0].read_bytes() if written else printed
    if language == "shell":
        assert content == result.save(folder.parent / f"{folder.name}-saved{written[0].suffix}").read_bytes()
    elif not isinstance(result, FileResult) and not (result._has_file() and content == result.file):
        assert_same_data(result, content)
    else:
        assert content == result.file


def _command(language: str, code: str) -> list[str]:
    return ["node", "--input-type=module", "--eval", code] if language == "javascript" else ["bash", "-c", code]


def assert_same_data(result: Result, content: bytes) -> None:
    """Assert that a JSON response has the fields of a result, except the file name, which a raw body does not have."""
    members = json.loads(result.envelope())
    expected = {name: value for name, value in members.items() if name not in ("filename", "meta", "elapsed_ms")}
    assert expected.items() <= json.loads(content).items()
