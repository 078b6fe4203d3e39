"""`web_to_markdown`: content and metadata of pages, from HTML and from the web, and its errors."""

import gzip
import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import lxml.html
import pytest
import yaml

import mediakit
from mediakit.core.runtime import runtime
from mediakit.engines.browser import Browser
from mediakit.errors import InvalidInput, MediakitError, NotConvertible, PageUnavailable
from mediakit.tools.documents.web_to_markdown.reader.access_walls import BOT_CHECK, CLICK_REQUIRED, LOGIN_REQUIRED
from mediakit.tools.documents.web_to_markdown.reader.options import ReadOptions
from mediakit.tools.documents.web_to_markdown.reader.page_loader import EMPTY, NOT_A_PAGE, TOO_LARGE, load_page
from mediakit.tools.documents.web_to_markdown.reader.pipeline import page_fields
from mediakit.tools.documents.web_to_markdown.result import PageResult
from tests.conftest import Api
from tests.support.browser_kit import Site

pytest_plugins = ["tests.support.browser_fixtures"]
browser_test = pytest.mark.browser

PROSE = (
    "The kettle was filled before the sun came up, and by the time the others woke, tea stood on the table, "
    "bread had been cut, and the windows were open to let the smell of rain, earth and leaves come in."
)
PAGE = f"""<!doctype html><html lang="en-GB"><head><title>Morning tea | The Tea Journal</title>
<meta property="og:site_name" content="The Tea Journal"><meta property="og:image" content="/tea.jpg">
<meta name="description" content="How a day begins."><link rel="canonical" href="/2024/tea">
<script type="application/ld+json">{{"@type": "Article", "headline": "Morning tea",
"author": {{"@type": "Person", "name": "Ada Lovelace"}}, "datePublished": "2024-03-05T08:00:00+01:00"}}</script></head>
<body><nav class="menu"><ul><li><a href="/">Home</a><li><a href="/shop">Shop</a>
<li><a href="/about">About us</a></ul></nav>
<main><article><h1>Morning tea</h1><p>{PROSE} See <a href="kinds">the kinds of tea</a>.</p>
<p>{PROSE}</p><p><img src="cup.jpg" alt="A cup"></p>
<table><caption>Heat</caption><tr><th>Kind</th><th>Degrees</th></tr>
<tr><td>Green</td><td rowspan="2">80</td></tr><tr><td>White</td></tr></table>
<p>{PROSE}</p></article></main>
<aside class="sidebar related"><h3>Related</h3><ul><li><a href="/coffee">Coffee, too, has its mornings</a></ul></aside>
<footer class="footer">© 2024 The Tea Journal. <a href="/privacy">Privacy policy</a></footer></body></html>"""
BASE = "https://journal.example/2024/"


def read(source_html: str = PAGE, **options: Any) -> dict[str, Any]:
    """Return the fields of a page, converted in this process instead of a worker."""
    return page_fields(source_html, ReadOptions(**options))


def test_html_returns_only_the_main_content() -> None:
    page = mediakit.web_to_markdown(html=PAGE, base_url=BASE)

    assert page.content.count(PROSE[:60]) == 3
    assert "[the kinds of tea](https://journal.example/2024/kinds)" in page.content
    assert "| Green | 80 |" in page.content
    assert not re.search(r"Home|Related|Coffee|Privacy", page.content)
    assert page.main_content_found is True
    assert page.meta == {"main_content_found": True}
    assert (page.length, page.truncated, page.format, page.mime_type) == (
        len(page.content),
        False,
        "markdown",
        "text/markdown",
    )


def test_metadata_format_returns_metadata_without_content() -> None:
    page = mediakit.web_to_markdown(html=PAGE, base_url=BASE, format="metadata")

    assert page.about() == {
        "url": None,
        "title": "Morning tea",
        "description": "How a day begins.",
        "byline": "Ada Lovelace",
        "site_name": "The Tea Journal",
        "language": "en-GB",
        "image": "https://journal.example/tea.jpg",
        "canonical": "https://journal.example/2024/tea",
        "published_time": "2024-03-05T08:00:00+01:00",
    }
    assert (page.content, page.length, page.main_content_found) == ("", 0, None)
    assert json.loads(page.file) == page.about()


@pytest.mark.parametrize("page_format", ["markdown", "text", "metadata"])
def test_missing_description_and_image_are_taken_from_the_content(page_format: Any) -> None:
    article = f"""<h1>Tea</h1><p>New</p><img src="icon.png" width="16" height="16"><div>{PROSE}</div>
      <figure><img src="cup.jpg"></figure><p>{PROSE}</p><p>{PROSE}</p>"""
    found = read(
        f"<title>Tea</title><nav><img src=logo.png></nav><article>{article}</article>",
        base_url=BASE,
        format=page_format,
    )

    assert found["description"] == PROSE
    assert found["image"] == "https://journal.example/2024/cup.jpg"


def test_main_content_false_returns_the_whole_page() -> None:
    page = read(main_content=False)

    assert "[Home](/)" in page["content"]
    assert "Privacy policy" in page["content"]
    assert page["main_content_found"] is None


def test_page_without_main_content_is_returned_whole() -> None:
    page = read("<p>Hi")

    assert (page["content"], page["main_content_found"]) == ("Hi", False)


def test_include_links_and_include_images_control_the_markdown() -> None:
    without = read(include_links=False, include_images=True, base_url=BASE)["content"]

    assert "See the kinds of tea." in without
    assert "![A cup](https://journal.example/2024/cup.jpg)" in without
    assert "![" not in read()["content"]


def test_image_with_placeholder_has_address_of_picture_source() -> None:
    page = "<p>Tea</p><picture><source srcset='big.webp 2x'><img src='data:image/gif;base64,R0' alt=a></picture>"
    assert "![a](big.webp)" in read(page, include_images=True, main_content=False)["content"]


def test_text_format_has_no_markup() -> None:
    text = read(format="text")["content"]

    assert "See the kinds of tea." in text
    assert "Kind   Degrees\nGreen  80" in text
    assert not re.search(r"[*#|\[\]]", text)


def test_result_lists_links_images_and_tables() -> None:
    page = mediakit.web_to_markdown(html=PAGE, base_url=BASE)

    assert [(link.text, link.url) for link in page.links] == [
        ("the kinds of tea", "https://journal.example/2024/kinds")
    ]
    assert [(image.alt, image.url) for image in page.images] == [("A cup", "https://journal.example/2024/cup.jpg")]
    (table,) = page.tables
    assert (table.caption, table.columns, table.rows) == (
        "Heat",
        ["Kind", "Degrees"],
        [["Green", "80"], ["White", "80"]],
    )


@pytest.mark.parametrize(
    ("table", "columns", "rows"),
    [
        (
            "<thead><tr><th rowspan=2>Year<th colspan=2>Sales<tr><th>EU<th>US</thead><tr><td>2020<td>1<td>2",
            ["Year", "Sales / EU", "Sales / US"],
            [["2020", "1", "2"]],
        ),
        (
            "<tr><th>A<th>A<th>A (2)<th><tr><td>1<td>2<td>3<td>4",
            ["A", "A (3)", "A (2)", "Column 4"],
            [["1", "2", "3", "4"]],
        ),
        ("<tfoot><tr><td>Sum<td>3</tfoot><tr><th>A<th>B<tr><td>1<td>2", ["A", "B"], [["1", "2"], ["Sum", "3"]]),
        ("<tr><th>A<th>B<th>C<tr><td>1<tr><td>2<td>3<td>4", ["A", "B", "C"], [["1", "", ""], ["2", "3", "4"]]),
        ("<tr><th>A<th>B<tr><td><img src=f.png alt=France><td>1", ["A", "B"], [["France", "1"]]),
        ("<tr><td>Name<td>Ada<tr><td>Born<td>1815", ["Column 1", "Column 2"], [["Name", "Ada"], ["Born", "1815"]]),
    ],
)
def test_tables_convert_to_data_frames(table: str, columns: list[str], rows: list[list[str]]) -> None:
    page = mediakit.web_to_markdown(html=f"<table>{table}</table>", main_content=False)
    frame = page.tables[0].to_pandas()
    assert (list(frame.columns), frame.to_numpy().tolist()) == (columns, rows)


@pytest.mark.parametrize("max_chars", [100, 300, 700])
def test_max_chars_truncates_content_at_a_paragraph(max_chars: int) -> None:
    page, whole = read(max_chars=max_chars), read()

    assert page["truncated"] is True
    assert 0 < len(page["content"]) <= max_chars
    assert whole["content"].startswith(page["content"])


def test_front_matter_is_yaml_and_counts_towards_max_chars() -> None:
    content = read(front_matter=True, base_url=BASE, max_chars=1000)["content"]
    head = yaml.safe_load(content.split("---")[1])

    assert head["title"] == "Morning tea"
    assert head["author"] == "Ada Lovelace"
    assert len(content) <= 1000


def test_selector_returns_only_its_elements() -> None:
    page = read(selector="footer a, nav li:first-child")

    assert page["content"] == "- [Home](/)\n\n[Privacy policy](/privacy)" or "Privacy policy" in page["content"]
    assert page["main_content_found"] is None
    assert PROSE[:20] not in page["content"]


@pytest.mark.parametrize("selector", ["p::before", "a[href", "svg|a", "p >"])
def test_invalid_selector_raises_error_with_its_field(selector: str) -> None:
    for options in ({"selector": selector}, {"remove": ["p", selector]}):
        with pytest.raises(InvalidInput, match="must be a supported CSS selector, got"):
            mediakit.web_to_markdown(html=PAGE, **options)


def test_remove_drops_matching_elements() -> None:
    assert "Green" not in read(remove=("table",))["content"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "url, html: provide exactly one of the two"),
        ({"url": "https://example.com", "html": "<p>"}, "url, html: provide exactly one of the two"),
        ({"html": "<p>", "wait_ms": 5}, "wait_ms, wait_for: require url"),
        ({"url": "https://example.com", "base_url": BASE}, "base_url: requires html"),
        ({"html": "<p>", "base_url": "javascript:alert(1)"}, "base_url: must begin with http"),
        ({"html": "<p>", "max_chars": 99}, "max_chars: must be between 100 and 1000000, got 99"),
        ({"html": "<p>", "format": "html"}, "format: must be one of 'markdown', 'text' or 'metadata'"),
        (
            {"html": "<p>", "format": "text", "front_matter": True},
            'front_matter: requires format "markdown", got "text"',
        ),
        ({"html": "<p>", "selector": "p["}, "selector: must be a supported CSS selector"),
        ({"html": "<p>", "selector": "q"}, "selector: must match an element of the page"),
        ({"html": "<p>", "remove": ["::x("]}, "remove: must be a supported CSS selector"),
        ({"url": "ftp://example.com"}, "url: must begin with http"),
    ],
)
def test_invalid_options_raise_invalid_input(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        mediakit.web_to_markdown(**options)


def test_base_href_resolves_image_canonical_and_links() -> None:
    page = mediakit.web_to_markdown(html=f"<base href='https://cdn.example/tea/'>{PAGE}")

    assert page.image == "https://cdn.example/tea.jpg"
    assert page.canonical == "https://cdn.example/2024/tea"
    assert [link.url for link in page.links] == ["https://cdn.example/tea/kinds"]
    assert "(https://cdn.example/tea/kinds)" in page.content


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("https://cdn.example/", "https://cdn.example/cup.jpg"),
        ("//cdn.example/x/", "https://cdn.example/x/cup.jpg"),
        ("img/", "https://journal.example/2024/img/cup.jpg"),
        ("/img/", "https://journal.example/img/cup.jpg"),
        ("", "https://journal.example/2024/cup.jpg"),
        ("javascript:alert(1)", "https://journal.example/2024/cup.jpg"),
        ("data:text/html,x", "https://journal.example/2024/cup.jpg"),
        ("http://[", "https://journal.example/2024/cup.jpg"),
    ],
)
def test_base_href_is_resolved_against_base_url(href: str, expected: str) -> None:
    head = f'<base href="{href}"><base href="/second/"><meta property="og:image" content="cup.jpg">'
    assert read(f"{head}<p>{PROSE}", base_url=BASE)["image"] == expected


@pytest.mark.parametrize("head", ["", "<base href='/tea/'>", "<base href='javascript:alert(1)'>"])
@pytest.mark.parametrize("page_format", ["markdown", "metadata"])
def test_image_and_canonical_without_base_url_are_null(head: str, page_format: Any) -> None:
    page = read(head + PAGE, format=page_format)
    assert (page["image"], page["canonical"]) == (None, None)


@pytest.mark.parametrize(
    "address", ["/tea.jpg", "//cdn.example/tea.jpg", "data:image/png;base64,R0", "javascript:x", "http:"]
)
def test_image_that_is_not_absolute_is_null(address: str) -> None:
    assert read(f"<meta property=og:image content='{address}'><p>{PROSE}")["image"] is None


def test_absolute_image_and_canonical_are_returned_without_base_url() -> None:
    head = "<meta property=og:image content=https://a.example/i.png><link rel=canonical href=https://a.example/tea>"
    page = read(f"{head}<p>{PROSE}")
    assert (page["image"], page["canonical"]) == ("https://a.example/i.png", "https://a.example/tea")


@pytest.mark.parametrize("html", ["", " ", " \n\t ", "\ufeff"])
def test_empty_html_raises_invalid_input(html: str) -> None:
    with pytest.raises(InvalidInput, match=r"^html: must not be empty\.$"):
        mediakit.web_to_markdown(html=html)


@pytest.mark.parametrize("url", ["", "  "])
def test_empty_url_raises_invalid_input(url: str) -> None:
    with pytest.raises(InvalidInput, match=r"^url: must not be empty\.$"):
        mediakit.web_to_markdown(url)


@pytest.mark.anyio
@pytest.mark.parametrize("blank", ["", " ", "\r\n\t "])
async def test_api_rejects_empty_input_without_charge(api: Api, blank: str) -> None:
    for field in ("html", "url"):
        response = await api.json("/web-to-markdown", {field: blank})
        assert (response.status_code, response.json()["error"]) == (400, f"{field}: must not be empty.")
    for media_type, field in (("text/html", "html"), ("text/plain", "url")):
        response = await api.raw("/web-to-markdown", blank, media_type)
        assert (response.status_code, response.json()["error"]) == (400, f"{field}: must not be empty.")
    assert (await api.status())["used"] == 0


CONTROL_CHARACTERS = ["\x00", "\x01", "\x0b", "\x0c", "\x1f", "\x7f", "\x85", "\ufffe", "\uffff", "\ud800"]
CONTROL_REFERENCES = [
    "&#0;",
    "&#1;",
    "&#11;",
    "&#12;",
    "&#0000012;",
    "&#x0B;",
    "&#XC",
    "&#127;",
    "&#150;",
    "&#xfffe;",
    "&#65535;",
    "&#xd800;",
    "&#x110000;",
]


@pytest.mark.parametrize("character", CONTROL_CHARACTERS + CONTROL_REFERENCES)
@pytest.mark.parametrize("page_format", ["markdown", "text", "metadata"])
def test_control_characters_are_removed_from_html(character: str, page_format: Any) -> None:
    page = (
        f"<title>Tea{character} time</title><meta name=description content='a{character}b'>"
        f"<nav>x{character}<b>y</b>{character}</nav><article><h1 class='a{character}b'>Tea{character}</h1>"
        f"{character}<p title='{character}' a\"b='{character}'>{PROSE}{character}<br>{character}{PROSE}</p>"
        f"<p hidden>{character}</p>{character}<a href='/a{character}b'>l{character}</a>{character}"
        f"<pre>{character}x</pre><script type='math/tex'>a{character}b</script>"
        f"<table><tr><td>{character}1<td>2</table></article>{character}"
    )
    found = read(page, format=page_format, base_url=BASE, include_images=True)
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]", json.dumps(found, ensure_ascii=False))
    assert page_format == "metadata" or PROSE in found["content"]


def test_form_feed_separates_words() -> None:
    assert read("<p>one\ftwo&#12;three<div\fhidden>no</div>", main_content=False)["content"] == "one two three"


@pytest.mark.parametrize(
    "html",
    [
        "",
        " \n",
        "<!-- nothing -->",
        "<?xml version='1.0' encoding='utf-16'?>",
        "<!DOCTYPE x [<!ENTITY a 'b'><!ENTITY c '&a;&a;'>]>",
        "\x00\x01",
        "<html><head></head></html>",
    ],
)
def test_html_without_text_returns_empty_content(html: str) -> None:
    page = read(html)
    assert (page["content"], page["title"], page["main_content_found"]) == ("", None, False)


def test_external_entities_are_not_loaded() -> None:
    html = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><p>&e; text'
    assert "root:" not in read(html)["content"]


HOSTILE = {
    "nested divs": "<div>" * 100_000 + "deep",
    "nested marks": "<b>" * 50_000 + "deep",
    "nested tables": "<table><tr><td>" * 500 + "deep",
    "nested lists": "<ul><li>" * 2_000 + "deep",
    "nested definitions": "<dl><dd>" * 100_000 + "deep",
    "nested spans": "<span>deep" * 300_000,
    "attributes": "<p " + " ".join(f"a{number}=1" for number in range(400_000)) + ">deep",
    "links": "<a href=x>deep</a>" * 200_000,
    "paragraphs": "<p>deep" * 300_000,
    "spaces": "deep" + " " * 4_000_000,
    "open tags": "deep" + "<a " * 1_000_000,
    "quotes": "deep" + "<a x='" * 500_000,
    "spans": "<table>" + "<tr><td colspan=1000 rowspan=60000>deep" * 5_000,
    "stars": "<p>" + "*a_ " * 500_000 + "deep",
    "brackets": "<p>" + "[" * 1_000_000 + "deep",
    "linked data": "<script type=application/ld+json>" + "[" * 1_000_000 + "</script><p>deep",
    "breaks": "<div>deep" + "<br>" * 500_000,
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE)
def test_hostile_page_is_converted_or_rejected_in_time(html: str) -> None:
    """The page is converted or rejected. The workers enforce the time limit."""
    page = None
    with suppress(NotConvertible):
        page = mediakit.web_to_markdown(html=html[:4_194_304])
    assert page is None or "deep" in page.content or page.truncated


@pytest.mark.parametrize("character", ["a", "é", "😀"])
def test_html_over_four_megabytes_is_rejected(character: str) -> None:
    html = "<p>text</p><!--" + character * (4 * 1024 * 1024 - 18) + "-->"
    assert len(html) == 4 * 1024 * 1024
    assert mediakit.web_to_markdown(html=html).content == "text"
    with pytest.raises(NotConvertible, match="must have at most 4,194,304 characters, got 4,194,305"):
        mediakit.web_to_markdown(html=html + " ")


@pytest.mark.anyio
async def test_api_response_has_all_fields(api: Api) -> None:
    response = await api.json("/web-to-markdown", {"html": PAGE, "base_url": BASE})
    body = response.json()

    assert response.status_code == 200
    assert body.keys() >= {"success", "url", "title", "byline", "site_name", "language", "format", "content", "length"}
    assert (body["success"], body["url"], body["truncated"], body["length"]) == (
        True,
        None,
        False,
        len(body["content"]),
    )
    assert body["meta"]["main_content_found"] is True
    assert body["meta"]["used"] == 1
    metadata = await api.json("/web-to-markdown", {"html": PAGE, "format": "metadata"})
    assert "content" not in metadata.json()
    assert metadata.json()["meta"]["main_content_found"] is None


@pytest.mark.anyio
async def test_raw_html_returns_json_or_file(api: Api) -> None:
    response = await api.raw("/web-to-markdown", PAGE, "text/html", main_content="true", max_chars="500")
    assert response.json()["truncated"] is True
    file = await api.raw("/web-to-markdown", PAGE, "text/html; charset=utf-8", output="binary")
    assert file.headers["content-type"].startswith("text/markdown")
    assert PROSE in file.text


@pytest.mark.anyio
@pytest.mark.parametrize("size", [4_194_305, 30_000_000])
async def test_api_rejects_html_over_four_megabytes_with_422(api: Api, size: int) -> None:
    response = await api.raw("/web-to-markdown", b"x" * size, "text/html")
    assert response.status_code == 422
    assert set(response.json()) == {"error"}
    assert (await api.status())["used"] == 0


def test_raw_html_is_decoded_in_its_character_set() -> None:
    from mediakit.api.charset import decode

    page = "<meta charset=windows-1251><p>Привет".encode("cp1251")
    assert read(decode(page, "text/html", "html"))["content"] == "Привет"


def notebook_html(page: str, **options: Any) -> str:
    shown, _ = mediakit.web_to_markdown(html=page, **options)._repr_mimebundle_()
    assert set(shown) == {"text/plain", "text/html"}
    return str(shown["text/html"])


def test_notebook_view_renders_headings_lists_tables_links_and_code() -> None:
    shown = notebook_html(
        f"<h2>Tea</h2><p>{PROSE} <a href=https://tea.example/a?b=1&amp;c=2>More</a> <s>old</s></p><ul><li>Oolong</ul>"
        "<table><tr><th>Leaf<tr><td>green</table><pre><code class=language-py>a &lt; b</code></pre>",
        main_content=False,
    )
    page = lxml.html.fromstring(shown)
    assert [page.findtext(f".//{tag}") for tag in ("h2", "li", "th", "td", "s")] == [
        "Tea",
        "Oolong",
        "Leaf",
        "green",
        "old",
    ]
    assert page.findtext(".//pre/code") == "a < b\n"
    (link,) = page.iter("a")
    assert (link.get("href"), link.get("target")) == ("https://tea.example/a?b=1&c=2", "_blank")
    assert link.get("rel") == "noopener noreferrer nofollow"


def test_notebook_view_runs_and_loads_nothing() -> None:
    shown = notebook_html(
        "<title>&lt;script&gt;alert(1)&lt;/script&gt;</title><p>&lt;img src=x onerror=alert(1)&gt; "
        f"$\\href{{javascript:x}}{{y}}$</p><p>{PROSE}<img src='https://tracker.example/x.gif' alt='A &lt;b&gt; pot'>"
        "<a href='javascript:alert(1)'>one</a> <a href='/api/shutdown'>two</a> <a href='data:text/html,x'>three</a>"
        "<p>[four](javascript:alert) &lt;style&gt;* {{}}&lt;/style&gt; ```&lt;script&gt;",
        include_images=True,
        main_content=False,
    )
    assert not re.search(r"<(?!/?(?:div|bdi|p|a|em|code)\b)", shown)
    assert not re.search(r"<[^>]*(?:\bon\w+=|javascript:|data:|/api|tracker)", shown)
    assert "[A &lt;b&gt; pot]" in shown
    assert "mathjax_ignore" in shown


def test_notebook_view_truncates_long_pages_with_a_note() -> None:
    shown = notebook_html("".join(f"<p>{number} {PROSE}" for number in range(400)))
    assert len(shown) < 30_000
    assert re.search(r"… and [\d,]+ more characters in \.content", shown)


def test_save_adds_the_extension(tmp_path: Path) -> None:
    page = mediakit.web_to_markdown(html=PAGE)
    assert page.save(tmp_path / "page").name == "page.md"
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page.content
    assert repr(page).startswith("<PageResult 'Morning tea', ")
    assert isinstance(page, PageResult)


# Web pages


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
def test_same_origin_frames_are_read_in_place(chromium: Browser, web: Site) -> None:
    web.add_page("/inner/", "text/html", b"<p>Framed. <a href=leaf>A leaf</a><p style=display:none>secret")
    other = web.url("/other", "127.0.0.2")
    web.add_page("/other", "text/html", b"<p>advertisement")
    page = f"<p>Before</p><iframe src=/inner/></iframe><iframe src={other}></iframe><iframe hidden src=/other></iframe>"
    content = whole_content(chromium, web, f"{page}<p>After")
    assert content == f"Before\n\nFramed. [A leaf]({web.url('/inner/leaf')})\n\nAfter"


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
