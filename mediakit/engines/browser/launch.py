"""Start a Chromium, as confined as this machine allows."""

import asyncio
import logging
import os
import tempfile
from contextlib import AsyncExitStack, closing
from pathlib import Path

from playwright.async_api import Browser, Error, Playwright

from mediakit.engines.browser.confine import Confinement, Launcher, ladder, loopback_listener
from mediakit.engines.browser.driver import driver, home, temporary
from mediakit.engines.browser.find import MISSING, candidates
from mediakit.engines.browser.launched import Launched, Local, driver_of
from mediakit.engines.browser.proof import LeakError, prove
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
    # A page that opens windows never ends loading: closing them gets in the way of its frames.
    "--block-new-web-contents",
    # A large image is decoded before the picture is taken, not after.
    "--disable-checker-imaging",
)
"""No traffic but a page's own, and that through its proxy alone; no windows; whole pictures."""

STARTING = 30.0
"""Seconds that a Chromium may take to start."""

logger = logging.getLogger(__name__)

_proved: dict[Path, Confinement] = {}
"""What each Chromium of this machine has started with, once nothing got past the proxy."""


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
        except (Error, LeakError, OSError) as error:  # a TimeoutError among them
            logger.warning("%s does not start: %s", path, str(error).partition("\n")[0])
            logger.debug("What its start wrote:\n%s", error)
    raise BrowserMissing(MISSING)


async def start(path: Path) -> Launched:
    """Start one Chromium.

    Raises:
        Error: It does not start.
        LeakError: Its pages reach this machine past the proxy.
        OSError: The system refuses something, or it takes too long.
    """
    try:
        return await _start_afresh(path)
    except Error:
        # A kernel's interrupt goes to its whole process group, and ends a driver that has only just begun.
        return await _start_afresh(path)


async def _start_afresh(path: Path) -> Launched:
    scratch = Scratch()
    try:
        async with asyncio.timeout(STARTING), driver(scratch.path) as playwright:
            return await _start(playwright, path, scratch)
    except BaseException:
        scratch.remove()
        raise


async def _connect(url: str) -> Launched:
    try:
        async with asyncio.timeout(STARTING), driver(Path(tempfile.gettempdir())) as playwright:
            browser = await playwright.chromium.connect_over_cdp(url)
            return Launched(playwright, browser, loopback_listener(), None)
    except (Error, TimeoutError) as error:
        logger.warning("The remote browser does not answer: %s", error)
        raise BrowserMissing(
            f"MEDIAKIT_BROWSER_URL: no Chromium answers at {url}; start one with --remote-debugging-port."
        ) from None


async def _start(playwright: Playwright, path: Path, scratch: Scratch) -> Launched:
    """Start it with the best confinement that works."""
    if path in _proved:
        return await _start_confined(playwright, path, scratch, _proved[path])
    for confinement in ladder():
        try:
            launched = await _start_confined(playwright, path, scratch, confinement)
        except TimeoutError:
            raise  # being slow is no reason to be less confined
        except (Error, OSError) as error:
            refusal = error
            logger.info("%s does not start with: %s.", path, confinement)
        else:
            _proved[path] = confinement
            return launched
    raise refusal


async def _start_confined(playwright: Playwright, path: Path, scratch: Scratch, confinement: Confinement) -> Launched:
    async with AsyncExitStack() as unless_all_is_well:
        with closing(Launcher(path, confinement, scratch.path)) as launcher:
            browser = await playwright.chromium.launch(
                executable_path=launcher.command,
                args=FLAGS,
                chromium_sandbox=confinement.sandbox,
                env={**_inherited(), **temporary(scratch.path), **_home(scratch, confinement)},
                # Ctrl-C ends a call, not the browser.
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
            unless_all_is_well.push_async_callback(browser.close)
            door = await launcher.door()
            unless_all_is_well.callback(door.close)
        pid = await _main_process(browser)
        launched = Launched(playwright, browser, door, Local(pid, driver_of(pid), scratch, confinement))
        if path not in _proved:
            await prove(launched)
        unless_all_is_well.pop_all()
    return launched


async def _main_process(browser: Browser) -> int:
    session = await browser.new_browser_cdp_session()
    answer = await session.send("SystemInfo.getProcessInfo")
    await session.detach()
    return next(int(process["id"]) for process in answer["processInfo"] if process["type"] == "browser")


def _inherited() -> dict[str, str]:
    """Give this process's environment without proxies, and without settings: a database's address has its password."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy") and not name.upper().startswith("MEDIAKIT_")
    }


def _home(scratch: Scratch, confinement: Confinement) -> dict[str, str]:
    """Give a Chromium that runs as nobody, or for a user without a home, one that it may write to."""
    return {"HOME": str(scratch.path)} if confinement.drops_root else home(scratch.path)
