"""`Client` and `AsyncClient`: the tools of a server as methods."""

import copy
import time
from typing import ParamSpec, Self, TypeVar

import anyio
import httpx

from mediakit.client import wire
from mediakit.client.retries import DEFAULT_RETRIES, Attempts, check_retries
from mediakit.core.public_names import PublicNames
from mediakit.core.tool import AsyncToolClient, Tool, ToolClient, ToolResult
from mediakit.tools.toolbox import Toolbox
from mediakit.usage import Usage, UsageReport

P = ParamSpec("P")
R = TypeVar("R", bound=ToolResult)

DEFAULT_URL = "http://127.0.0.1:8000"
REQUEST_TIMEOUT = httpx.Timeout(90, connect=10)
"""Seconds: a render can wait in the queue, for slow resources and for its own `wait_ms`."""


class Client(PublicNames, Toolbox, ToolClient):
    """A server's tools as methods: `Client(url, api_key=...).qr("hi")`.

    Args:
        base_url: Address of the server.
        api_key: The API key; the environment variable `MEDIAKIT_API_KEY` by default.
        retries: Maximum number of retries of a call whose connection is lost or whose server is busy; 0 for none. A
            call is charged once, because all of its attempts have the same idempotency key.
        transport: HTTP transport, for example for tests.

    Raises:
        InvalidInput: The address does not begin with http:// or https://, or `retries` is negative.
        InvalidKey: The key contains characters that are not valid in a key.
    """

    def __init__(
        self,
        base_url: str = DEFAULT_URL,
        *,
        api_key: str | None = None,
        retries: int = DEFAULT_RETRIES,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        wire.check_base_url(base_url)
        self._retries = check_retries(retries)
        self._idempotency_key: str | None = None
        self._http = httpx.Client(
            base_url=base_url, headers=wire.headers(api_key), timeout=REQUEST_TIMEOUT, transport=transport
        )

    def call(self, tool: Tool[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool on the server.

        Raises:
            InvalidInput: A value is invalid; the request was not sent.
            MediakitError: The server's error, as the class that the tool itself would raise.
        """
        request, body = wire.encode(tool, tool.bind(*args, **kwargs))
        with wire.connection_errors(self._http.base_url):
            response = self._post(tool.path, body)
        return tool.finish(request, tool.result.from_envelope(wire.decode(response)))

    def with_idempotency_key(self, key: str) -> Self:
        """Return this client with an idempotency key of your own for its next call.

        The key is known before the call, for example the number of an order, so that a call that is repeated later, or
        by another process, is charged once. Both clients share their connections.
        """
        client = copy.copy(self)
        client._idempotency_key = key  # noqa: SLF001  # the same class
        return client

    def status(self) -> Usage:
        """Return the account's plan and the credits used. The call costs no credit."""
        with wire.connection_errors(self._http.base_url):
            response = self._http.get("/status")
        return wire.usage(wire.decode(response))

    def usage(self, days: int = 30, recent: int = 20) -> UsageReport:
        """Return the calls per day and per tool, and the newest calls. The call costs no credit.

        Args:
            days: Number of days in UTC, including today; at most 90.
            recent: Maximum number of recent calls; at most 200.
        """
        with wire.connection_errors(self._http.base_url):
            response = self._http.get("/usage", params={"days": days, "recent": recent})
        return wire.usage_report(wire.decode(response))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _post(self, path: str, body: bytes) -> httpx.Response:
        attempts = Attempts(self._retries, self._idempotency_key)
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = self._http.post(path, content=body, headers=attempts.headers)
            except httpx.TransportError as error:
                outcome = error
            if (delay := attempts.delay_after(outcome)) is None:
                return _response(outcome)
            time.sleep(delay)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<mediakit.Client {self._http.base_url}>"


class AsyncClient(PublicNames, Toolbox, AsyncToolClient):
    """The same as `Client`, with every call awaited."""

    def __init__(
        self,
        base_url: str = DEFAULT_URL,
        *,
        api_key: str | None = None,
        retries: int = DEFAULT_RETRIES,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        wire.check_base_url(base_url)
        self._retries = check_retries(retries)
        self._idempotency_key: str | None = None
        self._http = httpx.AsyncClient(
            base_url=base_url, headers=wire.headers(api_key), timeout=REQUEST_TIMEOUT, transport=transport
        )

    async def call(self, tool: Tool[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool on the server; raises as `Client.call` does."""
        request, body = wire.encode(tool, tool.bind(*args, **kwargs))
        with wire.connection_errors(self._http.base_url):
            response = await self._post(tool.path, body)
        return tool.finish(request, tool.result.from_envelope(wire.decode(response)))

    def with_idempotency_key(self, key: str) -> Self:
        """Return this client with an idempotency key of your own for its next call, as `Client` does."""
        client = copy.copy(self)
        client._idempotency_key = key  # noqa: SLF001  # the same class
        return client

    async def status(self) -> Usage:
        """Return the account's plan and the credits used. The call costs no credit."""
        with wire.connection_errors(self._http.base_url):
            response = await self._http.get("/status")
        return wire.usage(wire.decode(response))

    async def usage(self, days: int = 30, recent: int = 20) -> UsageReport:
        """Return the calls per day and per tool, and the newest calls, as `Client.usage` does."""
        with wire.connection_errors(self._http.base_url):
            response = await self._http.get("/usage", params={"days": days, "recent": recent})
        return wire.usage_report(wire.decode(response))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def _post(self, path: str, body: bytes) -> httpx.Response:
        attempts = Attempts(self._retries, self._idempotency_key)
        while True:
            outcome: httpx.Response | httpx.TransportError
            try:
                outcome = await self._http.post(path, content=body, headers=attempts.headers)
            except httpx.TransportError as error:
                outcome = error
            if (delay := attempts.delay_after(outcome)) is None:
                return _response(outcome)
            await anyio.sleep(delay)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"<mediakit.AsyncClient {self._http.base_url}>"


def _response(outcome: httpx.Response | httpx.TransportError) -> httpx.Response:
    """Return the response of the last attempt, or raise its error."""
    if isinstance(outcome, httpx.TransportError):
        raise outcome
    return outcome
