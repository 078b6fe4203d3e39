"""HTTP clients that people use send small, large and too large bodies, and read the responses."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

from tests.support.server_process import ServerProcess, running_server

SIZES = (1000, 3_000_000, 20_000_000)
TOO_LARGE = 25_000_000
FETCH = """
const [url, key, file] = process.argv.slice(1);
const body = require('fs').readFileSync(file);
const headers = {'x-api-key': key, 'content-type': 'application/octet-stream'};
fetch(url, {method: 'POST', headers, body}).then(async answer => {
  console.log(JSON.stringify([answer.status, await answer.json()]));
});
"""
"""A program for Node.js."""

Answer = tuple[int, dict[str, Any]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("home")) as process:
        yield process


def run(name: str, *arguments: str, stdin: Path | None = None) -> str:
    """Run a program, or skip the test if it is not installed."""
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    content = stdin.read_bytes() if stdin else None
    return subprocess.run(
        [name, *arguments], input=content, capture_output=True, check=False, timeout=120
    ).stdout.decode()


def headers_of(server: ServerProcess) -> dict[str, str]:
    return {"x-api-key": server.key, "content-type": "application/octet-stream"}


def with_curl(*options: str, from_stdin: bool = False) -> Callable[[ServerProcess, Path], Answer]:
    def send(server: ServerProcess, file: Path) -> Answer:
        headers = [part for name, value in headers_of(server).items() for part in ("-H", f"{name}: {value}")]
        body = ["-X", "POST", "-T", "-"] if from_stdin else ["--data-binary", f"@{file}"]
        command = ["-sS", *options, *headers, *body, "-w", "\n%{http_code}", f"{server.url}/file-info"]
        text, _, status = run("curl", *command, stdin=file if from_stdin else None).rpartition("\n")
        return int(status), json.loads(text)

    return send


def with_curl_upload(server: ServerProcess, file: Path) -> Answer:
    """Send a file with `-T` and its length."""
    headers = [part for name, value in headers_of(server).items() for part in ("-H", f"{name}: {value}")]
    command = ["-sS", "-X", "POST", *headers, "-T", str(file), "-w", "\n%{http_code}", f"{server.url}/file-info"]
    text, _, status = run("curl", *command).rpartition("\n")
    return int(status), json.loads(text)


def with_wget(server: ServerProcess, file: Path) -> Answer:
    headers = [f"--header={name}: {value}" for name, value in headers_of(server).items()]
    command = ["-q", "-O", "-", "--content-on-error", "--save-headers", *headers, f"--post-file={file}"]
    head, _, text = run("wget", *command, f"{server.url}/file-info").replace("\r\n", "\n").partition("\n\n")
    return int(head.split()[1]), json.loads(text)


def with_node(server: ServerProcess, file: Path) -> Answer:
    status, body = json.loads(run("node", "-e", FETCH, f"{server.url}/file-info", server.key, str(file)))
    return status, body


def with_requests(server: ServerProcess, file: Path) -> Answer:
    requests = pytest.importorskip("requests")
    with file.open("rb") as body:
        answer = requests.post(f"{server.url}/file-info", data=body, headers=headers_of(server), timeout=60)
    return answer.status_code, answer.json()


def with_httpx(server: ServerProcess, file: Path) -> Answer:
    with file.open("rb") as body:
        answer = httpx.post(f"{server.url}/file-info", content=body, headers=headers_of(server), timeout=60)
    return answer.status_code, answer.json()


def with_aiohttp(server: ServerProcess, file: Path) -> Answer:
    aiohttp = pytest.importorskip("aiohttp")

    async def send(body: IO[bytes]) -> Answer:
        async with aiohttp.ClientSession() as session:
            url, headers = f"{server.url}/file-info", headers_of(server)
            async with session.post(url, data=body, headers=headers) as answer:
                return answer.status, await answer.json()

    with file.open("rb") as body:
        return asyncio.run(send(body))


CLIENTS = {
    "curl": with_curl(),
    "curl --http2": with_curl("--http2"),
    "curl --http1.0": with_curl("--http1.0"),
    "curl -H Expect": with_curl("-H", "Expect: 100-continue"),
    "curl --compressed": with_curl("--compressed"),
    "curl -T": with_curl_upload,
    "curl -T -": with_curl(from_stdin=True),
    "wget": with_wget,
    "Node.js": with_node,
    "requests": with_requests,
    "httpx": with_httpx,
    "aiohttp": with_aiohttp,
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", CLIENTS)
def test_client_sends_a_body_and_reads_the_response(
    server: ServerProcess, tmp_path: Path, name: str, size: int
) -> None:
    file = tmp_path / "file.bin"
    file.write_bytes(b"\x07" * size)
    status, body = CLIENTS[name](server, file)
    assert status == 200
    assert body["size_bytes"] == size


@pytest.mark.parametrize("name", [name for name in CLIENTS if name != "aiohttp"])  # it drops an early response
def test_client_reads_why_a_body_is_too_large(server: ServerProcess, tmp_path: Path, name: str) -> None:
    file = tmp_path / "file.bin"
    file.write_bytes(b"\x07" * TOO_LARGE)
    status, body = CLIENTS[name](server, file)
    assert status == 400
    assert "at most 20 MB" in body["error"]


@pytest.mark.parametrize("name", ["curl", "Node.js", "requests", "httpx"])
def test_client_uses_a_connection_again_after_an_error(server: ServerProcess, tmp_path: Path, name: str) -> None:
    file = tmp_path / "file.bin"
    file.write_bytes(b"")
    assert CLIENTS[name](server, file)[0] == 400
    file.write_bytes(b"text")
    assert CLIENTS[name](server, file)[0] == 200
