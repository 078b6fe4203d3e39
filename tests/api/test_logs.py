"""The log of `mediakit serve`: a line with the request id for each response, as text and as JSON, without secrets."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from mediakit import errors
from mediakit.settings import ServerSettings
from tests.api.test_monitoring import get, wait_until
from tests.conftest import free_port


@contextmanager
def logging_server(home: Path, log_format: str) -> Iterator[tuple[str, str]]:
    """Run `mediakit serve --dev`, and return its URL and its API key; the log is in the file `log`."""
    port = free_port()
    command = [sys.executable, "-u", "-m", "mediakit", "serve", "--dev", "--port", str(port)]
    environment = {**os.environ, "MEDIAKIT_HOME": str(home), "MEDIAKIT_LOG_FORMAT": log_format}
    with (
        (home / "log").open("wb") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=environment, text=True) as process,
    ):
        url = f"http://127.0.0.1:{port}"
        try:
            assert process.stdout
            key = next(line.strip() for line in process.stdout if line.startswith("mk_live_"))
            wait_until(lambda: get(url).get("status") == "ok")
            yield url, key
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


def malformed_request(url: str) -> str:
    """Send bytes that are not HTTP, and return the request id of the response."""
    with socket.create_connection(("127.0.0.1", httpx.URL(url).port or 0), 30) as connection:
        connection.sendall(b"\x16\x03\x01\x02\r\n\r\n")
        received = b""
        while chunk := connection.recv(65536):
            received += chunk
    return str(re.findall(rb"x-request-id: (\w+)", received)[0], "ascii")


@pytest.mark.parametrize("log_format", ["json", "text"])
def test_every_response_has_a_line_with_its_id_and_no_secrets(log_format: str, tmp_path: Path) -> None:
    with logging_server(tmp_path, log_format) as (url, key):
        headers = {"x-api-key": key}
        link = httpx.post(f"{url}/qr", json={"data": "private text", "output": "url"}, headers=headers, timeout=60)
        wrong = {"x-api-key": "mk_live_private"}
        responses = [
            (link, "POST /qr"),
            (httpx.post(f"{url}/qr?token=private", json={"data": "x"}, headers=headers), "POST /qr"),
            (
                httpx.post(f"{url}/qr", json={"data": "private text"}, headers=wrong),
                "POST /qr",
            ),
            (httpx.get(link.json()["url"]), "GET /files/{token}"),
            (httpx.get(f"{url}/private"), "GET unknown"),
            (httpx.get(f"{url}/metrics", headers={"host": "evil.example"}), "GET unknown"),
        ]
        malformed = malformed_request(url)
    assert [response.status_code for response, _ in responses] == [200, 400, 401, 200, 404, 400]
    text = (tmp_path / "log").read_text()
    assert not [secret for secret in ("private", "token=", key, link.json()["url"][-30:]) if secret in text]
    expected = [(request, response.status_code, response.headers["x-request-id"]) for response, request in responses]
    if log_format == "text":
        for request, status, request_id in [*expected, ("- unknown", 400, malformed)]:
            pattern = rf"INFO mediakit.api {re.escape(request)} {status} \d+ ms id={request_id}$"
            assert re.search(pattern, text, re.MULTILINE)
        return
    found = [json.loads(line) for line in text.splitlines()]
    by_id = {line["request_id"]: line for line in found if "request_id" in line}
    for request, status, request_id in expected:
        line = by_id[request_id]
        assert (f"{line['method']} {line['path']}", line["status"], line["level"]) == (request, status, "INFO")
        assert line["milliseconds"] >= 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
    assert by_id[malformed]["status"] == 400


def test_invalid_log_format_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_LOG_FORMAT", "xml")
    with pytest.raises(errors.InvalidInput, match="MEDIAKIT_LOG_FORMAT: must be 'text' or 'json', got 'xml'"):
        ServerSettings()
