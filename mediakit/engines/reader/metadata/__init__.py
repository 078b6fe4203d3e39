"""A page's title, author, date and the like: stated in JSON-LD, Open Graph, Dublin Core, microdata, or shown."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from mediakit.engines.markdown.elements import named
from mediakit.engines.reader.metadata import dates, names, titles
from mediakit.engines.reader.metadata.statements import Statements, statements, text

__all__ = ["about"]

LONGEST = 2_000
"""Characters of any field."""

_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*")
_DATE_NAMES = named(
    "article:published_time og:published_time og:article:published_time datepublished dc:date:issued dc:issued "
    "dc:date dc:date:created dc:created parsely-pub-date sailthru:date pubdate publishdate publish-date "
    "publish_date publication_date publication-date date_published cxenseparse:recs:publishtime article:published "
    "published_time citation_publication_date citation_date datecreated article_date_original "
    "originalpublicationdate published-date release_date video:release_date article:post_date bt:pubdate ptime "
    "pub_date displaydate date article:created created timestamp og:pubdate rnews:datepublished "
    "weibo:article:create_at lastmod"
)
_DATE_CLASS = re.compile(
    r"publish|posted|dateline|entry-date|post-date|article-?date|dt-published|byline|meta|timestamp|created|date|time",
    re.IGNORECASE,
)
_LINES = (
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "span",
    "div",
    "p",
    "li",
    "a",
    "small",
    "td",
    "em",
    "i",
    "b",
    "strong",
    "section",
    "header",
)
_NOT_ITS_DATE = re.compile(
    r"comment|related|sidebar|footer|widget|recommend|popular|recent|modified|updated|reply|copyright|event",
    re.IGNORECASE,
)


def about(root: HtmlElement, base: str, stated: Statements | None = None) -> dict[str, str | None]:
    """Give a page's metadata by the names of the answer's fields; None where the page does not say.

    Args:
        root: The page, its scripts included.
        base: Address that relative ones start from; empty: they stay as they are.
        stated: What `statements` has collected already.
    """
    stated = stated or statements(root)
    site = _site(stated)
    found = {
        "title": titles.title(stated, root, site),
        "description": _description(stated),
        "byline": names.byline(stated, root),
        "site_name": site or titles.site(stated, root, base),
        "language": _language(stated, root),
        "image": _address(_image(stated), base),
        "canonical": _address(_canonical(stated), base),
        "published_time": _published(stated, root, base),
    }
    return {name: value[:LONGEST] if value else None for name, value in found.items()}


def _description(stated: Statements) -> str | None:
    meta = stated.first(
        "dc:description",
        "og:description",
        "weibo:article:description",
        "weibo:webpage:description",
        "description",
        "twitter:description",
        "sailthru:description",
    )
    return meta or text(stated.article().get("description")) or text(stated.article().get("abstract"))


def _site(stated: Statements) -> str | None:
    article = stated.article()
    for node in (article, stated.page()):
        publisher = stated.refer(node.get("publisher"))
        if isinstance(publisher, list) and publisher:
            publisher = stated.refer(publisher[0])
        if isinstance(publisher, dict) and (name := text(publisher.get("name"))):
            stated_site = stated.first("og:site_name")
            return stated_site or name
    site = next((text(node.get("name")) for node in stated.nodes if node.get("@type") == "WebSite"), None)
    return (
        stated.first("og:site_name")
        or site
        or stated.first(
            "application-name",
            "apple-mobile-web-app-title",
            "dc:publisher",
            "publisher",
            "cre",
            "citation_journal_title",
        )
    )


def _language(stated: Statements, root: HtmlElement) -> str | None:
    candidates = (
        root.get("lang"),
        root.get("{http://www.w3.org/XML/1998/namespace}lang"),
        root.get("xml:lang"),
        stated.first("content-language", "language", "dc:language", "inlanguage", "og:locale"),
        stated.article().get("inLanguage"),
        _body_language(root),
    )
    for candidate in candidates:
        if isinstance(candidate, str) and (match := _LANGUAGE.match(candidate.strip())):
            return match[0].replace("_", "-")
    return None


def _body_language(root: HtmlElement) -> str | None:
    return next((element.get("lang") for element in root.iter("body", "main", "article") if element.get("lang")), None)


def _canonical(stated: Statements) -> str | None:
    return next(iter(stated.links.get("canonical", ())), None) or stated.first("og:url")


def _image(stated: Statements) -> str | None:
    found = stated.first(
        "og:image:secure_url",
        "og:image",
        "og:image:url",
        "twitter:image",
        "twitter:image:src",
        "image",
        "thumbnail",
        "sailthru:image:full",
        "parsely-image-url",
    )
    if found:
        return found
    for node in (stated.article(), stated.page()):
        for name in ("image", "primaryImageOfPage", "thumbnailUrl"):
            if picture := _picture(stated, node.get(name)):
                return picture
    linked = next(iter(stated.links.get("image_src", ())), None)
    return linked or next(
        (
            element.get("src") or element.get("content") or element.get("href")
            for element in stated.properties.get("image", ())
        ),
        None,
    )


def _picture(stated: Statements, value: Any) -> str | None:
    if isinstance(value, list):
        value = value[0] if value else None
    value = stated.refer(value)
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("@id")
        value = value[0] if isinstance(value, list) and value else value
    return text(value)


def _address(reference: str | None, base: str) -> str | None:
    if not reference:
        return None
    try:
        address = urljoin(base, reference.strip()) if base else reference.strip()
        scheme = urlsplit(address).scheme.lower()
    except ValueError:
        return None
    return address if scheme in ("http", "https") or (not base and not scheme) else None


def _published(stated: Statements, root: HtmlElement, base: str) -> str | None:
    for candidate in _dates(stated, root):
        if candidate and (when := dates.iso(candidate)):
            return when
    own = dates.in_address(base) or dates.in_address(_canonical(stated) or "") or _near_heading(root)
    return own or dates.elsewhere(root)


def _dates(stated: Statements, root: HtmlElement) -> Iterator[str | None]:
    article = stated.article()
    for node in (article, stated.page(), *stated.nodes):
        for name in ("datePublished", "dateCreated", "uploadDate"):
            yield text(node.get(name))
    for name in _DATE_NAMES:
        yield stated.first(name)
    for element in stated.properties.get("datepublished", ()):
        yield element.get("datetime") or element.get("content") or element.text_content()
    yield from _times(root)
    yield text(article.get("dateModified"))


def _times(root: HtmlElement) -> Iterator[str | None]:
    """Give the times that readers see, those that say they are the page's first."""
    times = [
        (element, f"{element.get('class') or ''} {element.get('itemprop') or ''} {_names_above(element)}")
        for element in list(root.iter("time", "abbr"))[:60]
    ]
    times = [(element, names) for element, names in times if not _NOT_ITS_DATE.search(names)]
    for element, _ in sorted(
        times, key=lambda each: not (each[0].get("pubdate") is not None or _DATE_CLASS.search(each[1]))
    ):
        if element.tag == "time":
            yield element.get("datetime") or element.text_content()
        elif "publish" in (element.get("class") or ""):
            yield element.get("title") or element.text_content()


def _names_above(element: HtmlElement) -> str:
    names = []
    for _, ancestor in zip(range(4), element.iterancestors(), strict=False):
        if ancestor.tag in ("body", "article", "main"):
            break
        names.append(f"{ancestor.get('class') or ''} {ancestor.get('id') or ''}")
    return " ".join(names)


def _near_heading(root: HtmlElement) -> str | None:
    """Find a date that stands alone in a line near the heading, or at the top of a page without one."""
    elements = list(root.iter(*_LINES))
    heading = next((index for index, element in enumerate(elements) if element.tag == "h1"), 0)
    near = elements[heading : heading + 120] + elements[max(0, heading - 60) : heading]
    for element in sorted(near, key=lambda each: not _DATE_CLASS.search(_names(each))):
        words = " ".join((element.text_content() if len(element) < 6 else element.text or "").split())
        if 5 < len(words) < 60 and not _NOT_ITS_DATE.search(_names(element)) and (when := dates.in_text(words)):
            return when
    return None


def _names(element: HtmlElement) -> str:
    return f"{element.get('class') or ''} {element.get('id') or ''}"
