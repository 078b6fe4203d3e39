"""Responses: a result as a JSON envelope, as the file itself or as a temporary link; and errors."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from urllib.parse import quote as percent_encode

from pydantic_core import to_json
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mediakit.accounts import Link
from mediakit.api.headers import JSON, PROBLEM_JSON, header_of, prefers_problem
from mediakit.core.messages import quote
from mediakit.core.request import invalid
from mediakit.core.tool import Tool
from mediakit.errors import InvalidKey, MediakitError
from mediakit.results.result import Result
from mediakit.usage import Usage

PROBLEM_TYPES_URL = "https://github.com/mediakit/mediakit/blob/main/docs/errors.md"
"""The page that describes every error class; its name follows as the fragment."""

AUTHENTICATION_SCHEME = 'ApiKey realm="mediakit", header="x-api-key"'
"""What a 401 asks for (RFC 9110, section 11.6.1). The scheme is not registered; browsers show no dialog for it."""


class ErrorResponse(Response):
    """An error. Its format is chosen when it is sent, by the `Accept` header of the request."""

    def __init__(self, error: MediakitError, headers: Mapping[str, str] | None = None) -> None:
        retry = {"Retry-After": str(error.retry_after)} if hasattr(error, "retry_after") else {}
        scheme = {"WWW-Authenticate": AUTHENTICATION_SCHEME} if error.status == InvalidKey.status else {}
        common = {"Vary": "Accept", **retry, **scheme, **(headers or {})}
        super().__init__(to_json(error.body()), error.status, common, JSON)
        self._problem = Response(to_json(problem(error)), error.status, common, PROBLEM_JSON)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        if prefers_problem(header_of(scope, b"accept")):
            await self._problem(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


def internal_error(request_id: str) -> MediakitError:
    """Return the error for an unexpected exception; it contains no details of the exception."""
    return MediakitError(f"Internal error. It was logged with the request id {request_id}.")


def problem(error: MediakitError) -> dict[str, Any]:
    """Return the problem details of an error: the members of RFC 9457 and the fields of the API."""
    name = type(error).__name__
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return {
        "type": f"{PROBLEM_TYPES_URL}#{name}",
        "title": words.capitalize(),
        "status": error.status,
        "detail": error.body()["error"],
        **error.body(),
    }


Output = Literal["json", "binary", "url"]

UNTRUSTED_FILE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox",
    "Referrer-Policy": "no-referrer",
}
"""Headers of a file with untrusted content: browsers run none of its scripts."""

JSON_ONLY = "this tool answers json only."
NO_FILE = "must be json, because this call makes no file."

_KINDS = {"pdf": "application/pdf", "image": "image/"}
"""Begin of the media type that an output requires, where a tool makes files of several kinds."""


MAX_HEADER_MEMBER = 4000
"""Characters of the longest list or object of the meta that a header has."""


class JsonResponse(Response):
    """JSON from bytes or from plain values."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the body."""
        return content if isinstance(content, bytes) else to_json(content)


@dataclass(frozen=True, slots=True)
class StoredBody:
    """A result as a file."""

    content: bytes
    mime_type: str
    filename: str


def iso_time(time: datetime) -> str:
    """Return a time in UTC as ISO 8601 text, in seconds."""
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


def output_of(tool: Tool[..., Any], value: Any, *, file_by_default: bool) -> Output:
    """Return how a result is sent: the requested way, else the file for raw and multipart bodies, and JSON for others.

    Raises:
        InvalidInput: The tool does not support the value.
    """
    outputs = tool.wire.outputs
    if value is None:
        sends_files = tool.wire.sends_file or not tool.wire.is_data
        return "binary" if file_by_default and sends_files else "json"
    if value not in outputs:
        known = f"must be one of {', '.join(outputs)}; got {quote(value)}."
        raise invalid([{"field": "output", "message": JSON_ONLY if outputs == ("json",) else known}])
    return value if value in ("json", "binary", "url") else "binary"


def require_format(tool: Tool[..., Any], chosen: Any, tool_request: Any) -> None:
    """Refuse the outputs that a call cannot have, by its option `to` or `format`.

    Raises:
        InvalidInput: A file is requested of data with the format json, or `pdf` or `image` of a file of another kind.
    """
    makes_data = tool.wire.is_data and getattr(tool_request, "format", None) == "json"
    if tool.wire.sends_file and makes_data and chosen not in (None, "json"):
        raise invalid([{"field": "output", "message": JSON_ONLY}])
    if chosen not in _KINDS or len(tool.kinds) == 1:
        return
    if tool.spec.media_type_of:
        made = tool.spec.media_type_of(vars(tool_request))
        if not made.startswith(_KINDS[chosen]):
            other = f"must be json, binary or url, because the call makes {made}; got {quote(chosen)}."
            message = NO_FILE if made == JsonResponse.media_type else other
            raise invalid([{"field": "output", "message": message}])
        return
    option = "to" if hasattr(tool_request, "to") else "format"
    value = getattr(tool_request, option)
    if not tool.formats.get(str(value), "").startswith(_KINDS[chosen]):
        message = f"must be json, binary or url, because {option} is {value}; got {quote(chosen)}."
        raise invalid([{"field": "output", "message": message}])


def account_usage(usage: Usage) -> dict[str, Any]:
    """Return the meta fields of every successful call."""
    return {"used": usage.used, "remaining": usage.remaining, "unlimited": usage.unlimited}


def envelope_response(result: Result, usage: Usage) -> Response:
    """Return a response with the result in JSON."""
    return JsonResponse(result.envelope(account_usage(usage)))


def file_response(result: Result, filename: str, usage: Usage) -> Response:
    """Return a response with the file itself; the meta is in a header.

    Reports of many rows are omitted: servers and clients refuse headers of more than 8 to 16 KB.
    """
    short = {
        name: value
        for name, value in result.meta.items()
        if not isinstance(value, list | dict) or len(json.dumps(value)) <= MAX_HEADER_MEMBER
    }
    headers = {
        "Content-Disposition": content_disposition("inline", filename),
        "X-Mediakit-Meta": json.dumps(short | account_usage(usage)),
    }
    saved = result._saved()
    return Response(saved.content, media_type=saved.mime_type, headers=UNTRUSTED_FILE_HEADERS | headers)


def stored_body(result: Result, output: Output, filename: str, usage: Usage) -> StoredBody:
    """Return what a job stores: the envelope for the output `json`, otherwise the file itself."""
    if output == "json":
        body = bytes(envelope_response(result, usage).body)
        return StoredBody(body, JsonResponse.media_type, "result.json")
    saved = result._saved()
    return StoredBody(saved.content, saved.mime_type, filename)


def link_response(result: Result, link: Link, url: str, usage: Usage) -> Response:
    """Return a response with a temporary link."""
    return JsonResponse(
        {
            "success": True,
            "url": url,
            "expires_at": iso_time(link.expires_at),
            "mime_type": result._saved().mime_type,
            "size_bytes": link.size_bytes,
            "meta": account_usage(usage),
        }
    )


def content_disposition(disposition: Literal["inline", "attachment"], filename: str) -> str:
    """Return a Content-Disposition with a file name of any characters (RFC 6266, RFC 8187)."""
    plain = "".join(char if char.isascii() and char.isprintable() and char not in '"\\%' else "_" for char in filename)
    if plain == filename:
        return f'{disposition}; filename="{filename}"'
    return f"{disposition}; filename=\"{plain}\"; filename*=UTF-8''{percent_encode(filename, safe='')}"
