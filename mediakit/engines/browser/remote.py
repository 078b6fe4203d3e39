"""Connect to a Chromium that runs elsewhere, after checking that its pages can only use mediakit's proxy.

mediakit cannot set the flags of a remote Chromium, so it reads them. Without this proof nothing renders.
"""

import asyncio
import logging
import shlex
import socket
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

from mediakit.engines.browser.driver import driver
from mediakit.engines.browser.driver_client import DriverClient
from mediakit.engines.browser.flags import missing_flags
from mediakit.engines.browser.leak_check import LeakError, check_for_leaks
from mediakit.engines.browser.process import ChromiumProcess
from mediakit.engines.browser.protocol import ProtocolError, Session
from mediakit.engines.network.resolve import system_resolve
from mediakit.errors import BrowserMissing

CONNECT_TIMEOUT_SECONDS = 15.0
"""Time limit for connecting and for all checks."""

BACKLOG = 128
"""Pending connections. A browser opens at most 32 connections to one proxy."""

logger = logging.getLogger(__name__)


async def connect(url: str, proxy_host: str) -> ChromiumProcess:
    """Connect to a remote Chromium.

    Args:
        url: Its DevTools URL.
        proxy_host: Name or address of this server, as the remote Chromium sees it.

    Raises:
        BrowserMissing: No Chromium responds, its flags do not restrict the network of pages, or it cannot reach the
            proxy.
    """
    parts = urlsplit(url)
    shown = f"{parts.scheme}://{parts.hostname}:{parts.port}"  # the rest can contain a password or a token
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT_SECONDS), driver(Path(tempfile.gettempdir())) as playwright:
            addresses = await system_resolve(parts.hostname or "")
            return await _checked(
                ChromiumProcess(
                    await DriverClient.connect(playwright, _with_address(url, addresses[0])),
                    await _listener(proxy_host),
                    None,
                    proxy_host=proxy_host,
                    clients=frozenset(addresses),
                )
            )
    except LeakError as error:
        raise BrowserMissing(f"MEDIAKIT_BROWSER_URL: the Chromium at {shown} is not used. {error}") from None
    except (ProtocolError, OSError) as error:  # OSError includes TimeoutError
        logger.warning("The remote browser does not respond: %s", str(error).partition("\n")[0])
        raise BrowserMissing(
            f"MEDIAKIT_BROWSER_URL: no Chromium responds at {shown}. Start one with --remote-debugging-port."
        ) from None


async def _checked(process: ChromiumProcess) -> ChromiumProcess:
    """Return a process after checking its flags, and that its pages reach the proxy and nothing else of this server.

    Raises:
        LeakError: A check failed.
    """
    try:
        await _check_flags(process)
        await check_for_leaks(process)
    except BaseException:
        process.listener.close()
        raise
    return process


async def _check_flags(process: ChromiumProcess) -> None:
    if missing := missing_flags(await _command_line(process.client.session), process.proxy_host):
        raise LeakError(f"Start it with: {shlex.join(missing)}")


async def _command_line(session: Session) -> list[str]:
    """Return the command line of a Chromium, or an empty list if it does not tell."""
    try:
        response = await session.send("Browser.getBrowserCommandLine")
    except ProtocolError as error:
        logger.info("The remote browser does not tell its command line: %s", error.message)
        return []
    arguments = list(map(str, response["arguments"]))
    if "--no-sandbox" in arguments:
        logger.warning("The remote browser runs without a sandbox.")
    return arguments


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
