"""Clients of a mediakit server: the same names, results and exceptions as the local tools."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ParamSpec, Self, TypeVar

import httpx
import pybase64
from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from mediakit.core.files import FileBytes
from mediakit.core.tool import AsyncToolClient, Tool, ToolClient, ToolResult
from mediakit.core.usage import Usage
from mediakit.errors import InvalidInput, InvalidKey, MediakitError, ServerUnreachable
from mediakit.tools.toolbox import Toolbox

P = ParamSpec("P")
R = TypeVar("R", bound=ToolResult)

DEFAULT_URL = "http://127.0.0.1:8000"
REQUEST_TIMEOUT = httpx.Timeout(90, connect=10)
"""Seconds: a render can wait in the queue, for slow resources and for its own `wait_ms`."""


class Client(Toolbox, ToolClient):
    """A server's tools as methods: `Client(url, api_key=...).qr("hi")`.

    Args:
        base_url: Address of the server.
        api_key: The API key; the environment variable `MEDIAKIT_API_KEY` by default.
        transport: HTTP transport, for example for tests.

    Raises:
        InvalidInput: The address does not begin with http:// or https://.
        InvalidKey: The key contains characters that are not valid in a key.
    """

    def __init__(
        self, base_url: str = DEFAULT_URL, *, api_key: str | None = None, transport: httpx.BaseTransport | None = None
    ) -> None:
        _check_base_url(base_url)
        self._http = httpx.Client(
            base_url=base_url, headers=_headers(api_key), timeout=REQUEST_TIMEOUT, transport=transport
        )

    def call(self, tool: Tool[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool on the server.

        Raises:
            InvalidInput: A value is invalid; the request was not sent.
            MediakitError: The server's error, as the class that the tool itself would raise.
        """
        request, body = _encode(tool, tool.bind(*args, **kwargs))
        with _connection_errors(self._http.base_url):
            response = self._http.post(tool.path, content=body)
        return tool.finish(request, tool.result.from_envelope(_decode(response)))

    def status(self) -> Usage:
        """Return the account's plan and the credits used. The call costs no credit."""
        with _connection_errors(self._http.base_url):
            response = self._http.get("/status")
        return _usage(_decode(response))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<mediakit.Client {self._http.base_url}>"


class AsyncClient(Toolbox, AsyncToolClient):
    """The same as `Client`, with every call awaited."""

    def __init__(
        self,
        base_url: str = DEFAULT_URL,
        *,
        api_key: str | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        _check_base_url(base_url)
        self._http = httpx.AsyncClient(
            base_url=base_url, headers=_headers(api_key), timeout=REQUEST_TIMEOUT, transport=transport
        )

    async def call(self, tool: Tool[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool on the server; raises as `Client.call` does."""
        request, body = _encode(tool, tool.bind(*args, **kwargs))
        with _connection_errors(self._http.base_url):
            response = await self._http.post(tool.path, content=body)
        return tool.finish(request, tool.result.from_envelope(_decode(response)))

    async def status(self) -> Usage:
        """Return the account's plan and the credits used. The call costs no credit."""
        with _connection_errors(self._http.base_url):
            response = await self._http.get("/status")
        return _usage(_decode(response))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"<mediakit.AsyncClient {self._http.base_url}>"


def _headers(api_key: str | None) -> dict[str, str]:
    key = (api_key or os.environ.get("MEDIAKIT_API_KEY", "")).strip()  # a key read from a file ends with a newline
    if not key.isascii() or not key.isprintable():
        raise InvalidKey("api_key: must contain only letters, digits and _; copy the key again.")
    return {"content-type": "application/json"} | ({"x-api-key": key} if key else {})


def _check_base_url(base_url: str) -> None:
    if not base_url.startswith(("http://", "https://")):
        raise InvalidInput(f"base_url: must begin with http:// or https://, got {base_url!r}.")


def _encode(tool: Tool[..., Any], values: Mapping[str, Any]) -> tuple[Any, bytes]:
    """Return the validated request and its JSON body. Options that were not passed are left to the server."""
    request = tool.validate(values)
    body = {name: getattr(request, name, value) for name, value in values.items()}
    return request, to_json({name: _portable(value) for name, value in body.items() if value is not None})


def _portable(value: Any) -> Any:
    """Return a value with its files encoded as base64, with their names."""
    if isinstance(value, list):
        return [_portable(item) for item in value]
    if not isinstance(value, bytes):
        return value
    text = pybase64.b64encode(value).decode()
    return {"name": value.name, "file": text} if isinstance(value, FileBytes) and value.name else text


def _decode(response: httpx.Response) -> dict[str, Any]:
    try:
        body = from_json(response.content)
    except ValueError:
        body = {"error": f"The server returned HTTP {response.status_code} without an error message."}
    if response.is_success:
        return dict(body)
    raise MediakitError.from_body(response.status_code, body)


def _usage(body: dict[str, Any]) -> Usage:
    return TypeAdapter(Usage).validate_python(body)


@contextmanager
def _connection_errors(base_url: httpx.URL) -> Iterator[None]:
    try:
        yield
    except httpx.TransportError as error:
        reason = f"No response from {base_url} ({type(error).__name__}). Is `mediakit serve` running there?"
        raise ServerUnreachable(reason) from error
