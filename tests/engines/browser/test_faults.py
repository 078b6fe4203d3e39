"""What goes wrong in Chromium, or is done to it: answered in time, with nothing left running and the next call fine."""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import psutil
import pytest
from playwright.async_api import Error

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, Tab, View, limits
from mediakit.engines.capture_options import CaptureOptions
from mediakit.engines.html import Screenshot, render_image
from mediakit.errors import MediakitError, PageUnavailable, RenderFailed, ServerBusy
from mediakit.tools.images.screenshot import render as screenshot
from tests.support.browser_kit import Site, all_end, browser, descendants, draw, opened, own_chromium, pages_left, pixel

pytestmark = pytest.mark.browser
pytest_plugins = ["tests.support.browser_fixtures"]

VIEW = View(200, 100)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Let no test leave a process of Chromium behind."""
    before = set(own_chromium())
    yield
    assert all_end([process for process in own_chromium() if process not in before])


def renderers(of: Browser) -> list[psutil.Process]:
    async def main_process() -> int:
        local = (await of.start()).local
        assert local
        return local.pid

    family = descendants(runtime.run(main_process()))
    return [process for process in family if "--type=renderer" in process.cmdline()]


def shoot(on: Browser, url: str, **limits: float) -> Screenshot:
    shot = screenshot.render_screenshot(
        url,
        width=200,
        height=100,
        options=CaptureOptions(),
        browser=on,
        **limits,  # type: ignore[arg-type]
    )
    return runtime.run(shot)


def is_fine(chromium: Browser) -> bool:
    return pixel(draw(chromium, "<body style='background:#2563eb'>")) == (37, 99, 235) and pages_left(chromium) == []


def meddled(on: Browser, meddle: Callable[[], None], seconds: float) -> float:
    """Do something while a page is in the making that would take long; give the seconds it took to fail."""

    async def work(tab: Tab) -> None:
        await tab.document.write("<p>hello")
        await asyncio.to_thread(meddle)
        await tab.page.evaluate("1")
        await asyncio.sleep(30)

    runtime.run(on.start())
    began = time.monotonic()
    with pytest.raises(RenderFailed):
        runtime.run(on.render(work, VIEW, seconds=seconds))
    return time.monotonic() - began


def test_killed_renderer_ends_render_at_once() -> None:
    def kill() -> None:
        for process in renderers(chromium):
            process.kill()

    with browser() as chromium:
        assert meddled(chromium, kill, seconds=20) < 15
        assert is_fine(chromium)


@pytest.mark.parametrize("which", ["renderer", "Chromium", "driver"])
def test_hanging_process_is_killed_at_time_limit(which: str) -> None:
    stopped: list[psutil.Process] = []

    def hang() -> None:
        [main] = own_chromium()
        driver = main.parent()
        assert driver
        stopped.extend({"renderer": renderers(chromium), "Chromium": [main], "driver": [driver]}[which])
        for process in stopped:
            process.send_signal(signal.SIGSTOP)

    with browser(render_slots=1) as chromium:
        meddled(chromium, hang, seconds=1)
        assert is_fine(chromium)
        assert all_end(stopped, within=15)


def test_spare_page_that_crashed_is_replaced() -> None:
    with browser(render_slots=1) as chromium:
        assert is_fine(chromium)
        waiting = renderers(chromium)
        for process in waiting:
            process.kill()
        assert waiting
        assert all_end(waiting)
        time.sleep(0.1)  # the news travels through Chromium and its driver
        assert is_fine(chromium)


def test_chromium_that_hangs_after_render_is_replaced() -> None:
    async def hang_at_once(chromium: Browser) -> psutil.Process:
        await render_image("<p>hello", width=200, height=100, browser=chromium)
        local = (await chromium.start()).local
        assert local
        process = psutil.Process(local.pid)
        process.suspend()  # while the page is being emptied
        return process

    with browser(render_slots=1) as chromium:
        hanging = runtime.run(hang_at_once(chromium))
        assert is_fine(chromium)
        assert all_end([hanging])


def test_crash_reported_by_call_raises_page_error(web: Site) -> None:
    page = web.serves("/", "text/html", b"hello")

    async def crash(chromium: Browser) -> None:
        async def work(tab: Tab) -> None:
            await tab.page.goto(page)
            raise Error("CDPSession.send: Target crashed")

        await chromium.render(work, View(200, 100, scripts=True), seconds=20, page_error=PageUnavailable)

    with browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        with pytest.raises(PageUnavailable, match="crashed the browser"):
            runtime.run(crash(chromium))
        assert is_fine(chromium)


def test_endless_script_is_stopped(web: Site) -> None:
    page = web.serves("/", "text/html", b"<script>for (;;);</script>")
    with browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        with pytest.raises(PageUnavailable):
            shoot(chromium, page, load_seconds=1, render_seconds=1)
        assert is_fine(chromium)


def test_page_opens_no_windows(web: Site) -> None:
    opens = "<script>const opened = [...Array(100)].map(() => window.open('/', '_blank')).filter(Boolean)</script>"
    says = "<script>document.body.style.background = opened.length ? 'red' : 'lime'</script>"
    page = web.serves("/", "text/html", f"<body>{opens}{says}<iframe src='/frame'></iframe>".encode())
    with browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        assert pixel(shoot(chromium, page), 190, 90) == (0, 255, 0)
        assert is_fine(chromium)


def test_page_over_memory_limit_is_stopped(web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_PROCESS_BYTES", 300_000_000)
    eats = b"<script>const all = []; setInterval(() => all.push(new Uint8Array(2e7).fill(1)), 20)</script>"
    page = web.serves("/", "text/html", eats)
    with browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        with pytest.raises(PageUnavailable, match="needs more than 1 GB of memory"):
            shoot(chromium, page, wait_ms=20_000)
        assert is_fine(chromium)


def test_page_with_ten_million_elements_renders_or_raises(web: Site) -> None:
    many = b"<body><script>for (let i = 0; i < 1e7; i++) document.body.append(document.createElement('i'))</script>"
    page = web.serves("/", "text/html", many)
    with browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        shot: Screenshot | None = None
        with suppress(PageUnavailable):
            shot = shoot(chromium, page, load_seconds=15, render_seconds=5)
        assert shot is None or opened(shot).size == (200, 100)
        assert is_fine(chromium)


def test_page_of_50000_pixels_is_complete_to_last_row() -> None:
    bands = ((49_990, "red"), (10, "lime"))
    tall = "<body style='margin:0'>" + "".join(
        f"<div style='height:{high}px;background:{color}'></div>" for high, color in bands
    )
    with browser() as chromium:
        shot = draw(chromium, tall, full_page=True)
        image = opened(shot).convert("RGB")
        assert image.size == (200, 50_000)
        rows = [image.getpixel((199, y)) for y in (0, 49_989, 49_990, 49_999)]
        assert rows == [(255, 0, 0), (255, 0, 0), (0, 255, 0), (0, 255, 0)]
        assert is_fine(chromium)


def test_200_concurrent_calls_render_or_raise_server_busy() -> None:
    async def crowd(chromium: Browser) -> list[Screenshot | BaseException]:
        calls = (render_image(f"<p>{call}", width=200, height=100, browser=chromium) for call in range(200))
        return await asyncio.gather(*calls, return_exceptions=True)

    with browser() as chromium:
        answers = runtime.run(crowd(chromium))
        drawn = [answer for answer in answers if isinstance(answer, Screenshot)]
        refused = [answer for answer in answers if isinstance(answer, ServerBusy)]
        assert (len(drawn), len(refused)) == (66, 134)
        assert all(1 <= refusal.retry_after <= 30 for refusal in refused)
        assert is_fine(chromium)


def test_hostile_page_does_not_delay_other_renders() -> None:
    bomb = "".join("<div style='position:fixed;inset:0;backdrop-filter:blur(9px)'></div>" for _ in range(300))

    async def neighbours(chromium: Browser) -> tuple[list[int], str]:
        hostile = asyncio.ensure_future(
            render_image(bomb, width=1200, height=630, browser=chromium, resource_seconds=3)
        )
        await asyncio.sleep(0.5)
        drawn = []
        for _ in range(5):
            drawn.append((await render_image("<p>hello", width=200, height=100, browser=chromium)).width)
            if hostile.done():
                break
        hostile.cancel()
        outcome = (await asyncio.gather(hostile, return_exceptions=True))[0]
        return drawn, type(outcome).__name__

    with browser() as chromium:
        runtime.run(chromium.start())
        drawn, outcome = runtime.run(neighbours(chromium))
        assert drawn[0] == 200
        assert outcome in {"Screenshot", "CancelledError", "RenderFailed"}
        assert is_fine(chromium)


def test_memory_is_released_after_large_page() -> None:
    def taken() -> int:
        return sum(process.memory_info().rss for main in own_chromium() for process in (main, *descendants(main.pid)))

    with browser(render_slots=1) as chromium:
        assert is_fine(chromium)
        before = taken()
        large = "<p>" + "<b>word</b> " * 300_000
        with suppress(MediakitError):
            draw(chromium, large, full_page=True, resource_seconds=0.5)
        assert is_fine(chromium)
        until = time.monotonic() + 20
        while taken() > before * 1.5 and time.monotonic() < until:
            time.sleep(0.2)
        assert taken() <= before * 1.5
