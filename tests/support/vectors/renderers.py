"""Renderers of vector pages: the three tools, and a Chromium without any guard."""

import asyncio
import io
from collections.abc import Callable
from types import TracebackType
from typing import Self

from PIL import Image
from playwright.async_api import Browser as Chromium
from playwright.async_api import Playwright, async_playwright

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, html
from mediakit.engines.browser.command import find
from mediakit.engines.browser.web import render_screenshot
from mediakit.engines.capture_options import CaptureOptions
from mediakit.engines.paper import PageLayout
from mediakit.results.files import PdfResult
from mediakit.settings import BrowserSettings
from tests.support.browser_kit import Site
from tests.support.vectors import CAPTURE, PDF, PUBLIC_HOST, SCREENSHOT

Renderer = Callable[[Browser, Site, str, int], bytes]
"""Renders HTML, waits a number of milliseconds, and returns the file."""


def capture(browser: Browser, _: Site, page: str, wait_ms: int) -> bytes:
    return runtime.run(html.render_image(page, width=1200, height=1600, wait_ms=wait_ms, browser=browser)).content


def pdf(browser: Browser, _: Site, page: str, __: int) -> bytes:
    return runtime.run(html.render_pdf(page, html.PrintOptions(PageLayout()), browser=browser)).content


def take_screenshot(browser: Browser, public: Site, page: str, wait_ms: int) -> bytes:
    url = publish(public, page)
    image = render_screenshot(url, width=1200, height=1600, wait_ms=wait_ms, options=CaptureOptions(), browser=browser)
    return runtime.run(image).content


RENDERERS: dict[str, Renderer] = {CAPTURE: capture, PDF: pdf, SCREENSHOT: take_screenshot}


class UnguardedChromium:
    """A Chromium without proxy, without mediakit's flags, and without certificate checks."""

    def __enter__(self) -> Self:
        self._playwright, self._chromium = runtime.run(self._start())
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        runtime.run(self._stop())

    def open(self, public: Site, page: str) -> None:
        """Open a page in a new context and leave it open."""
        runtime.run(self._open(publish(public, page)))

    def wait(self, milliseconds: int) -> None:
        """Wait while the pages run."""
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


def publish(public: Site, page: str) -> str:
    """Add a page to the public site and return its URL."""
    public.add_page("/vectors", "text/html; charset=utf-8", page.encode())
    return public.url("/vectors", PUBLIC_HOST)


def colors(content: bytes) -> set[tuple[int, ...]]:
    """Return the colors of an image, or of the first page of a PDF."""
    is_pdf = content.startswith(b"%PDF")
    image = PdfResult(content, "application/pdf").to_pil() if is_pdf else Image.open(io.BytesIO(content))
    counts = image.convert("RGB").getcolors(1 << 24) or ()
    return {color for _, color in counts if isinstance(color, tuple)}
