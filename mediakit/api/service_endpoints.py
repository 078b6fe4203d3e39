"""Endpoints beside the tools: usage, temporary links, readiness, metrics, the OpenAPI document, templates."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mediakit.accounts import JobRow
from mediakit.accounts.accounts import usage_report
from mediakit.api.context import Context
from mediakit.api.downloads import download_response
from mediakit.api.headers import is_known, prefers_html
from mediakit.api.jobs import job_response
from mediakit.api.middleware import CODINGS, choose_coding
from mediakit.api.monitoring import OK, metrics_text
from mediakit.api.openapi import document
from mediakit.api.openapi.service import USAGE_OPTIONS, UsageRequest
from mediakit.api.responses import UNTRUSTED_FILE_HEADERS, JsonResponse
from mediakit.core.request import build, unknown
from mediakit.core.tool import Tool
from mediakit.errors import InvalidInput, ServerBusy

TEMPLATES_POLICY = {"Content-Security-Policy": "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox"}


Endpoint = Callable[[Request], Awaitable[Response]]

MAX_OPENAPI_VARIANTS = 16
"""Base URLs and codings for which the bytes of the OpenAPI document are kept."""


class ServiceEndpoints:
    """Endpoints that belong to no tool."""

    def __init__(self, tools: tuple[Tool[..., Any], ...], context: Context) -> None:
        self.tools = tools
        self.context = context
        self._openapi = lru_cache(MAX_OPENAPI_VARIANTS)(self._openapi_bytes)

    def by_path(self) -> dict[str, Endpoint]:
        """Return the endpoints of `GET` by path."""
        return {
            "/status": self.status,
            "/usage": self.usage,
            "/files/{token}": self.file,
            "/jobs/{id}": self.job,
            "/readyz": self.readyz,
            "/metrics": self.metrics,
            "/openapi.json": self.openapi,
            "/templates": self.templates,
        }

    async def status(self, request: Request) -> Response:
        """Return the plan and the credits used."""
        principal = await self.context.authenticate(request)
        usage = await self.context.run_blocking(self.context.accounts.usage, principal)
        return JsonResponse(usage)

    async def usage(self, request: Request) -> Response:
        """Return the plan, the credits and the calls of an account. The call costs no credit.

        Raises:
            InvalidInput: An option is unknown, repeated or out of range.
            InvalidKey: The key is missing or not valid.
        """
        principal = await self.context.authenticate(request)
        known, values = {option.name: option for option in USAGE_OPTIONS}, {}
        for name, text in request.query_params.multi_items():
            if name not in known:
                raise unknown([name], list(known))
            if name in values:
                raise InvalidInput(f"{name}: must not be repeated in the query.")
            values[name] = known[name].parse(text)
        options: Any = build(UsageRequest, values)
        run, accounts = self.context.run_blocking, self.context.accounts
        return JsonResponse(await run(usage_report, accounts, principal, days=options.days, recent=options.recent))

    async def file(self, request: Request) -> Response:
        """Return the file of a temporary link."""
        run = self.context.run_blocking
        file = await run(self.context.links.find, request.path_params["token"])
        return download_response(request, file, lambda start, size: run(file.read, start, size))

    async def job(self, request: Request) -> Response:
        """Return the state of a call that is answered later. The call costs no credit."""
        job, now = await self._own_job(request)
        return job_response(job, now, self.context.base_url(request))

    async def end_job(self, request: Request) -> Response:
        """Cancel a call that is answered later, or delete its result."""
        job, _ = await self._own_job(request)
        await self.context.jobs.end(job.id, job.account_id)
        return Response(status_code=204)

    async def _own_job(self, request: Request) -> tuple[JobRow, datetime]:
        """Return a job of the account of a key whose scopes include its tool."""
        principal = await self.context.authenticate(request)
        find = self.context.accounts.jobs.find
        job, now = await self.context.run_blocking(find, request.path_params["id"], principal.account_id)
        principal.require_scope(job.tool, next((tool.spec.tag for tool in self.tools if tool.name == job.tool), ""))
        return job, now

    async def readyz(self, _request: Request) -> Response:
        """Return 200 if every service that calls need works, and 503 if one does not; with the result of each check."""
        checks = await self.context.readiness.check()
        failed = [name for name, result in checks.items() if result != OK]
        if not failed:
            return JsonResponse({"status": "ready", "checks": checks})
        error = ServerBusy(f"The server is not ready: {', '.join(failed)}. Try again in 5 seconds.")
        headers = {"Retry-After": str(error.retry_after)}
        return JsonResponse({**error.body(), "checks": checks}, status_code=error.status, headers=headers)

    async def metrics(self, _request: Request) -> Response:
        """Return the metrics in Prometheus' text format."""
        self.context.gauges.update()
        text = await asyncio.to_thread(self._metrics_text)
        return Response(text, headers={"Content-Type": CONTENT_TYPE_LATEST})

    def _metrics_text(self) -> bytes:
        try:
            held, unsent = self.context.accounts.credits.held(), self.context.accounts.outbox.size()
        except ServerBusy:
            return metrics_text({})  # other metrics matter most while the database does not respond
        return metrics_text(
            {
                "mediakit_credits_held": ("Credits held for running calls.", held),
                "mediakit_outbox_messages": ("Email messages that are not delivered yet.", unsent),
            }
        )

    async def openapi(self, request: Request) -> Response:
        """Return the OpenAPI document. Its bytes are shared by all responses with the same base URL and coding."""
        url = self.context.base_url(request)
        coding = choose_coding(request.headers.get("accept-encoding", ""))
        body, tag = await asyncio.to_thread(self._openapi, url, coding)
        headers = {"ETag": tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if is_known(request, tag):
            return Response(status_code=304, headers=headers)
        return JsonResponse(body, headers=headers | ({"Content-Encoding": coding} if coding else {}))

    async def templates(self, request: Request) -> Response:
        """List the templates: as an HTML page for browsers, otherwise as JSON."""
        from mediakit.engines.templates.registry import templates

        if prefers_html(request.headers.get("accept", "")):
            headers = UNTRUSTED_FILE_HEADERS | TEMPLATES_POLICY | {"Vary": "Accept"}
            return HTMLResponse(templates().page(), headers=headers)
        return JsonResponse({"templates": templates().describe()}, headers={"Vary": "Accept"})

    def _openapi_bytes(self, url: str, coding: str) -> tuple[bytes, str]:
        """Return the OpenAPI document and its entity tag."""
        body = to_json({**self._document, "servers": [{"url": url}]})
        tag = f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'
        return CODINGS[coding](body) if coding else body, tag

    @cached_property
    def _document(self) -> dict[str, Any]:
        return document(self.tools)
