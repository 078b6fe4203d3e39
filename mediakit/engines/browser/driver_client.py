"""A Chromium that Playwright's driver controls: a remote one, or one on Windows, which has no pipe for it."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from playwright.async_api import Browser, CDPSession, Error, Page, Playwright, ProxySettings

from mediakit.engines.browser.client import BrowserClient
from mediakit.engines.browser.document import Document
from mediakit.engines.browser.protocol import TARGET_CRASHED, Listener, ProtocolError, Session
from mediakit.engines.browser.tab import OpenPage


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
            return cls(playwright, browser, await browser.new_browser_cdp_session())

    @property
    def is_connected(self) -> bool:
        """Whether Chromium can receive commands."""
        return self._browser.is_connected()

    async def process_ids(self) -> tuple[int, int | None]:
        """Return the process IDs of Chromium and of the driver, which is its parent; None if Chromium has exited."""
        response = await self.session.send("SystemInfo.getProcessInfo")
        pid = next(int(process["id"]) for process in response["processInfo"] if process["type"] == "browser")
        with suppress(psutil.Error):
            return pid, psutil.Process(pid).ppid()
        return pid, None

    async def open_page(self, proxy: str, *, scripts: bool) -> OpenPage:
        """Open a page in a new browser context whose only network access is a proxy.

        A Playwright route that checks schemes would take 0.8 ms per request and would miss redirects.
        """
        with _as_protocol_error():
            return await self._open_page(proxy, scripts=scripts)

    async def _open_page(self, proxy: str, *, scripts: bool) -> OpenPage:
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
            opened = OpenPage(session, close)
            page.on("crash", lambda _: session.emit(TARGET_CRASHED, {}))
            await session.send("Page.enable")
            await session.send("Network.enable")
            if not scripts:
                opened.document = await Document.in_page(session)
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
