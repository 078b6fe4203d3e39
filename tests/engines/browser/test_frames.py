"""Pages that draw only on request show the same as pages that draw on their own."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, Tab, View, launch
from mediakit.engines.browser.pipe_client import PipeClient
from mediakit.engines.capture_options import CaptureOptions
from mediakit.samples import CARD_HTML
from tests.support.browser_kit import decode, open_browser, pixel, render

pytestmark = pytest.mark.browser

LIME = (0, 255, 0)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with open_browser(render_slots=1) as opened:
        yield opened


def draws_on_request(browser: Browser) -> bool:
    async def work(tab: Tab) -> bool:
        return tab.frames is not None

    return runtime.run(browser.render(work, View(200, 100), seconds=20))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"full_page": True},
        {"wait_ms": 100},
        {"options": CaptureOptions(device_scale_factor=2)},
        {"options": CaptureOptions(selector="p", padding=5)},
    ],
    ids=["viewport", "full page", "wait", "scale", "selector"],
)
def test_page_that_draws_on_request_has_same_pixels(monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    html = f"{CARD_HTML}<p style='width:80px;height:300px;background:red'>text"

    with open_browser(render_slots=1) as browser:
        on_request = decode(render(browser, html, **options))
        assert draws_on_request(browser)
    monkeypatch.setattr(launch, "_can_draw_on_request", lambda _: False)
    with open_browser(render_slots=1) as browser:
        alone = decode(render(browser, html, **options))
        assert not draws_on_request(browser)

    assert (on_request.size, on_request.tobytes()) == (alone.size, alone.tobytes())


def test_screenshots_show_the_page_of_their_own_render(chromium: Browser) -> None:
    for number in range(40):
        color = (number * 6, 255 - number * 6, number)
        width, scale = 200 + number % 3 * 100, 1 + number % 7 // 6
        options = CaptureOptions(device_scale_factor=scale)

        shown = render(chromium, f"<body style='background:rgb{color}'>", width=width, options=options)

        assert (pixel(shown), shown.width) == (color, width * scale)


def test_chromium_that_cannot_draw_on_request_renders(monkeypatch: pytest.MonkeyPatch) -> None:
    create = PipeClient._create_page

    async def create_page(client: PipeClient, context: dict[str, str], **_: bool) -> object:
        return await create(client, context, frames_on_request=False)

    monkeypatch.setattr(PipeClient, "_create_page", create_page)
    with open_browser(render_slots=1) as browser:
        assert not draws_on_request(browser)
        assert pixel(render(browser, "<body style='background:lime'>")) == LIME


def test_page_with_scripts_draws_on_its_own(chromium: Browser) -> None:
    async def work(tab: Tab) -> str:
        if tab.frames:
            return "drawn on request"
        async with asyncio.timeout(10):
            frame = "new Promise(done => requestAnimationFrame(() => done('drawn')))"
            return str(await tab.cdp.evaluate(frame, await_promise=True))

    assert runtime.run(chromium.render(work, View(200, 100, scripts=True), seconds=20)) == "drawn"
