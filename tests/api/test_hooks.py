"""Hooks: functions that a program registers for the calls of its server."""

import logging
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

import httpx
import pytest

import mediakit
from mediakit import errors
from mediakit.api.hooks import CallEvent, Hook, QuotaEvent, hooks
from mediakit.server import Server
from tests.conftest import open_api

E = TypeVar("E")


class Received(Generic[E]):
    """A function that collects events."""

    def __init__(self) -> None:
        self.events: list[E] = []
        self._changed = threading.Condition()

    def __call__(self, event: E) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    def wait(self, is_complete: Callable[[list[E]], bool]) -> list[E]:
        with self._changed:
            assert self._changed.wait_for(lambda: is_complete(self.events), 30), self.events
            return list(self.events)


@pytest.fixture(autouse=True)
def _remove_hooks() -> Iterator[None]:
    yield
    hooks._hooks = ()


def test_call_hook_receives_calls_that_succeed_and_fail(server: Server) -> None:
    received: Received[CallEvent] = Received()
    with mediakit.on("call", received):
        for size in (300, 5):
            values = {"data": "hi", "size": size}
            httpx.post(f"{server.url}/qr", json=values, headers={"x-api-key": server.key}, timeout=60)
        events = received.wait(lambda events: len(events) == 2)
    assert [(event.tool, event.status) for event in events] == [("qr", 200), ("qr", 400)]
    assert events[0].email == "local@mediakit.invalid"
    assert server.key.split("_")[2] == events[0].key_id
    assert events[0].request_id != events[1].request_id
    assert all(event.milliseconds >= 0 for event in events)


@pytest.mark.anyio
async def test_quota_hooks_are_called_once_a_month(tmp_path: Path) -> None:
    received: Received[tuple[str, QuotaEvent]] = Received()
    mediakit.on("quota_warning", lambda event: received(("warning", event)))
    mediakit.on("quota_used_up", lambda event: received(("used up", event)))
    async for api in open_api(tmp_path, plan="free", rates={"free": 0}):
        statuses = [(await api.json("/qr", {"data": "x"})).status_code for _ in range(52)]
        assert statuses == [200] * 50 + [429] * 2
        reset = (await api.status())["reset"]
    events = received.wait(lambda events: len(events) >= 2)
    assert events == [
        ("warning", QuotaEvent("ada@example.com", "free", 40, 50, str(reset))),
        ("used up", QuotaEvent("ada@example.com", "free", 50, 50, str(reset))),
    ]


def test_error_in_hook_is_logged_and_breaks_no_call(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    received: Received[CallEvent] = Received()

    def fail(_event: CallEvent) -> None:
        raise RuntimeError("hook")

    with caplog.at_level(logging.ERROR), mediakit.on("call", fail), mediakit.on("call", received):
        with mediakit.Client(server.url, api_key=server.key) as client:
            client.qr("hi")
            client.qr("hi")
        received.wait(lambda events: len(events) == 2)
    assert [record.getMessage() for record in caplog.records] == ["A hook of 'call' failed."] * 2


def test_removed_hook_is_not_called(server: Server) -> None:
    removed: Received[CallEvent] = Received()
    kept: Received[CallEvent] = Received()
    hook = mediakit.on("call", removed)
    mediakit.on("call", kept)
    hook.remove()
    hook.remove()
    with mediakit.Client(server.url, api_key=server.key) as client:
        client.qr("hi")
    kept.wait(lambda events: len(events) == 1)
    assert removed.events == []


async def _async_function(_event: Any) -> None:
    pass


def test_on_rejects_unknown_event_and_async_function() -> None:
    with pytest.raises(errors.InvalidInput, match="event: must be one of call, quota_warning, quota_used_up, got 'x'"):
        mediakit.on("x", print)  # type: ignore[call-overload]
    with pytest.raises(errors.InvalidInput, match="function: must not be async"):
        mediakit.on("call", _async_function)
    assert "quota_warning" in repr(Hook("quota_warning", print))
