"""The ASGI app: `create_app()` for any ASGI server, `mediakit serve` for the bundled one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from mediakit.api.body_stream import UnreadBodyError
from mediakit.api.context import Context
from mediakit.api.endpoint import ClientDisconnected, ToolEndpoint
from mediakit.api.middleware import CLIENT_CLOSED_REQUEST, RequestMiddleware
from mediakit.api.responses import error_response
from mediakit.api.service_endpoints import ServiceEndpoints
from mediakit.api.static_routes import STATIC_ROUTES
from mediakit.core.tool import Tool
from mediakit.errors import EmailNotVerified, InvalidKey, MediakitError, MethodNotAllowed, NotFound, TooManyRequests
from mediakit.settings import Settings
from mediakit.tools.catalogue import all_tools

ERRORS_BEFORE_BODY = (InvalidKey, EmailNotVerified, TooManyRequests)
"""Errors raised before the body is read; the connection is closed instead of reading the rest."""


def create_app(settings: Settings | None = None, *, tools: tuple[Tool[..., Any], ...] | None = None) -> Starlette:
    """Create the ASGI app that publishes the tools.

    Args:
        settings: Settings of accounts, links and the browser; read from the environment by default.
        tools: The tools to publish; all tools by default.
    """
    tools = all_tools() if tools is None else tools
    context = Context(settings or Settings())
    app = Starlette(
        routes=[
            *(Route(tool.path, ToolEndpoint(tool, context).respond, methods=["POST"]) for tool in tools),
            *_service_routes(ServiceEndpoints(tools, context)),
        ],
        middleware=[Middleware(RequestMiddleware)],
        exception_handlers={
            MediakitError: _on_error,
            UnreadBodyError: _on_unread_body,
            HTTPException: _on_routing_error,
            ClientDisconnected: _on_disconnect,
            ClientDisconnect: _on_disconnect,
        },
        lifespan=_lifespan(context),
    )
    app.router.redirect_slashes = False
    return app


def _service_routes(endpoints: ServiceEndpoints) -> list[Route]:
    paths = {
        **STATIC_ROUTES,
        "/status": endpoints.status,
        "/files/{token}": endpoints.file,
        "/readyz": endpoints.readyz,
        "/metrics": endpoints.metrics,
        "/openapi.json": endpoints.openapi,
        "/templates": endpoints.templates,
    }
    return [Route(path, endpoint, methods=["GET"]) for path, endpoint in paths.items()]


def _lifespan(context: Context) -> Any:
    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            context.close()

    return lifespan


async def _on_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, MediakitError)  # noqa: S101  # registered for this class only
    return error_response(error, {"Connection": "close"} if isinstance(error, ERRORS_BEFORE_BODY) else None)


async def _on_unread_body(_request: Request, error: Exception) -> Response:
    assert isinstance(error, UnreadBodyError)  # noqa: S101  # registered for this class only
    return error_response(error.error, {"Connection": "close"})


async def _on_routing_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # registered for this class only
    if error.status_code == MethodNotAllowed.status:
        allowed = (error.headers or {}).get("Allow", "")
        message = f"method: {request.method} is not allowed for this path, use {allowed}."
        return error_response(MethodNotAllowed(message), error.headers)
    return error_response(NotFound("path: does not exist. GET /docs lists every path."))


async def _on_disconnect(_request: Request, _error: Exception) -> Response:
    """End a call whose client has disconnected; this response is never sent."""
    return Response(status_code=CLIENT_CLOSED_REQUEST)
