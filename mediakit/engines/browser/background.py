"""Tasks that answer events of a page. They end without an error when the page closes."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from mediakit.engines.browser.protocol import ProtocolError


class EventTasks:
    """Runs coroutines for events, whose senders do not wait."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Start a coroutine. An error of a page that has closed is ignored."""
        task = asyncio.ensure_future(_ignore_closed(coroutine))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _ignore_closed(coroutine: Coroutine[Any, Any, Any]) -> None:
    with suppress(ProtocolError):
        await coroutine
