"""One Chromium for many renders: it starts late, survives crashes, refuses what it cannot take, and leaves nothing."""

import asyncio
import base64
import io
import os
import signal
import socket
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest
from PIL import Image
from playwright.async_api import Error

from mediakit.core.runtime import runtime
from mediakit.core.slots import Slots
from mediakit.engines.browser import Browser, Tab, View, scratch, shared
from mediakit.engines.browser import chromium as chromium_module
from mediakit.engines.browser.find import find
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import BrowserMissing, RenderFailed, ServerBusy
from mediakit.settings import BrowserSettings
from tests.support.browser_kit import (
    Site,
    all_end,
    browser,
    descendants,
    draw,
    is_running,
    opened,
    own_chromium,
    pages_left,
    pixel,
)

pytestmark = pytest.mark.browser
pytest_plugins = ["tests.support.browser_fixtures"]

VIEW = View(200, 100)


@pytest.fixture(scope="module", autouse=True)
def alone() -> None:
    """Stop the Chromium that other tests share: these tests count processes."""

    async def close() -> None:
        await shared().close()

    runtime.run(close())
    assert all_end(own_chromium())


@pytest.fixture
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


def main_process(on: Browser) -> psutil.Process:
    runtime.run(on.start())
    [process] = own_chromium()
    return process


async def forever(_: Tab) -> None:
    await asyncio.sleep(60)


async def title(tab: Tab) -> str:
    await tab.page.set_content("<title>drawn</title>")
    return await tab.page.title()


def test_chromium_starts_with_first_render_and_exits_on_close() -> None:
    with browser() as chromium:
        assert own_chromium() == []
        assert opened(draw(chromium, "hello")).size == (200, 100)
        processes = own_chromium()
        assert len(processes) == 1
    assert all_end(processes)


def test_render_after_close_starts_chromium_again(chromium: Browser) -> None:
    draw(chromium, "hello")
    runtime.run(chromium.close())

    assert opened(draw(chromium, "hello")).size == (200, 100)


def test_idle_chromium_is_stopped() -> None:
    with browser(idle_seconds=0.1) as chromium:
        draw(chromium, "hello")
        assert all_end(own_chromium())
        assert opened(draw(chromium, "hello")).size == (200, 100)


def test_render_after_failed_start_starts_chromium(tmp_path: Path) -> None:
    path = tmp_path / "chromium"
    with browser(browser=path) as chromium:
        with pytest.raises(BrowserMissing, match="MEDIAKIT_BROWSER"):
            draw(chromium, "hello")
        path.write_text("#!/bin/sh\nexit 1\n")
        path.chmod(0o755)
        with pytest.raises(BrowserMissing, match="No working Chromium was found"):
            draw(chromium, "hello")
        path.write_text(f'#!/bin/sh\nexec {find(BrowserSettings())} "$@"\n')
        assert opened(draw(chromium, "hello")).size == (200, 100)


def test_render_is_retried_when_chromium_is_killed(chromium: Browser) -> None:
    victims = [main_process(chromium)]

    async def unlucky(tab: Tab) -> str:
        while victims:
            os.kill(victims.pop().pid, signal.SIGKILL)
        return await title(tab)

    assert runtime.run(chromium.render(unlucky, VIEW, seconds=20)) == "drawn"


def test_render_that_kills_chromium_twice_raises_render_failed(chromium: Browser) -> None:
    tries = 0

    async def deadly(tab: Tab) -> str:
        nonlocal tries
        tries += 1
        [process] = own_chromium()
        os.kill(process.pid, signal.SIGKILL)
        return await title(tab)

    runtime.run(chromium.start())
    with pytest.raises(RenderFailed, match="ended the browser twice"):
        runtime.run(chromium.render(deadly, VIEW, seconds=20))
    assert tries == 2
    assert opened(draw(chromium, "hello")).size == (200, 100)


def test_killed_driver_is_replaced(chromium: Browser) -> None:
    driver = main_process(chromium).parent()
    assert driver
    orphans = descendants(driver.pid)
    driver.kill()

    assert opened(draw(chromium, "hello")).size == (200, 100)
    assert all_end(orphans)


def test_render_is_retried_when_driver_is_killed(chromium: Browser) -> None:
    victims = [main_process(chromium).parent()]

    async def unlucky(tab: Tab) -> str:
        while victims:
            driver = victims.pop()
            assert driver
            driver.kill()
        return await title(tab)

    assert runtime.run(chromium.render(unlucky, VIEW, seconds=20)) == "drawn"


def test_page_crash_does_not_affect_other_render(chromium: Browser) -> None:
    async def crash(tab: Tab) -> None:
        with pytest.raises(Error):
            await tab.page.goto("chrome://crash")
        await asyncio.sleep(30)

    async def both() -> tuple[object, object]:
        bad = chromium.render(crash, VIEW, seconds=20)
        good = chromium.render(title, VIEW, seconds=20)
        first, second = await asyncio.gather(bad, good, return_exceptions=True)
        return first, second

    failed, drawn = runtime.run(both())

    assert isinstance(failed, RenderFailed)
    assert drawn == "drawn"
    assert pages_left(chromium) == []


def test_render_over_time_limit_is_ended_and_closes_its_page(chromium: Browser) -> None:
    with pytest.raises(RenderFailed, match="took more than 1 second"):
        runtime.run(chromium.render(forever, VIEW, seconds=1))

    assert pages_left(chromium) == []


def test_hanging_chromium_is_killed_and_replaced(chromium: Browser) -> None:
    process = main_process(chromium)

    async def hang(_: Tab) -> None:
        process.suspend()
        await asyncio.sleep(30)

    with pytest.raises(RenderFailed):
        runtime.run(chromium.render(hang, VIEW, seconds=0.5))

    assert all_end([process])
    assert opened(draw(chromium, "hello")).size == (200, 100)


@pytest.mark.parametrize("after", [0, 0.001, 0.01, 0.03, 0.06, 0.1])
def test_cancelled_render_closes_its_page(chromium: Browser, after: float) -> None:
    async def cancelled() -> None:
        await chromium.start()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(after):
                await chromium.render(forever, VIEW, seconds=20)

    runtime.run(cancelled())

    assert pages_left(chromium) == []
    assert (chromium.slots.taken, chromium.slots.waiting) == (0, 0)


def test_cancelled_start_is_used_by_next_render(chromium: Browser) -> None:
    async def cancelled() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await chromium.start()

    runtime.run(cancelled())

    assert opened(draw(chromium, "hello")).size == (200, 100)
    assert len(own_chromium()) == 1


def test_full_queue_raises_server_busy_with_retry_after() -> None:
    async def crowd(chromium: Browser) -> None:
        await chromium.start()
        calls = [asyncio.ensure_future(chromium.render(forever, VIEW, seconds=60)) for _ in range(3)]
        await asyncio.sleep(0.1)
        assert (chromium.slots.taken, chromium.slots.waiting) == (1, 2)
        try:
            with pytest.raises(ServerBusy, match=r"The server is busy\. Try again in \d+ seconds?\.") as caught:
                await chromium.render(title, VIEW, seconds=5)
            assert 1 <= caught.value.retry_after <= 30
            assert str(caught.value.retry_after) in caught.value.message
        finally:
            for call in calls:
                call.cancel()
            await asyncio.gather(*calls, return_exceptions=True)
        assert await chromium.render(title, VIEW, seconds=5) == "drawn"

    with browser(render_slots=1, render_queue=2) as chromium:
        runtime.run(crowd(chromium))


def test_retry_after_grows_with_render_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100_000, 100))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))

    async def slow() -> int:
        slots = Slots(2, 4)
        for _ in range(20):
            async with slots.slot():
                pass
        return slots.retry_after

    fresh = Slots(2, 4).retry_after

    assert fresh == 1
    assert asyncio.run(slow()) == 30


@pytest.mark.parametrize("scripts", [False, True])
def test_renders_share_no_cookies_and_no_cache(web: Site, *, scripts: bool) -> None:
    keeps = {"Set-Cookie": "seen=1", "Cache-Control": "max-age=3600", "Content-Type": "image/svg+xml"}
    image = web.answers("/pixel.svg", 200, b"<svg xmlns='http://www.w3.org/2000/svg'/>", **keeps)

    async def visit(tab: Tab) -> int:
        await tab.page.goto(image)
        return len(await tab.page.context.cookies())

    with browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        visits = [runtime.run(chromium.render(visit, View(200, 100, scripts=scripts), seconds=20)) for _ in range(3)]
    assert visits == [1, 1, 1]
    assert web.cookies == ["", "", ""]


def test_reused_page_keeps_no_view_of_earlier_render(chromium: Browser) -> None:
    whole = "<body style='background:red;height:3000px'>"
    draw(
        chromium,
        whole,
        full_page=True,
        options=CaptureOptions(device_scale_factor=2, transparent=True, color_scheme="dark"),
    )
    plain = draw(chromium, "<style>@media (prefers-color-scheme: dark) { body { background: black } }</style>")

    assert opened(plain).size == (200, 100)
    assert opened(plain).convert("RGBA").getpixel((5, 5)) == (255, 255, 255, 255)


@pytest.mark.parametrize(
    "before",
    [
        "<!doctype html><meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">",
        "<!doctype html><META name=referrer content=unsafe-url><base href='https://example.com/'>",
        "<html dir=rtl style='font-size:40px;background:red'><style>* { color: red !important }</style>no doctype",
        "<!doctype html><dialog open>hello</dialog><input autofocus><svg><animate attributeName=x dur=1s></svg>",
        "<frameset cols=50%,50%><frame><frame></frameset>",
        "<!doctype html><iframe srcdoc='<meta http-equiv=refresh content=0>'></iframe><body style='height:9000px'>",
        "<!doctype html><style title=first>p { color: red }</style><p>hello",
        "<!doctype html><link rel=stylesheet title=first href='data:text/css,p{color:red}'><p>hello",
        "<!doctype html><plaintext>",
        "<!doctype html><script>",
    ],
)
def test_reused_page_renders_same_bytes_as_new_page(before: str) -> None:
    red = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><rect width='50' height='50' fill='red'/></svg>"
    style = "<style title=second>p { width: 20px }</style>"
    page = f'<!doctype html><meta charset="utf-8">{style}<img src="{red}"><p>hello<input autofocus>'
    with browser(render_slots=1) as chromium:
        first = draw(chromium, page)
    with browser(render_slots=1) as chromium:
        draw(chromium, before)
        second, third = draw(chromium, page), draw(chromium, page)

    assert pixel(first, 20, 20) == (255, 0, 0)
    assert second.content == first.content
    assert third.content == first.content


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_animated_image_starts_at_first_frame_in_every_render(chromium: Browser, kind: str) -> None:
    first, second = Image.new("RGB", (200, 100), "red"), Image.new("RGB", (200, 100), "lime")
    made = io.BytesIO()
    first.save(made, kind, save_all=True, append_images=[second], duration=[300, 60_000], loop=1, lossless=True)
    source = f"data:image/{kind.lower()};base64,{base64.b64encode(made.getvalue()).decode()}"
    page = f"<!doctype html><body style='margin:0'><img src='{source}'>"

    assert pixel(draw(chromium, page, wait_ms=600)) == (0, 255, 0)
    assert pixel(draw(chromium, page)) == (255, 0, 0)


def test_chromium_is_replaced_after_maximum_number_of_renders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium_module, "MAX_RENDERS_PER_PROCESS", 3)
    with browser(render_slots=1) as chromium:
        used = []
        for _ in range(7):
            assert opened(draw(chromium, "hello")).size == (200, 100)
            used += [process.pid for process in own_chromium()]
        runtime.run(chromium.wait_for_cleanup())
        assert len(own_chromium()) == 1
    assert len(set(used)) >= 2


def test_remote_chromium_renders(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    flags = ("--headless", "--no-sandbox", f"--remote-debugging-port={port}", f"--user-data-dir={tmp_path}")
    with subprocess.Popen([find(BrowserSettings()), *flags], stderr=subprocess.PIPE, text=True) as remote:
        assert remote.stderr
        for line in remote.stderr:
            if "DevTools listening" in line:
                break
        try:
            with browser(browser_url=f"http://127.0.0.1:{port}") as chromium:
                assert opened(draw(chromium, "hello")).size == (200, 100)
            with urlopen(f"http://127.0.0.1:{port}/json/version") as answer:
                assert answer.status == 200
        finally:
            remote.kill()


def test_unreachable_remote_chromium_raises_browser_missing() -> None:
    with (
        browser(browser_url="http://127.0.0.1:9") as chromium,
        pytest.raises(BrowserMissing, match=r"MEDIAKIT_BROWSER_URL: no Chromium responds at http://127\.0\.0\.1:9"),
    ):
        draw(chromium, "hello")


def test_shared_browser_is_available_only_on_background_loop() -> None:
    async def same() -> bool:
        return shared() is shared()

    assert runtime.run(same())
    with pytest.raises(RuntimeError, match=r"runtime\.run"):
        shared()


def test_script_exits_without_warnings_processes_or_files(tmp_path: Path) -> None:
    code = """
        import psutil
        from mediakit.core.runtime import runtime
        from mediakit.engines.html import render_image

        assert len(runtime.run(render_image("hello", width=200, height=100)).content) > 100
        print(*(child.pid for child in psutil.Process().children(recursive=True)))
    """
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )

    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(ended.stdout.split()) > 1
    assert not any(psutil.pid_exists(int(pid)) and is_running(psutil.Process(int(pid))) for pid in ended.stdout.split())
    assert list(tmp_path.iterdir()) == []


def test_start_restores_environment(chromium: Browser) -> None:
    before = dict(os.environ)
    folder = tempfile.gettempdir()
    draw(chromium, "hello")

    assert (dict(os.environ), tempfile.gettempdir()) == (before, folder)
    assert len(list(Path(folder).glob(f"{scratch.PREFIX}*/playwright_chromium*"))) >= 1


def test_concurrent_starts_restore_environment(chromium: Browser) -> None:
    async def crowd() -> int:
        both = asyncio.Barrier(2)

        async def meet(_: Tab) -> None:
            await both.wait()

        await asyncio.gather(*(chromium.render(meet, VIEW, seconds=20) for _ in range(2)))
        return len(own_chromium())

    before = dict(os.environ)

    assert runtime.run(crowd()) == 2
    assert dict(os.environ) == before
