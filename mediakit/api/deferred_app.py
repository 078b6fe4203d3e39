"""An ASGI app that loads the real app in a thread, because importing accounts and tools takes about a second."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from mediakit.api.static_routes import static_endpoint
from mediakit.errors import MediakitError

if TYPE_CHECKING:
    from starlette.applications import Starlette

log = logging.getLogger(__name__)


class DeferredApp:
    """Serves static routes immediately, and other requests after the real app has loaded.

    The real app starts to load when the lifespan of this app starts. Both lifespans end together.
    """

    def __init__(self, create_app: "Callable[[], Starlette]") -> None:
        self._create_app = create_app
        self._app: Starlette | None = None
        self._loading: asyncio.Task[None] | None = None
        self._lifespan = AsyncExitStack()

    @property
    def failure(self) -> MediakitError | None:
        """The error that prevented the app from loading; None during loading and after success."""
        task = self._loading
        error = task.exception() if task and task.done() and not task.cancelled() else None
        if error is None or isinstance(error, MediakitError):
            return error
        return MediakitError(f"The server could not start ({type(error).__name__}: {error}).")

    async def wait_until_loaded(self) -> None:
        """Wait until the app has loaded.

        Raises:
            MediakitError: The app could not be loaded.
        """
        assert self._loading  # noqa: S101  # the lifespan has started
        await asyncio.wait([self._loading])
        if error := self.failure:
            raise error

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, or run the lifespan."""
        if scope["type"] == "lifespan":
            await self._run_lifespan(receive, send)
        elif self._app:
            await self._app(scope, receive, send)
        elif scope["method"] in ("GET", "HEAD") and (endpoint := static_endpoint(scope["path"])):
            response = await endpoint(Request(scope, receive))
            await response(scope, receive, send)
        else:
            await self._serve_when_loaded(scope, receive, send)

    async def _serve_when_loaded(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.wait_until_loaded()
        except MediakitError as error:
            from mediakit.api.error_responses import error_response

            await error_response(error)(scope, receive, send)
        else:
            assert self._app  # noqa: S101  # it has loaded
            await self._app(scope, receive, send)

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self._loading = asyncio.create_task(self._load())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await asyncio.wait([self._loading])
        await self._lifespan.aclose()
        await send({"type": "lifespan.shutdown.complete"})

    async def _load(self) -> None:
        try:
            app = await asyncio.get_running_loop().run_in_executor(None, self._create_app)
            await self._lifespan.enter_async_context(app.router.lifespan_context(app))
        except Exception as error:
            log.warning("The server could not start: %s", error)
            raise
        self._app = app
