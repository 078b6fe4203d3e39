"""The publication date of a page, from its structured data, its address or its visible text."""

import re
from collections.abc import Iterator
from itertools import chain

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import split_words
from mediakit.tools.documents.web_to_markdown.reader.metadata import dates
from mediakit.tools.documents.web_to_markdown.reader.metadata.structured_data import StructuredData, node_types, to_line

MAX_TIME_ELEMENTS = 60
"""`time` and `abbr` elements that are read."""

_META_NAMES = split_words(
    "article:published_time og:published_time og:article:published_time datepublished dc:date:issued dc:issued "
    "dc:date dc:date:created dc:created parsely-pub-date sailthru:date pubdate publishdate publish-date "
    "publish_date publication_date publication-date date_published cxenseparse:recs:publishtime article:published "
    "published_time citation_publication_date citation_date datecreated article_date_original "
    "originalpublicationdate published-date release_date video:release_date article:post_date bt:pubdate ptime "
    "pub_date displaydate date article:created created timestamp og:pubdate rnews:datepublished "
    "weibo:article:create_at"
)
"""Names of meta elements, the most reliable first."""

_DATE_CLASS = re.compile(
    r"publish|posted|dateline|entry-date|post-date|article-?date|dt-published|byline|meta|timestamp|created|date|time"
)
_LINE_ELEMENTS = split_words("h1 h2 h3 h4 h5 h6 span div p li a small td em i b strong section header")
_OTHER_DATE_CLASS = re.compile(
    r"comment|related|sidebar|footer|widget|recommend|popular|recent|modified|updated|reply|copyright|event|"
    r"(?<!p)review|hours|joined"
)
_EMBEDDED_TYPES = re.compile(r"^(?:Review|Comment|Rating|Offer|VideoObject|ImageObject|Event)$|^Aggregate")
"""Types of nodes with dates of their own on pages about something else."""

_PRODUCT_TYPES = re.compile(r"^(?:Product(?:Group|Model)?|ItemList|CollectionPage|OfferCatalog|SearchResultsPage)$")
"""Types of pages on which dates are those of reviews and offers."""

_ARTICLE_TYPES = re.compile(r"Article$|Posting$|^Report$|^Recipe$|^HowTo$|^Question$")

_PUBLISHED_LABEL = re.compile(
    r"\b(?:posted|published|first published|written|veröffentlicht|erschienen|publié|publicado|pubblicato|updated)\b"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_AGE_CLASS = re.compile(r"\b(?:age|ago|timeago|timestamp|relative-time|posted)\b")


def find_publication_date(data: StructuredData, root: HtmlElement, base_url: str, canonical: str | None) -> str | None:
    """Return when a page was published (ISO 8601). None if it does not state it.

    Args:
        data: The structured data of the page.
        root: The page.
        base_url: The address of the page, or an empty string.
        canonical: The canonical address that the page states.
    """
    is_product = _is_product_page(data)
    candidates = chain(_structured_dates(data), () if is_product else _time_elements(root))
    found = next((date for candidate in candidates if candidate and (date := dates.parse_date(candidate))), None)
    found = found or dates.find_in_url(base_url) or dates.find_in_url(canonical or "")
    if found or is_product:
        return found
    visible = _near_heading(root) or _labeled_date(root) or _only_time_element(root) or _first_age(root)
    return visible or dates.parse_date(to_line(data.article().get("dateModified")))


def _structured_dates(data: StructuredData) -> Iterator[str | None]:
    article = data.article()
    others = [node for node in data.nodes if not any(map(_EMBEDDED_TYPES.search, node_types(node)))]
    for node in (article, data.page(), *others):
        is_product_review = _is_product_page(data) and "Review" in node_types(node)
        if not is_product_review and not any(map(_PRODUCT_TYPES.search, node_types(node))):
            yield to_line(node.get("datePublished"))
            yield to_line(node.get("dateCreated"))
    for name in _META_NAMES:
        yield data.first(name)
    for element in data.properties.get("datepublished", ()):
        yield element.get("datetime") or element.get("content") or element.text_content()
    yield to_line(article.get("uploadDate"))


def _is_product_page(data: StructuredData) -> bool:
    types = [name for node in data.nodes for name in node_types(node)]
    if (data.first("og:type") or "").lower().startswith("product"):
        return True
    return any(map(_PRODUCT_TYPES.search, types)) and not any(map(_ARTICLE_TYPES.search, types))


def _time_elements(root: HtmlElement) -> Iterator[str | None]:
    """Yield the visible times of a page. Those that are marked as its publication date come first."""
    times = [
        (element, f"{element.get('class') or ''} {element.get('itemprop') or ''} {_ancestor_names(element)}".lower())
        for element in list(root.iter("time", "abbr"))[:MAX_TIME_ELEMENTS]
    ]
    times = [
        (element, names)
        for element, names in times
        if not (_OTHER_DATE_CLASS.search(names) or _is_in_side_content(element))
    ]
    for element, _ in sorted(
        times, key=lambda time: not (time[0].get("pubdate") is not None or _DATE_CLASS.search(time[1]))
    ):
        if element.tag == "time":
            yield element.get("datetime") or element.text_content()
        elif "publish" in (element.get("class") or ""):
            yield element.get("title") or element.text_content()


def _is_in_side_content(element: HtmlElement) -> bool:
    return next(element.iterancestors("aside", "nav", "footer"), None) is not None


def _ancestor_names(element: HtmlElement) -> str:
    names = []
    for _, ancestor in zip(range(4), element.iterancestors(), strict=False):
        if ancestor.tag in ("body", "article", "main"):
            break
        names.append(_class_and_id(ancestor))
    return " ".join(names)


def _near_heading(root: HtmlElement) -> str | None:
    """Return a date in a short line near the level 1 heading, or at the top of a page without one."""
    elements = list(root.iter(*_LINE_ELEMENTS))
    heading = next((index for index, element in enumerate(elements) if element.tag == "h1"), 0)
    near = elements[heading : heading + 160] + elements[max(0, heading - 60) : heading]
    lines = [line for element in near for line in _lines_with_year(element)]
    for names, text in sorted(lines, key=lambda line: not _DATE_CLASS.search(line[0])):
        if 5 < len(text) < 60 and not _OTHER_DATE_CLASS.search(names) and (date := dates.find_in_text(text)):
            return date
    return None


def _lines_with_year(element: HtmlElement) -> Iterator[tuple[str, str]]:
    """Yield the text in an element and the text after it if they contain a year, with the names of their element."""
    text = element.text_content() if 0 < len(element) < 6 else element.text or ""
    if _YEAR.search(text):
        yield _class_and_id(element), " ".join(text.split())
    parent = element.getparent()
    if element.tail and _YEAR.search(element.tail) and parent is not None and parent.get("class"):
        yield _class_and_id(parent), " ".join(element.tail.split())


def _labeled_date(root: HtmlElement) -> str | None:
    """Return the date in a short line with a label such as "Published"."""
    for element in root.iter(*_LINE_ELEMENTS):
        text = element.text or ""
        is_labeled = 10 < len(text) < 80 and _PUBLISHED_LABEL.search(text.lower())
        if is_labeled and not _OTHER_DATE_CLASS.search(_ancestor_names(element)):
            return dates.find_in_text(" ".join(text.split()))
    return None


def _only_time_element(root: HtmlElement) -> str | None:
    """Return the date of the `time` elements if all of them have the same one."""
    times = [
        element for element in list(root.iter("time"))[:MAX_TIME_ELEMENTS] if "modified" not in _ancestor_names(element)
    ]
    found = {dates.parse_date(element.get("datetime") or element.text_content()) for element in times}
    return found.pop() if len(found) == 1 else None


def _first_age(root: HtmlElement) -> str | None:
    """Return the exact time in the `title` of the first relative time, such as "2 hours ago"."""
    for element in root.xpath("//*[@title]"):
        if _AGE_CLASS.search((element.get("class") or "").lower()) and (date := dates.parse_date(element.get("title"))):
            return date
    return None


def _class_and_id(element: HtmlElement) -> str:
    """Return the class names and the id of an element in lower case."""
    return f"{element.get('class') or ''} {element.get('id') or ''}".lower()
