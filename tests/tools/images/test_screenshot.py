"""The `screenshot` tool: scripts, waits, full pages, and one error message for everything that cannot be loaded."""

import io
import socket
from typing import Any

import pytest
from PIL import Image

import mediakit
from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser
from mediakit.engines.browser.screenshots import Screenshot, is_blank
from mediakit.engines.browser.web import NOT_LOADED, render_screenshot
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import InvalidInput, PageUnavailable
from tests.conftest import Api
from tests.support import web_page
from tests.support.browser_kit import Site, decode, leftover_pages, open_browser, open_site, pixel

pytest_plugins = ["tests.support.browser_fixtures"]
browser_test = pytest.mark.browser

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)


def page(web: Site, body: str, path: str = "/", kind: str = "text/html; charset=utf-8") -> str:
    return web.add_page(path, kind, f"<!doctype html><body style='margin:0'>{body}".encode())


def take_screenshot(browser: Browser, url: str, *, width: int = 200, height: int = 100, **options: Any) -> Screenshot:
    names = [name for name in options if name in CaptureOptions.__dataclass_fields__]
    capture_options = CaptureOptions(**{name: options.pop(name) for name in names})
    return runtime.run(
        render_screenshot(url, width=width, height=height, options=capture_options, browser=browser, **options)
    )


def error_message(browser: Browser, url: str, **options: Any) -> str:
    with pytest.raises(PageUnavailable) as caught:
        take_screenshot(browser, url, **options)
    return caught.value.message


def colors(browser: Browser, url: str) -> set[Any]:
    """Return the colors of a screenshot, or no colors if the page raises the usual message."""
    try:
        screenshot = take_screenshot(browser, url)
    except PageUnavailable as error:
        return set() if error.message == NOT_LOADED else {error.message}
    return {color for _, color in decode(screenshot).convert("RGB").getcolors(1 << 20) or ()}


@browser_test
@pytest.mark.parametrize("image_format", ["png", "jpeg"])
def test_screenshot_has_requested_size_and_format(image_format: Any) -> None:
    result = mediakit.screenshot(web_page.URL, width=320, height=180, format=image_format)

    assert result.mime_type == f"image/{image_format}"
    assert result.meta == {"size_bytes": len(result.content), "width": 320, "height": 180, "blank": False}
    assert result.alt == f"Screenshot of {web_page.URL}"
    with Image.open(io.BytesIO(result.content)) as image:
        assert (image.format, image.size) == (image_format.upper(), (320, 180))


@browser_test
def test_default_is_png_of_desktop_viewport() -> None:
    result = mediakit.screenshot(web_page.URL)

    assert (result.mime_type, result.width, result.height) == ("image/png", 1280, 800)


@browser_test
def test_full_page_ignores_height() -> None:
    low, high = (mediakit.screenshot(web_page.URL, width=300, height=height, full_page=True) for height in (100, 2160))

    assert low == high
    assert low.height == 800


@browser_test
def test_scripts_run(chromium: Browser, web: Site) -> None:
    url = page(web, "<script>document.body.style.background='green'</script>")

    assert pixel(take_screenshot(chromium, url)) == GREEN


@browser_test
def test_lower_quality_returns_smaller_jpeg(chromium: Browser, web: Site) -> None:
    url = page(web, "<div style='height:100px;background:repeating-conic-gradient(red,blue 7deg)'>")
    small, large = (len(take_screenshot(chromium, url, format="jpeg", quality=quality).content) for quality in (10, 95))

    assert small < large


@browser_test
def test_wait_ms_delays_screenshot(chromium: Browser, web: Site) -> None:
    url = page(web, "<script>setTimeout(() => document.body.style.background = 'green', 700)</script>")

    assert pixel(take_screenshot(chromium, url, wait_ms=1500)) == GREEN


@browser_test
def test_images_added_by_scripts_after_load_are_captured(chromium: Browser, web: Site) -> None:
    target = io.BytesIO()
    Image.new("RGB", (40, 40), "red").save(target, "PNG")
    image = web.add_page("/red.png", "image/png", target.getvalue())
    url = page(
        web, f"<script>onload = () => document.body.append(Object.assign(new Image(), {{src: '{image}'}}))</script>"
    )

    assert pixel(take_screenshot(chromium, url)) == RED


LAZY = """<div id=end style='position:absolute;top:{top}px;height:50px;width:100%'></div><script>
new IntersectionObserver(seen => {{ if (seen[0].isIntersecting) end.style.background = 'red'; }}).observe(end);
</script>"""


@browser_test
def test_full_page_loads_lazy_content(chromium: Browser, web: Site) -> None:
    url = page(web, LAZY.format(top=9000))

    screenshot = take_screenshot(chromium, url, height=800, full_page=True)

    assert (screenshot.width, screenshot.height) == (200, 9050)
    assert [pixel(screenshot, 5, y) for y in (8999, 9000, 9049)] == [WHITE, RED, RED]


@browser_test
def test_full_page_starts_at_top(chromium: Browser, web: Site) -> None:
    bar = "<div style='position:fixed;top:0;height:20px;width:100%;background:green'></div><div style='height:3000px'>"

    screenshot = take_screenshot(chromium, page(web, bar), full_page=True)

    assert (pixel(screenshot, 5, 5), pixel(screenshot, 5, 2990)) == (GREEN, WHITE)


@browser_test
def test_page_that_grows_while_scrolling_ends(chromium: Browser, web: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mediakit.engines.browser.at_rest.MAX_SCREENS", 20)
    grow = """<script>const grow = () => { const more = document.createElement('p'); more.style.height = '300px';
        document.body.append(more); };
        grow(); addEventListener('scroll', grow)</script>"""

    assert take_screenshot(chromium, page(web, grow), full_page=True).height > 3000


@browser_test
def test_page_too_high_for_format_raises_invalid_input(chromium: Browser, web: Site) -> None:
    url = page(web, "<div style='height:70000px'>")

    with pytest.raises(InvalidInput, match=r"full_page: the page must be at most 65534 pixels high .*, got 70000"):
        take_screenshot(chromium, url, height=2000, format="jpeg", full_page=True)


@browser_test
def test_fragment_of_url_scrolls_to_element(chromium: Browser, web: Site) -> None:
    url = page(web, "<div style='height:2000px'></div><div id=there style='height:500px;background:blue'>")

    assert (pixel(take_screenshot(chromium, url)), pixel(take_screenshot(chromium, f"{url}#there"))) == (WHITE, BLUE)


@browser_test
@pytest.mark.parametrize(
    "leave",
    [
        "<script>location.href = '/next'</script>",
        "<meta http-equiv=refresh content='0;url=/next'>",
        "<script>onload = () => location.replace('/next')</script>",
    ],
)
def test_immediate_navigation_is_followed(chromium: Browser, web: Site, leave: str) -> None:
    page(web, "<div style='height:100px;background:green'>", "/next")

    assert pixel(take_screenshot(chromium, page(web, leave))) == GREEN


@browser_test
def test_dialogs_and_windows_are_dismissed(chromium: Browser, web: Site) -> None:
    script = """<script>alert(1); confirm(2); prompt(3); print(); onbeforeunload = () => 'stay';
        for (let i = 0; i < 10; i++) open('/popup');</script><div style='height:100px;background:green'>"""

    assert pixel(take_screenshot(chromium, page(web, script))) == GREEN
    assert leftover_pages(chromium) == []


@browser_test
@pytest.mark.parametrize("status", [403, 404, 500, 502, 999])
@pytest.mark.parametrize("body", [b"", b"<h1>Sorry</h1>"])
def test_http_error_of_page_raises_page_unavailable_with_status(
    chromium: Browser, web: Site, status: int, body: bytes
) -> None:
    web.add_response("/error", status, body)

    assert error_message(chromium, web.url("/error")) == f"The page could not be loaded (HTTP {status})."


@browser_test
def test_navigation_to_http_error_raises_page_unavailable(chromium: Browser, web: Site) -> None:
    web.add_response("/start", 302, Location="/missing")
    by_script = page(web, "<script>location.href = '/missing'</script>", "/script")

    assert error_message(chromium, web.url("/start")) == "The page could not be loaded (HTTP 404)."
    assert error_message(chromium, by_script) == "The page could not be loaded (HTTP 404)."


@browser_test
@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.1/",
        "https://10.0.0.1/",
        "http://[::ffff:10.0.0.1]/",
        "http://169.254.169.254/latest/meta-data/",
        "http://0x0a000001/",
        "http://unknown.invalid/",
        "https://unknown.invalid/",
        "http://intranet/",
        "http://127.0.0.1:22/",
        "http://127.0.0.1:0/",
    ],
)
def test_blocked_and_unreachable_urls_raise_same_message(chromium: Browser, url: str) -> None:
    assert error_message(chromium, url) == NOT_LOADED


@browser_test
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_closed_port_raises_same_message(chromium: Browser, scheme: str) -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]

    assert error_message(chromium, f"{scheme}://127.0.0.1:{port}/") == NOT_LOADED


@browser_test
def test_invalid_certificate_raises_same_message(chromium: Browser, web: Site) -> None:
    assert error_message(chromium, f"https://127.0.0.1:{web.port}/") == NOT_LOADED


@browser_test
@pytest.mark.parametrize(
    ("kind", "content"), [("application/pdf", b"%PDF-1.7\n"), ("application/zip", b"PK\3\4"), ("x/y", b"\0\1\2")]
)
def test_file_raises_page_unavailable(chromium: Browser, web: Site, kind: str, content: bytes) -> None:
    assert error_message(chromium, web.add_page("/file", kind, content)) == NOT_LOADED


@browser_test
def test_response_without_content_raises_page_unavailable(chromium: Browser, web: Site) -> None:
    web.add_response("/empty", 204)

    assert error_message(chromium, web.url("/empty")) == NOT_LOADED


@browser_test
def test_attachment_raises_page_unavailable(chromium: Browser, web: Site) -> None:
    web.add_response(
        "/attached", 200, b"<p>hello", **{"Content-Type": "text/html", "Content-Disposition": "attachment"}
    )

    assert error_message(chromium, web.url("/attached")) == NOT_LOADED


@browser_test
def test_page_that_starts_download_is_captured(chromium: Browser, web: Site) -> None:
    web.add_page("/file.zip", "application/zip", b"PK\3\4")
    url = page(web, "<p style='margin:0;height:100px;background:green'>Soon<script>location = '/file.zip'</script>")

    assert pixel(take_screenshot(chromium, url), 190, 90) == GREEN


@browser_test
@pytest.mark.parametrize(
    "body",
    [
        "<script>while (true);</script>",
        "<script>while (true) alert(1)</script>",
        "<img src=/hanging>",
        "<script>setInterval(() => location.reload(), 10)</script><img src=/hanging>",
    ],
)
def test_page_that_does_not_finish_loading_raises_page_unavailable(chromium: Browser, web: Site, body: str) -> None:
    web.add_hanging("/hanging")

    assert error_message(chromium, page(web, body), load_seconds=1.5) == NOT_LOADED
    assert leftover_pages(chromium) == []


@browser_test
def test_page_that_blocks_after_load_raises_page_unavailable(chromium: Browser, web: Site) -> None:
    url = page(web, "<script>onload = () => setTimeout(() => { while (true); }, 200)</script>")

    assert error_message(chromium, url, wait_ms=500, render_seconds=1.5) == NOT_LOADED


@browser_test
@pytest.mark.parametrize(
    "body",
    [
        "<script>location.href = 'URL'</script>",
        "<meta http-equiv=refresh content='0;url=URL'>",
        "<script>location.href = 'view-source:URL'</script><script>open('URL')</script>",
        "<iframe src=URL></iframe><img src=URL>",
        "<script>fetch('URL', {mode: 'no-cors'}); new WebSocket('URLws'); navigator.sendBeacon('URL')</script>",
    ],
)
def test_page_does_not_reach_private_addresses(web: Site, body: str) -> None:
    with open_site() as canary, open_browser(allowed_networks=(f"127.0.0.1:{web.port}",)) as guarded:
        canary.add_page("/", "text/html", b"<body style='background:red'>")
        assert RED not in colors(guarded, page(web, body.replace("URL", canary.url("/"))))
        assert canary.hits == []


@browser_test
def test_redirect_to_private_address_raises_same_message(web: Site) -> None:
    with open_site() as canary, open_browser(allowed_networks=(f"127.0.0.1:{web.port}",)) as guarded:
        for status in (301, 302, 303, 307, 308):
            web.add_response("/away", status, Location=canary.url("/"))
            assert error_message(guarded, web.url("/away")) == NOT_LOADED
        assert canary.hits == []


@browser_test
def test_endless_redirects_raise_same_message(chromium: Browser, web: Site) -> None:
    web.add_response("/round", 302, Location="/round")

    assert error_message(chromium, web.url("/round")) == NOT_LOADED


@browser_test
@pytest.mark.parametrize("target", ["about:blank", "data:text/html,hello", "javascript:document.write(1)//", "blob:x"])
def test_redirect_to_other_scheme_raises_same_message(chromium: Browser, web: Site, target: str) -> None:
    web.add_response("/away", 302, Location=target)

    assert error_message(chromium, web.url("/away")) == NOT_LOADED


@browser_test
def test_page_that_navigates_to_blank_raises_page_unavailable(chromium: Browser, web: Site) -> None:
    assert error_message(chromium, page(web, "<script>location.href = 'about:blank'</script>")) == NOT_LOADED


@browser_test
def test_calls_share_no_state(chromium: Browser, web: Site) -> None:
    url = page(
        web,
        """<script>const seen = document.cookie || localStorage.seen;
        document.cookie = 'seen=1'; localStorage.seen = 1;
        document.body.style.background = seen ? 'red' : 'green'</script>""",
    )

    assert [pixel(take_screenshot(chromium, url)) for _ in range(2)] == [GREEN, GREEN]


@browser_test
def test_wait_for_waits_for_element(chromium: Browser, web: Site) -> None:
    url = page(
        web,
        """<script>setTimeout(() => document.body.innerHTML =
        '<p id=done style="margin:0;height:100px;background:green">', 900)</script>""",
    )

    assert pixel(take_screenshot(chromium, url, wait_for="#done")) == GREEN


@browser_test
def test_missing_wait_for_element_raises_page_unavailable(chromium: Browser, web: Site) -> None:
    url = page(web, "<p id=hidden style='display:none'>")

    words = "The page has no visible element that matches wait_for after 1.5 seconds."
    assert error_message(chromium, url, wait_for="#hidden", element_seconds=1.5) == words


@browser_test
@pytest.mark.parametrize(("field", "value"), [("wait_for", "p["), ("selector", ">>>")])
def test_invalid_selector_raises_invalid_input_with_field(chromium: Browser, web: Site, field: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^{field}: must be a valid CSS selector\.$"):
        take_screenshot(chromium, page(web, "<p>"), **dict[str, Any]({field: value}))


@browser_test
@pytest.mark.parametrize(("color", "blank"), [("white", True), ("#123456", True), ("linear-gradient(red,blue)", False)])
@pytest.mark.parametrize("image_format", ["png", "jpeg"])
def test_meta_blank_reports_single_color_image(
    chromium: Browser, web: Site, color: str, blank: bool, image_format: Any
) -> None:
    url = page(web, f"<div style='height:100vh;background:{color}'>")

    screenshot = take_screenshot(chromium, url, format=image_format)

    assert is_blank(screenshot.content, image_format) is blank


URLS = {
    "example.com": "must begin with http:// or https:// and a host.",
    "": "must begin with http:// or https:// and a host.",
    "http:example.com": "must begin with http:// or https:// and a host.",
    "http:///example.com": "must begin with http:// or https:// and a host.",
    "file:///etc/passwd": "must begin with http:// or https:// and a host.",
    "view-source:http://example.com": "must begin with http:// or https:// and a host.",
    "javascript:alert(1)": "must begin with http:// or https:// and a host.",
    "data:text/html,hello": "must begin with http:// or https:// and a host.",
    "http://exam ple.com": "must have no spaces, control characters or backslashes; percent-encode them.",
    "http://example.com/\x00": "must have no spaces, control characters or backslashes; percent-encode them.",
    "http://example.com\\@127.0.0.1/": "must have no spaces, control characters or backslashes; percent-encode them.",
    "http://exa\nmple.com": "must have no spaces, control characters or backslashes; percent-encode them.",
    "http://user@example.com": "must have no user name and no password.",
    "http://user:secret@example.com": "must have no user name and no password.",
    "http://@example.com": "must have no user name and no password.",
    "http://example.com:65536/": "is not a valid URL; check its host and its port.",
    "http://256.256.256.256/": "is not a valid URL; check its host and its port.",
    "http://[::1": "is not a valid URL; check its host and its port.",
    "http://[fe80::1%25eth0]/": "is not a valid URL; check its host and its port.",
    "http://exa%zzmple.com/": "is not a valid URL; check its host and its port.",
    "https://example.com/" + "a" * 2048: "must have at most 2048 characters, got 2068.",
}


@pytest.mark.parametrize(("url", "words"), URLS.items(), ids=[url[:40] for url in URLS])
def test_invalid_url_raises_invalid_input_with_reason(url: str, words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        mediakit.screenshot.validate({"url": url})

    assert str(caught.value) == f"url: {words}"


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://example.com", "https://example.com/"),
        ("  HTTP://EXAMPLE.com/a?b=@c\r\n", "http://example.com/a?b=@c"),
        ("https://münchen.de/ü", "https://xn--mnchen-3ya.de/%C3%BC"),
        ("http://１２７.1/", "http://127.0.0.1/"),
        ("https://example.com:443/#part", "https://example.com/#part"),
    ],
)
def test_url_is_normalized_like_in_browsers(url: str, kept: str) -> None:
    assert mediakit.screenshot.validate({"url": url}).url == kept


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, "url: is required."),
        ({"url": 5}, "url: must be text, got 5."),
        ({"url": "https://a.example", "width": 99}, "width: must be between 100 and 3840, got 99."),
        ({"url": "https://a.example", "height": 2161}, "height: must be between 100 and 2160, got 2161."),
        ({"url": "https://a.example", "format": "webp"}, "format: must be one of 'png' or 'jpeg', got \"webp\"."),
        ({"url": "https://a.example", "quality": 0}, "quality: must be between 1 and 100, got 0."),
        ({"url": "https://a.example", "wait_ms": 5001}, "wait_ms: must be between 0 and 5000, got 5001."),
        ({"url": "https://a.example", "padding": 8}, "padding: requires selector."),
        (
            {"url": "https://a.example", "device_scale_factor": 4},
            "device_scale_factor: must be between 1 and 3, got 4.",
        ),
        ({"url": "https://a.example", "selector": ""}, "selector: must not be empty."),
    ],
)
async def test_screenshot_validates_fields(api: Api, values: dict[str, Any], words: str) -> None:
    response = await api.json("/screenshot", values)

    assert response.status_code == 400
    assert words in response.json()["error"]


@browser_test
@pytest.mark.anyio
async def test_http_returns_502_without_charge_for_unavailable_page(api: Api) -> None:
    missing = await api.raw("/screenshot", web_page.URL + "missing", "text/plain")
    private = await api.json("/screenshot", {"url": "http://10.0.0.1/"})

    assert (missing.status_code, missing.json()) == (502, {"error": "The page could not be loaded (HTTP 404)."})
    assert (private.status_code, private.json()) == (502, {"error": NOT_LOADED})
    assert (await api.status())["used"] == 0


@browser_test
@pytest.mark.anyio
async def test_http_accepts_url_as_plain_text_with_newline(api: Api) -> None:
    response = await api.raw("/screenshot", web_page.URL + "\n", "text/plain", width=120, height=100)

    assert (response.status_code, response.headers["content-type"]) == (200, "image/png")
