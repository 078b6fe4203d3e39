"""The frames of a page that draws only on request, which Chromium's headless shell offers.

Chromium draws pages 60 times a second, and a screenshot needs two frames. A page that draws on request need not wait
for them, and draws none in vain before and after its screenshot.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from mediakit.engines.browser.protocol import ProtocolError, Session

FLAG = "--run-all-compositor-stages-before-draw"
"""Command line flag without which pages cannot draw on request. Each frame then waits for all changes of the page."""

PAUSE_SECONDS = 1 / 60
"""Pause before a frame."""

SCREENSHOT_PAUSE_SECONDS = 0.002
"""Pause before a frame during a screenshot."""


class Frames:
    """Requests the frames of a page during a render."""

    def __init__(self, cdp: Session) -> None:
        """Request no frames yet.

        Args:
            cdp: Session of a page that draws only on request.
        """
        self._cdp = cdp
        self._pause = PAUSE_SECONDS
        self._is_running = False
        self._timer: asyncio.TimerHandle | None = None
        """Starts the next frame."""
        self._frame: asyncio.Task[None] | None = None
        """The frame that is being drawn. Chromium draws one at a time."""

    async def draw(self) -> None:
        """Draw a frame.

        Raises:
            ProtocolError: The page draws on its own, or the page or Chromium exited.
        """
        await self._cdp.send("HeadlessExperimental.beginFrame")

    @contextmanager
    def running(self) -> Iterator[None]:
        """Draw frames during the block, like a page that draws on its own."""
        self._is_running = True
        self._schedule()
        try:
            yield
        finally:
            self._is_running = False
            self._schedule()

    @contextmanager
    def hurried(self) -> Iterator[None]:
        """Draw frames with shorter pauses during the block."""
        self._pause = SCREENSHOT_PAUSE_SECONDS
        self._schedule()
        try:
            yield
        finally:
            self._pause = PAUSE_SECONDS
            self._schedule()

    def _schedule(self) -> None:
        """Set the timer of the next frame, unless one is being drawn."""
        if self._timer:
            self._timer.cancel()
        self._timer = None
        if self._is_running and not self._frame:
            self._timer = asyncio.get_running_loop().call_later(self._pause, self._start)

    def _start(self) -> None:
        self._frame = asyncio.ensure_future(self._draw_and_schedule())

    async def _draw_and_schedule(self) -> None:
        with suppress(ProtocolError):  # the render gets the error too
            await self.draw()
        self._frame = None
        self._schedule()
