"""Capture options (element, scale, color scheme, transparency), for HTML and for web pages."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

import mediakit
from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser, html
from mediakit.engines.browser.screenshots import Screenshot
from mediakit.engines.browser.web import render_screenshot
from mediakit.engines.capture_options import CaptureOptions
from mediakit.errors import InvalidInput
from tests.support.browser_kit import Pixel, decode, open_site, pixel

pytest_plugins = ["tests.support.browser_fixtures"]
pytestmark = pytest.mark.browser

Render = Callable[..., Screenshot]

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 128, 0), (0, 0, 255), (255, 255, 255)

BOX = """<!doctype html><style>body { margin: 0; height: 3000px }
#box { position: absolute; left: 60px; top: 1000px; width: 80px; height: 40px; background: red }</style>
<div id=box></div>"""


@pytest.fixture(params=["html", "url"])
def render(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Render]:
    """Return a function that renders a page as HTML or by URL."""
    with open_site() as web:

        def render_page(
            page: str, *, width: int = 200, height: int = 100, full_page: bool = False, **options: Any
        ) -> Screenshot:
            size: dict[str, Any] = {"width": width, "height": height, "full_page": full_page}
            size |= {"format": options.pop("format", "png"), "options": CaptureOptions(**options), "browser": chromium}
            if request.param == "html":
                return runtime.run(html.render_image(page, **size))
            return runtime.run(render_screenshot(web.add_page("/", "text/html; charset=utf-8", page.encode()), **size))

        yield render_page


def alpha(screenshot: Screenshot, x: int, y: int) -> Pixel:
    value = decode(screenshot).convert("RGBA").getpixel((x, y))
    assert isinstance(value, tuple)
    return tuple(int(part) for part in value)


def test_selector_captures_only_element(render: Render) -> None:
    screenshot = render(BOX, selector="#box")

    assert (screenshot.width, screenshot.height) == (80, 40) == decode(screenshot).size
    assert {pixel(screenshot, *corner) for corner in ((0, 0), (79, 0), (0, 39), (79, 39))} == {RED}


def test_padding_adds_space_around_element(render: Render) -> None:
    screenshot = render(BOX, selector="#box", padding=10)

    assert (screenshot.width, screenshot.height) == (100, 60)
    assert [pixel(screenshot, *place) for place in ((9, 9), (10, 10), (89, 49), (90, 50))] == [WHITE, RED, RED, WHITE]


def test_padding_stops_at_page_edge(render: Render) -> None:
    screenshot = render(BOX, selector="#box", padding=100)

    assert (screenshot.width, screenshot.height) == (60 + 80 + 100, 240)
    assert (pixel(screenshot, 59, 120), pixel(screenshot, 60, 120)) == (WHITE, RED)


def test_element_with_fractional_position_is_complete(render: Render) -> None:
    screenshot = render(BOX.replace("left: 60px", "left: 60.5px"), selector="#box")

    assert (screenshot.width, screenshot.height) == (81, 40)


def test_selector_captures_first_match(render: Render) -> None:
    assert (
        pixel(render("<style>p{height:30px;background:green}p+p{background:red}</style><p><p>", selector="p")) == GREEN
    )


@pytest.mark.parametrize("page", ["<p>hello", "<p id=gone style='display:none'>", "<p id=gone style='height:0'>"])
def test_invisible_element_raises_invalid_input(render: Render, page: str) -> None:
    with pytest.raises(InvalidInput, match=r"^selector: matches no visible element on the page\.$"):
        render(page, selector="#gone")


@pytest.mark.parametrize("selector", ["p[", ">>>", "//p", "text=hello"])
def test_invalid_selector_raises_invalid_input(render: Render, selector: str) -> None:
    with pytest.raises(InvalidInput, match=r"^selector: must be a valid CSS selector\.$"):
        render("<p>hello", selector=selector)


def test_device_scale_factor_multiplies_image_size(render: Render) -> None:
    page = "<body style='margin:0;background:linear-gradient(90deg,red 33.3333px,blue 0)'>"
    screenshot = render(page, device_scale_factor=3)

    assert (screenshot.width, screenshot.height) == (600, 300) == decode(screenshot).size
    assert (pixel(screenshot, 98, 5), pixel(screenshot, 101, 5)) == (RED, BLUE)


def test_text_is_rendered_at_device_scale_factor(render: Render) -> None:
    page = "<p style='margin:0;font:40px serif'>Sharp<div style='font-size:0'>"
    sharp, plain = decode(render(page, device_scale_factor=2)), decode(render(page))

    gray = [sum(image.convert("L").histogram()[16:240]) / image.width for image in (sharp, plain)]
    assert gray[0] < 2 * gray[1]


def test_resolution_media_query_matches_device_scale_factor(render: Render) -> None:
    page = "<style>@media (resolution: 2dppx) { body { background: blue } }</style>"

    assert (pixel(render(page, device_scale_factor=2)), pixel(render(page))) == (BLUE, WHITE)


def test_device_scale_factor_applies_to_element_and_full_page(render: Render) -> None:
    element, whole = (
        render(BOX, selector="#box", device_scale_factor=2),
        render(BOX, full_page=True, device_scale_factor=2),
    )

    assert (element.width, element.height) == (160, 80) == decode(element).size
    assert (whole.width, whole.height) == (400, 6000) == decode(whole).size
    assert pixel(whole, 120, 2000) == RED


def test_maximum_height_counts_image_pixels(render: Render) -> None:
    page = "<body style='margin:0'><div style='height:30000px'>"

    with pytest.raises(InvalidInput, match=r"full_page: the page must be at most .*, got 90000"):
        render(page, height=1000, full_page=True, device_scale_factor=3, format="jpeg")


@pytest.mark.parametrize(("scheme", "seen"), [("light", WHITE), ("dark", BLUE)])
def test_color_scheme_media_query_matches_option(render: Render, scheme: str, seen: Pixel) -> None:
    page = "<style>@media (prefers-color-scheme: dark) { body { background: blue } }</style>"

    assert pixel(render(page, color_scheme=scheme)) == seen


HALF = "<body style='margin:0'><p style='margin:0;height:50px;background:red'>"


def test_transparent_background_has_alpha_zero(render: Render) -> None:
    assert [alpha(render(HALF, transparent=True), 5, y)[3] for y in (5, 90)] == [255, 0]


def test_webp_supports_transparency() -> None:
    screenshot = mediakit.capture(HALF, width=200, height=100, transparent=True, format="webp").to_pil()

    assert screenshot.getchannel("A").getpixel((5, 5)) == 255
    assert screenshot.getchannel("A").getpixel((5, 90)) == 0


def test_jpeg_of_transparent_page_is_white(render: Render) -> None:
    assert pixel(render("<p>", transparent=True, format="jpeg"), 190, 90) == WHITE


def test_next_page_is_not_transparent(render: Render) -> None:
    render("<p>", transparent=True)

    assert alpha(render("<p>"), 190, 90) == (*WHITE, 255)


@pytest.mark.parametrize("tool", [mediakit.capture, mediakit.screenshot], ids=lambda tool: tool.name)
def test_tools_share_help_of_capture_options(tool: Any) -> None:
    shared = {parameter.name: parameter.help for parameter in tool.parameters if parameter.name in OPTIONS}

    assert list(shared) == OPTIONS
    assert all(shared.values())
    assert next(iter(tool.__signature__.parameters)) in ("html", "url")


OPTIONS = ["selector", "padding", "transparent", "device_scale_factor", "color_scheme"]
