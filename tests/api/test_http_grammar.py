"""Generated connections: each gets well-formed responses and is closed, and no body is ever read as a request.

Run more of them with `MEDIAKIT_FUZZ_CASES=20000 python -m pytest tests/api/test_http_grammar.py --timeout 0`.
"""

import asyncio
import os
import re
from collections.abc import Iterator

import pytest

from mediakit.api import body_stream, http_protocol
from mediakit.server import Server
from tests.support.http_grammar import Conversation, conversation

CASES = int(os.environ.get("MEDIAKIT_FUZZ_CASES", "400"))
CONCURRENT = 100
TIMEOUT_SECONDS = 5.0
"""Of a head, a body and an idle connection, so that the server closes every connection soon."""

HEAD = re.compile(rb"HTTP/1\.1 (\d{3}) [A-Za-z ]+\r\n((?:[\w-]+: [^\r\n]*\r\n)*)\r\n")
REJECTED = {400, 431}
STATUSES = {200, 401, 404, 405, *REJECTED}


@pytest.fixture(autouse=True)
def _short_timeouts(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "HEAD_TIMEOUT_SECONDS", TIMEOUT_SECONDS)
    monkeypatch.setattr(body_stream, "BODY_TIMEOUT_SECONDS", TIMEOUT_SECONDS)
    monkeypatch.setattr(server._uvicorn.config, "timeout_keep_alive", TIMEOUT_SECONDS)


@pytest.mark.anyio
async def test_generated_connections_get_well_formed_responses(server: Server) -> None:
    at_once = asyncio.Semaphore(CONCURRENT)

    async def run(number: int) -> None:
        async with at_once:
            case = conversation(number)
            received = await exchange(server, case)
        try:
            check(case, received)
        except AssertionError as error:
            error.add_note(f"conversation({number}): {b''.join(case.parts)!r}\nreceived: {received!r}")
            raise

    await asyncio.gather(*(run(number) for number in range(CASES)))


async def exchange(server: Server, case: Conversation) -> bytes:
    """Send the bytes, and return what the server sends until it closes the connection."""
    reader, writer = await asyncio.open_connection(server.host, server.port)
    try:
        for part in case.parts:
            writer.write(part)
            await asyncio.sleep(0)
        return await asyncio.wait_for(reader.read(), 60)
    finally:
        writer.close()


def check(case: Conversation, received: bytes) -> None:
    responses = list(parse(received))
    statuses = [status for status, _ in responses]
    if case.is_random:
        assert set(statuses) <= STATUSES
        return
    answered = len(case.statuses)
    if case.is_valid:  # a response that is sent before the end of the request ends the connection
        assert statuses
        assert statuses == case.statuses[: len(statuses)]
    else:
        known = statuses[:answered]
        assert known == case.statuses[: len(known)]
        assert len(statuses) <= answered + 1
        assert set(statuses[answered:]) <= {404, 405, *REJECTED}
    assert sum(b'"ok"' in body for _, body in responses) <= case.statuses.count(200)


def parse(received: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the status and the body of each response."""
    while received:
        head = HEAD.match(received)
        assert head, received[:200]
        status, length = int(head[1]), re.search(rb"content-length: (\d+)\r\n", head[2])
        assert length
        end = head.end() + int(length[1])
        assert len(received) >= end
        yield status, received[head.end() : end]
        received = received[end:]
