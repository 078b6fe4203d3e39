"""Servers on real sockets, started from Python and from the shell."""

import logging
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import mediakit
import mediakit.server
from mediakit import errors
from mediakit.results.files import ImageResult
from mediakit.server import Server, serve
from mediakit.settings import Settings
from tests.conftest import free_port


@pytest.fixture(scope="module")
def shell_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Run `mediakit serve --dev`, and return its URL and the printed lines."""
    home = tmp_path_factory.mktemp("home")
    command = [sys.executable, "-u", "-m", "mediakit", "serve", "--dev", "--port", str(free_port())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=_environment(home)) as process:
        assert process.stdout
        lines = [process.stdout.readline() for _ in range(7)]
        url = re.findall(r"http://[\d.:]+", lines[0])[0]
        _wait_until_ready(url)
        yield url, "".join(lines)
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_printed_curl_example_works(shell_server: tuple[str, str], tmp_path: Path) -> None:
    line = next(line for line in shell_server[1].splitlines() if line.startswith("curl "))
    subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True, timeout=60)
    (file,) = tmp_path.iterdir()
    assert file.read_bytes() == mediakit.qr("https://example.com").content


def test_printed_documentation_link_has_printed_key(shell_server: tuple[str, str]) -> None:
    url, printed = shell_server
    key = re.findall(r"^mk_live_\S+$", printed, re.MULTILINE)[0]
    assert f"{url}/docs#key={key}\n" in printed


def test_printed_dashboard_link_signs_in_as_admin(shell_server: tuple[str, str]) -> None:
    url, printed = shell_server
    link = re.findall(rf"{url}/dashboard/sign-in/\S+", printed)[0]
    with httpx.Client(base_url=url, timeout=30, follow_redirects=True) as http:
        assert http.post(link).url.path == "/dashboard"
        assert http.get("/dashboard/operator").status_code == 200
        assert http.get("/dashboard/sign-up").url.path == "/dashboard"
        http.cookies.clear()
        assert http.post(link).status_code == 404
        assert http.get("/dashboard/sign-up").status_code == 200


def test_client_returns_same_result_as_function(shell_server: tuple[str, str]) -> None:
    url, printed = shell_server
    key = re.findall(r"^mk_live_\S+$", printed, re.MULTILINE)[0]
    with mediakit.Client(url, api_key=key) as client:
        assert client.qr("https://example.com") == mediakit.qr("https://example.com")
        assert client.status().unlimited is True


def test_client_raises_same_errors_as_function(server: Server) -> None:
    with mediakit.Client(server.url, api_key="mk_live_wrong") as client, pytest.raises(errors.InvalidKey):
        client.qr("hi")
    with mediakit.Client(server.url, api_key=server.key) as client:
        with pytest.raises(errors.InvalidInput, match="size: must be between 64 and 2000, got 5") as error:
            client.qr("hi", size=5)
        assert error.value.details == [{"field": "size", "message": "must be between 64 and 2000, got 5."}]
        with pytest.raises(errors.InvalidInput, match=r"file: is not a PNG"):
            client.images(b"nonsense", width=5)


def test_client_without_server_raises_server_unreachable() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with (
        mediakit.Client(url, api_key="x") as client,
        pytest.raises(errors.ServerUnreachable, match=f"No response from {url}"),
    ):
        client.qr("hi")


def test_serve_again_returns_same_server(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.server.kernel._current_server", server)
    assert serve(port=server.port) is server
    assert httpx.get(f"{server.url}/healthz").json() == {"status": "ok"}


def test_serve_again_by_host_name_returns_same_server(tmp_path: Path) -> None:
    code = f"""
import mediakit
with mediakit.serve(host="localhost", port={free_port()}) as server:
    assert mediakit.serve(host="localhost") is server
print("fine")
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=_environment(tmp_path), timeout=60
    )
    assert (ran.stdout, ran.stderr) == ("fine\n", "")


def test_server_url_puts_ipv6_address_in_brackets() -> None:
    assert mediakit.server.server_url("::1", 8765) == "http://[::1]:8765"


def test_server_url_of_wildcard_address_is_loopback() -> None:
    assert mediakit.server.server_url("0.0.0.0", 8765) == "http://127.0.0.1:8765"
    assert mediakit.server.server_url("::", 8765) == "http://[::1]:8765"


@pytest.mark.parametrize(
    ("host", "port", "message"),
    [
        ("127.0.0.1", 65536, "port: must be between 0 and 65535, got 65536"),
        ("127.0.0.1", -1, "port: must be between 0 and 65535, got -1"),
        ("127.0.0.1", "x", 'port: must be between 0 and 65535, got "x"'),
        ("192.0.2.1", 0, "host: cannot listen on 192.0.2.1:0: .*address of this machine"),
        ("unknown.invalid", 0, "host: cannot listen on unknown.invalid:0: .*address of this machine"),
    ],
)
def test_listen_rejects_invalid_address(host: str, port: Any, message: str) -> None:
    with pytest.raises(errors.InvalidInput, match=message):
        mediakit.server.listen(host, port)


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "", "ftp://127.0.0.1"])
def test_client_rejects_url_that_is_not_http(url: str) -> None:
    with pytest.raises(errors.InvalidInput, match="base_url: must begin with http:// or https://"):
        mediakit.Client(url)


@pytest.mark.parametrize("key", ["é", "mk_live\nx", "mk\0"])
def test_client_rejects_key_with_invalid_characters(key: str) -> None:
    with pytest.raises(errors.InvalidKey, match="api_key: "):
        mediakit.Client(api_key=key)


def test_client_strips_newline_after_key(server: Server) -> None:
    with mediakit.Client(server.url, api_key=f"{server.key}\n") as client:
        assert client.status().unlimited is True


def test_server_displays_url_and_hides_key(server: Server) -> None:
    shown = server._repr_html_() + repr(server)
    assert server.url in shown
    assert "mediakit.serve().stop()" in shown
    assert server.key not in shown


def test_stop_frees_port_and_revokes_key(tmp_path: Path) -> None:
    port = free_port()
    code = f"""
import httpx, mediakit
with mediakit.serve(port={port}) as server:
    key = server.key
    assert mediakit.Client(server.url, api_key=key).qr("hi") == mediakit.qr("hi")
assert not server.running
again = mediakit.serve(port={port})
assert httpx.get(again.url + "/status", headers={{"x-api-key": key}}).status_code == 401
print("fine")
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=_environment(tmp_path), timeout=60
    )
    assert (ran.stdout, ran.stderr) == ("fine\n", "")


def test_listen_on_used_port_names_it() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(errors.InvalidInput, match=f"cannot listen on 127.0.0.1:{port}"):
            mediakit.server.listen("127.0.0.1", port)


def test_serve_with_several_workers_responds(tmp_path: Path) -> None:
    port = free_port()
    command = [sys.executable, "-m", "mediakit", "serve", "--workers", "2", "--port", str(port)]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environment(tmp_path)
    ) as process:
        _wait_until_ready(f"http://127.0.0.1:{port}")
        assert httpx.post(f"http://127.0.0.1:{port}/qr", json={"data": "x"}).status_code == 401
        process.send_signal(signal.SIGINT)
        process.wait(30)


def test_call_of_disconnected_client_is_not_charged(server: Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        client.qr("start the month")
        before = client.status().used
        with pytest.raises(httpx.ReadTimeout):
            httpx.post(
                f"{server.url}/capture",
                json={"html": "x", "wait_ms": 5000},
                headers={"x-api-key": server.key},
                timeout=1.5,
            )
        time.sleep(1.5)
        assert client.status().used == before


def test_listening_socket_has_tcp_protocol() -> None:
    # Only with it asyncio sets TCP_NODELAY; otherwise each small response is delayed by 40 ms.
    with mediakit.server.listen("127.0.0.1", 0) as sock:
        assert sock.proto == socket.IPPROTO_TCP


def test_client_results_display_as_images(server: Server) -> None:
    with mediakit.Client(server.url, api_key=server.key) as client:
        image = client.qr("hi")
    assert isinstance(image, ImageResult)
    assert image._repr_mimebundle_()[0]["image/png"] == image.content


def _environment(home: Path) -> dict[str, str]:
    return {**os.environ, "MEDIAKIT_HOME": str(home)}


def _wait_until_ready(url: str) -> None:
    for _ in range(300):
        try:
            httpx.get(f"{url}/healthz")
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    pytest.fail(f"{url} did not respond within 30 seconds")


def test_server_that_cannot_start_prints_no_warnings_and_leaves_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def create_app(server: Server) -> None:
        logging.getLogger("mediakit").warning("no database")
        seen.append(repr(server.log))
        raise errors.ServerBusy("The database does not respond.")

    before = [list(logging.getLogger(name).handlers) for name in ("", "mediakit", "uvicorn")]
    monkeypatch.setattr(Server, "_create_app", create_app)
    sock = mediakit.server.listen("127.0.0.1", 0)
    with sock, pytest.raises(errors.ServerBusy):
        Server(sock, "127.0.0.1", Settings())
    assert "no database" in seen[0]
    assert [list(logging.getLogger(name).handlers) for name in ("", "mediakit", "uvicorn")] == before


@pytest.mark.parametrize("port", ["http", 70_000, -1])
def test_port_that_is_out_of_range_or_not_a_number_is_an_error(port: Any) -> None:
    with pytest.raises(errors.InvalidInput, match=r"^port: must be between 0 and 65535, got "):
        serve(host="127.0.0.1", port=port)
