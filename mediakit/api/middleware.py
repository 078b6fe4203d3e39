"""Middleware of every request: an id, a log line, metrics, the rate limit, and a JSON error for every exception."""

import logging
import re
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mediakit.accounts import RateStatus
from mediakit.accounts.rate_limits import WINDOW_SECONDS
from mediakit.api.addresses import DEFAULT_PROXIES, PROXIES_KEY, TrustedProxies
from mediakit.api.error_responses import error_response, internal_error
from mediakit.api.monitoring import CALLS, SECONDS
from mediakit.api.request_lines import REQUEST_ID_HEADER, log_request, new_request_id

RATE_KEY = "mediakit.rate"
"""Key of the `RateStatus` in the ASGI scope of a call, or of None if the key has no rate limit."""


def rate_headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Return the header fields of a response, empty for requests that are not counted.

    `RateLimit` and `RateLimit-Policy` follow draft-ietf-httpapi-ratelimit-headers-10: quota q per window of w seconds,
    r requests remaining for the next t seconds.
    """
    rate: RateStatus | None = scope.get(RATE_KEY)
    if rate is None:
        return []
    return [
        (b"ratelimit-policy", b'"requests";q=%d;w=%d' % (rate.limit, WINDOW_SECONDS)),
        (b"ratelimit", b'"requests";r=%d;t=%d' % (rate.remaining, rate.reset_seconds)),
        (b"x-ratelimit-limit", b"%d" % rate.limit),
        (b"x-ratelimit-remaining", b"%d" % rate.remaining),
        (b"x-ratelimit-reset", b"%d" % rate.reset_seconds),
    ]


log = logging.getLogger("mediakit.api")

CLIENT_CLOSED_REQUEST = 499
"""Status that is recorded if the client disconnects before the response starts; nginx uses the same number."""

_REQUEST_ID = re.compile(rb"[\w.-]{1,64}", re.ASCII)


class RequestMiddleware:
    """Assigns an id to each request, counts it, and logs it. Bodies and keys are never logged."""

    def __init__(self, app: ASGIApp, proxies: TrustedProxies = DEFAULT_PROXIES) -> None:
        self.app = app
        self.proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(scope)
        scope["request_id"] = request_id.decode()
        scope[PROXIES_KEY] = self.proxies
        started, status = time.perf_counter(), CLIENT_CLOSED_REQUEST

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (REQUEST_ID_HEADER, request_id), *rate_headers(scope)]
            await send(message)

        try:
            await self.app(scope, receive, send_with_id)
        except Exception:
            log.exception("call failed id=%s", scope["request_id"], extra={"request_id": scope["request_id"]})
            if status == CLIENT_CLOSED_REQUEST:
                await error_response(internal_error(scope["request_id"]))(scope, receive, send_with_id)
        finally:
            _record(scope, status, time.perf_counter() - started)


def _request_id(scope: Scope) -> bytes:
    received = next((value for name, value in scope["headers"] if name == REQUEST_ID_HEADER), b"")
    return received if _REQUEST_ID.fullmatch(received) else new_request_id().encode()


def _record(scope: Scope, status: int, seconds: float) -> None:
    route = scope.get("route")
    path = getattr(route, "path", "unknown")
    CALLS.labels(path, scope["method"] if route else "unknown", status).inc()
    SECONDS.labels(path).observe(seconds)
    log_request(scope["method"], path, status, seconds, scope["request_id"])
