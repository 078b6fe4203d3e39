"""Snippets of `.code()` run, and return the same file as the call that they were written from."""

import base64
import http.client
import json
import pathlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import mediakit
from mediakit.core import snippets
from mediakit.core.tool import Tool
from mediakit.results.data import DataResult
from mediakit.results.result import Result
from mediakit.samples import LANDSCAPE
from mediakit.server import Server
from mediakit.tools.catalogue import all_tools
from tests.support.calls import CALLS, parameter

PAGE = '<title>It\'s</title><main><h1>Grüße & "$HOME"</h1><p>Ein Satz, der lang genug ist.</p></main>'

RUN: dict[str, dict[str, Any]] = {
    **{name: call for name, call in CALLS.items() if name != "screenshot"},  # a shell of its own knows no such page
    "web_to_markdown": {"html": PAGE, "format": "text"},
}

EVERY = [parameter(tool, RUN[tool.name]) for tool in all_tools() if tool.name in RUN]
every_call = pytest.mark.parametrize(
    ("tool", "values"),
    [*EVERY, pytest.param(mediakit.qr, {"data": '"$HOME" `id` \\', "logo": LANDSCAPE, "size": 300}, id="logo")],
)

AnyTool = Tool[..., Any]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to run in, with the page that a snippet may name."""
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made(tool: AnyTool, values: dict[str, Any]) -> Any:
    return tool(**{**values, "html": PAGE} if "html" in values else values)


def assert_same(result: Result, content: bytes) -> None:
    if isinstance(result, DataResult):
        assert result.fields().items() <= json.loads(content).items()
    else:
        assert content == result.content


@every_call
def test_python_snippet_returns_equal_result(tool: AnyTool, values: dict[str, Any], folder: Path) -> None:
    result = made(tool, values)
    assert eval(result.code(), {"mediakit": mediakit, "pathlib": pathlib}) == result


@every_call
def test_curl_snippet_returns_same_file(tool: AnyTool, values: dict[str, Any], folder: Path, server: Server) -> None:
    result = made(tool, values)
    call = result.code("curl").replace(snippets.DEFAULT_URL, server.url)
    environment = {"MEDIAKIT_API_KEY": server.key, "PATH": "/usr/bin:/bin"}
    run = subprocess.run(["bash", "-c", call], env=environment, check=True, capture_output=True)
    files = [path for path in folder.iterdir() if path.name != "page.html"]
    assert_same(result, files[0].read_bytes() if files else run.stdout)


@every_call
def test_shell_snippet_writes_same_file(tool: AnyTool, values: dict[str, Any], folder: Path) -> None:
    result = made(tool, values)
    command = f'mediakit() {{ "{sys.executable}" -m mediakit "$@"; }}\n{result.code("shell")}'
    subprocess.run(["bash", "-c", command], check=True, capture_output=True)
    file = next(path for path in folder.iterdir() if path.name != "page.html")
    saved = result.save(folder / "saved")
    assert file.read_bytes() == saved.read_bytes()


@every_call
def test_http_snippet_returns_same_file(tool: AnyTool, values: dict[str, Any], folder: Path, server: Server) -> None:
    result = made(tool, values)
    head, _, body = result.code("http").partition("\n\n")
    line, *headers = head.replace(snippets.KEY, server.key).split("\n")
    content = Path(body[1:]).read_bytes() if body.startswith("@") else body.encode()
    content = re.sub(rb'(?<=")@(/[^"]+)', lambda file: base64.b64encode(Path(file[1].decode()).read_bytes()), content)
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=60)
    method, path, _ = line.split(" ")
    named = (header.partition(": ")[::2] for header in headers if not header.startswith("host:"))
    connection.request(method, path, content, dict(named))
    answer = connection.getresponse()
    assert (answer.status, answer.reason) == (200, "OK")
    assert_same(result, answer.read())
    connection.close()
