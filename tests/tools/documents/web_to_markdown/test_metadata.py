"""A page's metadata: what it states wins over what it shows, and nothing is made up."""

import pytest

from mediakit.tools.documents.web_to_markdown.markdown.tree import parse
from mediakit.tools.documents.web_to_markdown.reader.metadata import about
from mediakit.tools.documents.web_to_markdown.reader.metadata.dates import in_text, iso
from mediakit.tools.documents.web_to_markdown.reader.metadata.names import clean

BASE = "https://www.example.com/2024/03/05/tea"


def facts(source: str, base: str = "") -> dict[str, str | None]:
    return about(parse(source), base)


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
def test_dates_become_iso_8601(stated: str, expected: str | None) -> None:
    assert iso(stated) == expected


def test_a_number_is_no_date() -> None:
    assert in_text("Version 10.11.20245, room 12 of 34") is None


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
        ("{{author}}", None),
        ("", None),
    ],
)
def test_bylines_become_names(shown: str, expected: str | None) -> None:
    assert clean(shown) == expected


@pytest.mark.parametrize(
    ("source", "field", "expected"),
    [
        ("<meta property=og:title content='A'><title>B</title>", "title", "A"),
        ("<title>Tea - The Journal</title><meta property=og:site_name content='The Journal'>", "title", "Tea"),
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
        ("<p>nothing", "byline", None),
    ],
)
def test_reads_what_pages_say(source: str, field: str, expected: str | None) -> None:
    assert facts(source)[field] == expected


def test_linked_data_follows_its_references() -> None:
    source = """<script type="application/ld+json">{"@graph": [
      {"@type": "WebPage", "name": "x"}, {"@type": "Person", "@id": "#ada", "name": "Ada Lovelace"},
      {"@type": "NewsArticle", "headline": "Tea", "author": {"@id": "#ada"}, "image": [{"url": "/t.jpg"}],
       "publisher": {"name": "The Journal"}, "datePublished": "2024-03-05T08:00:00Z",}]}</script>"""
    found = facts(source, BASE)
    assert (found["title"], found["byline"], found["site_name"]) == ("Tea", "Ada Lovelace", "The Journal")
    assert (found["image"], found["published_time"]) == ("https://www.example.com/t.jpg", "2024-03-05T08:00:00Z")


def test_a_publisher_is_no_author_where_somebody_signs() -> None:
    source = """<meta name=author content="The Journal"><meta property=og:site_name content="The Journal">
      <p class=byline>By Ada Lovelace</p>"""
    assert facts(source)["byline"] == "Ada Lovelace"


def test_a_house_is_no_author_where_somebody_signs() -> None:
    source = """<script type=application/ld+json>{"@type": "Article", "headline": "Tea",
      "author": {"@type": "Organization", "name": "Tea House"}}</script>"""
    assert facts(source)["byline"] == "Tea House"
    assert facts(f"{source}<p class=byline><a>Ada Lovelace</a><span>Staff</span>")["byline"] == "Ada Lovelace Staff"


def test_an_address_tells_its_day_and_its_site() -> None:
    found = facts("<p>text", BASE)
    assert (found["published_time"], found["site_name"]) == ("2024-03-05", "example.com")


@pytest.mark.parametrize("data", ["{", "[[[[", "null", '"x"', '{"author": {"name": {"name": 1}}}', '{"@type": [[1]]}'])
def test_broken_linked_data_is_passed_over(data: str) -> None:
    found = facts(f"<script type=application/ld+json>{data}</script><title>Tea</title>")
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
def test_a_day_is_found_where_pages_show_it(source: str) -> None:
    assert (facts(source)["published_time"] or "")[:10] == "2024-03-05"


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
def test_days_of_edits_reviews_and_goods_are_not_the_pages(source: str) -> None:
    assert facts(source)["published_time"] is None
