"""Servers in a kernel: start errors, ports, and cleanup of their keys."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

import mediakit
from mediakit import errors
from mediakit.accounts import Accounts
from mediakit.accounts.database import HEAD_REVISION
from mediakit.core.snippets.http import NOTEBOOK_PORT
from mediakit.server import LOCAL_ACCOUNT, Server, serve
from mediakit.settings import AccountSettings
from tests.conftest import free_port

WITH_KEY = {"x-api-key": "mk_live_x"}


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Return an empty home without a running server, and stop the server that the test starts."""
    monkeypatch.setattr("mediakit.server.kernel._current_server", None)  # keeps the server of other tests running
    monkeypatch.setenv("MEDIAKIT_HOME", str(tmp_path / "home"))
    yield tmp_path / "home"
    if running := mediakit.server.running():
        running.stop()


def test_server_with_newer_database_reports_it_and_recovers(alone: Path) -> None:
    with closing(Accounts.open(AccountSettings(home=alone))) as accounts:
        accounts.create_account("ada@example.com")
        with accounts._database.write() as session:
            session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        port = free_port()
        with pytest.raises(errors.MediakitError, match=r"The database was created by a newer version.*Update mediakit"):
            serve(port=port)
        with accounts._database._writer.begin() as connection:
            connection.execute(text(f"UPDATE alembic_version SET version_num = '{HEAD_REVISION}'"))
    assert serve(port=port).port == port
    assert mediakit.status().unlimited


def test_unusable_home_is_reported_and_port_stays_free(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone.write_text("a file")
    port = free_port()
    with pytest.raises(errors.MediakitError, match=r"MEDIAKIT_HOME: .*Set it to a folder that you can write to"):
        serve(port=port)
    monkeypatch.setenv("MEDIAKIT_HOME", str(alone.parent / "other"))
    assert serve(port=port).port == port


def test_unreachable_database_is_reported_at_once(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_DATABASE_URL", "postgresql://user@127.0.0.1:9/none")
    port = free_port()
    with pytest.raises(errors.ServerBusy, match="The database does not respond"):
        serve(port=port)
    monkeypatch.delenv("MEDIAKIT_DATABASE_URL")
    assert serve(port=port).port == port


def test_serve_after_stop_uses_same_port(alone: Path) -> None:
    first = serve(port=free_port())
    first.stop()
    assert serve().port == first.port


def test_second_kernel_uses_next_port(alone: Path) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            other.bind(("127.0.0.1", NOTEBOOK_PORT))
            other.listen()
        except OSError:
            pass  # another process uses the port, which has the same effect
        assert NOTEBOOK_PORT < serve().port < NOTEBOOK_PORT + 20


def test_concurrent_serve_calls_return_one_server(alone: Path) -> None:
    servers: list[Server] = []
    threads = [threading.Thread(target=lambda: servers.append(serve())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(servers) == 4
    assert len(set(map(id, servers))) == 1


def test_serve_works_inside_running_event_loop(alone: Path) -> None:
    async def cell() -> int:
        with serve(port=free_port()) as server:
            async with mediakit.AsyncClient(server.url, api_key=server.key) as client:
                return len((await client.qr("hi")).content)

    assert asyncio.run(cell()) == len(mediakit.qr("hi").content)


KERNEL_SCRIPT = """
import mediakit, sys
server = mediakit.serve(port=int(sys.argv[1]))
mediakit.status()
print(server.key, flush=True)
sys.stdin.read()
"""


def test_killed_kernel_frees_port_and_its_key_is_revoked(alone: Path) -> None:
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-c", KERNEL_SCRIPT, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as kernel:
        assert kernel.stdout
        key = kernel.stdout.readline().strip()
        assert httpx.get(f"http://127.0.0.1:{port}/status", headers={"x-api-key": key}).status_code == 200
        kernel.kill()
    server = serve(port=port)
    assert httpx.get(f"{server.url}/status", headers={"x-api-key": key}).status_code == 401
    with closing(Accounts.open(AccountSettings(home=alone))) as accounts:
        assert [bool(key.revoked) for key in accounts.list_keys(LOCAL_ACCOUNT)] == [True, False]


FORK_SCRIPT = """
import os, mediakit, sys, time
port = int(sys.argv[1])
server = mediakit.serve(port=port)
mediakit.status()
child = os.fork()
if not child:
    print(f"{mediakit.server.running()}\\n", end="", flush=True)
    time.sleep(60)
print(f"{child}\\n", end="", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_forked_child_has_no_server_and_does_not_keep_port(alone: Path) -> None:
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-c", FORK_SCRIPT, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout
        lines = [parent.stdout.readline().strip() for _ in range(2)]
        child = next(int(line) for line in lines if line.isdigit())
        try:
            assert [line for line in lines if not line.isdigit()] == ["None"]
            parent.kill()
            parent.wait()
            assert serve(port=port).port == port
        finally:
            os.kill(child, signal.SIGKILL)
