"""A remote Chromium renders only if its pages can use nothing but mediakit's proxy."""

import asyncio
import socket
from collections.abc import Iterator
from urllib.request import urlopen

import pytest

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, Tab, View, limits
from mediakit.engines.browser.command import missing_flags, remote_flags
from mediakit.engines.browser.process import ChromiumProcess
from mediakit.engines.network import EgressProxy, Guard
from mediakit.errors import BrowserMissing, RenderFailed
from mediakit.settings import BrowserSettings
from tests.support.browser_kit import Site, decode, open_browser, open_site, pixel, render
from tests.support.canary import Canary, open_canary
from tests.support.remote_chromium import PROXY_HOST, free_port, remote_chromium
from tests.support.vectors import CAPTURE, PDF, PUBLIC_HOST, SCREENSHOT
from tests.support.vectors.families import FAMILIES
from tests.support.vectors.renderers import RENDERERS

pytestmark = pytest.mark.browser

VECTORS = (("elements", CAPTURE), ("css and xml", PDF), ("responses", SCREENSHOT), ("scripts", SCREENSHOT))
"""Families of vectors, each in the renderer in which most of them run."""

every_family = pytest.mark.parametrize(("family", "renderer"), VECTORS)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with remote_chromium() as started:
        yield started


@pytest.fixture(scope="module")
def public() -> Iterator[Site]:
    with open_site() as running:
        yield running


@pytest.fixture
def canary() -> Iterator[Canary]:
    with open_canary() as running:
        yield running


def page_of(family: str, canary: Canary, public: Site) -> str:
    parts = (vector.page(canary, public) for vector in FAMILIES[family])
    return "<!doctype html><meta charset=utf-8><title>Vectors</title><body>" + "\n".join(parts)


def test_remote_chromium_renders_and_keeps_running(url: str) -> None:
    with open_browser(browser_url=url) as chromium:
        assert pixel(render(chromium, "<body style='background:#2563eb'>")) == (37, 99, 235)
    with urlopen(f"{url}/json/version") as response:
        assert response.status == 200


@every_family
def test_no_vector_reaches_private_address(url: str, public: Site, canary: Canary, family: str, renderer: str) -> None:
    with open_browser(browser_url=url, allowed_networks=(f"{PUBLIC_HOST}:{public.port}",)) as chromium:
        RENDERERS[renderer](chromium, public, page_of(family, canary, public), 700)

    assert canary.contacts == []


@every_family
def test_vectors_reach_allowed_network(url: str, public: Site, canary: Canary, family: str, renderer: str) -> None:
    with open_browser(browser_url=url, allowed_networks=("127.0.0.0/8", "::1/128")) as chromium:
        RENDERERS[renderer](chromium, public, page_of(family, canary, public), 700)

    assert canary.contacts


def test_chromium_without_required_flags_is_not_used() -> None:
    with (
        remote_chromium(()) as url,
        open_browser(browser_url=url) as chromium,
        pytest.raises(BrowserMissing, match=r"is not used\. Start it with: ") as caught,
    ):
        render(chromium, "hello")

    assert all(flag.partition("=")[0] in caught.value.message for flag in remote_flags(PROXY_HOST))


@pytest.mark.parametrize("flag", remote_flags(PROXY_HOST))
def test_each_required_flag_is_checked(flag: str) -> None:
    command = [other for other in remote_flags(PROXY_HOST) if other != flag]

    assert missing_flags(command, PROXY_HOST) == [flag]
    assert missing_flags([*command, f"{flag.partition('=')[0]}=other"], PROXY_HOST) == [flag]
    assert missing_flags([*command, flag], PROXY_HOST) == []


def test_chromium_whose_flag_is_overridden_is_not_used() -> None:
    flags = (*remote_flags(PROXY_HOST), "--proxy-bypass-list=127.0.0.1")
    with (
        remote_chromium(flags) as url,
        open_browser(browser_url=url) as chromium,
        pytest.raises(BrowserMissing, match="--proxy-bypass-list=<-loopback>"),
    ):
        render(chromium, "hello")


def test_proxy_listens_on_address_of_setting() -> None:
    async def proxy_address() -> str:
        return str((await chromium.start()).listener.getsockname()[0])

    with (
        remote_chromium(remote_flags("127.0.0.2")) as url,
        open_browser(browser_url=url, browser_proxy_host="127.0.0.2") as chromium,
    ):
        assert decode(render(chromium, "hello")).size == (200, 100)
        assert runtime.run(proxy_address()) == "127.0.0.2"


def test_address_of_another_machine_is_rejected_as_proxy_host(url: str) -> None:
    with (
        open_browser(browser_url=url, browser_proxy_host="192.0.2.1") as chromium,
        pytest.raises(BrowserMissing, match=r"MEDIAKIT_BROWSER_PROXY_HOST: must be an address of this server"),
    ):
        render(chromium, "hello")


def test_chromium_that_does_not_reach_proxy_is_not_used(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChromiumProcess, "proxy", "http://127.0.0.1:9")
    with (
        open_browser(browser_url=url) as chromium,
        pytest.raises(BrowserMissing, match=r"cannot reach the proxy of this server at 127\.0\.0\.1"),
    ):
        render(chromium, "hello")


@pytest.mark.parametrize(("client", "is_served"), [("127.0.0.1", True), ("127.0.0.3", False)])
def test_proxy_serves_only_the_browser(client: str, is_served: bool) -> None:
    async def connect() -> bytes:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            async with EgressProxy(Guard()).lease(listener=listener, clients={client}) as lease:
                reader, writer = await asyncio.open_connection("127.0.0.1", lease.port)
                writer.write(b"GET http://10.0.0.1/ HTTP/1.1\r\nHost: 10.0.0.1\r\n\r\n")
                try:
                    return await reader.read(12)
                except ConnectionError:
                    return b""
                finally:
                    writer.close()

    assert (runtime.run(connect()) == b"HTTP/1.1 502") == is_served


@pytest.mark.parametrize("address", ["127.0.0.1:9", "user:s3cret@127.0.0.1:9/?token=s3cret"])
def test_unreachable_remote_chromium_raises_browser_missing_without_secrets(address: str) -> None:
    with (
        open_browser(browser_url=f"http://{address}") as chromium,
        pytest.raises(BrowserMissing, match=r"^MEDIAKIT_BROWSER_URL: no Chromium responds at http://127\.0\.0\.1:9\. "),
    ):
        render(chromium, "hello")


def test_remote_chromium_that_restarts_renders_again() -> None:
    port = free_port()
    with open_browser(browser_url=f"http://127.0.0.1:{port}") as chromium:
        with remote_chromium(port=port):
            assert decode(render(chromium, "hello")).size == (200, 100)
        with pytest.raises(BrowserMissing):
            render(chromium, "hello")
        with remote_chromium(port=port):
            assert decode(render(chromium, "hello")).size == (200, 100)


def test_render_uses_the_next_remote_chromium_if_one_does_not_respond(url: str) -> None:
    for urls in (("http://127.0.0.1:9", url), (url, "http://127.0.0.1:9")):
        with open_browser(browser_url=urls) as chromium:
            assert decode(render(chromium, "hello")).size == (200, 100)


def test_urls_of_remote_chromiums_have_commas_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEDIAKIT_BROWSER_URL", "http://a:9222, http://b:9222")
    assert BrowserSettings().browser_url == ("http://a:9222", "http://b:9222")


def test_remote_chromium_that_does_not_respond_raises_render_failed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_: ChromiumProcess) -> None:
        await asyncio.sleep(600)

    async def work(_: Tab) -> None:
        await asyncio.sleep(600)

    monkeypatch.setattr(ChromiumProcess, "ping", never)
    monkeypatch.setattr(limits, "MAX_REMOTE_SILENT_CHECKS", 2)
    with open_browser(browser_url=url) as chromium, pytest.raises(RenderFailed, match="does not respond"):
        runtime.run(chromium.render(work, View(200, 100), seconds=60))


def test_remote_context_is_closed_after_render(url: str) -> None:
    async def contexts(chromium: Browser) -> int:
        await chromium.wait_for_cleanup()
        response = await (await chromium.start()).client.session.send("Target.getBrowserContexts")
        return len(response["browserContextIds"])

    with open_browser(browser_url=url, render_slots=1) as chromium:
        render(chromium, "hello")
        first = runtime.run(contexts(chromium))
        for _ in range(3):
            render(chromium, "<img src='http://example.invalid/a.png'>")
        assert runtime.run(contexts(chromium)) == first
