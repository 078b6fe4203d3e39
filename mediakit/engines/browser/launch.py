"""Start Chromium with the strongest confinement that this machine allows."""

import asyncio
import logging
import os
from contextlib import AsyncExitStack, closing
from pathlib import Path

from playwright.async_api import CDPSession, Error, Playwright

from mediakit.engines.browser.confinement import Confinement, Launcher, supported_confinements
from mediakit.engines.browser.driver import driver, home_variable, temporary_folder_variables
from mediakit.engines.browser.find import MISSING, candidates
from mediakit.engines.browser.flags import FLAGS
from mediakit.engines.browser.leak_check import LeakError, check_for_leaks
from mediakit.engines.browser.process import ChromiumProcess, LocalProcess, parent_pid
from mediakit.engines.browser.remote import connect
from mediakit.engines.browser.scratch import Scratch
from mediakit.errors import BrowserMissing
from mediakit.settings import BrowserSettings

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
        return await connect(settings.browser_url, settings.browser_proxy_host)
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
        session = await browser.new_browser_cdp_session()
        pid = await _main_process_id(session)
        local = LocalProcess(pid, parent_pid(pid), scratch, confinement)
        process = ChromiumProcess(playwright, browser, session, listener, local)
        if path not in _verified:
            await check_for_leaks(process)
        on_failure.pop_all()
    return process


async def _main_process_id(session: CDPSession) -> int:
    response = await session.send("SystemInfo.getProcessInfo")
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
