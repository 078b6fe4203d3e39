"""What pages may do: workers run; dialogs, windows and service workers do not; frames follow their page."""

import json
from collections.abc import Iterator

import pytest

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, Tab, View
from mediakit.engines.browser.protocol import ProtocolError
from mediakit.engines.browser.web import render_screenshot
from mediakit.engines.capture_options import CaptureOptions
from tests.support.browser_kit import Site, load, open_browser, pixel, render

pytestmark = pytest.mark.browser
pytest_plugins = ["tests.support.browser_fixtures"]

LIME, RED = (0, 255, 0), (255, 0, 0)

SCRIPTED = View(200, 100, scripts=True)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with open_browser(allowed_networks=("127.0.0.0/8",)) as opened:
        yield opened


def evaluate(chromium: Browser, url: str, expression: str) -> object:
    """Load a page with scripts and return the value of an expression."""

    async def work(tab: Tab) -> object:
        await load(tab, url)
        return await tab.cdp.evaluate(expression, await_promise=True)

    return runtime.run(chromium.render(work, SCRIPTED, seconds=20))


def test_worker_of_page_runs(chromium: Browser, web: Site) -> None:
    web.add_page("/worker.js", "text/javascript", b"postMessage(6 * 7)")
    page = web.add_page("/", "text/html", b"hello")
    run = "new Promise(done => { new Worker('/worker.js').onmessage = event => done(event.data) })"

    assert evaluate(chromium, page, run) == 42


def test_dialogs_are_dismissed(chromium: Browser, web: Site) -> None:
    page = web.add_page("/", "text/html", b"<script>alert(1)</script>")

    assert evaluate(chromium, page, "[confirm('go?'), prompt('name?')]") == [False, None]


def test_service_worker_is_not_registered(chromium: Browser, web: Site) -> None:
    host = f"http://localhost:{web.port}/"
    web.add_page("/sw.js", "text/javascript", b"")
    web.add_page("/", "text/html", b"hello")
    register = "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.getRegistrations())"

    assert evaluate(chromium, host, f"{register}.then(all => all.length)") == 0
    assert "/sw.js" not in web.hits


def test_page_gets_no_permissions(chromium: Browser, web: Site) -> None:
    page = f"http://localhost:{web.port}/"
    web.add_page("/", "text/html", b"hello")
    names = json.dumps(["geolocation", "notifications", "camera", "microphone"])
    query = "Promise.all(names.map(name => navigator.permissions.query({name})))"

    states = evaluate(chromium, page, f"(names => {query}.then(all => all.map(each => each.state)))({names})")

    assert "granted" not in str(states)


def test_frame_of_other_site_runs_scripts_only_if_page_does(chromium: Browser, web: Site) -> None:
    script = b"<body style='background:red'><script>document.body.style.background = 'lime'</script>"
    web.add_page("/frame", "text/html", script)
    frame = f"<body style='margin:0'><iframe src='{web.url('/frame', '127.0.0.2')}' frameborder=0></iframe>"
    page = web.add_page("/", "text/html", frame.encode())
    options = CaptureOptions()

    without = render(chromium, frame)
    scripted = runtime.run(
        render_screenshot(page, width=200, height=100, wait_ms=300, options=options, browser=chromium)
    )

    assert pixel(without) == RED
    assert pixel(scripted) == LIME


def test_exception_of_expression_is_raised(chromium: Browser, web: Site) -> None:
    page = web.add_page("/", "text/html", b"hello")

    with pytest.raises(ProtocolError, match="no such thing"):
        evaluate_and_raise(chromium, page)


def evaluate_and_raise(chromium: Browser, page: str) -> None:
    raised: list[ProtocolError] = []

    async def work(tab: Tab) -> None:
        await load(tab, page)
        try:
            await tab.cdp.evaluate("(() => { throw new Error('no such thing') })()")
        except ProtocolError as error:
            raised.append(error)

    runtime.run(chromium.render(work, SCRIPTED, seconds=20))
    raise raised[0]
