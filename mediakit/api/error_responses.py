"""Error responses: the JSON of the API, or problem details (RFC 9457) for clients that prefer them."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mediakit.api.headers import JSON, PROBLEM_JSON, header_of, prefers_problem
from mediakit.errors import InvalidKey, MediakitError

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


def error_response(error: MediakitError, headers: Mapping[str, str] | None = None) -> Response:
    """Return a response with an error's status and body."""
    return ErrorResponse(error, headers)


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
