"""Readiness: whether the services that calls need can be used now."""

import asyncio
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable
from types import FrameType
from urllib.parse import urlsplit

from mediakit.accounts import Accounts
from mediakit.errors import MediakitError
from mediakit.settings import Settings

Check = Callable[[], str]
"""Returns `ok`, or what is wrong."""

OK = "ok"
CACHE_SECONDS = 1.0
"""Time for which a result is used again, so that frequent requests do not load the services."""

TIMEOUT_SECONDS = 8.0
CONNECT_TIMEOUT_SECONDS = 2.0
PROBE_BYTES = 65_536


class Readiness:
    """Checks the account database, Redis, the disk, and the browser or the cluster that runs the tools."""

    def __init__(self, settings: Settings, accounts: Accounts) -> None:
        self._accounts = accounts
        self._settings = settings
        self._checks: dict[str, Check] = {"database": self._check_database, "browser": self._check_browser}
        if executor := settings.server.executor:
            self._checks["executor"] = lambda: _check_port(executor)
            del self._checks["browser"]  # the workers of the cluster have it
        self._checks |= {"redis": self._check_redis} if settings.accounts.redis_url else {"disk": self._check_disk}
        self._lock = asyncio.Lock()
        self._result: dict[str, str] = {}
        self._checked_at = -CACHE_SECONDS
        self._is_stopping = False

    def drain_on_sigterm(self, seconds: float) -> None:
        """Serve calls for some time after SIGTERM, while this server is not ready, so that proxies stop using it."""
        stop = signal.getsignal(signal.SIGTERM)
        if not seconds or not callable(stop) or threading.current_thread() is not threading.main_thread():
            return

        def drain(number: int, frame: FrameType | None) -> None:
            self._is_stopping = True
            threading.Timer(seconds, stop, (number, frame)).start()

        signal.signal(signal.SIGTERM, drain)

    async def check(self) -> dict[str, str]:
        """Return the result of each check: `ok`, or what is wrong."""
        async with self._lock:
            if time.monotonic() - self._checked_at >= CACHE_SECONDS:
                self._result = await self._run_all()
                self._checked_at = time.monotonic()
        return self._result | ({"server": "is stopping"} if self._is_stopping else {})

    async def _run_all(self) -> dict[str, str]:
        results = await asyncio.gather(*(_bounded(check) for check in self._checks.values()))
        return dict(zip(self._checks, results, strict=True))

    def _check_database(self) -> str:
        return OK if self._accounts.ready() else "cannot be written"

    def _check_disk(self) -> str:
        """Check the folder of temporary links."""
        try:
            with tempfile.TemporaryFile(dir=self._settings.accounts.home) as file:
                file.write(b"\0" * PROBE_BYTES)
                file.flush()
        except OSError as error:
            return f"MEDIAKIT_HOME cannot be written ({error.strerror})"
        return OK

    def _check_redis(self) -> str:
        from redis import RedisError

        from mediakit.accounts.redis_client import connect

        try:
            with connect(str(self._settings.accounts.redis_url)) as client:
                client.ping()
        except RedisError:
            return "does not respond"
        return OK

    def _check_browser(self) -> str:
        if urls := self._settings.browser.browser_url:
            return OK if OK in map(_check_port, urls) else "does not respond"
        from mediakit.engines.browser.command import find

        try:
            find(self._settings.browser)
        except MediakitError:
            return "was not found"
        return OK


async def _bounded(check: Check) -> str:
    """Return the result of a check, which runs in a thread."""
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            return await asyncio.to_thread(check)
    except TimeoutError:
        return f"did not respond within {TIMEOUT_SECONDS:.0f} seconds"


def _check_port(url: str) -> str:
    parts = urlsplit(url)
    try:
        port = parts.port or {"https": 443, "wss": 443}.get(parts.scheme, 80)
        socket.create_connection((parts.hostname or "", port), CONNECT_TIMEOUT_SECONDS).close()
    except (OSError, ValueError):
        return "does not respond"
    return OK
