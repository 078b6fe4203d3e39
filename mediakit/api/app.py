"""The ASGI app: `create_app()` for any ASGI server, `mediakit serve` for the bundled one."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match, Route

from mediakit.accounts import RateStatus
from mediakit.api.addresses import HostMiddleware, KnownHosts, TrustedProxies
from mediakit.api.body_stream import UnreadBodyError
from mediakit.api.context import Context
from mediakit.api.dashboard.rendering import error_page, wants_error_page
from mediakit.api.dashboard.routes import dashboard_routes
from mediakit.api.dashboard.session import SignInRequired, redirect_to_sign_in
from mediakit.api.endpoint import ClientDisconnected, ToolEndpoint
from mediakit.api.middleware import (
    CLIENT_CLOSED_REQUEST,
    RATE_KEY,
    CompressionMiddleware,
    RequestMiddleware,
    cors_middleware,
)
from mediakit.api.monitoring import tracing_middleware
from mediakit.api.public_pages import STATIC_ROUTES
from mediakit.api.responses import ErrorResponse
from mediakit.api.service_endpoints import ServiceEndpoints
from mediakit.core.tool import Tool
from mediakit.errors import (
    EmailNotVerified,
    InvalidKey,
    KeyNotAllowed,
    MediakitError,
    MethodNotAllowed,
    NotFound,
    TooManyRequests,
)
from mediakit.settings import Settings
from mediakit.tools.catalogue import all_tools
from mediakit.tools.tasks import command_of, suggestion

MAX_NAME_LENGTH = 60
"""Characters of an unknown path that are compared with the names of tools."""

ERRORS_BEFORE_BODY = (InvalidKey, EmailNotVerified, KeyNotAllowed, TooManyRequests)
"""Errors raised before the body is read; the connection is closed instead of reading the rest."""


def create_app(settings: Settings | None = None, *, tools: tuple[Tool[..., Any], ...] | None = None) -> Starlette:
    """Create the ASGI app that publishes the tools.

    Args:
        settings: Settings of accounts, links and the browser; read from the environment by default.
        tools: The tools to publish; all tools by default.
    """
    tools = all_tools() if tools is None else tools
    settings = settings or Settings()
    context = Context(settings)
    endpoints = ServiceEndpoints(tools, context)
    app = Starlette(
        routes=[
            *(Route(tool.path, ToolEndpoint(tool, context), methods=["POST"]) for tool in tools),
            *(Route(path, endpoint, methods=["GET"]) for path, endpoint in STATIC_ROUTES.items()),
            *(Route(path, endpoint, methods=["GET"]) for path, endpoint in endpoints.by_path().items()),
            Route("/jobs/{id}", endpoints.end_job, methods=["DELETE"]),
            *dashboard_routes(context, endpoints),
        ],
        middleware=[  # outermost first
            Middleware(RequestMiddleware, proxies=TrustedProxies(settings.server.trusted_proxies)),
            *tracing_middleware(),
            Middleware(CompressionMiddleware),
            *cors_middleware(settings.server.cors_origins),
            Middleware(HostMiddleware, hosts=KnownHosts(settings.server.allowed_hosts, settings.server.public_url)),
        ],
        exception_handlers={
            MediakitError: _on_error,
            SignInRequired: redirect_to_sign_in,
            UnreadBodyError: _on_unread_body,
            HTTPException: _on_routing_error,
            ClientDisconnected: _on_disconnect,
            ClientDisconnect: _on_disconnect,
        },
        lifespan=_lifespan(context),
    )
    app.router.redirect_slashes = False
    return app


def _lifespan(context: Context) -> Any:
    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        gauges = asyncio.create_task(context.gauges.keep_updated())
        context.mail.start()
        context.readiness.drain_on_sigterm(context.settings.server.drain_seconds)
        try:
            yield
        finally:
            gauges.cancel()
            await context.jobs.close()
            if context.cluster:
                await context.cluster.close()
            await context.mail.stop()
            context.close()

    return lifespan


async def _on_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, MediakitError)  # noqa: S101  # registered for this class only
    if isinstance(error, TooManyRequests) and RATE_KEY not in request.scope:
        request.scope[RATE_KEY] = RateStatus(error.limit, 0, error.retry_after)
    return _error(request, error, {"Connection": "close"} if isinstance(error, ERRORS_BEFORE_BODY) else None)


def _error(request: Request, error: MediakitError, headers: Mapping[str, str] | None = None) -> Response:
    if wants_error_page(request):
        return error_page(request, error, headers)
    return ErrorResponse(error, headers)


async def _on_unread_body(_request: Request, error: Exception) -> Response:
    assert isinstance(error, UnreadBodyError)  # noqa: S101  # registered for this class only
    return ErrorResponse(error.error, {"Connection": "close"})


async def _on_routing_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # registered for this class only
    if error.status_code == MethodNotAllowed.status:
        routes = [route for route in request.app.routes if isinstance(route, Route)]
        matching = [route.methods or () for route in routes if route.matches(request.scope)[0] is not Match.NONE]
        allow = {"Allow": ", ".join(sorted({"OPTIONS", *(method for methods in matching for method in methods)}))}
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=allow)
        message = f"method: {request.method} is not allowed for this path, use {allow['Allow']}."
        return _error(request, MethodNotAllowed(message), allow)
    return _error(request, NotFound(f"path: does not exist{_hint(request.scope['path'][1:MAX_NAME_LENGTH])}"))


@lru_cache(maxsize=256)
def _hint(name: str) -> str:
    """Return the end of the error for an unknown path. A search takes milliseconds, and no key is needed for it."""
    return suggestion(name, (), "GET /docs lists every path.", lambda tool: f"/{command_of(tool)}")


async def _on_disconnect(_request: Request, _error: Exception) -> Response:
    """End a call whose client has disconnected; this response is never sent."""
    return Response(status_code=CLIENT_CLOSED_REQUEST)
