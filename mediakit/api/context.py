"""What every endpoint needs, made once for the app."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from starlette.requests import Request

from mediakit.accounts import Accounts, Caller, Links, RateLimits
from mediakit.engines.network.addresses import Guard
from mediakit.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

ACCOUNT_THREADS = 8


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
        # Threads of their own: a burst of slow tools must not keep keys and credits waiting.
        self._threads = ThreadPoolExecutor(ACCOUNT_THREADS, thread_name_prefix="mediakit-accounts")

    async def do(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a blocking function of the accounts off the event loop.

        A cancelled caller leaves once the function is done, so that what it did is always known.
        """
        work = asyncio.get_running_loop().run_in_executor(self._threads, lambda: function(*args, **kwargs))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.wait([work])
            raise

    async def caller(self, request: Request) -> Caller:
        """Say whose key the request carries.

        Raises:
            InvalidKey: There is no key, or it is not valid.
        """
        return await self.do(self.accounts.authenticate, request.headers.get("x-api-key"))

    def base_url(self, request: Request) -> str:
        """Give the address that callers reach this app under, without a final slash."""
        if self._public_url:
            return self._public_url.rstrip("/")
        prefix = request.headers.get("x-forwarded-prefix", "").rstrip("/")
        return f"{str(request.base_url).rstrip('/')}{prefix}"

    def close(self) -> None:
        """Let go of the threads and of every connection."""
        self._threads.shutdown()
        self.rates.close()
        self.links.close()
        self.accounts.close()
