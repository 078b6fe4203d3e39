"""Life cycle of the Chromium pool: start, reuse, replacement after failures, full queue, and cleanup."""

import asyncio
import base64
import io
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from PIL import Image

from mediakit.core.runtime import runtime
from mediakit.core.slots import Slots
from mediakit.engines.browser import Browser, Tab, View, scratch, shared
from mediakit.engines.browser import chromium as chromium_module
from mediakit.engines.browser.find import find
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import BrowserMissing, RenderFailed, ServerBusy
from mediakit.settings import BrowserSettings
from tests.support.browser_kit import (
    Site,
    all_exit,
    chromium_processes,
    decode,
    descendants,
    has_exited,
    leftover_pages,
    load,
    open_browser,
    pixel,
    render,
)

pytestmark = pytest.mark.browser
pytest_plugins = ["tests.support.browser_fixtures"]

VIEW = View(200, 100)


@pytest.fixture(scope="module", autouse=True)
def close_shared_browser() -> None:
    """Stop the shared browser, because these tests count processes."""

    async def close() -> None:
        await shared().close()

    runtime.run(close())
    assert all_exit(chromium_processes())


@pytest.fixture
def chromium() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


def main_process(browser: Browser) -> psutil.Process:
    runtime.run(browser.start())
    [process] = chromium_processes()
    return process


async def run_forever(_: Tab) -> None:
    await asyncio.sleep(60)


async def title(tab: Tab) -> str:
    await tab.document.write("<title>rendered</title>")
    return str(await tab.cdp.evaluate("document.title"))


def test_chromium_starts_with_first_render_and_exits_on_close() -> None:
    with open_browser() as chromium:
        assert chromium_processes() == []
        assert decode(render(chromium, "hello")).size == (200, 100)
        processes = chromium_processes()
        assert len(processes) == 1
    assert all_exit(processes)


def test_render_after_close_starts_chromium_again(chromium: Browser) -> None:
    render(chromium, "hello")
    runtime.run(chromium.close())

    assert decode(render(chromium, "hello")).size == (200, 100)


def test_idle_chromium_is_stopped() -> None:
    with open_browser(idle_seconds=0.1) as chromium:
        render(chromium, "hello")
        assert all_exit(chromium_processes())
        assert decode(render(chromium, "hello")).size == (200, 100)


def test_render_after_failed_start_starts_chromium(tmp_path: Path) -> None:
    path = tmp_path / "chromium"
    with open_browser(browser=path) as chromium:
        with pytest.raises(BrowserMissing, match="MEDIAKIT_BROWSER"):
            render(chromium, "hello")
        path.write_text("#!/bin/sh\nexit 1\n")
        path.chmod(0o755)
        with pytest.raises(BrowserMissing, match="No working Chromium was found"):
            render(chromium, "hello")
        path.write_text(f'#!/bin/sh\nexec {find(BrowserSettings())} "$@"\n')
        assert decode(render(chromium, "hello")).size == (200, 100)


def test_render_is_retried_when_chromium_is_killed(chromium: Browser) -> None:
    to_kill = [main_process(chromium)]

    async def kill_once(tab: Tab) -> str:
        while to_kill:
            os.kill(to_kill.pop().pid, signal.SIGKILL)
        return await title(tab)

    assert runtime.run(chromium.render(kill_once, VIEW, seconds=20)) == "rendered"


def test_render_that_kills_chromium_twice_raises_render_failed(chromium: Browser) -> None:
    attempts = 0

    async def kill_always(tab: Tab) -> str:
        nonlocal attempts
        attempts += 1
        [process] = chromium_processes()
        os.kill(process.pid, signal.SIGKILL)
        return await title(tab)

    runtime.run(chromium.start())
    with pytest.raises(RenderFailed, match="crashed the browser twice"):
        runtime.run(chromium.render(kill_always, VIEW, seconds=20))
    assert attempts == 2
    assert decode(render(chromium, "hello")).size == (200, 100)


def test_chromium_that_was_killed_while_idle_is_replaced(chromium: Browser) -> None:
    main = main_process(chromium)
    family = [main, *descendants(main.pid)]
    main.kill()

    assert decode(render(chromium, "hello")).size == (200, 100)
    assert all_exit(family)


def test_chromium_exits_when_its_parent_is_killed(tmp_path: Path) -> None:
    code = """
        import time, psutil
        from mediakit.core.runtime import runtime
        from mediakit.engines.browser.html import render_image

        runtime.run(render_image("hello", width=200, height=100))
        print(*(child.pid for child in psutil.Process().children(recursive=True)), flush=True)
        time.sleep(60)
    """
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True, env=environment
    ) as parent:
        assert parent.stdout
        family = [psutil.Process(int(pid)) for pid in parent.stdout.readline().split()]
        parent.kill()

    assert len(family) > 1
    assert all_exit(family)


def test_page_crash_does_not_affect_other_render(chromium: Browser) -> None:
    async def crash(tab: Tab) -> None:
        with pytest.raises(ProtocolError):
            await tab.cdp.send("Page.crash")
        await asyncio.sleep(30)

    async def both() -> tuple[object, object]:
        bad = chromium.render(crash, VIEW, seconds=20)
        good = chromium.render(title, VIEW, seconds=20)
        first, second = await asyncio.gather(bad, good, return_exceptions=True)
        return first, second

    failed, rendered = runtime.run(both())

    assert isinstance(failed, RenderFailed)
    assert rendered == "rendered"
    assert leftover_pages(chromium) == []


def test_render_timeout_closes_page(chromium: Browser) -> None:
    with pytest.raises(RenderFailed, match="did not render within 1 seconds"):
        runtime.run(chromium.render(run_forever, VIEW, seconds=1))

    assert leftover_pages(chromium) == []


def test_hanging_chromium_is_killed_and_replaced(chromium: Browser) -> None:
    process = main_process(chromium)

    async def hang(_: Tab) -> None:
        process.suspend()
        await asyncio.sleep(30)

    with pytest.raises(RenderFailed):
        runtime.run(chromium.render(hang, VIEW, seconds=0.5))

    assert all_exit([process])
    assert decode(render(chromium, "hello")).size == (200, 100)


@pytest.mark.parametrize("after", [0, 0.001, 0.01, 0.03, 0.06, 0.1])
def test_cancelled_render_closes_its_page(chromium: Browser, after: float) -> None:
    async def cancel() -> None:
        await chromium.start()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(after):
                await chromium.render(run_forever, VIEW, seconds=20)

    runtime.run(cancel())

    assert leftover_pages(chromium) == []
    assert (chromium.slots.taken, chromium.slots.waiting) == (0, 0)


def test_render_after_cancelled_start_runs_one_chromium(chromium: Browser) -> None:
    async def cancel() -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await chromium.start()

    runtime.run(cancel())

    assert decode(render(chromium, "hello")).size == (200, 100)
    assert len(chromium_processes()) == 1


def test_full_queue_raises_server_busy_with_retry_after() -> None:
    async def fill_queue(chromium: Browser) -> None:
        await chromium.start()
        calls = [asyncio.ensure_future(chromium.render(run_forever, VIEW, seconds=60)) for _ in range(3)]
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
        assert await chromium.render(title, VIEW, seconds=5) == "rendered"

    with open_browser(render_slots=1, render_queue=2) as chromium:
        runtime.run(fill_queue(chromium))


def test_next_render_starts_while_result_is_finished() -> None:
    finishing: list[str] = []
    counts: list[int] = []

    async def render_all(chromium: Browser) -> list[str]:
        second_has_started = asyncio.Event()

        async def second_title(tab: Tab) -> str:
            second_has_started.set()
            return await title(tab)

        async def finish(result: str) -> str:
            finishing.append(result)
            counts.append(len(finishing))
            async with asyncio.timeout(20):
                await second_has_started.wait()
            finishing.pop()
            return result.upper()

        works = (title, second_title, title)
        return await asyncio.gather(*(chromium.render(work, VIEW, seconds=20, finish=finish) for work in works))

    with open_browser(render_slots=1) as chromium:
        assert runtime.run(render_all(chromium)) == ["RENDERED"] * 3
    assert counts == [1, 1, 1]


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
def test_renders_do_not_share_cookies_or_cache(web: Site, *, scripts: bool) -> None:
    headers = {"Set-Cookie": "seen=1", "Cache-Control": "max-age=3600", "Content-Type": "image/svg+xml"}
    image = web.add_response("/pixel.svg", 200, b"<svg xmlns='http://www.w3.org/2000/svg'/>", **headers)

    async def visit(tab: Tab) -> int:
        await load(tab, image)
        return len((await tab.cdp.send("Network.getCookies"))["cookies"])

    with open_browser(allowed_networks=("127.0.0.0/8",)) as chromium:
        visits = [runtime.run(chromium.render(visit, View(200, 100, scripts=scripts), seconds=20)) for _ in range(3)]
    assert visits == [1, 1, 1]
    assert web.cookies == ["", "", ""]


def test_reused_page_resets_view_options_of_earlier_render(chromium: Browser) -> None:
    tall = "<body style='background:red;height:3000px'>"
    render(
        chromium,
        tall,
        full_page=True,
        options=CaptureOptions(device_scale_factor=2, transparent=True, color_scheme="dark"),
    )
    plain = render(chromium, "<style>@media (prefers-color-scheme: dark) { body { background: black } }</style>")

    assert decode(plain).size == (200, 100)
    assert decode(plain).convert("RGBA").getpixel((5, 5)) == (255, 255, 255, 255)


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
    with open_browser(render_slots=1) as chromium:
        first = render(chromium, page)
    with open_browser(render_slots=1) as chromium:
        render(chromium, before)
        second, third = render(chromium, page), render(chromium, page)

    assert pixel(first, 20, 20) == (255, 0, 0)
    assert second.content == first.content
    assert third.content == first.content


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_animated_image_starts_at_first_frame_in_every_render(chromium: Browser, kind: str) -> None:
    first, second = Image.new("RGB", (200, 100), "red"), Image.new("RGB", (200, 100), "lime")
    buffer = io.BytesIO()
    first.save(buffer, kind, save_all=True, append_images=[second], duration=[300, 60_000], loop=1, lossless=True)
    source = f"data:image/{kind.lower()};base64,{base64.b64encode(buffer.getvalue()).decode()}"
    page = f"<!doctype html><body style='margin:0'><img src='{source}'>"

    assert pixel(render(chromium, page, wait_ms=600)) == (0, 255, 0)
    assert pixel(render(chromium, page)) == (255, 0, 0)


def test_chromium_is_replaced_after_maximum_number_of_renders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium_module, "MAX_RENDERS_PER_PROCESS", 3)
    with open_browser(render_slots=1) as chromium:
        used = []
        for _ in range(7):
            assert decode(render(chromium, "hello")).size == (200, 100)
            used += [process.pid for process in chromium_processes()]
        runtime.run(chromium.wait_for_cleanup())
        assert len(chromium_processes()) == 1
    assert len(set(used)) >= 2


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
        from mediakit.engines.browser.html import render_image

        assert len(runtime.run(render_image("hello", width=200, height=100)).content) > 100
        print(*(child.pid for child in psutil.Process().children(recursive=True)))
    """
    completed = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )

    assert (completed.returncode, completed.stderr) == (0, "")
    assert len(completed.stdout.split()) > 1
    assert all(has_exited(int(pid)) for pid in completed.stdout.split())
    assert list(tmp_path.iterdir()) == []


def test_start_restores_environment(chromium: Browser) -> None:
    before = dict(os.environ)
    folder = tempfile.gettempdir()
    render(chromium, "hello")

    assert (dict(os.environ), tempfile.gettempdir()) == (before, folder)
    assert len(list(Path(folder).glob(f"{scratch.PREFIX}*/profile-*"))) >= 1


def test_concurrent_starts_restore_environment(chromium: Browser) -> None:
    async def render_two() -> int:
        both = asyncio.Barrier(2)

        async def wait_for_other(_: Tab) -> None:
            await both.wait()

        await asyncio.gather(*(chromium.render(wait_for_other, VIEW, seconds=20) for _ in range(2)))
        return len(chromium_processes())

    before = dict(os.environ)

    assert runtime.run(render_two()) == 2
    assert dict(os.environ) == before
