"""Messages of the Chrome DevTools Protocol: parts of messages, sessions that end, and errors."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import pytest

from mediakit.core.runtime import runtime
from mediakit.engines.browser.protocol import Connection, ProtocolError, start_process

ATTACHED = {"method": "Target.attachedToTarget", "params": {"sessionId": "page"}}
DETACHED = {"method": "Target.detachedFromTarget", "params": {"sessionId": "page"}}
CRASHED = {"method": "Inspector.targetCrashed", "params": {}, "sessionId": "page"}


class Writer:
    """Collects the commands that are written to Chromium."""

    def __init__(self) -> None:
        self.commands: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        assert data.endswith(b"\0")
        self.commands.append(json.loads(data[:-1]))

    def close(self) -> None:
        """Do nothing."""


def encoded(*messages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\0" for message in messages)


@pytest.fixture
def writer() -> Writer:
    return Writer()


@pytest.fixture
async def connection(writer: Writer) -> AsyncIterator[Connection]:
    opened = Connection()
    opened.open(cast("asyncio.WriteTransport", writer))
    yield opened
    opened.close()


@pytest.mark.anyio
@pytest.mark.parametrize("size", [1, 7, 1000])
async def test_answers_arrive_in_parts_of_any_size(connection: Connection, writer: Writer, size: int) -> None:
    calls = [asyncio.ensure_future(connection.browser.send("Browser.getVersion", {"n": n})) for n in range(3)]
    await asyncio.sleep(0)
    answers = [{"id": command["id"], "result": {"text": "é" * command["params"]["n"]}} for command in writer.commands]
    data = encoded(*reversed(answers))
    for start in range(0, len(data), size):
        connection.data_received(data[start : start + size])

    assert await asyncio.gather(*calls) == [{"text": ""}, {"text": "é"}, {"text": "éé"}]


@pytest.mark.anyio
async def test_error_of_command_is_raised(connection: Connection, writer: Writer) -> None:
    call = asyncio.ensure_future(connection.browser.send("Page.printToPDF"))
    await asyncio.sleep(0)
    connection.data_received(encoded({"id": writer.commands[0]["id"], "error": {"message": "Printing failed"}}))

    with pytest.raises(ProtocolError, match="Printing failed"):
        await call


@pytest.mark.anyio
@pytest.mark.parametrize(("event", "message"), [(CRASHED, "Target crashed"), (DETACHED, "Target closed")])
async def test_commands_fail_when_page_ends(connection: Connection, event: dict[str, Any], message: str) -> None:
    connection.data_received(encoded(ATTACHED))
    page = connection.session("page")
    call = asyncio.ensure_future(page.send("Page.enable"))
    await asyncio.sleep(0)
    connection.data_received(encoded(event))

    with pytest.raises(ProtocolError, match=message):
        await call
    with pytest.raises(ProtocolError, match=message):
        await page.send("Page.enable")


@pytest.mark.anyio
async def test_frames_end_with_their_page(connection: Connection) -> None:
    frame = {"method": "Target.attachedToTarget", "params": {"sessionId": "frame"}, "sessionId": "page"}
    connection.data_received(encoded(ATTACHED, frame))
    call = asyncio.ensure_future(connection.session("frame").send("Page.enable"))
    await asyncio.sleep(0)
    connection.data_received(encoded(DETACHED, {"id": 1, "result": {}, "sessionId": "frame"}))

    with pytest.raises(ProtocolError, match="Target closed"):
        await call
    with pytest.raises(ProtocolError, match="Target closed"):
        connection.session("frame")


@pytest.mark.anyio
async def test_commands_fail_when_pipe_closes(connection: Connection) -> None:
    call = asyncio.ensure_future(connection.browser.send("Browser.getVersion"))
    await asyncio.sleep(0)
    connection.close()

    assert not connection.is_open
    with pytest.raises(ProtocolError, match="Target closed"):
        await call
    with pytest.raises(ProtocolError, match="Target closed"):
        await connection.browser.send("Browser.getVersion")


def test_failed_start_raises_error_output(tmp_path: Path) -> None:
    command = tmp_path / "chromium"
    command.write_text("#!/bin/sh\necho cannot open shared object file >&2\nexit 127\n")
    command.chmod(0o755)

    with pytest.raises(ProtocolError, match="cannot open shared object file"):
        runtime.run(start_process([str(command)], {}))


def test_pipe_has_the_numbers_that_chromium_expects(tmp_path: Path) -> None:
    command = tmp_path / "chromium"
    answer = '{"id":1,"result":{}}\\000'
    command.write_text(f"#!/bin/sh\nhead -c 10 <&3 >/dev/null\nprintf '{answer}' >&4\nexec cat <&3 >/dev/null\n")
    command.chmod(0o755)

    async def start_and_close() -> None:
        process = await start_process([str(command)], {"PATH": "/usr/bin:/bin"})
        process.connection.close()  # `cat` ends with its input
        await process.disconnect()

    runtime.run(start_and_close())


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop does not support Windows")
def test_start_in_a_loop_of_uvloop(tmp_path: Path) -> None:
    import uvloop

    command = tmp_path / "chromium"
    answer = '{"id":1,"result":{}}\\000'
    command.write_text(f"#!/bin/sh\nhead -c 10 <&3 >/dev/null\nprintf '{answer}' >&4\nexec cat <&3 >/dev/null\n")
    command.chmod(0o755)

    async def leads_its_group() -> bool:
        process = await start_process([str(command)], {"PATH": "/usr/bin:/bin"})
        try:
            return os.getpgid(process.pid) == process.pid
        finally:
            await process.killed()

    assert uvloop.run(leads_its_group())
