"""The document of a page, with a session that answers late."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from mediakit.engines.browser.page import Document
from mediakit.engines.browser.protocol import Session


class SlowSession(Session):
    """A session with Chromium that answers no navigation."""

    def __init__(self) -> None:
        super().__init__()
        self.navigates = asyncio.Event()

    async def send(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:  # noqa: ARG002
        """Return the answer to a command."""
        if method == "Page.navigate":
            self.navigates.set()
            await asyncio.Event().wait()
        return {"frameTree": {"frame": {"id": "1"}}}


@pytest.mark.anyio
async def test_request_that_is_paused_after_the_timeout_is_ignored() -> None:
    session = SlowSession()
    opened = asyncio.ensure_future(Document.in_page(session))
    await session.navigates.wait()
    opened.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opened
    session.emit("Fetch.requestPaused", {"requestId": "1"})
