"""A server in a kernel answers at once: what it still loads, what may fail then, and what it leaves behind."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.types import Message

import mediakit
from mediakit import errors
from mediakit.accounts import Accounts
from mediakit.api.app import create_app
from mediakit.api.opening import Opening
from mediakit.server import LOCAL_ACCOUNT, NOTEBOOK_PORT, Server, serve
from mediakit.settings import AccountSettings
from tests.conftest import TestSettings, free_port

KEYED = {"x-api-key": "mk_live_x"}


@asynccontextmanager
async def living(opening: Opening) -> AsyncIterator[httpx.AsyncClient]:
    """Let an app live as a server does, and speak to it."""
    told: asyncio.Queue[Message] = asyncio.Queue()
    heard: asyncio.Queue[Message] = asyncio.Queue()
    life = asyncio.create_task(opening({"type": "lifespan"}, told.get, heard.put))
    await told.put({"type": "lifespan.startup"})
    assert await heard.get() == {"type": "lifespan.startup.complete"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(opening), base_url="http://api.test") as http:
        yield http
    await told.put({"type": "lifespan.shutdown"})
    assert await heard.get() == {"type": "lifespan.shutdown.complete"}
    await life


@pytest.mark.anyio
async def test_the_page_is_there_while_tools_are_loaded_and_calls_wait_for_them(tmp_path: Path) -> None:
    loaded = threading.Event()

    def make() -> Starlette:
        loaded.wait(60)
        return create_app(TestSettings(tmp_path))

    async with living(Opening(make)) as http:
        waiting = asyncio.create_task(http.post("/qr", json={"data": "hi"}, headers=KEYED))
        assert (await http.get("/healthz")).json() == {"status": "ok"}
        assert "<title>mediakit API</title>" in (await http.get("/docs")).text
        assert not waiting.done()
        loaded.set()
        assert (await waiting).status_code == 401
        assert (await http.get("/openapi.json")).status_code == 200


@pytest.mark.anyio
async def test_calls_are_told_why_a_server_could_not_start() -> None:
    def make() -> Starlette:
        raise errors.MediakitError("MEDIAKIT_HOME: is full.")

    opening = Opening(make)
    async with living(opening) as http:
        answer = await http.get("/status", headers=KEYED)
    assert (answer.status_code, answer.json()) == (500, {"error": "MEDIAKIT_HOME: is full."})


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Give a home of its own, with no server yet; the one that the test starts is stopped."""
    monkeypatch.setattr("mediakit.server._running", None)  # the other tests' server goes on
    monkeypatch.delenv("MEDIAKIT_ALLOWED_NETWORKS", raising=False)  # serve() waits to see whether they are right
    monkeypatch.setenv("MEDIAKIT_HOME", str(tmp_path / "home"))
    yield tmp_path / "home"
    if running := mediakit.server.running():
        running.stop()


def test_a_database_of_a_newer_mediakit_is_named_and_serving_again_finds_it_mended(alone: Path) -> None:
    with closing(Accounts.open(AccountSettings(home=alone))) as accounts:
        accounts.create_account("ada@example.com")
        with accounts._database.write() as session:
            session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        server = serve(port=free_port())
        assert "Update mediakit" in httpx.get(f"{server.url}/status").json()["error"]
        assert "cannot answer. A newer mediakit" in server._repr_html_()
        with accounts._database._writer.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    again = serve()
    assert again is not server
    assert again.port == server.port
    assert mediakit.status().unlimited


def test_a_home_that_cannot_be_used_is_named_and_the_port_stays_free(
    alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone.write_text("a file")
    port = free_port()
    with pytest.raises(errors.MediakitError, match=r"MEDIAKIT_HOME: .*Set it to a folder that you may write to"):
        serve(port=port)
    monkeypatch.setenv("MEDIAKIT_HOME", str(alone.parent / "other"))
    assert serve(port=port).port == port


def test_a_database_that_does_not_answer_is_named_at_once(alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_DATABASE_URL", "postgresql://nobody@127.0.0.1:9/none")
    port = free_port()
    with pytest.raises(errors.ServerBusy, match="The database does not answer"):
        serve(port=port)
    monkeypatch.delenv("MEDIAKIT_DATABASE_URL")
    assert serve(port=port).port == port


def test_serving_again_after_a_stop_takes_the_same_port(alone: Path) -> None:
    first = serve(port=free_port())
    first.stop()
    assert serve().port == first.port


def test_a_second_kernel_takes_the_next_port(alone: Path) -> None:
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            other.bind(("127.0.0.1", NOTEBOOK_PORT))
            other.listen()
        except OSError:
            pass  # somebody else has it, which is as well
        assert NOTEBOOK_PORT < serve().port < NOTEBOOK_PORT + 20


def test_threads_that_serve_at_once_get_one_server(alone: Path) -> None:
    found: list[Server] = []
    threads = [threading.Thread(target=lambda: found.append(serve())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(map(id, found))) == 1


def test_a_server_starts_inside_a_running_loop(alone: Path) -> None:
    async def cell() -> int:
        with serve(port=free_port()) as server:
            async with mediakit.AsyncClient(server.url, api_key=server.key) as client:
                return len((await client.qr("hi")).content)

    assert asyncio.run(cell()) == len(mediakit.qr("hi").content)


KILLED = """
import mediakit, sys
server = mediakit.serve(port=int(sys.argv[1]))
mediakit.status()
print(server.key, flush=True)
sys.stdin.read()
"""


def test_a_killed_kernel_leaves_neither_port_nor_key(alone: Path) -> None:
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as kernel:
        assert kernel.stdout
        key = kernel.stdout.readline().strip()
        assert httpx.get(f"http://127.0.0.1:{port}/status", headers={"x-api-key": key}).status_code == 200
        kernel.kill()
    server = serve(port=port)
    assert httpx.get(f"{server.url}/status", headers={"x-api-key": key}).status_code == 401
    with closing(Accounts.open(AccountSettings(home=alone))) as accounts:
        assert [bool(kept.revoked) for kept in accounts.list_keys(LOCAL_ACCOUNT)] == [True, False]


FORKED = """
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
def test_a_forked_child_has_no_server_and_keeps_no_port(alone: Path) -> None:
    port = free_port()
    with subprocess.Popen(
        [sys.executable, "-c", FORKED, str(port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
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
