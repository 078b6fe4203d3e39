"""Endpoints beside the tools: usage, temporary links, readiness, metrics, the OpenAPI document, templates."""

from functools import cached_property
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mediakit.api.context import Context
from mediakit.api.metrics import REGISTRY
from mediakit.api.openapi import document
from mediakit.api.responses import UNTRUSTED_FILE_HEADERS, JsonResponse
from mediakit.core.tool import Tool
from mediakit.errors import ServerBusy

TEMPLATES_POLICY = {"Content-Security-Policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"}


class ServiceEndpoints:
    """Endpoints that belong to no tool."""

    def __init__(self, tools: tuple[Tool[..., Any], ...], context: Context) -> None:
        self.tools = tools
        self.context = context

    async def status(self, request: Request) -> Response:
        """Return the plan and the credits used."""
        principal = await self.context.authenticate(request)
        usage = await self.context.run_blocking(self.context.accounts.usage, principal)
        return JsonResponse(usage)

    async def file(self, request: Request) -> Response:
        """Return the file of a temporary link."""
        stored = await self.context.run_blocking(self.context.links.fetch, request.path_params["token"])
        # An SVG can contain scripts: browsers download it instead of opening it on this origin.
        disposition = "attachment" if stored.mime_type == "image/svg+xml" else "inline"
        headers = {
            "Content-Disposition": f'{disposition}; filename="{stored.filename}"',
            "Cache-Control": "private, no-store",
            "Cross-Origin-Resource-Policy": "cross-origin",
        }
        return Response(stored.content, media_type=stored.mime_type, headers=UNTRUSTED_FILE_HEADERS | headers)

    async def readyz(self, _request: Request) -> Response:
        """Return 200 if the database responds, and 503 if it does not."""
        if await self.context.run_blocking(self.context.accounts.ready):
            return JsonResponse({"status": "ready"})
        raise ServerBusy("The database does not respond. Try again in 5 seconds.")

    async def metrics(self, _request: Request) -> Response:
        """Return the metrics in Prometheus' text format."""
        return Response(generate_latest(REGISTRY), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def openapi(self, request: Request) -> Response:
        """Return the OpenAPI document."""
        return JsonResponse({**self._document, "servers": [{"url": self.context.base_url(request)}]})

    async def templates(self, request: Request) -> Response:
        """List the templates: as an HTML page for browsers, otherwise as JSON."""
        from mediakit.engines.templates.catalog import templates

        accepted = request.headers.get("accept", "")
        if "text/html" in accepted and "application/json" not in accepted:
            headers = UNTRUSTED_FILE_HEADERS | TEMPLATES_POLICY | {"Vary": "Accept"}
            return HTMLResponse(templates().page(), headers=headers)
        return JsonResponse({"templates": templates().describe()}, headers={"Vary": "Accept"})

    @cached_property
    def _document(self) -> dict[str, Any]:
        return document(self.tools)
