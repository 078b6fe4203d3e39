"""Error responses that a connection sends itself, because no app has the request."""

from http import HTTPStatus

from pydantic_core import to_json

from mediakit.api.request_lines import log_request, new_request_id
from mediakit.errors import MediakitError


def error_bytes(error: MediakitError) -> bytes:
    """Return a complete HTTP/1.1 response, after which the connection is closed. The response is logged with its id."""
    request_id = new_request_id()
    log_request("-", "unknown", error.status, 0, request_id)
    body = to_json(error.body())
    headers = [
        f"HTTP/1.1 {error.status} {HTTPStatus(error.status).phrase}",
        "content-type: application/json",
        "connection: close",
        f"content-length: {len(body)}",
        f"x-request-id: {request_id}",
    ]
    if hasattr(error, "retry_after"):
        headers.append(f"retry-after: {error.retry_after}")
    return "\r\n".join([*headers, "\r\n"]).encode() + body
