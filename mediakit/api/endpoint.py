"""One tool as one endpoint: key, rate, body, credit, work, answer, in that order."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from mediakit.accounts import Link, Principal
from mediakit.api import answers
from mediakit.api.answers import Output
from mediakit.api.body import read_values
from mediakit.api.context import Context
from mediakit.core.tool import Tool
from mediakit.results.result import Result

R = TypeVar("R")

HOLD_SECONDS = 300
"""A credit whose call never ended, because its server died, comes back after this long."""


class ClientGone(Exception):  # noqa: N818  # not a failure: nobody is left to hear of one
    """The client hung up while the tool was at work."""


class ToolEndpoint:
    """Answers `POST` to a tool's path."""

    def __init__(self, tool: Tool[..., Any], context: Context) -> None:
        self.tool = tool
        self.context = context

    async def answer(self, request: Request) -> Response:
        """Answer one call; whatever fails before the answer costs nothing."""
        caller = await self.context.caller(request)
        caller.require_verified()
        rate = await self.context.do(self.context.rates.count_request, caller)
        values, raw = await read_values(self.tool, request)
        output = answers.pick_output(self.tool, values.pop("output", None), raw=raw)
        asked = self.tool.validate(values)
        response = await self._charged(request, caller, asked, output)
        response.headers.update(answers.rate_headers(rate))
        return response

    async def _charged(self, request: Request, caller: Principal, asked: Any, output: Output) -> Response:
        """Do the work for a credit, which is given back unless all of it succeeds."""
        do, accounts = self.context.do, self.context.accounts
        hold = await do(accounts.reserve, caller, HOLD_SECONDS)
        try:
            result = await _while_connected(request, self.context.work(self.tool, asked))
            link = await do(self._store, result) if output == "url" else None
            usage = await do(accounts.commit, hold)
        except BaseException:
            await do(accounts.release, hold)
            raise
        if link:
            return answers.linked(result, link, f"{self.context.base_url(request)}/files/{link.token}", usage)
        return (
            answers.file(result, self._filename(result), usage)
            if output == "binary"
            else answers.enveloped(result, usage)
        )

    def _store(self, result: Result) -> Link:
        return self.context.links.store(result.file, result.mime_type, self._filename(result))

    def _filename(self, result: Result) -> str:
        return f"{self.tool.command}.{result.extension}"


async def _while_connected(request: Request, work: Coroutine[Any, Any, R]) -> R:
    """Wait for the work; a client that hangs up before its end cancels it."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_hung_up(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientGone
        return task.result()
    finally:
        gone.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
