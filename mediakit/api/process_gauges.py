"""Gauges of this process: its renders, Chromium processes and calls with files."""

import asyncio
import sys

from mediakit.api import metrics
from mediakit.core.slots import Slots

INTERVAL_SECONDS = 1.0
"""Time between two updates: `/metrics` of another worker process reads the last ones."""


class ProcessGauges:
    """Keeps the gauges of this process up to date."""

    def __init__(self, file_slots: Slots, render_slots: int) -> None:
        self._file_slots = file_slots
        self._render_slots = render_slots

    def update(self) -> None:
        """Set every gauge to its current value."""
        metrics.FILE_CALLS_RUNNING.set(self._file_slots.taken)
        metrics.FILE_CALLS_WAITING.set(self._file_slots.waiting)
        metrics.RENDER_SLOTS.set(self._render_slots)
        # Without a render, the browser is not imported: that takes longer than all other modules of the API together.
        module = sys.modules.get("mediakit.engines.browser")
        if browser := module and module.existing():
            metrics.RENDERS_RUNNING.set(browser.slots.taken)
            metrics.RENDERS_WAITING.set(browser.slots.waiting)
            metrics.BROWSERS_RUNNING.set(browser.process_count)

    async def keep_updated(self) -> None:
        """Update the gauges until the task is cancelled."""
        while True:
            self.update()
            await asyncio.sleep(INTERVAL_SECONDS)
