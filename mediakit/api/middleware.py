"""What wraps every request: an id, a log line, the counters, and an answer for whatever goes wrong."""

import logging
import re
import secrets
import time

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mediakit.api.answers import refused
from mediakit.api.metrics import CALLS, SECONDS
from mediakit.errors import MediakitError

log = logging.getLogger("mediakit.api")

REQUEST_ID = b"x-request-id"
CLIENT_GONE = 499
"""Recorded where no answer began; nginx's number for a client that hung up."""

_ID = re.compile(rb"[\w.-]{1,64}", re.ASCII)


class Observed:
    """Gives each request an id, counts it and writes a line to the log; bodies and keys are never written."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(scope)
        scope["request_id"] = request_id.decode()
        began, status = time.perf_counter(), CLIENT_GONE

        async def send_named(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (REQUEST_ID, request_id)]
            await send(message)

        try:
            await self.app(scope, receive, send_named)
        except Exception:
            log.exception("call failed id=%s", scope["request_id"])
            if status == CLIENT_GONE:
                await _failure(scope["request_id"])(scope, receive, send_named)
        finally:
            _record(scope, status, time.perf_counter() - began)


def _failure(request_id: str) -> Response:
    return refused(MediakitError(f"Something went wrong on our side. It was logged as {request_id}."))


def _request_id(scope: Scope) -> bytes:
    given = next((value for name, value in scope["headers"] if name == REQUEST_ID), b"")
    return given if _ID.fullmatch(given) else secrets.token_hex(8).encode()


def _record(scope: Scope, status: int, seconds: float) -> None:
    route = scope.get("route")
    path = getattr(route, "path", "unknown")
    CALLS.labels(path, scope["method"] if route else "unknown", status).inc()
    SECONDS.labels(path).observe(seconds)
    log.info("%s %s %d %.0f ms id=%s", scope["method"], path, status, seconds * 1000, scope["request_id"])
