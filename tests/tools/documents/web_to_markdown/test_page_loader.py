"""Loading of web pages in a browser: scripts, frames, shadow trees, access walls and other documents."""

import gzip
from typing import Any

import pytest

from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser
from mediakit.errors import MediakitError, NotConvertible, PageUnavailable
from mediakit.tools.documents.web_to_markdown.page_loader import (
    BOT_CHECK,
    CLICK_REQUIRED,
    EMPTY,
    LOGIN_REQUIRED,
    NOT_A_PAGE,
    TOO_LARGE,
    load_page,
)
from tests.support.browser_kit import Site
from tests.tools.documents.web_to_markdown.pages import PROSE, read

pytest_plugins = ["tests.support.browser_fixtures"]
browser_test = pytest.mark.browser


def loaded(on: Browser, url: str, **options: Any) -> tuple[str, str]:
    return runtime.run(load_page(url, browser=on, **options))


def error_of(on: Browser, url: str, **options: Any) -> MediakitError:
    with pytest.raises(MediakitError) as caught:
        loaded(on, url, **options)
    return caught.value


@browser_test
def test_url_returns_content_that_scripts_wrote(chromium: Browser, web: Site) -> None:
    page = f"<h1>Title</h1><p id=late></p><script>document.getElementById('late').textContent = '{PROSE}'</script>"
    html, url = loaded(chromium, web.add_page("/page", "text/html", page.encode()))
    assert PROSE in read(html)["content"]
    assert url.endswith("/page")


@browser_test
def test_url_omits_content_hidden_by_style_sheets(chromium: Browser, web: Site) -> None:
    page = f"<style>.no{{display:none}}</style><p>{PROSE}</p><p class=no>secret"
    html, _ = loaded(chromium, web.add_page("/", "text/html", page.encode()))
    assert "secret" not in read(html, main_content=False)["content"]


@browser_test
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/zip", b"PK\x03\x04" + bytes(100)),
        ("application/pdf", b"%PDF-1.4\n%EOF"),
        ("application/json", b'{"a": 1}'),
        ("image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("text/plain", b"just text"),
    ],
)
def test_url_of_another_media_type_raises_not_convertible(chromium: Browser, web: Site, kind: str, body: bytes) -> None:
    error = error_of(chromium, web.add_page("/page.html", kind, body))
    assert isinstance(error, NotConvertible)
    assert error.message == NOT_A_PAGE


@browser_test
def test_html_page_with_pdf_file_name_is_loaded(chromium: Browser, web: Site) -> None:
    html, _ = loaded(chromium, web.add_page("/report.pdf", "text/html", f"<p>{PROSE}".encode()))
    assert PROSE in html


@browser_test
@pytest.mark.parametrize(
    ("body", "message", "error_class"),
    [
        ("", EMPTY, NotConvertible),
        (
            "<title>Sign in</title><form><input><input type=password><button>Sign in</button></form>",
            LOGIN_REQUIRED,
            PageUnavailable,
        ),
        ("<title>Just a moment...</title><p>Checking your browser before you go on.", BOT_CHECK, PageUnavailable),
        ("<button onclick='show()'>Continue to the article</button>", CLICK_REQUIRED, PageUnavailable),
    ],
)
def test_access_wall_raises_error(
    chromium: Browser, web: Site, body: str, message: str, error_class: type[MediakitError]
) -> None:
    error = error_of(chromium, web.add_page("/gate", "text/html", body.encode()))
    assert (type(error), error.message) == (error_class, message)


@browser_test
def test_page_with_text_and_password_field_is_loaded(chromium: Browser, web: Site) -> None:
    html, _ = loaded(chromium, web.add_page("/", "text/html", f"<p>{PROSE * 8}</p><input type=password>".encode()))
    assert PROSE in html


def whole_content(on: Browser, web: Site, page: str, **options: Any) -> str:
    """Return the content of the whole page after it was loaded."""
    html, url = loaded(on, web.add_page("/page", "text/html; charset=utf-8", page.encode()), **options)
    return str(read(html, main_content=False, include_images=True, base_url=url)["content"])


@browser_test
def test_shadow_trees_are_read_with_their_slots(chromium: Browser, web: Site) -> None:
    page = """<tea-card><h2 slot=name>Green</h2>light and alone<i slot=unknown>unslotted</i></tea-card><script>
      customElements.define('tea-leaf', class extends HTMLElement { constructor() {
        super(); this.attachShadow({mode: 'open'}).innerHTML = '<b>leaf <slot></slot></b>'; }});
      customElements.define('tea-card', class extends HTMLElement { constructor() { super();
        this.attachShadow({mode: 'open'}).innerHTML =
          `<style>.no{display:none}</style><article><slot name=name>nameless</slot><tea-leaf>inner</tea-leaf>
           <p class=no>secret</p><p>[<slot></slot>]</p><slot name=empty>spare</slot></article>`; }});</script>"""
    content = whole_content(chromium, web, page)
    assert " ".join(content.split()) == "## Green **leaf inner** [light and alone] spare"


@browser_test
def test_page_with_only_a_shadow_tree_is_not_empty(chromium: Browser, web: Site) -> None:
    page = f"""<x-app></x-app><script>document.querySelector('x-app').attachShadow({{mode: 'open'}})
      .innerHTML = '<p>{PROSE}</p>'</script>"""
    assert PROSE in whole_content(chromium, web, page)


@browser_test
def test_same_origin_frames_are_read_in_place_and_others_are_links(chromium: Browser, web: Site) -> None:
    web.add_page("/inner/", "text/html", b"<p>Framed. <a href=leaf>A leaf</a><p style=display:none>secret")
    other = web.url("/other", "127.0.0.2")
    web.add_page("/other", "text/html", b"<p>advertisement")
    page = f"<p>Before</p><iframe src=/inner/></iframe><iframe src={other}></iframe><iframe hidden src=/other></iframe>"
    content = whole_content(chromium, web, f"{page}<p>After")
    frame = f"[127.0.0.2]({other})"
    assert content == f"Before\n\nFramed. [A leaf]({web.url('/inner/leaf')})\n\n{frame}\n\nAfter"


@browser_test
def test_frameset_is_read(chromium: Browser, web: Site) -> None:
    web.add_page("/one", "text/html", f"<h1>One</h1><p>{PROSE}".encode())
    content = whole_content(chromium, web, "<frameset cols='50%,50%'><frame src=/one><frame src=/none></frameset>")
    assert content == f"# One\n\n{PROSE}"


@browser_test
def test_content_loaded_on_scroll_is_read(chromium: Browser, web: Site) -> None:
    web.add_page("/more", "text/html", f"<p>{PROSE}</p>".encode())
    page = """<p>Top</p><div style='height:4000px'></div><div id=end>...</div><img data-src=a.png class=lazy><script>
      new IntersectionObserver(async ([seen], all) => { if (!seen.isIntersecting) return;
        all.disconnect(); document.getElementById('end').innerHTML = await (await fetch('/more')).text(); })
        .observe(document.getElementById('end'))</script>"""
    content = whole_content(chromium, web, page)
    assert PROSE in content
    assert f"![]({web.url('/a.png')})" in content


@browser_test
def test_page_with_infinite_scroll_is_read(chromium: Browser, web: Site) -> None:
    page = f"""<p>{PROSE}</p><script>onscroll = () => document.body.insertAdjacentHTML('beforeend',
      '<p style="height:900px">more</p>'.repeat(9))</script><div style='height:2000px'>"""
    assert PROSE in whole_content(chromium, web, page)


@browser_test
@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<noscript><p>Please turn JavaScript on</p></noscript><p>tea</p>", "tea"),
        ("<template><p>not shown</p></template><p>tea</p>", "tea"),
        ("<p>1 &lt; 2 &amp;amp; 3&nbsp;4</p><textarea>typed</textarea>", "1 < 2 \\&amp; 3\xa04"),
        (
            "<picture><source srcset='big.webp 2x'><img src='data:image/gif;base64,R0' alt=a></picture>",
            "![a](big.webp)",
        ),
        ("<math><mi>x</mi><mo>&lt;</mo><mn>2</mn></math>", r"$x<2$"),
    ],
)
def test_snapshot_preserves_page_content(chromium: Browser, web: Site, page: str, expected: str) -> None:
    content = whole_content(chromium, web, page + "<p>end").removesuffix("end").strip()
    assert content.replace(web.url("/"), "") == expected


@browser_test
def test_url_follows_meta_refresh(chromium: Browser, web: Site) -> None:
    web.add_page("/there", "text/html", f"<p>{PROSE}".encode())
    start = web.add_page("/here", "text/html", b"<meta http-equiv=refresh content='0; url=/there'><p>moved")
    html, url = loaded(chromium, start)
    assert (PROSE in html, url) == (True, web.url("/there"))


@browser_test
def test_http_charset_takes_precedence_over_meta_charset(chromium: Browser, web: Site) -> None:
    body = "<meta charset=iso-8859-1><p>Grüner Tee".encode()
    html, _ = loaded(chromium, web.add_page("/", "text/html; charset=utf-8", body))
    assert "Grüner Tee" in html


@browser_test
def test_page_over_four_megabytes_is_rejected(chromium: Browser, web: Site) -> None:
    packed = gzip.compress(b"<p>tea</p><p title='" + b"tea " * 1_100_000 + b"'>tea</p>")
    page = web.add_response("/bomb", 200, packed, **{"Content-Encoding": "gzip"})
    error = error_of(chromium, page)
    assert (type(error), error.message) == (NotConvertible, TOO_LARGE)


STYLED_PAGE = f"""<!doctype html><title>Tea</title><style>
.closed {{ display: none }} .poem {{ white-space: pre-wrap }} .number {{ user-select: none }} .modal {{ display: none }}
</style><main><h1>Tea</h1><p>{PROSE}</p>
<h3><button aria-expanded="false" aria-controls="answer">How hot is tea?</button></h3>
<div id="answer" class="closed"><p>As hot as you can drink it.</p></div>
<p class="poem">Roses are red and
violets are blue.</p>
<pre><code><span class="number">1</span>x = 1
<span class="number">2</span>y = 2</code></pre>
<p>{PROSE}</p><iframe src="https://video.invalid/embed/7" title="How tea grows"></iframe>
<audio controls src="/bell.mp3"></audio><p>{PROSE}</p></main>
<div class="modal" id="modal"><p>Sign up for our letter now.</p></div>
<button data-bs-toggle="modal" data-bs-target="#modal">Letter</button>"""


@browser_test
@pytest.mark.parametrize("main_content", [True, False])
def test_url_keeps_what_style_sheets_change(chromium: Browser, web: Site, *, main_content: bool) -> None:
    html, url = loaded(chromium, web.add_page("/styled", "text/html", STYLED_PAGE.encode()))
    found = read(html, base_url=url, main_content=main_content)["content"]
    assert "### How hot is tea?\n\nAs hot as you can drink it." in found
    assert "Roses are red and  \nviolets are blue." in found
    assert "```\nx = 1\ny = 2\n```" in found
    assert "[How tea grows](https://video.invalid/embed/7)" in found
    assert "/bell.mp3)" in found
    assert "Sign up" not in found
