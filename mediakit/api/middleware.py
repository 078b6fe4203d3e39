"""Middleware of every request: its id, log line, metrics, rate limit and JSON errors; compression; CORS."""

import asyncio
import logging
import re
import time
from collections.abc import Callable, Iterable, Sequence

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mediakit.accounts import RateStatus
from mediakit.accounts.rate_limits import WINDOW_SECONDS
from mediakit.api.addresses import DEFAULT_PROXIES, PROXIES_KEY, TrustedProxies
from mediakit.api.headers import REQUEST_ID_HEADER, header_of, log_request, new_request_id, weights
from mediakit.api.monitoring import CALLS, SECONDS
from mediakit.api.responses import ErrorResponse, internal_error

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
        received = next((value for name, value in scope["headers"] if name == REQUEST_ID_HEADER), b"")
        request_id = received if _REQUEST_ID.fullmatch(received) else new_request_id().encode()
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
                await ErrorResponse(internal_error(scope["request_id"]))(scope, receive, send_with_id)
        finally:
            seconds = time.perf_counter() - started
            route = scope.get("route")
            path = getattr(route, "path", "unknown")
            CALLS.labels(path, scope["method"] if route else "unknown", status).inc()
            SECONDS.labels(path).observe(seconds)
            log_request(scope["method"], path, status, seconds, scope["request_id"])


MIN_BYTES = 1024
MAX_BYTES = 16 * 1024 * 1024
"""Larger responses are not compressed."""
THREAD_BYTES = 32 * 1024
"""Larger responses are compressed in a thread, so that they delay no other request."""
MAX_THREADS = 2
"""Responses that are compressed in threads at the same time; further large ones are not compressed."""

COMPRESSIBLE = ("application/json", "application/problem+json", "image/svg+xml", "text/")
EXCLUDED_PATHS = ("/dashboard", "/files/")

FILE_KEY = "mediakit.response_has_file"
"""Key in the ASGI scope of a call whose JSON response contains a file, which is compressed already."""

BROTLI_QUALITY = 3
GZIP_LEVEL = 3
GZIP_WINDOW_BITS = 31


class CompressionMiddleware:
    """Compresses complete responses. Responses that are sent in parts are not changed."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._threads = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or scope["path"].startswith(EXCLUDED_PATHS):
            await self.app(scope, receive, send)
            return
        coding = choose_coding(header_of(scope, b"accept-encoding"))
        start: Message | None = None

        async def send_compressed(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            if start is not None:
                if not scope.get(FILE_KEY) and _is_text(start):
                    await self._compress(start, message, coding)
                started, start = start, None
                await send(started)
            await send(message)

        await self.app(scope, receive, send_compressed)

    async def _compress(self, start: Message, message: Message, coding: str) -> None:
        headers = MutableHeaders(raw=start["headers"])
        headers.add_vary_header("Accept-Encoding")
        start["headers"] = headers.raw
        body = message.get("body", b"")
        if coding and not body and int(headers.get("content-length", "0")) >= MIN_BYTES:
            del headers["content-length"]  # a response to HEAD: the length of the compressed body is not known
            start["headers"] = headers.raw
            return
        is_large = len(body) > THREAD_BYTES
        if not coding or message.get("more_body") or not MIN_BYTES <= len(body) <= MAX_BYTES:
            return
        if is_large and self._threads >= MAX_THREADS:
            return
        message["body"] = await self._in_thread(CODINGS[coding], body) if is_large else CODINGS[coding](body)
        headers["Content-Encoding"] = coding
        headers["Content-Length"] = str(len(message["body"]))
        if (tag := headers.get("etag", "W/")) and not tag.startswith("W/"):
            headers["ETag"] = f"W/{tag}"  # the bytes differ from those that the strong tag describes
        start["headers"] = headers.raw

    async def _in_thread(self, compress: Callable[[bytes], bytes], body: bytes) -> bytes:
        self._threads += 1
        try:
            return await asyncio.to_thread(compress, body)
        finally:
            self._threads -= 1


def will_be_compressed(response: Response, scope: Scope) -> bool:
    """Return whether a response will be compressed if its client accepts it."""
    is_text = _is_text({"status": response.status_code, "headers": response.raw_headers})
    return is_text and not scope.get(FILE_KEY) and len(response.body) <= MAX_BYTES


def choose_coding(accepted: str) -> str:
    """Return the coding for an `Accept-Encoding` header: `br`, `gzip`, or an empty text for none."""
    found = weights(accepted)
    usable = {name: found.get(name, found.get("*", 0.0)) for name in CODINGS}
    best = max(usable, key=lambda name: usable[name])  # the first one if they are equal
    return best if usable[best] > 0 else ""


def _is_text(start: Message) -> bool:
    """Return whether a response is text that is neither encoded nor private to a browser's session."""
    headers: Iterable[tuple[bytes, bytes]] = start["headers"]
    found = {name.lower(): value for name, value in headers}
    if start["status"] in (204, 206, 304) or b"content-encoding" in found or b"set-cookie" in found:
        return False
    return found.get(b"content-type", b"").decode("latin-1").startswith(COMPRESSIBLE)


def _brotli(body: bytes) -> bytes:
    import brotli

    compressed: bytes = brotli.compress(body, quality=BROTLI_QUALITY)
    return compressed


def _gzip(body: bytes) -> bytes:
    from zlib_ng import zlib_ng

    return zlib_ng.compress(body, GZIP_LEVEL, GZIP_WINDOW_BITS)


CODINGS: dict[str, Callable[[bytes], bytes]] = {"br": _brotli, "gzip": _gzip}
"""Functions by coding, the preferred one first."""


METHODS = ("DELETE", "GET", "HEAD", "POST")
EXPOSED_HEADERS = (
    "Accept-Ranges",
    "Content-Disposition",
    "Content-Range",
    "ETag",
    "Idempotency-Replayed",
    "Location",
    "Preference-Applied",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "X-Mediakit-Meta",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-Request-Id",
)
"""Response headers that the scripts of other origins can read."""

PREFLIGHT_SECONDS = 3600
"""Time for which a browser remembers that it may call the API."""


def cors_middleware(origins: Sequence[str]) -> list[Middleware]:
    """Return the middleware that answers browsers, or none without origins.

    Browsers never send cookies with such requests, so a page of another origin cannot use the dashboard.
    """
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=METHODS,
            allow_headers=["*"],
            expose_headers=EXPOSED_HEADERS,
            max_age=PREFLIGHT_SECONDS,
        )
    ]
