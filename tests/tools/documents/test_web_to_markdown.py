"""`web_to_markdown`: content and metadata of pages, from HTML and from the web, and its errors."""

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml

import mediakit
from mediakit.errors import InvalidInput, NotConvertible
from mediakit.tools.documents.web_to_markdown.tool import PageResult
from tests.conftest import Api
from tests.support.html_fuzz import HtmlFuzz
from tests.tools.documents.web_to_markdown.pages import BASE, PAGE, PROSE, read


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


def test_image_with_placeholder_has_url_of_its_source_element() -> None:
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
INVALID_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
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
    assert not INVALID_CHARACTERS.search(json.dumps(found, ensure_ascii=False))
    assert page_format == "metadata" or PROSE in found["content"]


OUTPUTS: list[dict[str, Any]] = [
    {},
    {"format": "text"},
    {"format": "metadata"},
    {"main_content": False, "include_images": True, "front_matter": True},
    {"selector": "article", "remove": ["nav"]},
]


@pytest.mark.anyio
async def test_control_characters_anywhere_in_a_page_are_removed(api: Api) -> None:
    for number in range(60):
        values = {"html": HtmlFuzz(number).page(), "base_url": BASE, **OUTPUTS[number % len(OUTPUTS)]}
        response = await api.json("/web-to-markdown", values)
        assert response.status_code == 200, (number, response.text)
        assert not INVALID_CHARACTERS.search(json.dumps(response.json(), ensure_ascii=False)), number


def test_lone_surrogates_in_structured_data_are_removed() -> None:
    data = r'{"@type": "Article", "headline": "Tea \ud800 time", "author": {"name": "Ann \udc00\ud83d\ude00 Lee"}}'
    page = read(f"<script type=application/ld+json>{data}</script><p>{PROSE}")
    assert (page["title"], page["byline"]) == ("Tea time", "Ann \U0001f600 Lee")


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
    from mediakit.api.body import decode

    page = "<meta charset=windows-1251><p>Привет".encode("cp1251")
    assert read(decode(page, "text/html", "html"))["content"] == "Привет"


def test_save_adds_the_extension(tmp_path: Path) -> None:
    page = mediakit.web_to_markdown(html=PAGE)
    assert page.save(tmp_path / "page").name == "page.md"
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page.content
    assert repr(page).startswith("<PageResult 'Morning tea', ")
    assert isinstance(page, PageResult)
