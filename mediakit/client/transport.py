"""Requests and responses of a client: headers, JSON bodies, errors of connections, and which calls are repeated.

Every call has an idempotency key, so the server charges a repeated call once. Temporary failures are repeated: lost
connections, responses of a proxy whose server does not respond, and a busy server. Timeouts are not repeated.
"""

import os
import random
import time
from collections.abc import Mapping
from typing import Any, TypeVar

import anyio
import httpx
import pybase64
from pydantic_core import from_json, to_json

from mediakit.core.inputs import FileBytes
from mediakit.core.tool import Tool, ToolResult
from mediakit.errors import CallInProgress, InvalidInput, InvalidKey, MediakitError, ServerBusy, ServerUnreachable
from mediakit.results.envelope import parse

R = TypeVar("R", bound=ToolResult)

IDEMPOTENCY_HEADER = "Idempotency-Key"
DEFAULT_RETRIES = 3
REQUEST_TIMEOUT = httpx.Timeout(90, connect=10)
"""Seconds: a render can wait in the queue, for slow resources and for its own `wait_ms`."""
FIRST_DELAY_SECONDS = 0.25
"""Wait before the first retry; doubled for each further one."""
MAX_DELAY_SECONDS = 30.0
"""Longest wait. An error that asks for a longer one is raised."""
MAX_PROGRESS_SECONDS = 120.0
"""Time to wait for the response of an attempt that still runs after its connection was lost."""

_LOST_CONNECTION = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.ConnectTimeout)
_GATEWAY_STATUSES = frozenset((502, 503, 504))


def open_connection(
    base_url: str, api_key: str | None, transport: httpx.AsyncBaseTransport | None = None
) -> httpx.AsyncClient:
    """Return an HTTP client that sends the headers of every request.

    Raises:
        InvalidInput: The address does not begin with http:// or https://.
        InvalidKey: The key contains characters that are not valid in a key.
    """
    if not base_url.startswith(("http://", "https://")):
        raise InvalidInput(f"base_url: must begin with http:// or https://, got {base_url!r}.")
    key = (api_key or os.environ.get("MEDIAKIT_API_KEY", "")).strip()  # a key read from a file ends with a newline
    if not key.isascii() or not key.isprintable():
        raise InvalidKey("api_key: must contain only letters, digits and _; copy the key again.")
    headers = {"content-type": "application/json"} | ({"x-api-key": key} if key else {})
    return httpx.AsyncClient(base_url=base_url, headers=headers, timeout=REQUEST_TIMEOUT, transport=transport)


async def send(http: httpx.AsyncClient, request: httpx.Request, *, retries: int = 0) -> httpx.Response:
    """Send a request, and repeat it after temporary failures.

    Raises:
        ServerUnreachable: The last attempt had no response.
    """
    attempts = _Attempts(retries)
    while True:
        outcome: httpx.Response | httpx.TransportError
        try:
            outcome = await http.send(request)
        except httpx.TransportError as error:
            outcome = error
        if (delay := attempts.delay_after(outcome)) is not None:
            await anyio.sleep(delay)
        elif isinstance(outcome, httpx.Response):
            return outcome
        else:
            reason = f"No response from {http.base_url} ({type(outcome).__name__}). Is `mediakit serve` running there?"
            raise ServerUnreachable(reason) from outcome


def encode(tool: Tool[..., Any], values: Mapping[str, Any]) -> tuple[Any, bytes]:
    """Return the validated request and its JSON body. Options that were not passed are left to the server."""
    request = tool.validate(values)
    body = {name: getattr(request, name, value) for name, value in values.items()}
    return request, to_json({name: _portable(value) for name, value in body.items() if value is not None})


def result(tool: Tool[..., R], request: Any, response: httpx.Response) -> R:
    """Return the result of a call from its response.

    Raises:
        MediakitError: The response is an error.
    """
    return tool.finish(request, parse(tool, decode(response)))


def decode(response: httpx.Response) -> dict[str, Any]:
    """Return the JSON body of a response.

    Raises:
        MediakitError: The response is an error.
    """
    try:
        body = from_json(response.content)
    except ValueError:
        body = {"error": f"The server returned HTTP {response.status_code} without an error message."}
    if response.is_success:
        return dict(body)
    raise MediakitError.from_body(response.status_code, body)


class _Attempts:
    """The attempts of one call; `retries` 0 sends the request once."""

    def __init__(self, retries: int) -> None:
        self._left = retries
        self._delay = FIRST_DELAY_SECONDS
        self._progress_deadline = time.monotonic() + MAX_PROGRESS_SECONDS if retries else 0.0

    def delay_after(self, outcome: httpx.Response | httpx.TransportError) -> float | None:
        """Return the seconds to wait before the next attempt; None if the call must not be repeated."""
        if isinstance(outcome, httpx.TransportError):
            return self._next_delay(0.0) if isinstance(outcome, _LOST_CONNECTION) else None
        # Seconds in the header; 1 for other forms of it.
        text = outcome.headers.get("retry-after", "0")
        wait = float(text) if text.isdecimal() else 1.0
        if outcome.status_code == CallInProgress.status:
            return wait if time.monotonic() + wait < self._progress_deadline else None
        is_temporary = outcome.status_code == ServerBusy.status or _is_from_gateway(outcome)
        return self._next_delay(wait) if is_temporary and wait <= MAX_DELAY_SECONDS else None

    def _next_delay(self, at_least: float) -> float | None:
        if not self._left:
            return None
        self._left -= 1
        delay, self._delay = self._delay, self._delay * 2
        return max(at_least, delay * random.uniform(0.5, 1.0))  # noqa: S311  # spreads clients, protects nothing


def _is_from_gateway(response: httpx.Response) -> bool:
    """Return whether a proxy responded, because its server did not."""
    if response.status_code not in _GATEWAY_STATUSES:
        return False
    try:
        body = from_json(response.content)
    except ValueError:
        return True
    return not (isinstance(body, dict) and isinstance(body.get("error"), str))


def _portable(value: Any) -> Any:
    """Return a value with its files encoded as base64, with their names."""
    if isinstance(value, list):
        return [_portable(item) for item in value]
    if not isinstance(value, bytes):
        return value
    text = pybase64.b64encode(value).decode()
    name = (value.full_name or value.name) if isinstance(value, FileBytes) else ""
    return {"name": name, "file": text} if name else text
