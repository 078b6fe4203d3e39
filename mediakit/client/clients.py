"""`Client` and `AsyncClient`: the tools of a server as methods."""

import copy
import uuid
from typing import Any, ParamSpec, Self, TypeVar

import httpx
from pydantic import TypeAdapter

from mediakit.client import transport as wire
from mediakit.core.introspection import PublicNames
from mediakit.core.runtime import runtime
from mediakit.core.tool import AsyncToolClient, Tool, ToolClient, ToolResult
from mediakit.errors import InvalidInput
from mediakit.tools.toolbox import Toolbox
from mediakit.usage import Usage, UsageReport

P = ParamSpec("P")
R = TypeVar("R", bound=ToolResult)

DEFAULT_URL = "http://127.0.0.1:8000"


class _ServerClient(PublicNames, Toolbox):
    """What both clients share: the connection, and the requests that are sent over it."""

    def __init__(
        self,
        base_url: str = DEFAULT_URL,
        *,
        api_key: str | None = None,
        retries: int = wire.DEFAULT_RETRIES,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        if retries < 0:
            raise InvalidInput(f"retries: must be at least 0, got {retries}.")
        self._http = wire.open_connection(base_url, api_key, transport)
        self._retries = retries
        self._idempotency_key: str | None = None

    def with_idempotency_key(self, key: str) -> Self:
        """Return this client with an idempotency key of your own for its next call.

        The key is known before the call, for example the number of an order, so that a call that is repeated later, or
        by another process, is charged once. Both clients share their connections.
        """
        client = copy.copy(self)
        client._idempotency_key = key  # noqa: SLF001  # the same class
        return client

    async def _post(self, path: str, body: bytes) -> httpx.Response:
        headers = {wire.IDEMPOTENCY_HEADER: self._idempotency_key or str(uuid.uuid4())}
        request = self._http.build_request("POST", path, content=body, headers=headers)
        return await wire.send(self._http, request, retries=self._retries)

    async def _get(self, path: str, **params: int) -> dict[str, Any]:
        return wire.decode(await wire.send(self._http, self._http.build_request("GET", path, params=params)))

    def __repr__(self) -> str:
        return f"<mediakit.{type(self).__name__} {self._http.base_url}>"


class Client(_ServerClient, ToolClient):
    """A server's tools as methods: `Client(url, api_key=...).qr("hi")`.

    Args:
        base_url: Address of the server.
        api_key: The API key; the environment variable `MEDIAKIT_API_KEY` by default.
        retries: Maximum number of retries of a call whose connection is lost or whose server is busy; 0 for none. A
            call is charged once, because all of its attempts have the same idempotency key.
        transport: HTTP transport, for example for tests. It is used on mediakit's background event loop.

    Raises:
        InvalidInput: The address does not begin with http:// or https://, or `retries` is negative.
        InvalidKey: The key contains characters that are not valid in a key.
    """

    def call(self, tool: Tool[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool on the server.

        Raises:
            InvalidInput: A value is invalid; the request was not sent.
            MediakitError: The server's error, as the class that the tool itself would raise.
        """
        request, body = wire.encode(tool, tool.arguments.bind(*args, **kwargs))
        return wire.result(tool, request, runtime.run(self._post(tool.path, body)))

    def status(self) -> Usage:
        """Return the account's plan and the credits used. The call costs no credit."""
        return TypeAdapter(Usage).validate_python(runtime.run(self._get("/status")))

    def usage(self, days: int = 30, recent: int = 20) -> UsageReport:
        """Return the calls per day and per tool, and the newest calls. The call costs no credit.

        Args:
            days: Number of days in UTC, including today; at most 90.
            recent: Maximum number of recent calls; at most 200.
        """
        body = runtime.run(self._get("/usage", days=days, recent=recent))
        return TypeAdapter(UsageReport).validate_python(body)

    def close(self) -> None:
        """Close the connections."""
        runtime.run(self._http.aclose())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(_ServerClient, AsyncToolClient):
    """The same as `Client`, with every call awaited."""

    async def call(self, tool: Tool[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool on the server; raises as `Client.call` does."""
        request, body = wire.encode(tool, tool.arguments.bind(*args, **kwargs))
        return wire.result(tool, request, await self._post(tool.path, body))

    async def status(self) -> Usage:
        """Return the account's plan and the credits used. The call costs no credit."""
        return TypeAdapter(Usage).validate_python(await self._get("/status"))

    async def usage(self, days: int = 30, recent: int = 20) -> UsageReport:
        """Return the calls per day and per tool, and the newest calls, as `Client.usage` does."""
        return TypeAdapter(UsageReport).validate_python(await self._get("/usage", days=days, recent=recent))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
