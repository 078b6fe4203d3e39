"""Failures of Chromium: each raises in time, leaves no process behind, and the next render succeeds."""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import psutil
import pytest

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, Tab, View, html, limits
from mediakit.engines.browser import pool as pool_module
from mediakit.engines.browser.html import PrintOptions, Screenshot, render_image
from mediakit.engines.browser.page import Document
from mediakit.engines.browser.pool import Work
from mediakit.engines.browser.process import ChromiumProcess
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.browser.web import render_screenshot
from mediakit.engines.capture_options import CaptureOptions
from mediakit.engines.paper import Margins, PageLayout
from mediakit.errors import InvalidInput, MediakitError, PageUnavailable, RenderFailed, ServerBusy
from tests.support.browser_kit import (
    Site,
    all_exit,
    chromium_processes,
    decode,
    descendants,
    leftover_pages,
    load,
    open_browser,
    pixel,
    render,
    text,
)

pytestmark = pytest.mark.browser
pytest_plugins = ["tests.support.browser_fixtures"]

VIEW = View(200, 100)


@pytest.fixture(autouse=True)
def no_leftover_processes() -> Iterator[None]:
    """Check that a test leaves no Chromium process behind."""
    before = set(chromium_processes())
    yield
    assert all_exit([process for process in chromium_processes() if process not in before])


async def main_pid(browser: Browser) -> int:
    local = (await browser.start()).local
    assert local
    return local.pid


def renderers(browser: Browser) -> list[psutil.Process]:
    processes = descendants(runtime.run(main_pid(browser)))
    return [process for process in processes if "--type=renderer" in process.cmdline()]


def take_screenshot(browser: Browser, url: str, **limits: float) -> Screenshot:
    image = render_screenshot(
        url,
        width=200,
        height=100,
        options=CaptureOptions(),
        browser=browser,
        **limits,  # type: ignore[arg-type]
    )
    return runtime.run(image)


def renders_correctly(chromium: Browser) -> bool:
    return (
        pixel(render(chromium, "<body style='background:#2563eb'>")) == (37, 99, 235) and leftover_pages(chromium) == []
    )


def first_attempt(interfere: Callable[[], None]) -> Work[str]:
    """Return work that calls a function in its first attempt, waits for the page, and returns the page's text."""
    attempts = iter([interfere])

    async def work(tab: Tab) -> str:
        await tab.document.write("<p>hello")
        for attempt in attempts:
            await asyncio.to_thread(attempt)
            await tab.cdp.evaluate("1")  # fails or hangs after the interference
            await asyncio.sleep(600)
        return await text(tab)

    return work


def test_render_is_retried_when_renderer_is_killed() -> None:
    def kill() -> None:
        for process in renderers(chromium):
            process.kill()

    with open_browser() as chromium:
        runtime.run(chromium.start())
        assert runtime.run(chromium.render(first_attempt(kill), VIEW, seconds=60)) == "hello"
        assert renders_correctly(chromium)


def test_page_whose_renderer_exits_twice_raises_page_error() -> None:
    async def work(tab: Tab) -> None:
        await tab.document.write("<p>hello")
        for process in await asyncio.to_thread(descendants, await main_pid(chromium)):
            if "--type=renderer" in process.cmdline():
                process.kill()
        await asyncio.sleep(600)

    with open_browser(render_slots=1) as chromium:
        with pytest.raises(PageUnavailable, match="crashed the browser twice"):
            runtime.run(chromium.render(work, VIEW, seconds=60, page_error=PageUnavailable))
        assert renders_correctly(chromium)


@pytest.mark.parametrize("which", ["renderer", "Chromium"])
def test_render_is_retried_when_process_is_suspended(which: str) -> None:
    stopped: list[psutil.Process] = []
    others = set(chromium_processes())  # of earlier test modules

    def suspend() -> None:
        [main] = set(chromium_processes()) - others
        stopped.extend({"renderer": renderers(chromium), "Chromium": [main]}[which])
        for process in stopped:
            process.send_signal(signal.SIGSTOP)

    with open_browser(render_slots=1) as chromium:
        runtime.run(chromium.start())
        assert runtime.run(chromium.render(first_attempt(suspend), VIEW, seconds=60)) == "hello"
        assert renders_correctly(chromium)
        assert all_exit(stopped)


def test_chromium_that_was_suspended_while_idle_is_replaced() -> None:
    with open_browser(render_slots=1) as chromium:
        assert renders_correctly(chromium)
        main = psutil.Process(runtime.run(main_pid(chromium)))
        main.suspend()
        assert renders_correctly(chromium)
        assert all_exit([main])


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no Chromium respond to pings."""

    async def never(_: ChromiumProcess) -> None:
        await asyncio.sleep(600)

    monkeypatch.setattr(ChromiumProcess, "ping", never)
    monkeypatch.setattr(limits, "MAX_SILENT_CHECKS", 5)


@pytest.mark.usefixtures("silent")
def test_chromium_that_neither_responds_nor_works_is_replaced() -> None:
    async def work(_: Tab) -> None:
        attempts.append("attempt")
        await asyncio.sleep(600)

    attempts: list[str] = []
    with open_browser(render_slots=1) as chromium:
        with pytest.raises(RenderFailed, match="does not respond"):
            runtime.run(chromium.render(work, VIEW, seconds=60, page_error=PageUnavailable))
        assert len(attempts) == 2


@pytest.mark.usefixtures("silent")
def test_chromium_that_is_only_busy_is_not_replaced(web: Site) -> None:
    loop = "<script>const end = Date.now() + 2500; while (Date.now() < end);</script><p>done"
    page = web.add_page("/", "text/html", loop.encode())

    async def work(tab: Tab) -> str:
        attempts.append("attempt")
        await load(tab, page)
        return str(await tab.cdp.evaluate("document.querySelector('p').textContent"))

    attempts: list[str] = []
    with open_browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        assert runtime.run(chromium.render(work, View(200, 100, scripts=True), seconds=60)) == "done"
    assert attempts == ["attempt"]


def test_page_that_takes_too_long_is_invalid_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "RENDER_TIMEOUT_SECONDS", 1)
    monkeypatch.setattr(pool_module, "MIN_CPU_SHARE", 0.02)
    options = PrintOptions(PageLayout("A4", landscape=False, margins=Margins(0, 0, 0, 0)))
    with open_browser(render_slots=1) as chromium:
        runtime.run(chromium.start())
        with pytest.raises(InvalidInput, match=r"^html: the page took more than 2 seconds to render\. Make it shorter"):
            runtime.run(html.render_pdf("<div>" * 100_000, options, resource_seconds=1, browser=chromium))
        assert renders_correctly(chromium)


def test_timeout_of_page_that_used_no_processor_time_is_not_blamed_on_page() -> None:
    async def work(_: Tab) -> None:
        await asyncio.sleep(600)

    with open_browser(render_slots=1) as chromium:
        runtime.run(chromium.start())
        with pytest.raises(RenderFailed, match=r"did not render within 2 seconds\. Try again"):
            runtime.run(chromium.render(work, VIEW, seconds=2, page_error=InvalidInput))


def test_page_that_needs_too_much_memory_is_invalid_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_PROCESS_BYTES", 10_000_000)
    with (
        open_browser() as chromium,
        pytest.raises(InvalidInput, match=r"^html: the page needs more than 1 GB of memory"),
    ):
        render(chromium, "hello", wait_ms=20_000)


def test_spare_page_that_crashed_is_replaced() -> None:
    with open_browser(render_slots=1) as chromium:
        assert renders_correctly(chromium)
        spare = renderers(chromium)
        for process in spare:
            process.kill()
        assert spare
        assert all_exit(spare)
        time.sleep(0.1)  # until Chromium has reported the crash
        assert renders_correctly(chromium)


def test_chromium_that_hangs_after_render_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    clear = Document.clear
    hanging: list[psutil.Process] = []

    async def suspend_and_clear(document: Document) -> None:
        if not hanging:
            hanging.append(main)
            main.suspend()
        await clear(document)

    monkeypatch.setattr(Document, "clear", suspend_and_clear)
    with open_browser(render_slots=1) as chromium:
        local = runtime.run(chromium.start()).local
        assert local
        main = psutil.Process(local.pid)
        assert renders_correctly(chromium)
        assert renders_correctly(chromium)
        assert hanging
        assert all_exit(hanging)


def test_crash_reported_by_call_is_retried(web: Site) -> None:
    page = web.add_page("/", "text/html", b"hello")
    attempts = iter([ProtocolError("Target crashed")])

    async def work(tab: Tab) -> str:
        loaded = await load(tab, page)
        for error in attempts:
            raise error
        return loaded

    with open_browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        assert runtime.run(chromium.render(work, View(200, 100, scripts=True), seconds=60)) == "hello"
        assert renders_correctly(chromium)


def test_failed_screenshot_is_retried_once() -> None:
    failures = [ProtocolError("Unable to capture screenshot")] * 3

    async def work(_: Tab) -> str:
        if failures:
            raise failures.pop()
        return "rendered"

    with open_browser() as chromium:
        with pytest.raises(RenderFailed, match=r"took no screenshot\. Try again in 5 seconds\."):
            runtime.run(chromium.render(work, VIEW, seconds=60))
        assert runtime.run(chromium.render(work, VIEW, seconds=60)) == "rendered"
        assert renders_correctly(chromium)


def test_endless_script_is_stopped(web: Site) -> None:
    page = web.add_page("/", "text/html", b"<script>for (;;);</script>")
    with open_browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        with pytest.raises(PageUnavailable):
            take_screenshot(chromium, page, load_seconds=1, render_seconds=1)
        assert renders_correctly(chromium)


def test_page_opens_no_windows(web: Site) -> None:
    opens = "<script>const opened = [...Array(100)].map(() => window.open('/', '_blank')).filter(Boolean)</script>"
    show = "<script>document.body.style.background = opened.length ? 'red' : 'lime'</script>"
    page = web.add_page("/", "text/html", f"<body>{opens}{show}<iframe src='/frame'></iframe>".encode())
    with open_browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        assert pixel(take_screenshot(chromium, page), 190, 90) == (0, 255, 0)
        assert renders_correctly(chromium)


def test_page_over_memory_limit_is_stopped(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_PROCESS_BYTES", 300_000_000)
    script = b"<script>const all = []; setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 20)</script>"
    page = web.add_page("/", "text/html", script)
    with open_browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        with pytest.raises(PageUnavailable, match="needs more than 1 GB of memory"):
            take_screenshot(chromium, page, wait_ms=20_000)
        assert renders_correctly(chromium)


def test_page_with_ten_million_elements_renders_or_raises(web: Site) -> None:
    many = b"<body><script>for (let i = 0; i < 1e7; i++) document.body.append(document.createElement('i'))</script>"
    page = web.add_page("/", "text/html", many)
    with open_browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        image: Screenshot | None = None
        with suppress(PageUnavailable):
            image = take_screenshot(chromium, page, load_seconds=5, render_seconds=5)
        assert image is None or decode(image).size == (200, 100)
        assert renders_correctly(chromium)


def test_page_of_50000_pixels_is_complete_to_last_row() -> None:
    bands = ((49_990, "red"), (10, "lime"))
    tall = "<body style='margin:0'>" + "".join(
        f"<div style='height:{high}px;background:{color}'></div>" for high, color in bands
    )
    with open_browser() as chromium:
        screenshot = render(chromium, tall, full_page=True)
        image = decode(screenshot).convert("RGB")
        assert image.size == (200, 50_000)
        rows = [image.getpixel((199, y)) for y in (0, 49_989, 49_990, 49_999)]
        assert rows == [(255, 0, 0), (255, 0, 0), (0, 255, 0), (0, 255, 0)]
        assert renders_correctly(chromium)


def test_200_concurrent_calls_render_or_raise_server_busy() -> None:
    async def render_200(chromium: Browser) -> list[Screenshot | BaseException]:
        calls = (render_image(f"<p>{call}", width=200, height=100, browser=chromium) for call in range(200))
        return await asyncio.gather(*calls, return_exceptions=True)

    with open_browser() as chromium:
        results = runtime.run(render_200(chromium))
        images = [result for result in results if isinstance(result, Screenshot)]
        errors = [result for result in results if isinstance(result, ServerBusy)]
        assert (len(images), len(errors)) == (66, 134)
        assert all(1 <= error.retry_after <= 30 for error in errors)
        assert renders_correctly(chromium)


def test_hostile_page_does_not_delay_other_renders() -> None:
    bomb = "".join("<div style='position:fixed;inset:0;backdrop-filter:blur(9px)'></div>" for _ in range(300))

    async def render_beside_bomb(chromium: Browser) -> tuple[list[int], str]:
        hostile = asyncio.ensure_future(
            render_image(bomb, width=1200, height=630, browser=chromium, resource_seconds=3)
        )
        await asyncio.sleep(0.5)
        widths = []
        for _ in range(5):
            widths.append((await render_image("<p>hello", width=200, height=100, browser=chromium)).width)
            if hostile.done():
                break
        hostile.cancel()
        outcome = (await asyncio.gather(hostile, return_exceptions=True))[0]
        return widths, type(outcome).__name__

    with open_browser() as chromium:
        runtime.run(chromium.start())
        widths, outcome = runtime.run(render_beside_bomb(chromium))
        assert widths[0] == 200
        assert outcome in {"Screenshot", "CancelledError", "RenderFailed"}
        assert renders_correctly(chromium)


def test_memory_is_released_after_large_page() -> None:
    def memory() -> int:
        return sum(
            process.memory_info().rss for main in chromium_processes() for process in (main, *descendants(main.pid))
        )

    with open_browser(render_slots=1) as chromium:
        assert renders_correctly(chromium)
        before = memory()
        large = "<p>" + "<b>word</b> " * 300_000
        with suppress(MediakitError):
            render(chromium, large, full_page=True, resource_seconds=0.5)
        assert renders_correctly(chromium)
        deadline = time.monotonic() + 20
        while memory() > before * 1.5 and time.monotonic() < deadline:
            time.sleep(0.2)
        assert memory() <= before * 1.5
