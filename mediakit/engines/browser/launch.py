"""Start Chromium with the strongest confinement that this machine allows."""

import asyncio
import logging
import os
import tempfile
from contextlib import AsyncExitStack, closing
from pathlib import Path

from playwright.async_api import Browser, Error, Playwright

from mediakit.engines.browser.confinement import Confinement, Launcher, loopback_listener, supported_confinements
from mediakit.engines.browser.driver import driver, home_variable, temporary_folder_variables
from mediakit.engines.browser.find import MISSING, candidates
from mediakit.engines.browser.leak_check import LeakError, check_for_leaks
from mediakit.engines.browser.process import ChromiumProcess, LocalProcess, parent_pid
from mediakit.engines.browser.scratch import Scratch
from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings

FLAGS = (
    # Each render has its own proxy. Traffic outside of a render goes to a closed port.
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
    # Closing windows that a page opens would keep the page from finishing its load.
    "--block-new-web-contents",
    # Decode large images before the screenshot, not after it.
    "--disable-checker-imaging",
)
"""Only pages send traffic, and only through their proxy. Pages open no windows. Screenshots are complete."""

START_TIMEOUT_SECONDS = 30.0

logger = logging.getLogger(__name__)

_verified: dict[Path, Confinement] = {}
"""The confinement of each Chromium executable that has started and passed the leak check."""


async def launch(settings: BrowserSettings) -> ChromiumProcess:
    """Connect to the remote Chromium, or start the first Chromium on this machine that works.

    Raises:
        BrowserMissing: No working Chromium was found. The message says how to install one.
    """
    if settings.browser_url:
        return await _connect(settings.browser_url)
    for path in candidates(settings):
        try:
            return await start(path)
        except (Error, LeakError, OSError) as error:  # OSError includes TimeoutError
            logger.warning("%s did not start: %s", path, str(error).partition("\n")[0])
            logger.debug("Output of the start:\n%s", error)
    raise BrowserMissing(MISSING)


async def start(path: Path) -> ChromiumProcess:
    """Start a Chromium executable.

    Raises:
        Error: Chromium did not start.
        LeakError: Pages reached this machine without the proxy.
        OSError: The system denied an operation, or the start timed out.
    """
    try:
        return await _start_in_new_folder(path)
    except Error:
        # Retry once: interrupting a notebook kernel signals its process group, which ends a driver that is starting.
        return await _start_in_new_folder(path)


async def _start_in_new_folder(path: Path) -> ChromiumProcess:
    scratch = Scratch()
    try:
        async with asyncio.timeout(START_TIMEOUT_SECONDS), driver(scratch.path) as playwright:
            return await _start(playwright, path, scratch)
    except BaseException:
        scratch.remove()
        raise


async def _connect(url: str) -> ChromiumProcess:
    try:
        async with asyncio.timeout(START_TIMEOUT_SECONDS), driver(Path(tempfile.gettempdir())) as playwright:
            browser = await playwright.chromium.connect_over_cdp(url)
            return ChromiumProcess(playwright, browser, loopback_listener(), None)
    except (Error, TimeoutError) as error:
        logger.warning("The remote browser does not respond: %s", error)
        raise BrowserMissing(
            f"MEDIAKIT_BROWSER_URL: no Chromium responds at {url}. Start one with --remote-debugging-port."
        ) from None


async def _start(playwright: Playwright, path: Path, scratch: Scratch) -> ChromiumProcess:
    """Start Chromium with the strongest confinement that works."""
    if path in _verified:
        return await _start_confined(playwright, path, scratch, _verified[path])
    for confinement in supported_confinements():
        try:
            process = await _start_confined(playwright, path, scratch, confinement)
        except TimeoutError:
            raise  # a slow start is not a reason for weaker confinement
        except (Error, OSError) as error:
            last_error = error
            logger.info("%s did not start with %s.", path, confinement)
        else:
            _verified[path] = confinement
            return process
    raise last_error


async def _start_confined(
    playwright: Playwright, path: Path, scratch: Scratch, confinement: Confinement
) -> ChromiumProcess:
    async with AsyncExitStack() as on_failure:
        with closing(Launcher(path, confinement, scratch.path)) as launcher:
            browser = await playwright.chromium.launch(
                executable_path=launcher.command,
                args=FLAGS,
                chromium_sandbox=confinement.sandbox,
                env={**_inherited(), **temporary_folder_variables(scratch.path), **_home(scratch, confinement)},
                # Ctrl-C cancels a call and leaves the browser running.
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
            on_failure.push_async_callback(browser.close)
            listener = await launcher.listener()
            on_failure.callback(listener.close)
        pid = await _main_process_id(browser)
        local = LocalProcess(pid, parent_pid(pid), scratch, confinement)
        process = ChromiumProcess(playwright, browser, listener, local)
        if path not in _verified:
            await check_for_leaks(process)
        on_failure.pop_all()
    return process


async def _main_process_id(browser: Browser) -> int:
    session = await browser.new_browser_cdp_session()
    response = await session.send("SystemInfo.getProcessInfo")
    await session.detach()
    return next(int(process["id"]) for process in response["processInfo"] if process["type"] == "browser")


def _inherited() -> dict[str, str]:
    """Return the environment of this process without proxies and without settings, which can contain passwords."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy") and not name.upper().startswith("MEDIAKIT_")
    }


def _home(scratch: Scratch, confinement: Confinement) -> dict[str, str]:
    """Return a writable `HOME` for a Chromium that runs as an unprivileged user or for a user without a home."""
    return {"HOME": str(scratch.path)} if confinement.drops_root else home_variable(scratch.path)
