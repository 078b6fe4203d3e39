"""The ASGI app: `create_app()` for any server, `mediakit serve` for ours."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from mediakit.api.answers import refused
from mediakit.api.body import BodyRefused, PageRefused
from mediakit.api.context import Context
from mediakit.api.endpoint import ClientGone, ToolEndpoint
from mediakit.api.middleware import CLIENT_GONE, Observed
from mediakit.api.service import Service
from mediakit.api.still import STILL
from mediakit.core.tool import Tool
from mediakit.errors import EmailNotVerified, InvalidKey, MediakitError, MethodNotAllowed, NotFound, TooManyRequests
from mediakit.settings import Settings
from mediakit.tools.catalogue import TOOLS

UNREAD = (InvalidKey, EmailNotVerified, TooManyRequests, BodyRefused, PageRefused)
"""Errors that come before the body was read; the connection closes, so that its rest is not."""


def create_app(settings: Settings | None = None, *, tools: tuple[Tool[..., Any], ...] = TOOLS) -> Starlette:
    """Make the ASGI app that publishes the tools.

    Args:
        settings: Where accounts and links live; read from the environment when left out.
        tools: The tools to publish.
    """
    context = Context(settings or Settings())
    service = Service(tools, context)
    app = Starlette(
        routes=[
            *(Route(tool.path, ToolEndpoint(tool, context).answer, methods=["POST"]) for tool in tools),
            *_plain(service),
        ],
        middleware=[Middleware(Observed)],
        exception_handlers={
            MediakitError: _refuse,
            HTTPException: _no_route,
            ClientGone: _nobody,
            ClientDisconnect: _nobody,
        },
        lifespan=_closing(context),
    )
    app.router.redirect_slashes = False
    return app


def _plain(service: Service) -> list[Route]:
    paths = {
        **STILL,
        "/status": service.status,
        "/files/{token}": service.file,
        "/readyz": service.readyz,
        "/metrics": service.metrics,
        "/openapi.json": service.openapi,
        "/templates": service.templates,
    }
    return [Route(path, endpoint, methods=["GET"]) for path, endpoint in paths.items()]


def _closing(context: Context) -> Any:
    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            context.close()

    return lifespan


async def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, MediakitError)  # noqa: S101  # Starlette hands over what the table above names
    return refused(error, {"Connection": "close"} if isinstance(error, UNREAD) else None)


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101  # as above
    if error.status_code == MethodNotAllowed.status:
        allowed = (error.headers or {}).get("Allow", "")
        return refused(MethodNotAllowed(f"{request.method} is not allowed here; use {allowed}."), error.headers)
    return refused(NotFound("Nothing is here. GET /docs shows every path."))


async def _nobody(_request: Request, _error: Exception) -> Response:
    """End a call whose client is gone; nobody reads this answer."""
    return Response(status_code=CLIENT_GONE)
