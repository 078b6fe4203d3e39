"""The panel "Will it scan?" of the QR code form."""

import asyncio

import ipywidgets as w

from mediakit.results.files import ImageResult

TITLE = "Will it scan?"


class ScanPanel:
    """A scan report of the latest result, computed in the background: one at a time, and only the latest is shown."""

    def __init__(self) -> None:
        self.widget = w.HTML()
        self.widget.add_class("mediakit-scan")
        self.widget.layout.display = "none"  # until there is a report
        self._latest: tuple[ImageResult, str] | None = None
        self._task: asyncio.Task[None] | None = None

    def check(self, code: ImageResult, background: str) -> None:
        """Check a code; call this on the background event loop.

        Args:
            code: The code.
            background: Color below a transparent code.
        """
        self._latest = code, background
        self.widget.add_class("mediakit-stale")
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._update())

    async def _update(self) -> None:
        checked = None
        while self._latest and checked is not self._latest:
            checked = self._latest
            markup = await asyncio.to_thread(_report, *checked)
            if checked is self._latest:
                self.widget.value = markup
                self.widget.layout.display = None
                self.widget.remove_class("mediakit-stale")


def _report(code: ImageResult, background: str) -> str:
    from mediakit.scan_check import scan_check

    report = scan_check(code, background=background)
    return f'<section aria-label="{TITLE}"><h4>{TITLE}</h4>{report._repr_html_()}</section>'
