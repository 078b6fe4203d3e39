"""Timers of a connection: a restartable timer, and a watch that closes connections whose client does not read."""

import asyncio
import socket
import struct
from collections.abc import Callable

WRITE_TIMEOUT_SECONDS = 30.0
"""Time in which a client must read at least `MIN_READ_BYTES` of a response, or the rest of it."""
MIN_READ_BYTES = 64 * 1024
MAX_RESPONSE_SECONDS = 600.0
"""Time in which a client must read a response."""


class Timer:
    """A timer that can be started again."""

    __slots__ = ("_handle", "_loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._handle: asyncio.TimerHandle | None = None

    @property
    def is_running(self) -> bool:
        """Whether the timer was started, and has neither been cancelled nor expired."""
        return self._handle is not None

    def start(self, seconds: float, callback: Callable[[], None]) -> None:
        """Start the timer; one that runs is replaced."""
        self.cancel()

        def expire() -> None:
            self._handle = None
            callback()

        self._handle = self._loop.call_later(seconds, expire)

    def cancel(self) -> None:
        """Stop the timer."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None


class WriteWatch:
    """Closes a connection whose client reads too slowly. It runs only while unsent data is in the write buffer."""

    __slots__ = ("_deadline", "_loop", "_timer", "_transport", "_unsent_bytes")

    def __init__(self, loop: asyncio.AbstractEventLoop, transport: asyncio.Transport) -> None:
        self._loop = loop
        self._transport = transport
        self._timer = Timer(loop)
        self._unsent_bytes = 0
        self._deadline = 0.0

    def start_response(self) -> None:
        """Set the deadline of a response."""
        self._deadline = self._loop.time() + MAX_RESPONSE_SECONDS

    def watch(self) -> None:
        """Start the watch if there is unsent data."""
        if self._timer.is_running:
            return
        self._unsent_bytes = self._transport.get_write_buffer_size()
        if self._unsent_bytes:
            self._timer.start(WRITE_TIMEOUT_SECONDS, self._check)

    def resume(self) -> None:
        """Stop the watch, because the client has read enough; close the connection if the deadline has passed."""
        self.cancel()
        if self._loop.time() > self._deadline and self._transport.get_write_buffer_size():
            self._reset()

    def cancel(self) -> None:
        """Stop the watch."""
        self._timer.cancel()

    def _check(self) -> None:
        read = self._unsent_bytes - self._transport.get_write_buffer_size()
        if read < min(MIN_READ_BYTES, self._unsent_bytes) or self._loop.time() > self._deadline:
            self._reset()
        else:
            self.watch()

    def _reset(self) -> None:
        """Close the connection, and drop what the system has not sent yet; it would otherwise try for minutes."""
        sock = self._transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._transport.abort()
