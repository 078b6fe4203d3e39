"""Call a mediakit server as if its tools were here: the same names, results and exceptions."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, Self, TypeVar

import httpx
import pybase64
from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from mediakit.core.tool import AsyncCaller, Caller, Tool
from mediakit.core.usage import Usage
from mediakit.errors import InvalidInput, InvalidKey, MediakitError, ServerUnreachable
from mediakit.results.result import Result
from mediakit.tools.catalogue import Toolbox

P = ParamSpec("P")
R = TypeVar("R", bound=Result)

LOCAL = "http://127.0.0.1:8000"
TIMEOUT = httpx.Timeout(90, connect=10)
"""Seconds; a render may wait for its turn, for slow resources and for its own `wait_ms`."""


class Client(Toolbox, Caller):
    """A server's tools as methods: `Client(url, api_key=...).qr("hi")`.

    Args:
        base_url: Address of the server.
        api_key: The key; the variable `MEDIAKIT_API_KEY` when left out.
        transport: Carries the requests; tests put their own here.

    Raises:
        InvalidInput: The address is no URL of HTTP.
        InvalidKey: The key holds characters that no key has.
    """

    def __init__(
        self, base_url: str = LOCAL, *, api_key: str | None = None, transport: httpx.BaseTransport | None = None
    ) -> None:
        _check_address(base_url)
        self._http = httpx.Client(base_url=base_url, headers=_headers(api_key), timeout=TIMEOUT, transport=transport)

    def call(self, tool: Tool[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool on the server.

        Raises:
            InvalidInput: A value breaks a rule; nothing was sent.
            MediakitError: What the server answered, as the class that the tool itself would raise.
        """
        asked = tool.build(*args, **kwargs)
        body = _body(asked, tool.bind(*args, **kwargs))
        with _reaching(self._http.base_url):
            response = self._http.post(tool.path, content=body)
        return tool.described(asked, tool.result.from_envelope(_answer(response)))

    def status(self) -> Usage:
        """Report the account's plan and the credits used; free."""
        with _reaching(self._http.base_url):
            response = self._http.get("/status")
        return _usage(_answer(response))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<mediakit.Client {self._http.base_url}>"


class AsyncClient(Toolbox, AsyncCaller):
    """The same as `Client`, with every call awaited."""

    def __init__(
        self, base_url: str = LOCAL, *, api_key: str | None = None, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        _check_address(base_url)
        self._http = httpx.AsyncClient(
            base_url=base_url, headers=_headers(api_key), timeout=TIMEOUT, transport=transport
        )

    async def call(self, tool: Tool[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call a tool on the server; raises as `Client.call` does."""
        asked = tool.build(*args, **kwargs)
        body = _body(asked, tool.bind(*args, **kwargs))
        with _reaching(self._http.base_url):
            response = await self._http.post(tool.path, content=body)
        return tool.described(asked, tool.result.from_envelope(_answer(response)))

    async def status(self) -> Usage:
        """Report the account's plan and the credits used; free."""
        with _reaching(self._http.base_url):
            response = await self._http.get("/status")
        return _usage(_answer(response))

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
    key = (api_key or os.environ.get("MEDIAKIT_API_KEY", "")).strip()  # a key read from a file ends its line
    if not key.isascii() or not key.isprintable():
        raise InvalidKey("api_key: a key has letters, digits and _ alone; copy it again.")
    return {"content-type": "application/json"} | ({"x-api-key": key} if key else {})


def _check_address(base_url: str) -> None:
    if not base_url.startswith(("http://", "https://")):
        raise InvalidInput(f"base_url: must begin with http:// or https://, got {base_url!r}.")


def _body(asked: Any, given: dict[str, Any]) -> bytes:
    """Write what was given as JSON, files as base64; what was left out is left to the server."""
    values = {name: getattr(asked, name, value) for name, value in given.items()}
    return to_json({name: _portable(value) for name, value in values.items() if value is not None})


def _portable(value: Any) -> Any:
    return pybase64.b64encode(value).decode() if isinstance(value, bytes) else value


def _answer(response: httpx.Response) -> dict[str, Any]:
    try:
        body = from_json(response.content)
    except ValueError:
        body = {"error": f"The server answered HTTP {response.status_code} without saying why."}
    if response.is_success:
        return dict(body)
    raise MediakitError.from_body(response.status_code, body)


def _usage(body: dict[str, Any]) -> Usage:
    return TypeAdapter(Usage).validate_python(body)


@contextmanager
def _reaching(base_url: httpx.URL) -> Iterator[None]:
    try:
        yield
    except httpx.TransportError as error:
        reason = f"No answer from {base_url} ({type(error).__name__}). Is `mediakit serve` running there?"
        raise ServerUnreachable(reason) from error
