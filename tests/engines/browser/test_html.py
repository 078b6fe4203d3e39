"""Rendering HTML to images: size, format, resources, and no scripts."""

import base64
import io
from typing import Any

import pytest
from PIL import Image

from mediakit.engines import fonts
from mediakit.engines.browser import Browser
from mediakit.errors import InvalidInput, ResourcesTimeout
from tests.support.browser_kit import Site, decode, leftover_pages, open_browser, open_site, pixel, render

pytest_plugins = ["tests.support.browser_fixtures"]
pytestmark = pytest.mark.browser

FONT = fonts.FOLDER / "inter-latin.woff2"

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)


def body(style: str, content: str = "") -> str:
    return f"<!doctype html><body style='margin:0;{style}'>{content}"


def png(color: str) -> bytes:
    target = io.BytesIO()
    Image.new("RGB", (40, 40), color).save(target, "PNG")
    return target.getvalue()


@pytest.mark.parametrize("image_format", ["png", "jpeg", "webp"])
@pytest.mark.parametrize(("width", "height"), [(100, 100), (1200, 630), (3840, 2160)])
def test_image_has_requested_size_and_format(chromium: Browser, image_format: Any, width: int, height: int) -> None:
    screenshot = render(chromium, body("background:blue"), width=width, height=height, format=image_format)

    image = decode(screenshot)
    assert (image.format, image.size) == (image_format.upper(), (width, height))
    assert (screenshot.width, screenshot.height) == (width, height)
    assert all(abs(a - b) < 6 for a, b in zip(pixel(screenshot, width - 1, height - 1), BLUE, strict=True))


def test_lower_quality_returns_smaller_file(chromium: Browser) -> None:
    page = body("background:linear-gradient(120deg,red,gold,navy)", "<h1>Quality</h1>")
    small, large = (len(render(chromium, page, format="jpeg", quality=q).content) for q in (10, 95))

    assert small < large


def test_scripts_do_not_run(chromium: Browser) -> None:
    page = body("background:green", "<script>document.body.style.background='red'</script><noscript>off</noscript>")
    handler = body("background:green", "<img src='data:,x' onerror=\"document.body.style.background='red'\">")

    assert pixel(render(chromium, page), 199, 99) == GREEN
    assert pixel(render(chromium, handler), 199, 99) == GREEN


@pytest.mark.parametrize("target", ["about:blank", "http://127.0.0.1:9/", ""])
def test_meta_refresh_does_not_replace_page(chromium: Browser, target: str) -> None:
    page = f"<meta http-equiv=refresh content='0;url={target}'>" + body("background:green")

    assert pixel(render(chromium, page, wait_ms=300)) == GREEN


@pytest.mark.parametrize(
    "html", ["<div style='background:blue;position:fixed;inset:0'></div>", body("background:blue")]
)
def test_fragment_renders_like_document(chromium: Browser, html: str) -> None:
    assert pixel(render(chromium, html)) == BLUE


@pytest.mark.parametrize("html", ["", "just text", "\x00", "<<<>>", "</body>"])
def test_malformed_html_renders(chromium: Browser, html: str) -> None:
    assert decode(render(chromium, html)).size == (200, 100)


def test_declared_charset_does_not_change_text(chromium: Browser) -> None:
    text = "<p style='font:40px serif'>é漢ж</p>"

    plain = render(chromium, text).content

    assert render(chromium, f"<meta charset=iso-8859-1>{text}").content == plain
    assert render(chromium, text.replace("é漢ж", "Ã©æ¼¢Ð¶")).content != plain


def test_lone_surrogate_renders_as_question_mark(chromium: Browser) -> None:
    assert render(chromium, "<p>a\ud800b").content == render(chromium, "<p>a?b").content


def test_full_page_has_full_height_of_content(chromium: Browser) -> None:
    page = body("", "<div style='height:3000px'></div><div style='height:7px;background:red'></div>")
    screenshot = render(chromium, page, full_page=True)

    assert decode(screenshot).size == (200, 3007)
    assert [pixel(screenshot, 5, y) for y in (2999, 3000, 3006)] == [WHITE, RED, RED]


def test_full_page_has_at_least_requested_height(chromium: Browser) -> None:
    assert decode(render(chromium, body(""), height=444, full_page=True)).size == (200, 444)


@pytest.mark.parametrize(("image_format", "most"), [("webp", 16383), ("jpeg", 65534)])
def test_page_too_high_for_format_raises_invalid_input(chromium: Browser, image_format: Any, most: int) -> None:
    page = body("", "<div style='height:70000px'></div>")

    with pytest.raises(InvalidInput, match=f"full_page: the page must be at most {most} pixels high .*, got 70000"):
        render(chromium, page, format=image_format, full_page=True)


def test_wait_ms_delays_image(chromium: Browser) -> None:
    later = "<style>@keyframes k{to{background:green}} body{background:red;animation:k 0s .5s forwards}</style>"

    assert pixel(render(chromium, later, wait_ms=1200)) == GREEN


def test_remote_images_and_style_sheets_load(chromium: Browser, web: Site) -> None:
    image = web.add_page("/a.png", "image/png", png("red"))
    style = web.add_page("/a.css", "text/css", b"body{background:blue;margin:0}")
    screenshot = render(chromium, f"<link rel=stylesheet href={style}><body><img src={image}>")

    assert (pixel(screenshot, 20, 20), pixel(screenshot, 150, 50)) == (RED, BLUE)


def test_lazy_images_load_in_full_page(chromium: Browser, web: Site) -> None:
    image = web.add_page("/a.png", "image/png", png("red"))
    page = body("", f"<div style='height:9000px'></div><img loading=lazy src={image}>")

    assert pixel(render(chromium, page, full_page=True), 20, 9020) == RED


def test_web_font_loads_before_image(chromium: Browser, web: Site) -> None:
    url = web.add_page("/a.woff2", "font/woff2", FONT.read_bytes())
    inline = f"data:font/woff2;base64,{base64.b64encode(FONT.read_bytes()).decode()}"
    pages = [
        f"<style>@font-face{{font-family:Served;src:url({source})}} p{{font:30px Served,serif}}</style><p>Wii"
        for source in (url, inline, web.url("/missing.woff2"))
    ]

    served, embedded, missing = (render(chromium, page).content for page in pages)

    assert served == embedded
    assert served != missing


def test_private_addresses_are_not_requested(web: Site) -> None:
    page = body("background:green", f"<img src={web.url('/canary.png')}><link rel=stylesheet href={web.url('/c.css')}>")

    with open_browser() as closed:
        assert pixel(render(closed, page), 199, 99) == GREEN

    assert web.hits == []


def test_allowed_port_is_requested_and_other_port_is_not(web: Site) -> None:
    page = f"<img src={web.url('/canary.png')}>"

    with open_site() as other, open_browser(allowed_networks=(f"127.0.0.1:{web.port}",)) as chromium:
        render(chromium, page + f"<img src={other.url('/canary.png')}>")
        assert (web.hits, other.hits) == (["/canary.png"], [])


def test_pending_resources_raise_resources_timeout_with_hosts(chromium: Browser, web: Site) -> None:
    page = body(
        f"background:url({web.add_hanging('/background', '127.0.0.3')})",
        f"<link rel=stylesheet href={web.add_hanging('/style', '127.0.0.2')}>"
        f"<img src={web.add_hanging('/image')}><img src={web.add_hanging('/again')}>"
        f"<img src={web.url('/missing', '127.0.0.4')}><img src=http://127.0.0.5:9/refused>"
        "<style>@font-face{font-family:F;src:url("
        + web.add_hanging("/font", "127.0.0.6")
        + ")} b{font-family:F}</style><b>x</b>",
    )

    with pytest.raises(ResourcesTimeout) as caught:
        render(chromium, page, resource_seconds=3)

    assert caught.value.message == "Some resources did not load within 3 seconds."
    assert set(caught.value.hosts) >= {"127.0.0.1", "127.0.0.2"}
    assert set(caught.value.hosts) <= {"127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.6"}
    assert caught.value.hosts == sorted(set(caught.value.hosts))
    assert leftover_pages(chromium) == []


@pytest.mark.parametrize(
    "linked",
    [
        "<style>@font-face{font-family:F;src:url(URL)} b{font-family:F}</style><b>x</b>",
        "<style>b{background:url(URL)}</style><b>x</b>",
        "<style>@import 'URL';</style>",
        "<iframe srcdoc='<img src=URL>'></iframe>",
    ],
    ids=["font", "background", "import", "srcdoc"],
)
def test_pending_link_of_each_kind_raises_resources_timeout(chromium: Browser, web: Site, linked: str) -> None:
    with pytest.raises(ResourcesTimeout) as caught:
        render(chromium, linked.replace("URL", web.add_hanging("/hanging", "127.0.0.7")), resource_seconds=1.5)

    assert caught.value.hosts == ["127.0.0.7"]


def test_refused_missing_and_broken_images_are_omitted(chromium: Browser, web: Site) -> None:
    broken = web.add_page("/broken.png", "image/png", b"not an image")
    links = f"<img src={broken}><img src={web.url('/missing')}><img src=http://127.0.0.1:9/>"

    assert pixel(render(chromium, body("background:green", links)), 199, 99) == GREEN


def test_pending_cross_site_frame_does_not_fail(chromium: Browser, web: Site) -> None:
    page = body("background:green", f"<iframe src={web.add_hanging('/frame')}></iframe>")

    assert pixel(render(chromium, page, width=600, height=400, resource_seconds=1), 599, 399) == GREEN
