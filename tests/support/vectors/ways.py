"""Who draws a page of vectors: the three tools, and a Chromium without any guard."""

import asyncio
import io
from collections.abc import Callable
from types import TracebackType
from typing import Self

from PIL import Image
from playwright.async_api import Browser as Chromium
from playwright.async_api import Playwright, async_playwright

from mediakit.core.runtime import runtime
from mediakit.engines import html
from mediakit.engines.browser import Browser
from mediakit.engines.browser.find import find
from mediakit.engines.capture_options import CaptureOptions
from mediakit.engines.paper import PageLayout
from mediakit.results.pdf import PdfResult
from mediakit.settings import BrowserSettings
from mediakit.tools.images.screenshot import render as screenshot
from tests.support.browser_kit import Site
from tests.support.vectors import CAPTURE, PDF, PUBLIC_HOST, SCREENSHOT

Way = Callable[[Browser, Site, str, int], bytes]
"""Draws some HTML, waits so many milliseconds, and gives the file."""


def capture(on: Browser, _: Site, page: str, wait_ms: int) -> bytes:
    return runtime.run(html.render_image(page, width=1200, height=1600, wait_ms=wait_ms, browser=on)).content


def pdf(on: Browser, _: Site, page: str, __: int) -> bytes:
    return runtime.run(html.render_pdf(page, html.PrintOptions(PageLayout()), browser=on)).content


def take_screenshot(on: Browser, public: Site, page: str, wait_ms: int) -> bytes:
    url = published(public, page)
    shot = screenshot.render_screenshot(
        url, width=1200, height=1600, wait_ms=wait_ms, options=CaptureOptions(), browser=on
    )
    return runtime.run(shot).content


WAYS: dict[str, Way] = {CAPTURE: capture, PDF: pdf, SCREENSHOT: take_screenshot}


class Unguarded:
    """A Chromium as it comes: no proxy, no flags of ours, certificates of anybody."""

    def __enter__(self) -> Self:
        self._playwright, self._chromium = runtime.run(self._start())
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        runtime.run(self._stop())

    def open(self, public: Site, page: str) -> None:
        """Open a page in a fresh context, which stays."""
        runtime.run(self._open(published(public, page)))

    def wait(self, milliseconds: int) -> None:
        """Let the pages go on."""
        runtime.run(asyncio.sleep(milliseconds / 1000))

    async def _start(self) -> tuple[Playwright, Chromium]:
        playwright = await async_playwright().start()
        return playwright, await playwright.chromium.launch(executable_path=find(BrowserSettings()))

    async def _stop(self) -> None:
        await self._chromium.close()
        await self._playwright.stop()

    async def _open(self, url: str) -> None:
        tab = await self._chromium.new_page(ignore_https_errors=True)
        await tab.goto(url)


def published(public: Site, page: str) -> str:
    """Put a page on the public site, and give its address."""
    public.serves("/vectors", "text/html; charset=utf-8", page.encode())
    return public.url("/vectors", PUBLIC_HOST)


def colours(content: bytes) -> set[tuple[int, ...]]:
    """Give the colours of a picture, or of the first page of a PDF."""
    is_pdf = content.startswith(b"%PDF")
    image = PdfResult(content, "application/pdf").to_pil() if is_pdf else Image.open(io.BytesIO(content))
    found = image.convert("RGB").getcolors(1 << 24) or ()
    return {colour for _, colour in found if isinstance(colour, tuple)}
