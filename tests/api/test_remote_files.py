"""Files by URL in JSON bodies: loaded through the guard, within the limits of files, with errors by field."""

import asyncio
import io
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import httpx
import pytest
from PIL import Image

import mediakit
from mediakit.api import remote_files
from mediakit.api.context import Context
from mediakit.errors import ServerBusy
from tests.conftest import Api, open_api

pytestmark = pytest.mark.anyio

requests: list[str] = []
released = Event()


def png(size: tuple[int, int] = (40, 20)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "red").save(file, "PNG")
    return file.getvalue()


ANSWERS: dict[str, dict[str, Any]] = {
    "/photo.png": {"status": 200, "body": png()},
    "/my%20photo.png": {"status": 200, "body": png()},
    "/slow": {"status": 200, "body": png()},
    "/moved": {"status": 302, "location": "/photo.png"},
    "/loop": {"status": 302, "location": "/loop"},
    "/inside": {"status": 302, "location": "http://127.0.0.1:9/photo.png"},
    "/snowman": {"status": 302, "location": "http://xn--n3h.invalid/photo.png"},
    "/large": {"status": 200, "size": 21 * 1024**2},
    "/gzip": {"status": 200, "body": b"x", "encoding": "gzip"},
}


class Files(BaseHTTPRequestHandler):
    """A server of files, some of which are not what they should be."""

    def do_GET(self) -> None:
        requests.append(self.path)
        if self.path == "/endless":
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                for _ in range(30):
                    self.wfile.write(bytes(1024**2))
            return
        if self.path == "/slow":
            released.wait(10)
        self.answer(**ANSWERS.get(self.path, {"status": 404}))

    def answer(self, status: int, body: bytes = b"", *, size: int = -1, location: str = "", encoding: str = "") -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body) if size < 0 else size))
        if location:
            self.send_header("location", location)
        if encoding:
            self.send_header("content-encoding", encoding)
        self.end_headers()
        with suppress(OSError):
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def files() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Files)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    released.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
async def allowed(tmp_path: Path, files: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Api]:
    """An app that may load from the server of files."""
    requests.clear()
    monkeypatch.setenv("MEDIAKIT_ALLOWED_NETWORKS", files.removeprefix("http://"))
    async for api in open_api(tmp_path):
        yield api


async def info(api: Api, url: object, **headers: str) -> httpx.Response:
    return await api.json("/image-info", {"file": {"url": url}}, headers=headers)


async def finished_job(api: Api, accepted: httpx.Response) -> dict[str, Any]:
    headers, until = {"x-api-key": api.key}, time.monotonic() + 30
    while not (job := (await api.http.get(accepted.headers["location"], headers=headers)).json())["finished_at"]:
        assert time.monotonic() < until
        await asyncio.sleep(0.02)
    return dict(job)


@pytest.mark.parametrize("path", ["/photo.png", "/moved"])
async def test_loads_a_file_by_url(allowed: Api, files: str, path: str) -> None:
    response = await info(allowed, files + path)
    assert (response.status_code, response.json()["width"], response.json()["height"]) == (200, 40, 20)


async def test_loads_files_of_a_list_beside_others(allowed: Api, files: str) -> None:
    base64 = "aGVsbG8="
    values = {"files": [{"url": f"{files}/my%20photo.png"}, {"name": "a.txt", "file": base64}], "output": "binary"}
    response = await allowed.json("/zip", values)
    listed = await allowed.raw("/unzip", response.content, "application/zip", output="json")
    assert [each["name"] for each in listed.json()["entries"]] == ["my photo.png", "a.txt"]


@pytest.mark.parametrize(("count", "expected"), [(20, True), (21, False)])
async def test_as_many_urls_as_files_of_the_field_are_loaded(count: int, expected: bool) -> None:
    urls = [{"url": "https://example.com/a.pdf"}] * count
    assert remote_files.has_remote_files(mediakit.pdf_merge, {"files": urls}) is expected


async def test_name_replaces_that_of_the_url(allowed: Api, files: str) -> None:
    values = {"files": [{"url": f"{files}/photo.png", "name": "cover.png"}], "output": "binary"}
    response = await allowed.json("/zip", values)
    listed = await allowed.raw("/unzip", response.content, "application/zip", output="json")
    assert [each["name"] for each in listed.json()["entries"]] == ["cover.png"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/none", "file: the URL could not be loaded (HTTP 404)."),
        ("/loop", "file: the URL could not be loaded: it has more than 5 redirects."),
        ("/inside", "file: the URL could not be loaded."),
        ("/snowman", "file: the URL could not be loaded."),
        ("/large", "file: must have at most 20 MB."),
        ("/endless", "file: must have at most 20 MB."),
        ("/gzip", "file: the URL could not be loaded: its server compresses it, although the request forbids it."),
    ],
)
async def test_file_that_cannot_be_loaded_is_an_error_of_its_field(
    allowed: Api, files: str, path: str, message: str
) -> None:
    response = await info(allowed, files + path)
    assert (response.status_code, response.json()["error"]) == (400, message)
    assert response.json()["details"][0]["field"] == "file"
    assert (await allowed.status())["used"] == 0


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:5432/",
        "http://localhost/photo.png",
        "http://169.254.169.254/latest/meta-data",
        "http://[::1]/",
        "http://0x7f000001/",
        "https://10.0.0.1/photo.png",
        "http://no-such-name.invalid/",
        "http://☃.invalid/photo.png",
    ],
)
async def test_address_that_is_blocked_has_no_reason(allowed: Api, url: str) -> None:
    response = await info(allowed, url)
    assert (response.status_code, response.json()["error"]) == (400, "file: the URL could not be loaded.")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("ftp://example.com/a", "file: url must begin with http:// or https:// and a host."),
        ("http://user:secret@example.com/a", "file: url must have no user name and no password."),
        (7, 'file: must have the members "url" (text) and optionally "name" (text).'),
        ("https://example.com/" + "a" * 2048, "file: url must have at most 2048 characters."),
    ],
)
async def test_url_that_is_not_valid_is_not_loaded(allowed: Api, value: object, message: str) -> None:
    response = await info(allowed, value)
    assert (response.status_code, response.json()["error"]) == (400, message)


async def test_other_members_are_rejected(allowed: Api, files: str) -> None:
    response = await allowed.json("/image-info", {"file": {"url": f"{files}/photo.png", "file": "aGk="}})
    assert (response.status_code, response.json()["details"][0]["field"]) == (400, "file")
    assert requests == []


@pytest.mark.parametrize("prefer", ["", "respond-async"])
async def test_other_fields_are_checked_before_the_file_is_loaded(allowed: Api, files: str, prefer: str) -> None:
    values = {"file": {"url": f"{files}/photo.png"}, "width": 0}
    response = await allowed.json("/images", values, headers={"prefer": prefer})
    assert (response.status_code, response.json()["details"][0]["field"]) == (400, "width")
    assert requests == []


async def test_job_with_a_file_that_is_not_valid_is_rejected_at_once(allowed: Api, files: str) -> None:
    values = {"files": [{"url": f"{files}/a.pdf", "file": "aGk="}]}
    response = await allowed.json("/pdf-merge", values, headers={"prefer": "respond-async"})
    assert (response.status_code, response.json()["details"][0]["field"]) == (400, "files[0]")


async def test_slow_server_is_given_up(allowed: Api, files: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote_files, "LOAD_SECONDS", 0.3)
    response = await info(allowed, f"{files}/slow")
    assert (response.status_code, response.json()["error"][:28]) == (400, "file: the URL could not be l")


async def test_repeated_call_does_not_load_the_file_again(allowed: Api, files: str) -> None:
    first, second = [await info(allowed, f"{files}/photo.png", **{"idempotency-key": "a"}) for _ in range(2)]
    assert (first.content, requests) == (second.content, ["/photo.png"])


async def test_job_that_waits_for_a_busy_server_loads_its_file_once(
    allowed: Api, files: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_tool, runs = Context.run_tool, []

    async def busy_once(context: Context, *call: Any) -> Any:
        runs.append(call)
        if len(runs) == 1:
            raise ServerBusy("The server is busy. Try again in 1 second.", retry_after=1)
        return await run_tool(context, *call)

    monkeypatch.setattr(Context, "run_tool", busy_once)
    await finished_job(allowed, await info(allowed, f"{files}/photo.png", prefer="respond-async"))
    assert (len(runs), requests) == (2, ["/photo.png"])


async def test_job_loads_its_file(allowed: Api, files: str) -> None:
    accepted = await info(allowed, f"{files}/photo.png", prefer="respond-async")
    assert (await finished_job(allowed, accepted))["state"] == "succeeded"
