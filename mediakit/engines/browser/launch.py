"""Start a Chromium, and end it for certain.

Playwright's driver stands between this process and Chromium. It ends when its pipe closes, and Chromium with it,
so even a killed process leaves neither behind.
"""

import asyncio
import logging
import os
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Browser, Error, Playwright, async_playwright

from mediakit.engines.browser.find import MISSING, candidates
from mediakit.engines.browser.scratch import Scratch
from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings

FLAGS = (
    # A render has a proxy of its own. What belongs to no render gets one that answers nothing.
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--no-pings",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--disable-sync",
    # A large image is decoded before the picture is taken, not after.
    "--disable-checker-imaging",
)
"""No traffic but a page's own, and that through its proxy alone; whole pictures."""

STARTING = 30.0
CLOSING = 5.0
"""Seconds that a Chromium may take to start, and to close before it is killed."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Local:
    """What a Chromium of this machine leaves to end and to remove."""

    pid: int
    scratch: Scratch


class Launched:
    """A running Chromium with the driver that speaks to it."""

    def __init__(
        self, playwright: Playwright, browser: Browser, *, sandboxed: bool, local: Local | None = None
    ) -> None:
        self.browser = browser
        self.sandboxed = sandboxed
        """Whether Chromium confines its renderers; taken for granted of a remote one."""
        self.lost = False
        """Whether it failed to do what it always can: Playwright notices the end of Chromium, not of its driver."""
        self._playwright = playwright
        self._local = local

    @property
    def alive(self) -> bool:
        """Whether it can take another render."""
        return self.browser.is_connected() and not self.lost

    def kill(self) -> None:
        """End Chromium at once, however it hangs."""
        if self._local and self.browser.is_connected():
            with suppress(ProcessLookupError):
                _kill_tree(self._local.pid)

    async def close(self) -> None:
        """End Chromium and the driver, and remove what they wrote."""
        for close in (self.browser.close, self._playwright.stop):
            try:
                async with asyncio.timeout(CLOSING):
                    await close()
            except (Error, TimeoutError):
                self.kill()
        if self._local:
            self._local.scratch.remove()


async def launch(settings: BrowserSettings) -> Launched:
    """Connect to the remote Chromium, or start the first one on this machine that does start.

    Raises:
        BrowserMissing: None works; the message says how to get one.
    """
    if settings.browser_url:
        return await _connect(settings.browser_url)
    for path in candidates(settings):
        try:
            return await start(path)
        except (Error, TimeoutError) as error:
            logger.warning("%s does not start: %s", path, str(error).partition("\n")[0])
            logger.debug("What its start wrote:\n%s", error)
    raise BrowserMissing(MISSING)


async def start(path: Path) -> Launched:
    """Start one Chromium.

    Raises:
        Error: It does not start.
        TimeoutError: It takes too long.
    """
    try:
        return await _start_afresh(path)
    except Error:
        # A kernel's interrupt goes to its whole process group, and ends a driver that has only just begun.
        return await _start_afresh(path)


async def _start_afresh(path: Path) -> Launched:
    scratch = Scratch()
    try:
        async with asyncio.timeout(STARTING), _driver(scratch.path) as playwright:
            return await _start(playwright, path, scratch)
    except BaseException:
        scratch.remove()
        raise


async def _connect(url: str) -> Launched:
    try:
        async with asyncio.timeout(STARTING), _driver(Path(tempfile.gettempdir())) as playwright:
            return Launched(playwright, await playwright.chromium.connect_over_cdp(url), sandboxed=True)
    except (Error, TimeoutError) as error:
        logger.warning("The remote browser does not answer: %s", error)
        raise BrowserMissing(
            f"MEDIAKIT_BROWSER_URL: no Chromium answers at {url}; start one with --remote-debugging-port."
        ) from None


async def _start(playwright: Playwright, path: Path, scratch: Scratch) -> Launched:
    # Chromium refuses its sandbox to root, and some containers to everyone.
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not as_root:
        try:
            return await _start_once(playwright, path, scratch, sandbox=True)
        except Error:
            logger.warning("%s does not start with its sandbox; trying without.", path)
    return await _start_once(playwright, path, scratch, sandbox=False)


async def _start_once(playwright: Playwright, path: Path, scratch: Scratch, *, sandbox: bool) -> Launched:
    browser = await playwright.chromium.launch(
        executable_path=path,
        args=FLAGS,
        chromium_sandbox=sandbox,
        env={**_without_proxies(), **_temporary(scratch.path)},
        # Ctrl-C ends a call, not the browser.
        handle_sigint=False,
        handle_sigterm=False,
        handle_sighup=False,
    )
    return Launched(playwright, browser, sandboxed=sandbox, local=Local(await _main_process(browser), scratch))


async def _main_process(browser: Browser) -> int:
    session = await browser.new_browser_cdp_session()
    answer = await session.send("SystemInfo.getProcessInfo")
    await session.detach()
    return next(int(process["id"]) for process in answer["processInfo"] if process["type"] == "browser")


@asynccontextmanager
async def _driver(folder: Path) -> AsyncIterator[Playwright]:
    """Start the driver; it stays unless the block fails."""
    with _environment(folder):
        try:
            playwright = await async_playwright().start()
        except Exception as error:  # it raises bare ones when the driver dies
            raise Error(f"The driver does not start: {error}") from error
    try:
        yield playwright
    except BaseException:
        await playwright.stop()
        raise


@contextmanager
def _environment(folder: Path) -> Iterator[None]:
    """Set, while the driver starts, what it inherits: it takes its temporary folder from nowhere else."""
    tempfile.gettempdir()  # remembered from now on, so nothing else of this process moves
    before = dict(os.environ)
    os.environ.update(_temporary(folder))
    # It lets pages reach this machine past the proxy.
    os.environ.pop("PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK", None)
    try:
        yield
    finally:
        for name in (*_temporary(folder), "PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK"):
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)


def _temporary(folder: Path) -> dict[str, str]:
    return dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder))


def _without_proxies() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}


def _kill_tree(pid: int) -> None:
    if sys.platform == "win32":
        os.kill(pid, signal.SIGTERM)
    else:
        # The driver starts Chromium as the leader of its own process group.
        os.killpg(pid, signal.SIGKILL)
