"""Snippets of `.code()` run, and return the same file as the call that they were written from."""

import base64
import http.client
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import mediakit
from mediakit.core import snippets
from mediakit.core.snippets.http import running_server
from mediakit.core.tool import Tool
from mediakit.results.result import Language, Result
from mediakit.samples import LANDSCAPE
from mediakit.server import Server
from mediakit.tools.catalogue import all_tools
from tests.support.calls import CALLS, parameter
from tests.support.snippet_kit import assert_code_returns, assert_same_data

PAGE = """<title>It's</title>
<main><h1>Grüße & "$HOME" `id` \\ ${x}</h1>
<p>Ein Satz, der lang genug ist.</p></main>
"""

WITH_SECRETS = {
    tool.name for tool in all_tools() for each in tool.parameters if each.is_secret and each.name in CALLS[tool.name]
}
"""Tools whose snippets have `...` in place of a password."""

RUN: dict[str, dict[str, Any]] = {
    **{
        name: call
        for name, call in CALLS.items()
        if name != "screenshot" and name not in WITH_SECRETS  # a shell of its own knows no such page
    },
    "web_to_markdown": {"html": PAGE, "format": "text"},
}

EVERY = [parameter(tool, RUN[tool.name]) for tool in all_tools() if tool.name in RUN]
every_call = pytest.mark.parametrize(
    ("tool", "values"),
    [*EVERY, pytest.param(mediakit.qr, {"data": '"$HOME" `id` \\', "logo": LANDSCAPE, "size": 300}, id="logo")],
)

AnyTool = Tool[..., Any]


LANGUAGES: list[Any] = [  # test_every_example.py runs Python
    "curl",
    pytest.param("javascript", marks=pytest.mark.skipif(not shutil.which("node"), reason="needs Node.js")),
    "shell",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def _server_of_this_process(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other tests start and stop servers as well."""
    monkeypatch.setattr(running_server, "url", server.url)


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return {}


@pytest.fixture
def result(results: dict[str, Any], tool: AnyTool, values: dict[str, Any]) -> Any:
    """The result of a call, which is made once for all languages."""
    name = f"{tool.name} {sorted(values)}"
    if name not in results:
        results[name] = tool(**{**values, "html": PAGE} if "html" in values else values)
    return results[name]


def assert_same(result: Result, content: bytes) -> None:
    if type(result)._wire.is_data and not content.startswith(b"%PDF"):
        assert_same_data(result, content)
    else:
        assert content == result.file


@pytest.mark.parametrize("language", LANGUAGES)
@every_call
def test_snippet_returns_same_result(result: Any, language: Language, folder: Path, server: Server) -> None:
    assert_code_returns(result, language, result.call.code(language), folder, server)


@every_call
def test_http_snippet_returns_same_file(result: Any, folder: Path, server: Server) -> None:
    head, _, body = result.call.code("http").partition("\n\n")
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
