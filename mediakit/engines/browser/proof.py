"""Proof, at the first start of a Chromium, that its pages find no way around the proxy; without it nothing renders.

A network of its own is proof enough. Otherwise a canary listens on this machine, and a page tries to reach it by all
that takes different ways through Chromium: HTTP over both kinds of address, WebSocket, and the UDP of WebRTC. The proxy
refuses everything, so a single touch is a leak.
"""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path

from mediakit.engines.browser.launched import Launched
from mediakit.engines.browser.tab import open_page
from mediakit.engines.network import EgressProxy, Guard

SECONDS = 5.0
"""How long the attempts may take together; a few milliseconds are usual."""

ATTEMPTS = """([tcp, udp]) => Promise.allSettled([
    fetch(`http://127.0.0.1:${tcp}/`, {mode: 'no-cors'}),
    fetch(`http://localhost:${tcp}/`, {mode: 'no-cors'}),
    fetch(`http://[::1]:${tcp}/`, {mode: 'no-cors'}),
    new Promise(done => { new WebSocket(`ws://127.0.0.1:${tcp}/`).onerror = done; }),
    new Promise(done => {
        const peer = new RTCPeerConnection({iceServers: [{urls: `stun:127.0.0.1:${udp}`}]});
        peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done();
        peer.createDataChannel('');
        peer.createOffer().then(offer => peer.setLocalDescription(offer));
        setTimeout(done, 150);
    }),
]).then(() => true)"""


class LeakError(Exception):
    """A page reached this machine past the proxy."""


class Canary:
    """Listens on this machine, and knows whether anyone came."""

    def __init__(self) -> None:
        listener = socket.create_server(("127.0.0.1", 0))
        self.tcp = listener.getsockname()[1]
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.bind(("127.0.0.1", 0))
        self.udp = datagrams.getsockname()[1]
        self._sockets = [listener, datagrams]
        with suppress(OSError):  # no IPv6 here, or another's port there
            self._sockets.append(socket.create_server(("::1", self.tcp), family=socket.AF_INET6))
        for each in self._sockets:
            each.settimeout(0)

    @property
    def touched(self) -> bool:
        """Whether a connection or a datagram waits."""
        return any(map(_is_touched, self._sockets))

    def close(self) -> None:
        """Listen no more."""
        for each in self._sockets:
            each.close()


async def prove(launched: Launched) -> None:
    """Make sure that a Chromium's pages do not reach this machine.

    Raises:
        LeakError: They do.
        TimeoutError: The attempts do not end.
    """
    if launched.local and _has_own_network(launched.local.pid):
        return
    canary = Canary()
    try:
        async with asyncio.timeout(SECONDS), EgressProxy(Guard()).lease(listener=launched.door):
            opened = await open_page(launched.browser, launched.proxy, scripts=True)
            await opened.page.evaluate(ATTEMPTS, [canary.tcp, canary.udp])
            await opened.page.context.close()
        if canary.touched:
            raise LeakError("Its pages reach this machine past the proxy that guards them, so nothing renders with it.")
    finally:
        canary.close()


def _has_own_network(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()
    except OSError:  # no Linux, or not ours to look at
        return False


def _is_touched(listener: socket.socket) -> bool:
    try:
        if listener.type == socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(1)
    except BlockingIOError:
        return False
    return True
