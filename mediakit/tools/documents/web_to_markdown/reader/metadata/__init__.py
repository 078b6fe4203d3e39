"""A page's title, author, date and the like: stated in JSON-LD, Open Graph, Dublin Core, microdata, or shown."""

import re
from typing import Any
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader.metadata import names, published, titles
from mediakit.tools.documents.web_to_markdown.reader.metadata.statements import Statements, statements, text

__all__ = ["about"]

LONGEST = 2_000
"""Characters of any field."""

_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*")


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
        "published_time": published.published(stated, root, base, _canonical(stated)),
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
