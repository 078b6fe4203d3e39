"""`ResourcesTimeout.hosts`: exactly the hosts whose images, fonts or style sheets did not finish loading."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser
from mediakit.engines.browser.html import PrintOptions, render_pdf
from mediakit.engines.paper import PageLayout
from mediakit.errors import ResourcesTimeout
from tests.support.browser_kit import Site, render
from tests.support.vectors.renderers import colors

pytest_plugins = ["tests.support.browser_fixtures"]
pytestmark = pytest.mark.browser

Render = Callable[[Browser, str], object]

HANGING, OTHER = "127.0.0.7", "127.0.0.8"
SECONDS = 1.2
GREEN = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><path fill='green' d='M0 0h40v40H0'/></svg>"


def image(browser: Browser, html: str) -> object:
    return render(browser, html, resource_seconds=SECONDS)


def pdf(browser: Browser, html: str) -> object:
    return runtime.run(render_pdf(html, PrintOptions(PageLayout()), resource_seconds=SECONDS, browser=browser))


def hosts(render_page: Render, browser: Browser, html: str) -> list[str]:
    with pytest.raises(ResourcesTimeout) as caught:
        render_page(browser, html)
    return list(caught.value.hosts)


@contextmanager
def stalling_server(after: int, seconds: float) -> Iterator[str]:
    """Return the URL of an image whose response stops after some bytes and continues after some seconds."""
    listener = socket.create_server((HANGING, 0))
    closed = threading.Event()
    response = f"HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\nContent-Length: {len(GREEN)}\r\n\r\n{GREEN}".encode()

    def serve() -> None:
        stream, _ = listener.accept()
        with stream:
            stream.recv(2**16)
            stream.sendall(response[:after])
            closed.wait(seconds)
            with suppress(OSError):
                stream.sendall(response[after:])

    thread = threading.Thread(target=serve)
    thread.start()
    yield f"http://{HANGING}:{listener.getsockname()[1]}/image.svg"
    closed.set()
    thread.join()
    listener.close()


@pytest.mark.parametrize(
    "html",
    [
        "<picture><source srcset=URL><img></picture>",
        "<img srcset='URL 1x'>",
        "<input type=image src=URL>",
        "<svg><image href=URL width=9 height=9 /></svg>",
        "<video poster=URL></video>",
        "<link rel=preload as=image href=URL>",
        "<link rel=stylesheet media=print href=URL>",
        "<style>@import 'URL';</style>",
        "<style>li{list-style:url(URL)}</style><ul><li>x</ul>",
        "<style>b::before{content:url(URL)}</style><b>x</b>",
        "<style>@font-face{font-family:F;src:url(URL)} b::after{content:'x';font-family:F}</style><b></b>",
    ],
)
def test_pending_image_font_or_style_sheet_raises_resources_timeout(chromium: Browser, web: Site, html: str) -> None:
    assert hosts(image, chromium, html.replace("URL", web.add_hanging("/hanging", HANGING))) == [HANGING]


@pytest.mark.parametrize(
    "html",
    [
        "<iframe src=URL></iframe>",
        "<script src=URL></script><script async src=URL></script>",
        "<video src=URL preload=auto></video><audio src=URL preload=auto></audio>",
        "<link rel=prefetch href=URL><link rel=preload as=fetch href=URL>",
        "<link rel=icon href=URL><link rel=manifest href=URL>",
        "<object data=URL></object><embed src=URL>",
    ],
)
def test_other_pending_resources_are_ignored(chromium: Browser, web: Site, html: str) -> None:
    page = html.replace("URL", web.add_hanging("/other", OTHER))

    image(chromium, page)
    assert hosts(image, chromium, f"{page}<img src={web.add_hanging('/hanging', HANGING)}>") == [HANGING]


def test_resources_of_cross_site_frame_are_not_in_hosts(chromium: Browser, web: Site) -> None:
    web.add_page("/frame", "text/html", f"<img src={web.add_hanging('/image', OTHER)}>".encode())
    frame = f"<iframe src={web.url('/frame')}></iframe>"

    image(chromium, frame)
    assert hosts(image, chromium, f"{frame}<img src={web.add_hanging('/hanging', HANGING)}>") == [HANGING]


def test_hosts_has_target_of_redirect(chromium: Browser, web: Site) -> None:
    web.add_response("/away", 302, Location=web.add_hanging("/hanging", HANGING))

    assert hosts(image, chromium, f"<img src={web.url('/away', OTHER)}>") == [HANGING]


def test_hosts_has_site_of_import_not_of_its_style_sheet(chromium: Browser, web: Site) -> None:
    web.add_page("/a.css", "text/css", f"@import '{web.add_hanging('/b.css', HANGING)}';".encode())

    assert hosts(image, chromium, f"<link rel=stylesheet href={web.url('/a.css', OTHER)}>") == [HANGING]


def test_hosts_has_site_of_font_not_of_its_style_sheet(chromium: Browser, web: Site) -> None:
    face = f"@font-face{{font-family:F;src:url({web.add_hanging('/f.woff2', HANGING)})}} b{{font-family:F}}"
    web.add_page("/a.css", "text/css", face.encode())

    assert hosts(image, chromium, f"<link rel=stylesheet href={web.url('/a.css', OTHER)}><b>x</b>") == [HANGING]


def test_unused_font_is_ignored(chromium: Browser, web: Site) -> None:
    image(
        chromium, f"<style>@font-face{{font-family:F;src:url({web.add_hanging('/f.woff2', HANGING)})}}</style><b>x</b>"
    )


def test_incomplete_response_raises_resources_timeout(chromium: Browser) -> None:
    with stalling_server(after=100, seconds=30) as url:
        assert hosts(image, chromium, f"<img src={url}>") == [HANGING]


page_boxes = pytest.mark.parametrize(
    "style",
    ["@page{margin:99px;@top-left{content:url(URL)}}", "@page{background:url(URL)}"],
    ids=["margin box", "page"],
)


@page_boxes
def test_pending_page_box_resource_raises_resources_timeout(chromium: Browser, web: Site, style: str) -> None:
    html = f"<style>{style.replace('URL', web.add_hanging('/hanging', HANGING))}</style>x"

    assert hosts(pdf, chromium, html) == [HANGING]


@page_boxes
def test_slow_page_box_resource_is_printed(chromium: Browser, style: str) -> None:
    # Chromium itself waits only 2 seconds.
    with stalling_server(after=0, seconds=3) as url:
        html = f"<style>{style.replace('URL', url)}</style>x"
        result = runtime.run(render_pdf(html, PrintOptions(PageLayout()), resource_seconds=10, browser=chromium))

    assert (0, 128, 0) in colors(result.content)


def test_print_media_resource_delays_only_pdf(chromium: Browser, web: Site) -> None:
    html = f"<style>@media print{{b{{background:url({web.add_hanging('/hanging', HANGING)})}}}}</style><b>x</b>"

    image(chromium, html)
    assert hosts(pdf, chromium, html) == [HANGING]


def test_hosts_are_unique_and_sorted(chromium: Browser, web: Site) -> None:
    links = [web.add_hanging(f"/{number}", f"127.0.0.{host}") for number, host in enumerate([9, 8, 9, 8, 7])]

    assert hosts(image, chromium, "".join(f"<img src={link}>" for link in links)) == [HANGING, OTHER, "127.0.0.9"]
