"""The structured data of a page: meta elements, link elements, microdata and linked data (JSON-LD)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any, Literal
from urllib.parse import urlsplit

from lxml.html import HtmlElement

MAX_NODES = 2_000
"""Maximum number of linked data nodes that are read."""

MAX_NODE_DEPTH = 6

_CONTENT_TYPES = re.compile(
    r"(?:Article|BlogPosting|Report|Posting|Recipe|HowTo|Review|NewsArticle|Chapter|Book|Course|Event|Product|Movie|VideoObject|Podcast\w*|QAPage|Question|JobPosting|CreativeWork|FAQPage|SoftwareApplication|Guide|Thesis)$"
)
PAGE_TYPES = re.compile(r"(?:WebPage|ItemPage|AboutPage|CollectionPage|ProfilePage|ContactPage)$")
_DUBLIN_CORE = re.compile(r"^dcterms?:")
_PLACEHOLDER = re.compile(r"\{\{.*\}\}|\{%.*%\}|\$\{.*\}")
_CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")
"""Also surrogates and noncharacters: the escapes of JSON can contain them, and a response cannot."""
_CDATA = re.compile(r"^\s*(?:/\*|//)?\s*(?:<!\[CDATA\[|<!--)|(?:\]\]>|-->)\s*(?:\*/)?\s*;?\s*$")
_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_IS_MARKUP = re.compile(r"</[a-zA-Z]|<br\b|/>", re.IGNORECASE)
"""Distinguishes escaped markup from text about HTML."""

_ARTICLE_TYPES = re.compile(r"Article$|Posting$|^Report$|^Recipe$|^HowTo$|^Question$|^QAPage$")
PRODUCT_TYPES = re.compile(r"^(?:Product(?:Group|Model)?|ItemList|CollectionPage|OfferCatalog|SearchResultsPage)$")
"""Types of pages on which dates and names are those of reviews and offers."""

_SERVICE_TYPES = re.compile(r"^(?:Service|LocalBusiness|FAQPage|Course|SoftwareApplication)$")
_HOME_PATHS = ("", "index.html", "index.php", "home")
_SECTION_PATH = re.compile(
    r"/(?:services?|products?|pricing|solutions?|platform|about|contact|shop|category|collections?|tag|topics?|search|"
    r"events?|careers?|docs?|documentation)(?:/|$)",
    re.IGNORECASE,
)

PageKind = Literal["article", "home", "products", "services", "section", "other"]
"""What a page is by its structured data and its address. A section is a page such as `/about` and `/pricing`."""

_NESTED_NODES = ("@graph", "mainEntity", "mainEntityOfPage", "hasPart", "isPartOf", "itemReviewed")

Node = dict[str, Any]


@dataclass
class StructuredData:
    """All structured data, in document order."""

    meta: dict[str, list[str]] = field(default_factory=dict)
    """Contents of meta elements by name or property, in lower case and with `:` instead of `.`."""
    properties: dict[str, list[HtmlElement]] = field(default_factory=dict)
    """Elements by `itemprop` (microdata)."""
    links: dict[str, list[str]] = field(default_factory=dict)
    """Addresses of `link` elements by relation."""
    nodes: list[Node] = field(default_factory=list)
    """Nodes of linked data."""

    def first(self, *names: str) -> str | None:
        """Return the content of the first of these meta names that the page has. None if it has none of them."""
        return next((content for name in names for content in self.meta.get(name, ())), None)

    def article(self) -> Node:
        """Return the node that describes the content of the page. Empty if there is none."""
        for pattern in (_CONTENT_TYPES, PAGE_TYPES):
            found = [node for node in self.nodes if any(pattern.search(name) for name in node_types(node))]
            found.sort(key=lambda node: not ("headline" in node or "datePublished" in node))
            if found:
                return found[0]
        return {}

    def page(self) -> Node:
        """Return the node that describes the page itself. Empty if there is none."""
        return next((node for node in self.nodes if any(PAGE_TYPES.search(name) for name in node_types(node))), {})

    def resolve(self, value: Any) -> Any:
        """Return the node that an `@id` references. Other values are returned unchanged."""
        if isinstance(value, dict) and set(value) == {"@id"}:
            return next((node for node in self.nodes if node.get("@id") == value["@id"] and len(node) > 1), value)
        return value


def page_kind(data: StructuredData, url: str) -> PageKind:
    """Return the kind of a page, whose address may be empty.

    Only articles, and pages of unknown kinds, surely have an author and a date.
    """
    types = [name for node in data.nodes for name in node_types(node)]
    open_graph = (data.first("og:type") or "").lower()
    if open_graph.startswith("product"):
        return "products"
    if open_graph == "article" or any(map(_ARTICLE_TYPES.search, types)):
        return "article"
    if any(map(PRODUCT_TYPES.search, types)):
        return "products"
    path = urlsplit(url).path if "[" not in url else ""
    if url and path.strip("/") in _HOME_PATHS and not urlsplit(url).query:
        return "home"
    if any(map(_SERVICE_TYPES.search, types)):
        return "services"
    return "section" if _SECTION_PATH.search(path) else "other"


def structured_data(root: HtmlElement) -> StructuredData:
    """Collect the structured data of a page."""
    found = StructuredData(nodes=list(_nodes(root)))
    contents = [(element, to_line(element.get("content"))) for element in root.iter("meta")]
    stated = [(element, content) for element, content in contents if content and not _belongs_to_review(element)]
    for attribute in ("property", "name", "itemprop", "http-equiv"):
        for element, content in stated:
            for name in _names(element, attribute):
                found.meta.setdefault(_DUBLIN_CORE.sub("dc:", name.replace(".", ":")), []).append(content)
    for element in root.iter("link"):
        for relation in _names(element, "rel"):
            found.links.setdefault(relation, []).append((element.get("href") or "").strip())
    for element in root.xpath("//*[@itemprop]"):
        if _belongs_to_review(element):
            continue
        for name in _names(element, "itemprop"):
            found.properties.setdefault(name, []).append(element)
    return found


def _belongs_to_review(element: HtmlElement) -> bool:
    """Return whether an element is a property of a review, and not of the page's own subject."""
    if element.get("itemprop") is None:
        return False
    item = next((ancestor for ancestor in element.iterancestors() if ancestor.get("itemtype")), None)
    return item is not None and "itemprop" in item.attrib and (item.get("itemtype") or "").endswith("/Review")


def _names(element: HtmlElement, attribute: str) -> list[str]:
    return (element.get(attribute) or "").lower().split()


def node_types(node: Node) -> list[str]:
    """Return the types of a node, without their vocabulary."""
    types = node.get("@type") or node.get("type") or ()
    types = types if isinstance(types, list) else [types]
    return [name.rpartition("/")[2].rpartition("#")[2] for name in types if isinstance(name, str)]


def to_line(value: Any) -> str | None:
    """Return a text as one line without markup. None for empty texts, placeholders of templates and other types."""
    if not isinstance(value, str):
        return None
    once = unescape(value)
    line = " ".join(_CONTROL_CHARACTERS.sub(" ", unescape(once) if "&" in once else once).split())
    if "<" in line and _IS_MARKUP.search(line):
        line = " ".join(_TAGS.sub(" ", line).split())
    return None if not line or _PLACEHOLDER.fullmatch(line) else line


def _nodes(root: HtmlElement) -> Iterator[Node]:
    remaining = MAX_NODES
    for script in root.iter("script"):
        if "ld+json" not in (script.get("type") or "").lower():
            continue
        for node in _flatten(_parse_json(script.text or "")):
            remaining -= 1
            if remaining < 0:
                return
            yield node


def _parse_json(source: str) -> Any:
    source = _CDATA.sub("", source)
    for attempt in (
        source,
        _CONTROL_CHARACTERS.sub(" ", source),
        re.sub(r",\s*([}\]])", r"\1", _CONTROL_CHARACTERS.sub(" ", source)).rstrip("; "),
    ):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _flatten(value: Any, depth: int = 0) -> Iterator[Node]:
    if depth > MAX_NODE_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _flatten(item, depth + 1)
    elif isinstance(value, dict):
        yield value
        for name in _NESTED_NODES:
            if isinstance(value.get(name), list | dict):
                yield from _flatten(value[name], depth + 1)
