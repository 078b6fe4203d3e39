"""An app that answers from the first moment, while a thread loads the rest of it: accounts and tools take a second."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from mediakit.api.still import STILL
from mediakit.errors import MediakitError

if TYPE_CHECKING:
    from starlette.applications import Starlette

log = logging.getLogger(__name__)


class Opening:
    """Stands for an app that is still being made: its page is there at once, every other request waits for it.

    It begins to make the app when its own life begins, and ends the app's life with its own.
    """

    def __init__(self, make: "Callable[[], Starlette]") -> None:
        self._make = make
        self._app: Starlette | None = None
        self._opened: asyncio.Task[None] | None = None
        self._lives = AsyncExitStack()

    @property
    def failure(self) -> MediakitError | None:
        """Why the app could not be made; None while it is being made, and once it is there."""
        task = self._opened
        error = task.exception() if task and task.done() and not task.cancelled() else None
        if error is None or isinstance(error, MediakitError):
            return error
        return MediakitError(f"The server could not start ({type(error).__name__}: {error}).")

    async def opened(self) -> None:
        """Wait until the app is there.

        Raises:
            MediakitError: It could not be made.
        """
        assert self._opened  # noqa: S101  # its life has begun
        await asyncio.wait([self._opened])
        if error := self.failure:
            raise error

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or live."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif self._app:
            await self._app(scope, receive, send)
        elif scope["method"] == "GET" and (page := STILL.get(scope["path"])):
            response = await page(Request(scope, receive))
            await response(scope, receive, send)
        else:
            await self._answer_later(scope, receive, send)

    async def _answer_later(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.opened()
        except MediakitError as error:
            from mediakit.api.answers import refused

            await refused(error)(scope, receive, send)
        else:
            assert self._app  # noqa: S101  # it is open
            await self._app(scope, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self._opened = asyncio.create_task(self._open())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await asyncio.wait([self._opened])
        await self._lives.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    async def _open(self) -> None:
        try:
            app = await asyncio.get_running_loop().run_in_executor(None, self._make)
            await self._lives.enter_async_context(app.router.lifespan_context(app))
        except Exception as error:
            log.warning("The server cannot answer: %s", error)
            raise
        self._app = app
