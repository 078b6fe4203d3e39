"""The endpoint of a tool: key, rate limit, body, credit hold, the call and its response, in that order."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts import Link, Principal
from mediakit.api import responses
from mediakit.api.body import read_values
from mediakit.api.context import Context
from mediakit.api.responses import Output
from mediakit.core.tool import Tool
from mediakit.results.result import Result

R = TypeVar("R")

HOLD_SECONDS = 300
"""Lifetime of a credit hold; it ends the hold of a call whose server stopped."""


class ClientDisconnected(Exception):  # noqa: N818  # not an error: the response cannot be sent
    """The client closed the connection before the tool had finished."""


class ToolEndpoint:
    """Handles `POST` to a tool's path."""

    def __init__(self, tool: Tool[..., Any], context: Context) -> None:
        self.tool = tool
        self.context = context

    async def respond(self, request: Request) -> Response:
        """Return the response to one call. A call that fails costs nothing."""
        principal = await self.context.authenticate(request)
        principal.require_verified()
        rate = await self.context.run_blocking(self.context.rates.count_request, principal)
        values, file_by_default = await read_values(self.tool, request)
        output = responses.output_of(self.tool, values.pop("output", None), file_by_default=file_by_default)
        tool_request = self.tool.validate(values)
        response = await self._charged(request, principal, tool_request, output)
        response.headers.update(responses.rate_headers(rate))
        return response

    async def _charged(self, request: Request, principal: Principal, tool_request: Any, output: Output) -> Response:
        """Run the tool for a credit, which is held during the call and charged only if the call succeeds."""
        run, accounts = self.context.run_blocking, self.context.accounts
        hold = await run(accounts.reserve, principal, HOLD_SECONDS)
        try:
            result = await _while_connected(request, self.context.run_tool(self.tool, tool_request))
            link = await run(self._store, result) if output == "url" else None
            usage = await run(accounts.commit, hold)
        except BaseException:
            await run(accounts.release, hold)
            raise
        if link:
            return responses.link_response(result, link, f"{self.context.base_url(request)}/files/{link.token}", usage)
        if output == "binary":
            return responses.file_response(result, self._filename(result), usage)
        return responses.envelope_response(result, usage)

    def _store(self, result: Result) -> Link:
        return self.context.links.store(result.file, result.mime_type, self._filename(result))

    def _filename(self, result: Result) -> str:
        return result.filename or f"{self.tool.command}.{result.extension}"


async def _while_connected(request: Request, work: Coroutine[Any, Any, R]) -> R:
    """Wait for the work; it is cancelled if the client closes the connection."""
    task = asyncio.ensure_future(work)
    disconnected = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({task, disconnected}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnected
        return task.result()
    finally:
        disconnected.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
