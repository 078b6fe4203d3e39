"""A Chromium that Playwright's driver controls: a remote one, or one on Windows, which has no pipe for it."""

import asyncio
import logging
import os
import shlex
import socket
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import psutil
from playwright.async_api import Browser, CDPSession, Error, Page, Playwright, ProxySettings, async_playwright

from mediakit.engines.browser.command import home_variable, missing_flags, temporary_folder_variables
from mediakit.engines.browser.leak_check import LeakError, check_for_leaks
from mediakit.engines.browser.page import BrowserClient, Document, Tab
from mediakit.engines.browser.process import ChromiumProcess
from mediakit.engines.browser.protocol import TARGET_CRASHED, Listener, ProtocolError, Session
from mediakit.engines.network.dial import system_resolve
from mediakit.engines.network.proxy import BACKLOG
from mediakit.errors import BrowserMissing

FORCED_LOOPBACK = "PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK"
"""Environment variable that would let pages reach this machine without the proxy."""


_start_locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()
"""Drivers start one at a time, because all inherit the environment of this process."""


@asynccontextmanager
async def driver(folder: Path) -> AsyncIterator[Playwright]:
    """Start a driver with a folder for its temporary files. The driver keeps running unless the block raises.

    Raises:
        ProtocolError: The driver did not start.
    """
    lock = _start_locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    async with lock, _environment(folder):
        try:
            playwright = await async_playwright().start()
        except Exception as error:  # Playwright raises plain exceptions when the driver exits
            raise ProtocolError(f"The driver did not start: {error}") from error
    try:
        yield playwright
    except BaseException:
        await playwright.stop()
        raise


@asynccontextmanager
async def _environment(folder: Path) -> AsyncIterator[None]:
    """Change the environment of this process during the block, because the driver has no option for its folder."""
    tempfile.gettempdir()  # caches the folder, so that this process continues to use its own
    before = dict(os.environ)
    changes = {**temporary_folder_variables(folder), **home_variable(folder)}
    os.environ.update(changes)
    os.environ.pop(FORCED_LOOPBACK, None)
    try:
        yield
    finally:
        for name in (*changes, FORCED_LOOPBACK):
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)


class DriverSession(Session):
    """A session of Playwright."""

    def __init__(self, cdp: CDPSession) -> None:
        super().__init__()
        self._cdp = cdp

    async def send(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Send a command and return its result."""
        with _as_protocol_error():
            return dict(await self._cdp.send(method, dict(params or {})))

    def on(self, event: str, listener: Listener) -> None:
        """Call a listener for every event of a kind."""
        if event not in self._listeners and event != TARGET_CRASHED:
            self._cdp.on(event, lambda params: self.emit(event, params))
        super().on(event, listener)


class DriverClient(BrowserClient):
    """Opens pages through Playwright."""

    def __init__(self, playwright: Playwright, browser: Browser, session: CDPSession) -> None:
        self._playwright = playwright
        self._browser = browser
        self.session = DriverSession(session)

    @classmethod
    async def connect(cls, playwright: Playwright, url: str) -> "DriverClient":
        """Connect to the DevTools URL of a Chromium.

        Raises:
            ProtocolError: No Chromium responds.
        """
        with _as_protocol_error():
            browser = await playwright.chromium.connect_over_cdp(url)
            return cls(playwright, browser, await browser.new_browser_cdp_session())

    @classmethod
    async def launch(
        cls,
        playwright: Playwright,
        command: Path,
        flags: Sequence[str],
        environment: Mapping[str, str],
        *,
        sandbox: bool,
    ) -> "DriverClient":
        """Start a Chromium.

        Raises:
            ProtocolError: It did not start.
        """
        with _as_protocol_error():
            browser = await playwright.chromium.launch(
                executable_path=command,
                args=flags,
                chromium_sandbox=sandbox,
                env=dict(environment),
                # Ctrl-C cancels a call and leaves the browser running.
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
            client = cls(playwright, browser, await browser.new_browser_cdp_session())
        response = await client.session.send("SystemInfo.getProcessInfo")
        client.pid = next(int(process["id"]) for process in response["processInfo"] if process["type"] == "browser")
        with suppress(psutil.Error):  # Chromium has exited
            client.driver_pid = psutil.Process(client.pid).ppid()
        return client

    @property
    def is_connected(self) -> bool:
        """Whether Chromium can receive commands."""
        return self._browser.is_connected()

    async def open_page(self, proxy: str, *, scripts: bool) -> Tab:
        """Open a page in a new browser context whose only network access is a proxy.

        A Playwright route that checks schemes would take 0.8 ms per request and would miss redirects.
        """
        with _as_protocol_error():
            return await self._open_page(proxy, scripts=scripts)

    async def _open_page(self, proxy: str, *, scripts: bool) -> Tab:
        context = await self._browser.new_context(
            # The view is set through the page's own session, because screenshots use the values of that session.
            no_viewport=True,
            color_scheme="null",
            java_script_enabled=scripts,
            service_workers="block",
            accept_downloads=False,
            proxy=ProxySettings(server=proxy, bypass="<-loopback>"),
        )

        async def close() -> None:
            with _as_protocol_error():
                await context.close()

        try:
            page = await context.new_page()
            page.on("popup", _close_popup)
            session = DriverSession(await context.new_cdp_session(page))
            opened = Tab(session, close)
            page.on("crash", lambda _: session.emit(TARGET_CRASHED, {}))
            await session.send("Page.enable")
            await session.send("Network.enable")
            if not scripts:
                opened.blank = await Document.in_page(session)
        except BaseException:
            await close()
            raise
        return opened

    @property
    def closing_steps(self) -> Sequence[Callable[[], Awaitable[None]]]:
        """Close Chromium, or the connection to a remote one, and stop the driver."""
        return self._close_browser, self._playwright.stop

    async def _close_browser(self) -> None:
        with _as_protocol_error():
            await self._browser.close()


@contextmanager
def _as_protocol_error() -> Iterator[None]:
    """Replace errors of Playwright.

    Raises:
        ProtocolError: Playwright raised an error.
    """
    try:
        yield
    except Error as error:
        raise ProtocolError(error.message) from error


async def _close_popup(popup: Page) -> None:
    with suppress(Error):  # the popup or the browser may be closed already
        await popup.close()


CONNECT_TIMEOUT_SECONDS = 15.0
"""Time limit for connecting and for all checks."""

logger = logging.getLogger(__name__)


async def connect(url: str, proxy_host: str) -> ChromiumProcess:
    """Connect to the DevTools URL of a remote Chromium, which sees this server at the name or address `proxy_host`.

    Raises:
        BrowserMissing: No Chromium responds, its flags do not restrict the network of pages, or it cannot reach the
            proxy.
    """
    parts = urlsplit(url)
    shown = f"{parts.scheme}://{parts.hostname}:{parts.port}"  # the rest can contain a password or a token
    try:
        async with (
            asyncio.timeout(CONNECT_TIMEOUT_SECONDS),
            driver(Path(tempfile.gettempdir())) as playwright,
            AsyncExitStack() as on_failure,
        ):
            addresses = await system_resolve(parts.hostname or "")
            client = await DriverClient.connect(playwright, _with_address(url, addresses[0]))
            listener = await _listener(proxy_host)
            on_failure.callback(listener.close)
            process = ChromiumProcess(client, listener, None, proxy_host=proxy_host, clients=frozenset(addresses))
            await _check_flags(process)
            await check_for_leaks(process)
            on_failure.pop_all()
            return process
    except LeakError as error:
        raise BrowserMissing(f"MEDIAKIT_BROWSER_URL: the Chromium at {shown} is not used. {error}") from None
    except (ProtocolError, OSError) as error:  # OSError includes TimeoutError
        logger.warning("The remote browser does not respond: %s", str(error).partition("\n")[0])
        raise BrowserMissing(
            f"MEDIAKIT_BROWSER_URL: no Chromium responds at {shown}. Start one with --remote-debugging-port."
        ) from None


async def _check_flags(process: ChromiumProcess) -> None:
    arguments: list[str] = []
    try:
        response = await process.client.session.send("Browser.getBrowserCommandLine")
        arguments = list(map(str, response["arguments"]))
    except ProtocolError as error:
        logger.info("The remote browser does not tell its command line: %s", error.message)
    if "--no-sandbox" in arguments:
        logger.warning("The remote browser runs without a sandbox.")
    if missing := missing_flags(arguments, process.proxy_host):
        raise LeakError(f"Start it with: {shlex.join(missing)}")


async def _listener(proxy_host: str) -> socket.socket:
    """Return a socket that listens on a free port of the address of this server."""
    address = (await system_resolve(proxy_host))[0]
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        return socket.create_server((address, 0), family=family, backlog=BACKLOG)
    except OSError as error:
        raise LeakError(
            f"MEDIAKIT_BROWSER_PROXY_HOST: must be an address of this server, got {proxy_host!r} ({error.strerror})."
        ) from None


def _with_address(url: str, address: str) -> str:
    """Replace the host of a DevTools URL with its address, because Chromium rejects other names in the Host header."""
    parts = urlsplit(url)
    if parts.scheme in {"https", "wss"}:
        return url  # the certificate is for the name
    _, _, host = parts.netloc.rpartition("@")
    port = f":{parts.port}" if parts.port else ""
    literal = f"[{address}]" if ":" in address else address
    return parts._replace(netloc=parts.netloc.removesuffix(host) + literal + port).geturl()
