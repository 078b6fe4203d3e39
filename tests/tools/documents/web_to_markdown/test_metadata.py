"""The metadata of a page: structured data takes precedence over visible text, and missing fields are None."""

import pytest

from mediakit.engines.markdown.html.parser import parse_html
from mediakit.tools.documents.web_to_markdown.metadata.bylines import clean_byline
from mediakit.tools.documents.web_to_markdown.metadata.dates import find_in_text, parse_date
from mediakit.tools.documents.web_to_markdown.metadata.page_metadata import Metadata, page_metadata
from tests.tools.documents.web_to_markdown.pages import read

BASE = "https://www.example.com/2024/03/05/tea"


def metadata(source: str, base_url: str = "") -> Metadata:
    return page_metadata(parse_html(source), base_url)


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("2024-03-05", "2024-03-05"),
        ("2024-03-05T08:00:00+01:00", "2024-03-05T08:00:00+01:00"),
        ("2024-03-05T08:00:00.123Z", "2024-03-05T08:00:00Z"),
        ("2024-03-05 08:00:00 -0500", "2024-03-05T08:00:00-05:00"),
        ("Tue, 05 Mar 2024 08:00:00 GMT", "2024-03-05T08:00:00Z"),
        ("1709625600", "2024-03-05T08:00:00Z"),
        ("March 5th, 2024", "2024-03-05"),
        ("5 mars 2024", "2024-03-05"),
        ("5. März 2024", "2024-03-05"),
        ("05.03.2024", "2024-03-05"),
        ("2024年3月5日", "2024-03-05"),
        ("2024-02-30", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_parse_date_returns_iso_8601(stated: str, expected: str | None) -> None:
    assert parse_date(stated) == expected


def test_version_numbers_are_not_dates() -> None:
    assert find_in_text("Version 10.11.20245, room 12 of 34") is None


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("By Ada Lovelace", "Ada Lovelace"),
        ("by  Ada Lovelace | March 5, 2024", "Ada Lovelace"),
        ("Von Ada Lovelace", "Ada Lovelace"),
        ("by Ada Lovelace 22 Dec 2016 651", "Ada Lovelace"),
        ("Ada Lovelace is the editor of the Journal.", "Ada Lovelace"),
        ("Ada Lovelace and Grace Hopper", "Ada Lovelace and Grace Hopper"),
        ("https://example.com/ada", None),
        ("admin", None),
        ("Press release", None),
        ("Get in touch", None),
        ("{{author}}", None),
        ("", None),
    ],
)
def test_clean_byline_returns_names(shown: str, expected: str | None) -> None:
    assert clean_byline(shown) == expected


@pytest.mark.parametrize(
    ("source", "field", "expected"),
    [
        ("<meta property=og:title content='A'><title>B</title>", "title", "A"),
        ("<title>Tea - The Journal</title><meta property=og:site_name content='The Journal'>", "title", "Tea"),
        (
            "<meta property=og:title content='Tea at home'><title>Green tea</title><h1>Green tea</h1>",
            "title",
            "Green tea",
        ),
        ("<meta property=og:title content='Tea'><title>Tea | Shop</title><h1>Our own teas</h1>", "title", "Tea"),
        ("<meta property=og:title content='Tea'><title>Home</title><h1>About the shop</h1>", "title", "Tea"),
        ("<h1>Tea</h1><title>Tea | The Journal</title>", "site_name", "The Journal"),
        ("<meta name=author content='Ada'>", "byline", "Ada"),
        ("<p class=byline>By <a rel=author>Ada Lovelace</a>, Editor</p>", "byline", "Ada Lovelace"),
        ("<div class=authority-control>Authority control</div>", "byline", None),
        ("<meta name='DC.creator' content='Ada'>", "byline", "Ada"),
        ("<span itemprop=author itemscope><span itemprop=name>Ada</span></span>", "byline", "Ada"),
        ("<time datetime='2024-03-05' pubdate>x</time>", "published_time", "2024-03-05"),
        ("<h1>Tea</h1><p>5 March 2024</p>", "published_time", "2024-03-05"),
        ("<html lang=de-AT><p>x", "language", "de-AT"),
        ("<meta property=og:locale content=en_GB>", "language", "en-GB"),
        ("<meta name=twitter:image content='https://example.com/a.png'>", "image", "https://example.com/a.png"),
        (
            "<meta name=description content='&lt;b&gt;Hot&lt;/b&gt; tea &amp;amp; more'>",
            "description",
            "Hot tea & more",
        ),
        ("<title>&lt;table&gt;: The Table element</title>", "title", "<table>: The Table element"),
        ("<link rel=canonical href='javascript:alert(1)'>", "canonical", None),
        ("<meta property=og:title content='Tea | All teas and cups'>", "title", "Tea"),
        ("<meta property=og:site_name content=House><title>House | Tea</title>", "title", "Tea"),
        ("<meta property=og:title content='Home | Tea'>", "title", "Home | Tea"),
        ("<meta property=og:site_name content='{{site.name}}'><title>Tea</title>", "site_name", None),
        ("<span>Written by Ada Lovelace</span>", "byline", "Ada Lovelace"),
        ("<p>by ALLIN ONE on Jan 22, 2025</p>", "byline", "ALLIN ONE"),
        ("<p><em>By Ada Lovelace, MS, RDN</em>", "byline", "Ada Lovelace"),
        ("<div class=author-box><h4 class=author-box__name>Ada Lovelace</h4></div>", "byline", "Ada Lovelace"),
        ("<div class=comment><b class=author-name>Ada Lovelace</b></div>", "byline", None),
        ("<dt><a class=username href='member.php?u=1'>tea_friend</a><p>Post", "byline", "tea_friend"),
        ("<p class=byline>Sat, 20 Dec, 2025</p>", "byline", None),
        ("<div><p>Written by</p><p>Ada Lovelace</p></div>", "byline", "Ada Lovelace"),
        ("<div><small>WRITTEN BY</small> <p><b><a href=/team>Tea Team</a></b></div>", "byline", "Tea Team"),
        ("<p><span>By</span><span>Ludwig van Beethoven</span><span>Editor</span>", "byline", "Ludwig van Beethoven"),
        ("<div><span>By</span><script>Tea Script</script><b>Ada Lovelace</b></div>", "byline", "Ada Lovelace"),
        ("<p>By <a href=/tea>the kitchen</a></p><p>Tea Time</p>", "byline", None),
        ("<div><span>Author</span></div><div>Posts</div>", "byline", None),
        ("<div><span>By</span></div><div>Share this article</div>", "byline", None),
        ("<div class=comments><span>By</span> <b>Ada Lovelace</b></div>", "byline", None),
        ("<body class=right-sidebar><a rel=author href=/ada>Ada Lovelace</a>", "byline", "Ada Lovelace"),
        ("<p>nothing", "byline", None),
    ],
)
def test_field_is_read_from_its_sources(source: str, field: str, expected: str | None) -> None:
    assert metadata(source)[field] == expected


def test_linked_data_references_are_resolved() -> None:
    source = """<script type="application/ld+json">{"@graph": [
      {"@type": "WebPage", "name": "x"}, {"@type": "Person", "@id": "#ada", "name": "Ada Lovelace"},
      {"@type": "NewsArticle", "headline": "Tea", "author": {"@id": "#ada"}, "image": [{"url": "/t.jpg"}],
       "publisher": {"name": "The Journal"}, "datePublished": "2024-03-05T08:00:00Z",}]}</script>"""
    found = metadata(source, BASE)
    assert (found["title"], found["byline"], found["site_name"]) == ("Tea", "Ada Lovelace", "The Journal")
    assert (found["image"], found["published_time"]) == ("https://www.example.com/t.jpg", "2024-03-05T08:00:00Z")


def test_visible_byline_takes_precedence_over_publisher() -> None:
    source = """<meta name=author content="The Journal"><meta property=og:site_name content="The Journal">
      <p class=byline>By Ada Lovelace</p>"""
    assert metadata(source)["byline"] == "Ada Lovelace"


def test_visible_byline_takes_precedence_over_organization() -> None:
    source = """<script type=application/ld+json>{"@type": "Article", "headline": "Tea",
      "author": {"@type": "Organization", "name": "Tea House"}}</script>"""
    assert metadata(source)["byline"] == "Tea House"
    assert metadata(f"{source}<p class=byline><a>Ada Lovelace</a><span>Staff</span>")["byline"] == "Ada Lovelace Staff"


def test_date_and_site_are_read_from_the_url() -> None:
    found = metadata("<p>text", BASE)
    assert (found["published_time"], found["site_name"]) == ("2024-03-05", "example.com")


@pytest.mark.parametrize("data", ["{", "[[[[", "null", '"x"', '{"author": {"name": {"name": 1}}}', '{"@type": [[1]]}'])
def test_invalid_linked_data_is_ignored(data: str) -> None:
    found = metadata(f"<script type=application/ld+json>{data}</script><title>Tea</title>")
    assert (found["title"], found["byline"]) == ("Tea", None)


@pytest.mark.parametrize(
    "source",
    [
        "<p class=byline>Posted on 5 March 2024</p><p>text",
        "<p class=author><a>Ada</a> on 5 March 2024 at 8:00</p>",
        "<span class=age title='2024-03-05T08:00:00'>2 hours ago</span>",
        "<footer><time datetime=2024-03-05>yesterday</time></footer>",
        "<article><h1>Tea</h1><p>2024 Mar 5</p></article><aside><a><time datetime=2024-04-06>x</time></a></aside>",
        "<h1>Tea</h1><p class=joined>1 May 2001</p><p>5 March 2024</p>",
    ],
)
def test_visible_publication_date_is_found(source: str) -> None:
    assert (metadata(source)["published_time"] or "")[:10] == "2024-03-05"


@pytest.mark.parametrize(
    "source",
    [
        "<footer>This page was last edited on 5 March 2024, at 10:32.</footer><p>text",
        "<h1>Tea</h1><p class=review__date>5 March 2024</p>",
        "<meta property=og:type content=product><h1>Kettle</h1><p>5 March 2024</p>",
        """<script type=application/ld+json>[{"@type": "Product", "name": "Kettle"},
        {"@type": "Review", "datePublished": "2024-03-05"}]</script>""",
        """<script type=application/ld+json>{"@type": "CollectionPage", "datePublished": "2024-03-05"}</script>""",
        """<p itemprop=review itemscope itemtype=https://schema.org/Review>
        <meta itemprop=datePublished content=2024-03-05>""",
        "<footer><p class=last-modified><time datetime=2024-03-05>x</time></p></footer>",
    ],
)
def test_dates_of_edits_reviews_and_products_are_ignored(source: str) -> None:
    assert metadata(source)["published_time"] is None


def test_permalink_sign_is_not_part_of_the_title() -> None:
    page = "<title>Quickstart — Tea Documentation (3.1)</title><h1>Quickstart<a href='#q'>¶</a></h1>"
    assert metadata(page)["title"] == "Quickstart"


@pytest.mark.parametrize(
    ("url", "source", "expected"),
    [
        (
            "https://www.teaforum.example/topic?t=4",
            "<title>Which tea is best? - Teaforum.example</title><h1>Teaforum.example</h1>",
            "Which tea is best?",
        ),
        (
            "https://example.com/book/ch4-what-is-tea.html",
            "<title>What is tea? - The Book of Drinks</title><h1>The Book of Drinks</h1>",
            "What is tea?",
        ),
        (
            "https://example.com/tea/dark-tea",
            "<title>Strong and fresh | Dark tea</title><h1>Dark tea</h1>",
            "Dark tea",
        ),
        (
            "https://example.com/guide/cups",
            "<meta property=og:title content='Tea.js'><title>Cups | Tea.js</title><h1>Cups</h1>",
            "Cups",
        ),
        (
            "https://example.com/",
            "<title>Tea House | Tea from small farms</title><h1>Drink well</h1>",
            "Tea House | Tea from small farms",
        ),
        (
            "https://example.com/",
            "<meta property=og:site_name content='Tea House'><title>Home - Tea House</title>",
            "Tea House",
        ),
        (
            "https://example.com/news/tea",
            "<meta property=og:site_name content=Tea><title>How we make Tea - a report</title>",
            "How we make Tea - a report",
        ),
    ],
    ids=[
        "site in host",
        "book title as heading",
        "heading in path",
        "site as share title",
        "home page",
        "home",
        "site name in title",
    ],
)
def test_title_is_of_the_page_not_of_the_site(url: str, source: str, expected: str) -> None:
    assert metadata(source, url)["title"] == expected


@pytest.mark.parametrize(
    ("url", "shown", "heading", "title", "site"),
    [
        (
            "https://example.com/book/what-is-tea.html",
            "What is tea? - The Book of Drinks",
            "The Book of Drinks",
            "What is tea?",
            "The Book of Drinks",
        ),
        ("https://tea-blog.example/why", "Tea Blog » Why tea is green", "Tea Blog", "Why tea is green", "Tea Blog"),
        ("https://example.com/why", "Why tea is green » Tea Blog", "Why tea is green", "Why tea is green", "Tea Blog"),
    ],
)
def test_title_and_site_name_are_the_two_ends_of_the_title_element(
    url: str, shown: str, heading: str, title: str, site: str
) -> None:
    found = metadata(f"<title>{shown}</title><h1>{heading}</h1>", url)
    assert (found["title"], found["site_name"]) == (title, site)


def test_short_name_after_the_last_bar_is_the_site() -> None:
    page = "<title>How to make good tea at home | Tea News</title>"
    assert metadata(page, BASE)["site_name"] == "Tea News"


def test_byline_of_a_question_is_the_name_in_its_microdata() -> None:
    asker = (
        '<div class="user-details" itemprop="author" itemscope itemtype="http://schema.org/Person">'
        '<a href="/users/7">ada1815</a><meta itemprop="name" content="ada1815"><span>133 points</span></div>'
    )
    assert metadata(f"<main><h1>Why tea?</h1>{asker}</main>")["byline"] == "ada1815"


NAMES_AND_DATES = "<h1>Teas</h1><p class=byline>By Ada Lovelace</p><p>5 March 2024</p><p>Our teas are fresh.</p>"


@pytest.mark.parametrize(
    ("url", "head"),
    [
        ("https://tea.example/", ""),
        ("https://tea.example/index.html", ""),
        ("https://tea.example/services/tasting", ""),
        ("https://tea.example/pricing", ""),
        ("https://tea.example/kettle", "<meta property=og:type content=product>"),
        ("https://tea.example/all", '<script type="application/ld+json">{"@type": "ItemList"}</script>'),
    ],
)
def test_names_and_dates_on_pages_about_a_site_or_its_products_are_ignored(url: str, head: str) -> None:
    found = read(f"<head>{head}</head>{NAMES_AND_DATES}", base_url=url)
    assert (found["byline"], found["published_time"]) == (None, None)


@pytest.mark.parametrize(
    ("url", "head"),
    [
        ("https://tea.example/2024/our-teas", ""),
        ("https://tea.example/products/our-teas", "<meta property=og:type content=article>"),
        ("https://tea.example/services/teas", '<script type="application/ld+json">{"@type": "BlogPosting"}</script>'),
        ("", ""),
    ],
)
def test_visible_names_and_dates_of_articles_are_found(url: str, head: str) -> None:
    found = read(f"<head>{head}</head>{NAMES_AND_DATES}", base_url=url)
    assert (found["byline"], found["published_time"]) == ("Ada Lovelace", "2024-03-05")


@pytest.mark.parametrize(
    "html",
    [
        "<nav><p>By Use Case</p></nav>",
        "<div class=mega-menu><div><h4>By Company Size</h4></div></div>",
        "<div class=testimonial><p class=author>Dana Evans</p></div>",
        "<ul class=reviews><li><span class=author-name>Laura Brown</span></li></ul>",
        "<p class=author>billed annually, or $50 a month</p>",
    ],
)
def test_names_of_menus_customers_and_prices_are_not_a_byline(html: str) -> None:
    page = f"<h1>Teas</h1>{html}<p>Our teas are fresh, and they are ready to drink in a minute.</p>"
    assert read(page, base_url="https://tea.example/our-teas")["byline"] is None


@pytest.mark.parametrize(
    "html",
    [
        '<script type="application/ld+json">{"@type": "WebPage", "datePublished": "2024-03-05"}</script>',
        '<script type="application/ld+json">{"@type": "WebPage", "dateModified": "2024-03-05"}</script>',
        f"{'<p>Tea' * 170}<p>Last updated: 5 March 2024",
    ],
)
def test_dates_of_page_records_and_updates_are_not_the_publication_date(html: str) -> None:
    assert read(f"<h1>Teas</h1>{html}", base_url="https://tea.example/our-teas")["published_time"] is None


def test_stated_author_of_a_home_page_is_found() -> None:
    assert read("<meta name=author content='Ada Lovelace'><p>Tea", base_url="https://tea.example/")["byline"] == (
        "Ada Lovelace"
    )
