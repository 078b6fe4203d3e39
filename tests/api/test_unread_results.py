"""Large results that their clients do not read."""

import io
import random
from contextlib import ExitStack

import httpx
import pytest
from PIL import Image

from mediakit.api import downloads
from mediakit.server import Server
from tests.support.server_process import wait_until


@pytest.fixture(scope="module")
def noise() -> bytes:
    """A PNG of 3 MB that cannot be compressed."""
    buffer = io.BytesIO()
    Image.frombytes("RGB", (1000, 1000), random.Random(1).randbytes(3_000_000)).save(buffer, "PNG")
    return buffer.getvalue()


def request(server: Server, noise: bytes, output: str) -> httpx.Request:
    return httpx.Request(
        "POST",
        f"{server.url}/images",
        params={"format": "png", "output": output},
        content=noise,
        headers={"x-api-key": server.key, "content-type": "image/png"},
    )


@pytest.mark.parametrize("output", ["binary", "json"])
def test_large_result_is_complete_and_has_its_length(server: Server, noise: bytes, output: str) -> None:
    with httpx.Client(timeout=60) as http:
        first, second = (http.send(request(server, noise, output)) for _ in range(2))  # on one connection
    assert first.headers["content-length"] == str(len(first.content))
    if output == "binary":
        sent, read = (Image.open(io.BytesIO(content)).convert("RGB") for content in (noise, second.content))
        assert sent.tobytes() == read.tobytes()
    else:
        assert second.json()["success"] is True


def test_large_result_is_sent_if_the_disk_is_full(
    server: Server, noise: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("tempfile.TemporaryFile", fail)
    with httpx.Client(timeout=60) as http:
        response = http.send(request(server, noise, "binary"))
    assert Image.open(io.BytesIO(response.content)).size == (1000, 1000)
    assert "stays in memory; MEDIAKIT_HOME: No space left on device" in caplog.text


def test_account_with_unread_results_gets_503_until_they_are_read(
    server: Server, noise: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "MAX_ACCOUNT_BYTES", 2_000_000)
    with httpx.Client(timeout=60) as http, ExitStack() as unread:
        response = http.send(request(server, noise, "binary"), stream=True)
        unread.callback(response.close)
        refused = httpx.post(f"{server.url}/qr", json={"data": "x"}, headers={"x-api-key": server.key}, timeout=60)
        assert refused.status_code == 503
        assert refused.headers["retry-after"]
        assert refused.json()["error"].startswith("1 MB of results of this account are unread.")
        assert len(response.read()) > 2_000_000
        wait_until(
            lambda: (
                httpx.post(
                    f"{server.url}/qr", json={"data": "x"}, headers={"x-api-key": server.key}, timeout=60
                ).is_success
            )
        )
