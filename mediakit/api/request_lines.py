"""The log line of a request, and its id."""

import logging
import secrets

log = logging.getLogger("mediakit.api")

REQUEST_ID_HEADER = b"x-request-id"


def new_request_id() -> str:
    """Return an id for a request that has none."""
    return secrets.token_hex(8)


def log_request(method: str, path: str, status: int, seconds: float, request_id: str) -> None:
    """Log a response. The path is that of the route, because links and sign-ins have secrets in their paths.

    Args:
        method: The method of the request, or `-` for a request that could not be parsed.
        path: The path of the route, or `unknown`.
        status: The status of the response.
        seconds: The time until the response was complete.
        request_id: The id in the response.
    """
    milliseconds = round(seconds * 1000, 1)
    fields = {"method": method, "path": path, "status": status, "milliseconds": milliseconds, "request_id": request_id}
    log.info("%s %s %d %.0f ms id=%s", method, path, status, milliseconds, request_id, extra=fields)
