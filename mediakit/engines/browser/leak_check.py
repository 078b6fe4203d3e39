"""Check, at the first start of a Chromium, that its pages cannot bypass the proxy. Without this proof nothing renders.

A separate network namespace is sufficient proof. Otherwise a canary listens on this machine while a page tries to
reach it in all ways that take different paths through Chromium: HTTP over IPv4 and IPv6, WebSocket, and WebRTC over
UDP. The proxy rejects everything during the check, so a single connection or datagram is a leak.
"""

import asyncio
import json
import socket
from contextlib import suppress
from pathlib import Path

from mediakit.engines.browser.process import ChromiumProcess
from mediakit.engines.network import EgressProxy, Guard

TIMEOUT_SECONDS = 5.0
"""Time limit for all attempts together. They usually take a few milliseconds."""

ATTEMPTS = """([host, tcp, udp]) => Promise.allSettled([
    fetch(`http://${host}:${tcp}/`, {mode: 'no-cors'}),
    fetch(`http://localhost:${tcp}/`, {mode: 'no-cors'}),
    fetch(`http://[::1]:${tcp}/`, {mode: 'no-cors'}),
    new Promise(done => { new WebSocket(`ws://${host}:${tcp}/`).onerror = done; }),
    new Promise(done => {
        const peer = new RTCPeerConnection({iceServers: [{urls: `stun:${host}:${udp}`}]});
        peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done();
        peer.createDataChannel('');
        peer.createOffer().then(offer => peer.setLocalDescription(offer));
        setTimeout(done, 150);
    }),
]).then(() => true)"""


class LeakError(Exception):
    """It is not proved that pages use only the proxy."""


class Canary:
    """Listens on this machine and records whether anything connected."""

    def __init__(self, address: str) -> None:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        self.host = f"[{address}]" if ":" in address else address
        listener = socket.create_server((address, 0), family=family)
        self.tcp = listener.getsockname()[1]
        datagrams = socket.socket(family, socket.SOCK_DGRAM)
        datagrams.bind((address, 0))
        self.udp = datagrams.getsockname()[1]
        self._sockets = [listener, datagrams]
        with suppress(OSError):  # no IPv6 on this machine, or the port is in use there
            self._sockets.append(socket.create_server(("::1", self.tcp), family=socket.AF_INET6))
        for each in self._sockets:
            each.settimeout(0)

    @property
    def reached(self) -> bool:
        """Whether a connection or a datagram has arrived."""
        return any(map(_is_reached, self._sockets))

    def close(self) -> None:
        """Stop listening."""
        for each in self._sockets:
            each.close()


async def check_for_leaks(process: ChromiumProcess) -> None:
    """Check that the pages of a Chromium reach the proxy, and cannot reach this machine without it.

    Raises:
        LeakError: They reach this machine without the proxy, or they do not reach the proxy.
        TimeoutError: The attempts did not finish in time.
    """
    if process.local and _has_own_network(process.local.pid):
        return
    canary = Canary(process.listener.getsockname()[0])
    proxy = EgressProxy(Guard())
    try:
        async with (
            asyncio.timeout(TIMEOUT_SECONDS),
            proxy.lease(listener=process.listener, clients=process.clients) as lease,
        ):
            opened = await process.client.open_page(process.proxy, scripts=True)
            arguments = json.dumps([canary.host, canary.tcp, canary.udp])
            await opened.cdp.evaluate(f"({ATTEMPTS})({arguments})", await_promise=True)
            await opened.close()
        if canary.reached:
            raise LeakError("Its pages can reach this machine without the proxy, so it is not used.")
        if not lease.requests:
            raise LeakError(f"Its pages cannot reach the proxy of this server at {process.proxy_host}.")
    finally:
        canary.close()


def _has_own_network(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()
    except OSError:  # not Linux, or no permission
        return False


def _is_reached(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(1)
    except BlockingIOError:
        return False
    return True
