"""Sends a response in parts, so that a slow client does not make the server buffer all of it."""

from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

if TYPE_CHECKING:
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

    from mediakit.api.connection_timers import WriteWatch

WRITE_BYTES = 256 * 1024
"""Largest part of a body that is written at once. The next part waits until the client has read most of it."""


class ResponseWriter:
    """An ASGI app around the app, for one request of a connection."""

    __slots__ = ("_app", "_cycle", "_watch")

    def __init__(self, app: ASGIApp, cycle: "RequestResponseCycle", watch: "WriteWatch") -> None:
        self._app = app
        self._cycle = cycle
        self._watch = watch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the app."""

        async def send_in_parts(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._start()
            elif len(message.get("body", b"")) > WRITE_BYTES:
                await _send_parts(message, send)
                return
            await send(message)

        await self._app(scope, receive, send_in_parts)

    def _start(self) -> None:
        self._watch.start_response()
        if self._cycle.more_body:  # the rest of the request is not read, so the connection cannot be used again
            self._cycle.keep_alive = False


async def _send_parts(message: Message, send: Send) -> None:
    body, more_body = memoryview(message["body"]), message.get("more_body", False)
    for start in range(0, len(body), WRITE_BYTES):
        end = start + WRITE_BYTES
        is_last = end >= len(body)
        await send({"type": message["type"], "body": body[start:end], "more_body": more_body or not is_last})
