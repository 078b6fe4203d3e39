"""The metadata of a page, from JSON-LD, Open Graph, Dublin Core, microdata, meta elements, or its visible text."""

import re
from typing import Any

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.metadata.bylines import find_byline
from mediakit.tools.documents.web_to_markdown.metadata.dates import find_publication_date
from mediakit.tools.documents.web_to_markdown.metadata.structured_data import StructuredData, structured_data, to_line
from mediakit.tools.documents.web_to_markdown.metadata.titles import find_title, site_from_title
from mediakit.tools.documents.web_to_markdown.page_parts import absolute_url

Metadata = dict[str, str | None]

MAX_FIELD_CHARACTERS = 2_000

_LANGUAGE = re.compile(r"[a-zA-Z]{2,3}(?:[-_][a-zA-Z0-9]{2,8})*")


def page_metadata(root: HtmlElement, base_url: str, data: StructuredData | None = None) -> Metadata:
    """Return the metadata of a page with its scripts by response field. None for what the page does not state.

    Addresses are resolved against `base_url`. If it is empty, relative addresses are None.
    """
    data = data or structured_data(root)
    site = _site_name(data)
    canonical = next(iter(data.links.get("canonical", ())), None) or data.first("og:url")
    article = data.article()
    description = data.first(
        "dc:description",
        "og:description",
        "weibo:article:description",
        "weibo:webpage:description",
        "description",
        "twitter:description",
        "sailthru:description",
    )
    fields = {
        "title": find_title(data, root, site, base_url),
        "description": description or to_line(article.get("description")) or to_line(article.get("abstract")),
        "byline": find_byline(data, root, base_url),
        "site_name": site or site_from_title(data, root, base_url),
        "language": _language(data, root),
        "image": absolute_url(_image(data), base_url),
        "canonical": absolute_url(canonical, base_url),
        "published_time": find_publication_date(data, root, base_url, canonical),
    }
    return {name: value[:MAX_FIELD_CHARACTERS] if value else None for name, value in fields.items()}


def _site_name(data: StructuredData) -> str | None:
    article = data.article()
    for node in (article, data.page()):
        publisher = data.resolve(node.get("publisher"))
        if isinstance(publisher, list) and publisher:
            publisher = data.resolve(publisher[0])
        if isinstance(publisher, dict) and (name := to_line(publisher.get("name"))):
            return data.first("og:site_name") or name
    site = next((to_line(node.get("name")) for node in data.nodes if node.get("@type") == "WebSite"), None)
    return (
        data.first("og:site_name")
        or site
        or data.first(
            "application-name",
            "apple-mobile-web-app-title",
            "dc:publisher",
            "publisher",
            "cre",
            "citation_journal_title",
        )
    )


def _language(data: StructuredData, root: HtmlElement) -> str | None:
    candidates = (
        root.get("lang"),
        root.get("{http://www.w3.org/XML/1998/namespace}lang"),
        root.get("xml:lang"),
        data.first("content-language", "language", "dc:language", "inlanguage", "og:locale"),
        data.article().get("inLanguage"),
        next((element.get("lang") for element in root.iter("body", "main", "article") if element.get("lang")), None),
    )
    for candidate in candidates:
        if isinstance(candidate, str) and (match := _LANGUAGE.match(candidate.strip())):
            return match[0].replace("_", "-")
    return None


def _image(data: StructuredData) -> str | None:
    found = data.first(
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
    for node in (data.article(), data.page()):
        for name in ("image", "primaryImageOfPage", "thumbnailUrl"):
            if address := _image_address(data, node.get(name)):
                return address
    if link := next(iter(data.links.get("image_src", ())), None):
        return link
    element = next(iter(data.properties.get("image", ())), None)
    return None if element is None else element.get("src") or element.get("content") or element.get("href")


def _image_address(data: StructuredData, value: Any) -> str | None:
    if isinstance(value, list):
        value = value[0] if value else None
    value = data.resolve(value)
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("@id")
        value = value[0] if isinstance(value, list) and value else value
    return to_line(value)
