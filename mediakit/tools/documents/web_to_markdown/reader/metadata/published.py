"""The day or time that a page was published: stated, in its address, or shown."""

import re
from collections.abc import Iterator
from itertools import chain

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.elements import named
from mediakit.tools.documents.web_to_markdown.reader.metadata import dates
from mediakit.tools.documents.web_to_markdown.reader.metadata.statements import Statements, text, types

MOST_TIMES = 60
"""Times that are looked at."""

_NAMES = named(
    "article:published_time og:published_time og:article:published_time datepublished dc:date:issued dc:issued "
    "dc:date dc:date:created dc:created parsely-pub-date sailthru:date pubdate publishdate publish-date "
    "publish_date publication_date publication-date date_published cxenseparse:recs:publishtime article:published "
    "published_time citation_publication_date citation_date datecreated article_date_original "
    "originalpublicationdate published-date release_date video:release_date article:post_date bt:pubdate ptime "
    "pub_date displaydate date article:created created timestamp og:pubdate rnews:datepublished "
    "weibo:article:create_at"
)
"""Names of meta elements, the surest first."""

_CLASS = re.compile(
    r"publish|posted|dateline|entry-date|post-date|article-?date|dt-published|byline|meta|timestamp|created|date|time",
    re.IGNORECASE,
)
_LINES = named("h1 h2 h3 h4 h5 h6 span div p li a small td em i b strong section header")
_NOT_ITS_OWN = re.compile(
    r"comment|related|sidebar|footer|widget|recommend|popular|recent|modified|updated|reply|copyright|event|"
    r"(?<!p)review|hours|joined",
    re.IGNORECASE,
)
_NOT_ITS_MAKER = re.compile(r"^(?:Review|Comment|Rating|Offer|VideoObject|ImageObject|Event)$|^Aggregate")
"""Kinds of things that have dates of their own, and stand on pages of others."""

_GOODS = re.compile(r"^(?:Product(?:Group|Model)?|ItemList|CollectionPage|OfferCatalog|SearchResultsPage)$")
"""Kinds of pages whose dates are those of reviews and offers."""

_TEXTS = re.compile(r"Article$|Posting$|^Report$|^Recipe$|^HowTo$|^Question$")

_SAYS_SO = re.compile(
    r"\b(?:posted|published|first published|written|veröffentlicht|erschienen|publié|publicado|pubblicato|updated)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_AGE = re.compile(r"\b(?:age|ago|timeago|timestamp|relative-time|posted)\b", re.IGNORECASE)


def published(stated: Statements, root: HtmlElement, base: str, canonical: str | None) -> str | None:
    """Give when a page was published (ISO 8601); None where it does not say.

    Args:
        stated: What the page states.
        root: The page.
        base: Its address, or nothing.
        canonical: The address that it gives itself.
    """
    shows = not _sells(stated)
    candidates = chain(_stated(stated), _times(root) if shows else ())
    found = next((when for candidate in candidates if candidate and (when := dates.iso(candidate))), None)
    found = found or dates.in_address(base) or dates.in_address(canonical or "")
    if found or not shows:
        return found
    shown = _near_heading(root) or _said(root) or _only_time(root) or _first_age(root)
    return shown or dates.iso(text(stated.article().get("dateModified")))


def _stated(stated: Statements) -> Iterator[str | None]:
    article = stated.article()
    others = [node for node in stated.nodes if not any(map(_NOT_ITS_MAKER.search, types(node)))]
    for node in (article, stated.page(), *others):
        is_review_of_goods = _sells(stated) and "Review" in types(node)
        if not is_review_of_goods and not any(map(_GOODS.search, types(node))):
            yield text(node.get("datePublished"))
            yield text(node.get("dateCreated"))
    for name in _NAMES:
        yield stated.first(name)
    for element in stated.properties.get("datepublished", ()):
        yield element.get("datetime") or element.get("content") or element.text_content()
    yield text(article.get("uploadDate"))


def _sells(stated: Statements) -> bool:
    kinds = [kind for node in stated.nodes for kind in types(node)]
    if (stated.first("og:type") or "").lower().startswith("product"):
        return True
    return any(map(_GOODS.search, kinds)) and not any(map(_TEXTS.search, kinds))


def _times(root: HtmlElement) -> Iterator[str | None]:
    """Give the times that readers see, those that say they are the page's first."""
    times = [
        (element, f"{element.get('class') or ''} {element.get('itemprop') or ''} {_names_above(element)}")
        for element in list(root.iter("time", "abbr"))[:MOST_TIMES]
    ]
    times = [(each, names) for each, names in times if not (_NOT_ITS_OWN.search(names) or _stands_aside(each))]
    for element, _ in sorted(
        times, key=lambda each: not (each[0].get("pubdate") is not None or _CLASS.search(each[1]))
    ):
        if element.tag == "time":
            yield element.get("datetime") or element.text_content()
        elif "publish" in (element.get("class") or ""):
            yield element.get("title") or element.text_content()


def _stands_aside(element: HtmlElement) -> bool:
    return next(element.iterancestors("aside", "nav", "footer"), None) is not None


def _names_above(element: HtmlElement) -> str:
    names = []
    for _, ancestor in zip(range(4), element.iterancestors(), strict=False):
        if ancestor.tag in ("body", "article", "main"):
            break
        names.append(_named(ancestor))
    return " ".join(names)


def _near_heading(root: HtmlElement) -> str | None:
    """Find a date that stands alone in a line near the heading, or at the top of a page without one."""
    elements = list(root.iter(*_LINES))
    heading = next((index for index, element in enumerate(elements) if element.tag == "h1"), 0)
    near = elements[heading : heading + 160] + elements[max(0, heading - 60) : heading]
    lines = [line for element in near for line in _lines(element)]
    for names, words in sorted(lines, key=lambda line: not _CLASS.search(line[0])):
        if 5 < len(words) < 60 and not _NOT_ITS_OWN.search(names) and (when := dates.in_text(words)):
            return when
    return None


def _lines(element: HtmlElement) -> Iterator[tuple[str, str]]:
    """Give the text in an element and the one behind it, each with the names of what it stands in; years in them."""
    text = element.text_content() if 0 < len(element) < 6 else element.text or ""
    if _YEAR.search(text):
        yield _named(element), " ".join(text.split())
    parent = element.getparent()
    if element.tail and _YEAR.search(element.tail) and parent is not None and parent.get("class"):
        yield _named(parent), " ".join(element.tail.split())


def _said(root: HtmlElement) -> str | None:
    """Find a short line that says when it was published."""
    for element in root.iter(*_LINES):
        words = element.text or ""
        if 10 < len(words) < 80 and _SAYS_SO.search(words) and not _NOT_ITS_OWN.search(_names_above(element)):
            return dates.in_text(" ".join(words.split()))
    return None


def _only_time(root: HtmlElement) -> str | None:
    """Give the day of the one time on a page, wherever it stands."""
    times = [element for element in list(root.iter("time"))[:MOST_TIMES] if "modified" not in _names_above(element)]
    found = {dates.iso(element.get("datetime") or element.text_content()) for element in times}
    return found.pop() if len(found) == 1 else None


def _first_age(root: HtmlElement) -> str | None:
    """Find the first age ("2 hours ago") whose exact time stands in an attribute."""
    for element in root.xpath("//*[@title]"):
        if _AGE.search(element.get("class") or "") and (when := dates.iso(element.get("title"))):
            return when
    return None


def _named(element: HtmlElement) -> str:
    return f"{element.get('class') or ''} {element.get('id') or ''}"
