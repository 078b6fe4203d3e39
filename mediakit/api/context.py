"""What every endpoint needs, made once for the app."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from starlette.requests import Request

from mediakit.accounts import Accounts, Links, Principal, RateLimits
from mediakit.api.forwarded import external_base_url
from mediakit.core.slots import Slots
from mediakit.core.tool import Tool
from mediakit.engines.network.addresses import Guard
from mediakit.results.result import Result
from mediakit.settings import Settings

P = ParamSpec("P")
R = TypeVar("R", bound=Result)
T = TypeVar("T")

ACCOUNT_THREADS = 8
WAITING = 64
"""Calls with a file that may wait for a slot; one more is answered 503."""


class Context:
    """The accounts, rate limits, links and settings of a running app.

    Raises:
        InvalidInput: A setting is wrong.
    """

    def __init__(self, settings: Settings) -> None:
        Guard(settings.browser.allowed_networks)  # a wrong list is the operator's fault, not that of the first render
        self.accounts = Accounts.open(settings.accounts)
        self.rates = RateLimits.open(settings.accounts)
        self.links = Links.open(settings.accounts)
        self._public_url = settings.server.public_url
        self._slots = Slots(max(2, os.cpu_count() or 2), WAITING)
        # Threads of their own: a burst of slow tools must not keep keys and credits waiting.
        self._threads = ThreadPoolExecutor(ACCOUNT_THREADS, thread_name_prefix="mediakit-accounts")

    async def do(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a blocking function of the accounts off the event loop.

        A cancelled caller leaves once the function is done, so that what it did is always known.
        """
        return await _to_the_end(
            asyncio.get_running_loop().run_in_executor(self._threads, lambda: function(*args, **kwargs))
        )

    async def work(self, tool: Tool[..., R], asked: Any) -> R:
        """Run a tool; one that takes a file needs a slot, so that a burst of large files cannot exhaust the memory.

        Raises:
            ServerBusy: Every slot is taken and the queue is full.
        """
        if not any(parameter.kind == "file" for parameter in tool.parameters):
            return await tool.arun(asked)
        async with self._slots.slot():
            # A thread cannot be stopped: its slot is free when it has ended, whoever has left before.
            return await _to_the_end(asyncio.ensure_future(tool.arun(asked)))

    async def caller(self, request: Request) -> Principal:
        """Say whose key the request carries.

        Raises:
            InvalidKey: There is no key, or it is not valid.
        """
        key = request.headers.get("x-api-key", "").strip()  # not every parser drops the space behind a value
        return await self.do(self.accounts.authenticate, key)

    def base_url(self, request: Request) -> str:
        """Give the address that callers reach this app under, without a final slash."""
        if self._public_url:
            return self._public_url.rstrip("/")
        return external_base_url(request)

    def close(self) -> None:
        """Let go of the threads and of every connection."""
        self._threads.shutdown()
        self.rates.close()
        self.links.close()
        self.accounts.close()


async def _to_the_end(work: "asyncio.Future[T]") -> T:
    """Wait for work that cannot be stopped half-way; a cancelled caller leaves once it is done."""
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        if not work.cancelled():
            work.exception()  # seen, so that asyncio does not report a failure that nobody waits for
        raise
