"""Requests and responses of a client: headers, JSON bodies, and the errors of connections."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
import pybase64
from pydantic import TypeAdapter
from pydantic_core import from_json, to_json

from mediakit.core.inputs import FileBytes
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput, InvalidKey, MediakitError, ServerUnreachable
from mediakit.usage import Usage, UsageReport


def headers(api_key: str | None) -> dict[str, str]:
    """Return the headers of every request.

    Raises:
        InvalidKey: The key contains characters that are not valid in a key.
    """
    key = (api_key or os.environ.get("MEDIAKIT_API_KEY", "")).strip()  # a key read from a file ends with a newline
    if not key.isascii() or not key.isprintable():
        raise InvalidKey("api_key: must contain only letters, digits and _; copy the key again.")
    return {"content-type": "application/json"} | ({"x-api-key": key} if key else {})


def check_base_url(base_url: str) -> None:
    """Check the address of a server.

    Raises:
        InvalidInput: The address does not begin with http:// or https://.
    """
    if not base_url.startswith(("http://", "https://")):
        raise InvalidInput(f"base_url: must begin with http:// or https://, got {base_url!r}.")


def encode(tool: Tool[..., Any], values: Mapping[str, Any]) -> tuple[Any, bytes]:
    """Return the validated request and its JSON body. Options that were not passed are left to the server."""
    request = tool.validate(values)
    body = {name: getattr(request, name, value) for name, value in values.items()}
    return request, to_json({name: _portable(value) for name, value in body.items() if value is not None})


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


def usage(body: dict[str, Any]) -> Usage:
    """Return the usage in the body of a response."""
    return TypeAdapter(Usage).validate_python(body)


def usage_report(body: dict[str, Any]) -> UsageReport:
    """Return the usage report in the body of a response."""
    return TypeAdapter(UsageReport).validate_python(body)


@contextmanager
def connection_errors(base_url: httpx.URL) -> Iterator[None]:
    """Convert the errors of connections to `ServerUnreachable`."""
    try:
        yield
    except httpx.TransportError as error:
        reason = f"No response from {base_url} ({type(error).__name__}). Is `mediakit serve` running there?"
        raise ServerUnreachable(reason) from error


def _portable(value: Any) -> Any:
    """Return a value with its files encoded as base64, with their names."""
    if isinstance(value, list):
        return [_portable(item) for item in value]
    if not isinstance(value, bytes):
        return value
    text = pybase64.b64encode(value).decode()
    name = (value.full_name or value.name) if isinstance(value, FileBytes) else ""
    return {"name": name, "file": text} if name else text
