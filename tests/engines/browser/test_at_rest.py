"""Pages at rest: ended animations, revealed sections, backgrounds and scrolling elements of full pages."""

import io
from typing import Any

import pypdfium2
import pytest
from PIL import Image

import mediakit
from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser
from mediakit.engines.browser.web import render_screenshot
from mediakit.engines.capture_options import CaptureOptions
from tests.support.browser_kit import Site, decode, pixel, render

pytest_plugins = ["tests.support.browser_fixtures"]
pytestmark = pytest.mark.browser

GREEN, WHITE, BLUE, RED = (0, 128, 0), (255, 255, 255), (0, 0, 255), (255, 0, 0)

ENTRANCES = {
    "keyframes without a fill mode": "@keyframes in {from {opacity: 0}} div {animation: in 9s}",
    "delay of minutes": "@keyframes in {from {opacity: 0}} div {animation: in 9s 300s both}",
    "several repeats": "@keyframes in {from {opacity: 0}} div {animation: in 2s 3 both}",
    "slide from outside": "@keyframes in {from {transform: translateX(-100vw)}} div {animation: in 4s both}",
    "alternate that ends at its start": "@keyframes in {to {opacity: 0}} div {animation: in 4s 2 alternate both}",
    "second animation after the first": (
        "@keyframes a {from {opacity: 0} to {opacity: .5}} @keyframes b {to {opacity: 1}}"
        " div {animation: a 2s both, b 2s 2s forwards}"
    ),
    "starting style": "div {transition: opacity 5s; @starting-style {opacity: 0}}",
    "registered property": "@property --o {syntax: '<number>'; inherits: false; initial-value: 0}"
    "@keyframes in {to {--o: 1}} div {opacity: var(--o); animation: in 5s forwards}",
    "import of a style sheet": (
        '@import url("data:text/css,@keyframes in {from {opacity: 0}} div {animation: in 9s both}");'
    ),
}


@pytest.mark.parametrize("style", ENTRANCES.values(), ids=ENTRANCES)
def test_finite_animation_is_shown_at_its_end(chromium: Browser, style: str) -> None:
    html = f"<style>{style} body {{margin: 0}} div {{height: 100px; background: green}}</style><div></div>"

    assert pixel(render(chromium, html)) == GREEN


def test_pseudo_element_and_shadow_tree_are_shown_at_their_end(chromium: Browser) -> None:
    style = (
        "<style>@keyframes in {from {opacity: 0}} .box {height: 50px; background: green; animation: in 9s both}</style>"
    )
    html = (
        "<style>body {margin: 0; animation: none} @keyframes p {from {opacity: 0}}"
        "p {margin: 0} p::before {content: ''; display: block; height: 50px; background: blue; animation: p 9s both}"
        f"</style><p></p><div><template shadowrootmode=open>{style}<div class=box></div></template></div>"
    )
    image = render(chromium, html)

    assert (pixel(image, 5, 20), pixel(image, 5, 70)) == (BLUE, GREEN)


def test_frame_and_svg_are_shown_at_their_end(chromium: Browser) -> None:
    frame = "<style>@keyframes i {from {opacity: 0}} body {margin: 0; background: green; animation: i 9s both}</style>"
    html = (
        f"<body style='margin:0'><iframe srcdoc='{frame}' style='border:0;width:100px;height:100px'></iframe>"
        "<svg width=100 height=100><rect width=100 height=100 fill=blue>"
        "<animate attributeName=opacity from=0 to=1 dur=9s fill=freeze /></rect></svg>"
    )
    image = render(chromium, html)

    assert (pixel(image, 50, 50), pixel(image, 150, 50)) == (GREEN, BLUE)


ENDLESS = {
    "rotation": "@keyframes r {to {transform: rotate(360deg)}} div {animation: r 1.3s linear infinite}",
    "color": "@keyframes c {to {background: red}} div {animation: c .7s infinite alternate}",
    "delay": "@keyframes m {to {margin-left: 150px}} div {animation: m 3s 2s infinite}",
}


@pytest.mark.flaky(reruns=3)  # with busy processors, Chromium draws a rotation at its own time in 3 of 100 images
@pytest.mark.parametrize("style", ENDLESS.values(), ids=ENDLESS)
def test_endless_animation_gives_equal_images(chromium: Browser, style: str) -> None:
    html = f"<style>{style} div {{width: 50px; height: 50px; background: blue}}</style><div></div>"
    first, second = (render(chromium, html, wait_ms=wait) for wait in (300, 300))

    assert first.content == second.content
    assert len(decode(first).convert("RGB").getcolors(1 << 20) or ()) > 1


def test_wait_ms_selects_the_time_of_an_endless_animation(chromium: Browser) -> None:
    html = (
        "<style>@keyframes c {from, 49% {background: blue} 50%, to {background: red}}"
        "body {animation: c 4s infinite}</style>"
    )

    assert [pixel(render(chromium, html, wait_ms=wait)) for wait in (0, 2000)] == [BLUE, RED]


def test_paused_animation_stays_as_it_is(chromium: Browser) -> None:
    html = (
        "<style>@keyframes c {from {background: green} to {background: red}} body {animation: c 4s paused both}</style>"
    )

    assert pixel(render(chromium, html)) == GREEN


def test_pdf_shows_the_end_of_animations() -> None:
    html = (
        "<style>@keyframes in {from {transform: translateX(-200vw)}} h1 {animation: in 3s 1s "
        "both}</style><h1>Annual report</h1>"
    )
    text = pypdfium2.PdfDocument(mediakit.pdf(html).content)[0].get_textpage().get_text_bounded()

    assert text.strip() == "Annual report"


SECTION = "section {height: 150px; background: green}"


@pytest.mark.parametrize(
    ("style", "script"),
    [
        (".r {opacity: 0; transition: opacity 1s .5s} .on {opacity: 1}", "e.target.classList.add('on')"),
        (
            "@keyframes i {from {opacity: 0}} .r {opacity: 0} .on {animation: i 2s 1s both; opacity: 1}",
            "e.target.classList.add('on')",
        ),
        (
            ".r {opacity: 0; transition: opacity .3s} .on {opacity: 1}",
            "setTimeout(() => e.target.classList.add('on'), 250)",
        ),
        (".r {visibility: hidden} .on {visibility: visible}", "e.target.classList.add('on')"),
        (".r {opacity: 0}", "e.target.animate([{opacity: 0}, {opacity: 1}], {duration: 3000, fill: 'forwards'})"),
    ],
    ids=["transition with delay", "keyframes with delay", "timer", "visibility", "web animation"],
)
def test_full_page_shows_sections_revealed_on_scroll(chromium: Browser, web: Site, style: str, script: str) -> None:
    observer = f"new IntersectionObserver(all => all.forEach(e => {{if (e.isIntersecting) {script}}}))"
    assert _sections(chromium, web, style, f"const o = {observer}; {OBSERVE}") == [GREEN] * 6


OBSERVE = "document.querySelectorAll('section').forEach(each => o.observe(each))"


def test_full_page_shows_sections_that_hide_again_outside_the_viewport(chromium: Browser, web: Site) -> None:
    style = ".r {opacity: 0; transition: opacity .3s} .on {opacity: 1}"
    script = (
        "const o = new IntersectionObserver(all => all.forEach(e => e.target.classList.toggle('on', "
        "e.isIntersecting)));"
    )

    assert _sections(chromium, web, style, script + OBSERVE) == [GREEN] * 6


def test_full_page_shows_sections_that_a_scroll_listener_hides_again(chromium: Browser, web: Site) -> None:
    style = ".r {opacity: 0; transition: opacity .3s} .on {opacity: 1}"
    script = (
        "const f = () => document.querySelectorAll('section').forEach(each => "
        "each.classList.toggle('on', each.getBoundingClientRect().top < innerHeight)); "
        "addEventListener('scroll', f); f()"
    )

    assert _sections(chromium, web, style, script) == [GREEN] * 6


def test_full_page_shows_sections_revealed_by_scroll_driven_animations(chromium: Browser, web: Site) -> None:
    style = (
        "@keyframes i {from {opacity: 0}} .r {animation: i linear both; animation-timeline: view(); "
        "animation-range: entry}"
    )

    assert _sections(chromium, web, style, "") == [GREEN] * 6


def _sections(chromium: Browser, web: Site, style: str, script: str, **options: Any) -> list[Any]:
    sections = "<section class=r></section>" * 6
    html = f"<!doctype html><style>body {{margin: 0}} {SECTION} {style}</style>{sections}<script>{script}</script>"
    url = web.add_page("/sections", "text/html", html.encode())
    image = screenshot(chromium, url, full_page=True, **options)
    assert image.height == 900
    return [pixel(image, 100, 75 + 150 * index) for index in range(6)]


def screenshot(chromium: Browser, url: str, *, width: int = 200, height: int = 200, **options: Any) -> Any:
    capture_options = CaptureOptions(selector=options.pop("selector", None))
    call = render_screenshot(url, width=width, height=height, options=capture_options, browser=chromium, **options)
    return runtime.run(call)


def test_hero_animation_of_a_page_is_shown_at_its_end(chromium: Browser, web: Site) -> None:
    html = (
        "<style>body {margin: 0} h1 {margin: 0; height: 90px; background: green; opacity: 0; transition: opacity 2s 1s}"
        "h1.on {opacity: 1}</style><h1></h1><script>requestAnimationFrame(() => "
        "document.querySelector('h1').className = 'on')"
        "</script>"
    )

    assert pixel(screenshot(chromium, web.add_page("/hero", "text/html", html.encode()))) == GREEN


def test_page_that_replaces_built_in_functions_is_brought_to_rest(chromium: Browser, web: Site) -> None:
    html = (
        "<style>@keyframes i {from {opacity: 0}} body {margin: 0; background: green; animation: i 9s both}</style>"
        "<script>Document.prototype.getAnimations = () => { throw 1 }; Array.prototype.filter = null;"
        "window.getComputedStyle = null; globalThis.atRest = 1</script>"
    )

    assert pixel(screenshot(chromium, web.add_page("/replaced", "text/html", html.encode()))) == GREEN


SKIPPED = "section {content-visibility: auto; contain-intrinsic-size: auto 20px} div {height: 300px; background: green}"


def test_full_page_shows_skipped_sections(chromium: Browser) -> None:
    html = f"<!doctype html><style>body {{margin: 0}} {SKIPPED}</style>" + "<section><div></div></section>" * 5
    image = render(chromium, html, full_page=True)

    assert image.height == 1500
    assert {pixel(image, 100, y) for y in range(10, 1500, 100)} == {GREEN}


def test_selected_element_shows_skipped_sections(chromium: Browser) -> None:
    html = f"<!doctype html><style>body {{margin: 0}} {SKIPPED}</style>" + "<section><div></div></section>" * 5
    image = render(chromium, html, options=CaptureOptions(selector="section:last-of-type"))

    assert (image.height, pixel(image, 100, 250)) == (300, GREEN)


def test_hidden_content_stays_hidden(chromium: Browser) -> None:
    html = "<!doctype html><div style='content-visibility:hidden'><p style='height:90px;background:red'></div>"

    assert pixel(render(chromium, html), 50, 30) == WHITE


FIXED = {
    "body": "body {background: linear-gradient(green, green) fixed no-repeat}",
    "root": "html {background: linear-gradient(green, green) fixed no-repeat}",
    "root of viewport height": (
        "html {height: 100%; background: linear-gradient(green, green) fixed no-repeat center / cover}"
    ),
    "section": "div {background: linear-gradient(green, green) fixed no-repeat center / cover}",
    "fixed layer of the body": "body::before {content: ''; position: fixed; inset: 0; z-index: -1; background: green}",
    "fixed layer": "i {position: fixed; inset: 0; z-index: -1; background: green}",
}


@pytest.mark.parametrize("style", FIXED.values(), ids=FIXED)
def test_fixed_background_covers_the_full_page(chromium: Browser, style: str) -> None:
    html = f"<!doctype html><style>body {{margin: 0}} {style}</style><i></i><div style='height:950px'></div>"
    image = render(chromium, html, full_page=True)

    assert image.height == 950
    assert {pixel(image, 100, y) for y in (10, 90, 110, 500, 940)} == {GREEN}


def test_fixed_header_stays_at_the_top_of_the_full_page(chromium: Browser) -> None:
    html = (
        "<!doctype html><style>body {margin: 0} b {position: fixed; inset: 0 0 auto; height: 20px; "
        "background: green}</style>"
    )
    image = render(chromium, f"{html}<b></b><div style='height:400px'></div>", full_page=True)

    assert [pixel(image, 50, y) for y in (10, 30, 390)] == [GREEN, WHITE, WHITE]


SCROLLERS = {
    "application of viewport height": "body {height: 100vh; display: flex; flex-direction: column}"
    "header {height: 20px} main {flex: 1; overflow: auto}",
    "fixed layer": "main {position: fixed; inset: 20px 0 0; overflow-y: scroll}",
    "body": "html, body {height: 100%; overflow: hidden} body {overflow: auto}",
    "height in pixels": "main {height: 80px; overflow: auto}",
    "slides of viewport height": "body {height: 100vh; overflow: hidden} main {height: 100vh; overflow: auto;"
    " scroll-snap-type: y mandatory} main div {height: 100vh}",
}


@pytest.mark.parametrize("style", SCROLLERS.values(), ids=SCROLLERS)
def test_full_page_shows_all_content_of_a_scrolling_element(chromium: Browser, style: str) -> None:
    parts = "<div style='background:green'></div>" * 4 + "<div style='background:blue'></div>"
    html = (
        f"<!doctype html><style>body {{margin: 0}} main div {{height: 100px}} {style}</style>"
        f"<header></header><main>{parts}</main>"
    )
    image = render(chromium, html, full_page=True)

    assert 500 <= image.height <= 520
    assert [pixel(image, 50, y) for y in (50, 350, image.height - 20)] == [GREEN, GREEN, BLUE]
    assert image.warnings == ()


def test_small_scrolling_element_stays_as_it_is(chromium: Browser) -> None:
    html = "<!doctype html><pre style='height:30px;overflow:auto'>" + "line\n" * 50 + "</pre>"
    image = render(chromium, html, full_page=True)

    assert (image.height, image.warnings) == (100, ())


def test_scrolling_element_in_a_page_that_scrolls_is_a_warning() -> None:
    html = (
        "<!doctype html><div style='height:900px'></div><main style='height:90vh;overflow:auto'><p "
        "style='height:3000px'></main>"
    )
    result = mediakit.capture(html, width=200, height=200, full_page=True)

    assert [warning["code"] for warning in result.meta["warnings"]] == ["scrolling_element"]
    assert result.height < 1300


def test_next_page_has_its_own_viewport(chromium: Browser) -> None:
    html = (
        "<!doctype html><style>body {margin: 0} main {height: 100vh; overflow: auto}</style><main><p "
        "style='height:900px'></main>"
    )
    render(chromium, html, full_page=True)
    after = render(chromium, "<!doctype html><body style='margin:0'><div style='height:50vh;background:green'>")

    assert [pixel(after, 50, y) for y in (40, 60)] == [GREEN, WHITE]


def test_pdf_has_no_relative_links() -> None:
    html = (
        '<a href="terms(1).html">Terms</a> <a href="/contact">Contact</a> <a href="?page=2">Next</a> <a '
        'href="">Self</a>'
        '<a href="#end">End</a> <a href="https://example.com/x">Home</a><h2 id="end">End</h2>'
    )
    result = mediakit.pdf(html, tagged=True, header="<i class='url'></i>", margin=20)
    document = pypdfium2.PdfDocument(result.content)

    assert b"document.invalid" not in result.content
    assert "invalid" not in document[0].get_textpage().get_text_bounded()
    assert result.content.count(b"/URI (") == 1
    (warning,) = result.meta["warnings"]
    assert (warning["code"], warning["message"].partition(" lead")[0]) == ("relative_links", "3 relative links")


@pytest.mark.parametrize(
    ("options", "style", "cut"),
    [
        ({}, "", "29%"),
        ({"landscape": True}, "", None),
        ({"scale": 0.5}, "", None),
        ({}, "body {overflow-x: hidden}", None),
        ({}, "@page {size: A3 landscape}", None),
    ],
)
def test_pdf_warns_of_content_that_is_cut_off(options: dict[str, Any], style: str, cut: str | None) -> None:
    row = "<div style='width: 1500px; text-align: right'>END</div>"
    result = mediakit.pdf(f"<!doctype html><style>body {{margin: 0}} {style}</style>{row}", margin=10, **options)
    shown = "END" in pypdfium2.PdfDocument(result.content)[0].get_textpage().get_text_bounded()

    assert [warning["code"] for warning in result.meta.get("warnings", [])] == ["wide_content"] * bool(cut)
    assert shown == (cut is None and "hidden" not in style)
    if cut:
        assert f"the right {cut} of the content" in result.meta["warnings"][0]["message"]


def test_links_with_a_base_are_kept_in_a_pdf() -> None:
    result = mediakit.pdf('<base href="https://example.com/docs/"><a href="a.html">A</a>')

    assert b"(https://example.com/docs/a.html)" in result.content
    assert "warnings" not in result.meta


def test_image_of_a_page_at_rest_equals_the_next_one(chromium: Browser, web: Site) -> None:
    html = (
        "<style>@keyframes r {to {rotate: 1turn}} i {display: block; width: 90px; height: 30px; "
        "background: red; animation: r 1s infinite linear}</style><i></i>"
    )
    url = web.add_page("/spinner", "text/html", html.encode())
    images = [Image.open(io.BytesIO(screenshot(chromium, url, wait_ms=wait).content)).tobytes() for wait in (100, 100)]

    assert images[0] == images[1]
