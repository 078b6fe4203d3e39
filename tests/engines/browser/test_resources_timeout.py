"""The 20-second rule: `hosts` names the sites whose image, font or stylesheet did not finish, and nothing else."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser
from mediakit.engines.html import PrintOptions, render_pdf
from mediakit.engines.paper import PageLayout
from mediakit.errors import ResourcesTimeout
from tests.support.browser_kit import Site, draw
from tests.support.vectors.ways import colours

pytest_plugins = ["tests.support.browser_fixtures"]
pytestmark = pytest.mark.browser

Draw = Callable[[Browser, str], object]

HANGING, OTHER = "127.0.0.7", "127.0.0.8"
SECONDS = 1.2
GREEN = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><path fill='green' d='M0 0h40v40H0'/></svg>"


def picture(on: Browser, html: str) -> object:
    return draw(on, html, resource_seconds=SECONDS)


def printed(on: Browser, html: str) -> object:
    return runtime.run(render_pdf(html, PrintOptions(PageLayout()), resource_seconds=SECONDS, browser=on))


def hosts(make: Draw, on: Browser, html: str) -> list[str]:
    with pytest.raises(ResourcesTimeout) as caught:
        make(on, html)
    return list(caught.value.hosts)


@contextmanager
def halting(after: int, seconds: float) -> Iterator[str]:
    """Give the address of a picture that stops after so many bytes, and goes on so many seconds later."""
    listener = socket.create_server((HANGING, 0))
    over = threading.Event()
    answer = f"HTTP/1.1 200 OK\r\nContent-Type: image/svg+xml\r\nContent-Length: {len(GREEN)}\r\n\r\n{GREEN}".encode()

    def serve() -> None:
        stream, _ = listener.accept()
        with stream:
            stream.recv(2**16)
            stream.sendall(answer[:after])
            over.wait(seconds)
            with suppress(OSError):
                stream.sendall(answer[after:])

    thread = threading.Thread(target=serve)
    thread.start()
    yield f"http://{HANGING}:{listener.getsockname()[1]}/picture.svg"
    over.set()
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
    assert hosts(picture, chromium, html.replace("URL", web.hangs("/hanging", HANGING))) == [HANGING]


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
    page = html.replace("URL", web.hangs("/other", OTHER))

    picture(chromium, page)
    assert hosts(picture, chromium, f"{page}<img src={web.hangs('/hanging', HANGING)}>") == [HANGING]


def test_resources_of_cross_site_frame_are_not_in_hosts(chromium: Browser, web: Site) -> None:
    web.serves("/frame", "text/html", f"<img src={web.hangs('/image', OTHER)}>".encode())
    frame = f"<iframe src={web.url('/frame')}></iframe>"

    picture(chromium, frame)
    assert hosts(picture, chromium, f"{frame}<img src={web.hangs('/hanging', HANGING)}>") == [HANGING]


def test_hosts_has_target_of_redirect(chromium: Browser, web: Site) -> None:
    web.answers("/away", 302, Location=web.hangs("/hanging", HANGING))

    assert hosts(picture, chromium, f"<img src={web.url('/away', OTHER)}>") == [HANGING]


def test_hosts_has_site_of_import_not_of_its_style_sheet(chromium: Browser, web: Site) -> None:
    web.serves("/a.css", "text/css", f"@import '{web.hangs('/b.css', HANGING)}';".encode())

    assert hosts(picture, chromium, f"<link rel=stylesheet href={web.url('/a.css', OTHER)}>") == [HANGING]


def test_hosts_has_site_of_font_not_of_its_style_sheet(chromium: Browser, web: Site) -> None:
    face = f"@font-face{{font-family:F;src:url({web.hangs('/f.woff2', HANGING)})}} b{{font-family:F}}"
    web.serves("/a.css", "text/css", face.encode())

    assert hosts(picture, chromium, f"<link rel=stylesheet href={web.url('/a.css', OTHER)}><b>x</b>") == [HANGING]


def test_unused_font_is_ignored(chromium: Browser, web: Site) -> None:
    picture(chromium, f"<style>@font-face{{font-family:F;src:url({web.hangs('/f.woff2', HANGING)})}}</style><b>x</b>")


def test_incomplete_response_raises_resources_timeout(chromium: Browser) -> None:
    with halting(after=100, seconds=30) as url:
        assert hosts(picture, chromium, f"<img src={url}>") == [HANGING]


BOXES = pytest.mark.parametrize(
    "style", ["@page{margin:99px;@top-left{content:url(URL)}}", "@page{background:url(URL)}"], ids=["margin", "sheet"]
)


@BOXES
def test_pending_page_box_resource_raises_resources_timeout(chromium: Browser, web: Site, style: str) -> None:
    html = f"<style>{style.replace('URL', web.hangs('/hanging', HANGING))}</style>x"

    assert hosts(printed, chromium, html) == [HANGING]


@BOXES
def test_slow_page_box_resource_is_printed(chromium: Browser, style: str) -> None:
    # Longer than the 2 seconds for which Chromium itself waits.
    with halting(after=0, seconds=3) as url:
        html = f"<style>{style.replace('URL', url)}</style>x"
        made = runtime.run(render_pdf(html, PrintOptions(PageLayout()), resource_seconds=10, browser=chromium))

    assert (0, 128, 0) in colours(made.content)


def test_print_media_resource_delays_only_pdf(chromium: Browser, web: Site) -> None:
    html = f"<style>@media print{{b{{background:url({web.hangs('/hanging', HANGING)})}}}}</style><b>x</b>"

    picture(chromium, html)
    assert hosts(printed, chromium, html) == [HANGING]


def test_hosts_are_unique_and_sorted(chromium: Browser, web: Site) -> None:
    links = [web.hangs(f"/{number}", f"127.0.0.{host}") for number, host in enumerate([9, 8, 9, 8, 7])]

    assert hosts(picture, chromium, "".join(f"<img src={link}>" for link in links)) == [HANGING, OTHER, "127.0.0.9"]
