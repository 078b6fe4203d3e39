"""The document of a page, with a session that answers late."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest
from playwright.async_api import CDPSession

from mediakit.engines.browser.document import Document


class SlowSession:
    """A session with Chromium that answers no navigation."""

    def __init__(self) -> None:
        self.listeners: dict[str, Callable[[dict[str, Any]], None]] = {}
        self.navigates = asyncio.Event()

    def on(self, event: str, listener: Callable[[dict[str, Any]], None]) -> None:
        """Add a listener."""
        self.listeners[event] = listener

    once = on

    async def send(self, method: str, _params: object = None) -> dict[str, Any]:
        """Return the answer to a command."""
        if method == "Page.navigate":
            self.navigates.set()
            await asyncio.Event().wait()
        return {"frameTree": {"frame": {"id": "1"}}}


@pytest.mark.anyio
async def test_request_that_is_paused_after_the_timeout_is_ignored() -> None:
    session = SlowSession()
    opened = asyncio.ensure_future(Document.in_page(cast("CDPSession", session)))
    await session.navigates.wait()
    opened.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opened
    session.listeners["Fetch.requestPaused"]({"requestId": "1"})
