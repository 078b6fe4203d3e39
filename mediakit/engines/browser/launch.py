"""Start Chromium with the strongest confinement that this machine allows."""

import asyncio
import logging
import os
import socket
import sys
import tempfile
from collections.abc import Mapping
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

from mediakit.engines.browser.command import (
    AUTOMATION_FLAGS,
    FLAGS,
    MISSING,
    candidates,
    home_variable,
    is_headless_shell,
    temporary_folder_variables,
)
from mediakit.engines.browser.leak_check import LeakError, check_for_leaks
from mediakit.engines.browser.page import FLAG as FRAMES_FLAG
from mediakit.engines.browser.page import BrowserClient
from mediakit.engines.browser.pipe_client import PipeClient
from mediakit.engines.browser.process import (
    UNPRIVILEGED_UID,
    ChromiumProcess,
    Confinement,
    LocalProcess,
    Scratch,
    confined_command,
    kill_and_close,
    loopback_listener,
    received_listener,
    supported_confinements,
)
from mediakit.engines.browser.protocol import IS_SUPPORTED, ProtocolError
from mediakit.errors import BrowserMissing
from mediakit.installation import required
from mediakit.settings import BrowserSettings

START_TIMEOUT_SECONDS = 30.0

MIN_FD = 10
"""The socket of the launcher has a higher number than the file descriptors of Chromium's pipe."""

logger = logging.getLogger(__name__)

_turns = count()
"""Numbers of the connections to remote Chromiums."""

_verified: dict[Path, Confinement] = {}
"""The confinement of each Chromium executable that has started and passed the leak check."""


async def launch(settings: BrowserSettings) -> ChromiumProcess:
    """Connect to the remote Chromium, or start the first Chromium on this machine that works.

    Raises:
        BrowserMissing: No working Chromium was found. The message says how to install one.
    """
    if settings.browser_url:
        return await _connect(settings)
    for path in candidates(settings):
        try:
            return await start(path)
        except (ProtocolError, LeakError, OSError) as error:  # OSError includes TimeoutError
            logger.warning("%s did not start: %s", path, str(error).partition("\n")[0])
            logger.debug("Output of the start:\n%s", error)
    raise BrowserMissing(MISSING)


async def _connect(settings: BrowserSettings) -> ChromiumProcess:
    """Connect to the remote Chromium whose turn it is, or to the next one that works."""
    # Playwright takes a quarter of a second to import.
    with required("MEDIAKIT_BROWSER_URL", "playwright", extra="remote-browser"):
        from mediakit.engines.browser.driver_client import connect

    urls, turn = settings.browser_url, next(_turns)
    *others, last = (urls[(turn + number) % len(urls)] for number in range(len(urls)))
    for url in others:
        try:
            return await connect(url, settings.browser_proxy_host)
        except BrowserMissing as error:
            logger.warning("%s", error)
    return await connect(last, settings.browser_proxy_host)


async def start(path: Path) -> ChromiumProcess:
    """Start a Chromium executable.

    Raises:
        ProtocolError: Chromium did not start.
        LeakError: Pages reached this machine without the proxy.
        OSError: The system denied an operation, or the start timed out.
    """
    try:
        return await _start_in_new_folder(path)
    except ProtocolError:
        # Retry once: on Windows, interrupting a notebook kernel ends a driver that is starting.
        return await _start_in_new_folder(path)


async def _start_in_new_folder(path: Path) -> ChromiumProcess:
    scratch = Scratch()
    try:
        async with asyncio.timeout(START_TIMEOUT_SECONDS):
            return await _start(path, scratch)
    except BaseException:
        scratch.remove()
        raise


async def _start(path: Path, scratch: Scratch) -> ChromiumProcess:
    """Start Chromium with the strongest confinement that works."""
    if path in _verified:
        return await _start_confined(path, scratch, _verified[path])
    for confinement in supported_confinements():
        try:
            process = await _start_confined(path, scratch, confinement)
        except TimeoutError:
            raise  # a slow start is not a reason for weaker confinement
        except (ProtocolError, OSError) as error:
            last_error = error
            logger.info("%s did not start with %s.", path, confinement)
        else:
            _verified[path] = confinement
            return process
    raise last_error


async def _start_confined(path: Path, scratch: Scratch, confinement: Confinement) -> ChromiumProcess:
    environment = {  # without proxies and settings of mediakit, which can contain passwords
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy") and not name.upper().startswith("MEDIAKIT_")
    }
    # An unprivileged user, and a user without a home, need a writable one.
    home = {"HOME": str(scratch.path)} if confinement.drops_root else home_variable(scratch.path)
    environment |= {**temporary_folder_variables(scratch.path), **home}
    start_client = _start_with_pipe if IS_SUPPORTED else _start_with_driver
    async with AsyncExitStack() as on_failure:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            client = await start_client(path, scratch, confinement, environment, theirs)
            on_failure.push_async_callback(kill_and_close, client)
            listener = received_listener(ours) if confinement.namespace else loopback_listener()
            on_failure.callback(listener.close)
        local = LocalProcess(client.pid, client.driver_pid, scratch, confinement)
        process = ChromiumProcess(client, listener, local)
        if path not in _verified:
            await check_for_leaks(process)
        on_failure.pop_all()
    return process


async def _start_with_pipe(
    path: Path, scratch: Scratch, confinement: Confinement, environment: Mapping[str, str], launcher: socket.socket
) -> BrowserClient:
    import fcntl

    profile = tempfile.mkdtemp(prefix="profile-", dir=scratch.path)
    frames_on_request = _can_draw_on_request(path)
    if confinement.drops_root:
        os.chown(scratch.path, UNPRIVILEGED_UID, UNPRIVILEGED_UID)
    with socket.socket(fileno=fcntl.fcntl(launcher.fileno(), fcntl.F_DUPFD_CLOEXEC, MIN_FD)) as inherited:
        command = [
            *confined_command(path, confinement, inherited.fileno()),
            *AUTOMATION_FLAGS,
            *FLAGS,
            *((FRAMES_FLAG,) if frames_on_request else ()),
            *(() if confinement.sandbox else ("--no-sandbox",)),
            f"--user-data-dir={profile}",
        ]
        descriptors = [inherited.fileno()] if confinement.namespace else []
        return await PipeClient.start(command, environment, descriptors, frames_on_request=frames_on_request)


def _can_draw_on_request(path: Path) -> bool:
    """Return whether the pages of a Chromium can draw their frames on request."""
    return sys.platform == "linux" and is_headless_shell(path)


async def _start_with_driver(
    path: Path, scratch: Scratch, confinement: Confinement, environment: Mapping[str, str], _: socket.socket
) -> BrowserClient:
    from mediakit.engines.browser.driver_client import DriverClient, driver

    async with driver(scratch.path) as playwright:
        return await DriverClient.launch(playwright, path, FLAGS, environment, sandbox=confinement.sandbox)
