"""What a page states about itself: its meta elements, its links, and its linked data (JSON-LD)."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from lxml.html import HtmlElement

MOST_NODES = 2_000
"""Nodes of linked data that are looked at."""

_ARTICLES = re.compile(
    r"(?:Article|BlogPosting|Report|Posting|Recipe|HowTo|Review|NewsArticle|Chapter|Book|Course|Event|Product|Movie|VideoObject|Podcast\w*|QAPage|Question|JobPosting|CreativeWork|FAQPage|SoftwareApplication|Guide|Thesis)$"
)
_PAGES = re.compile(r"(?:WebPage|ItemPage|AboutPage|CollectionPage|ProfilePage|ContactPage)$")
_DUBLIN_CORE = re.compile(r"^dcterms?:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_CDATA = re.compile(r"^\s*(?:/\*|//)?\s*(?:<!\[CDATA\[|<!--)|(?:\]\]>|-->)\s*(?:\*/)?\s*;?\s*$")
_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_IS_MARKUP = re.compile(r"</[a-zA-Z]|<br\b|/>", re.IGNORECASE)
"""What shows that tags are markup that was escaped once too often, and not words about HTML."""


Node = dict[str, Any]


@dataclass
class Statements:
    """All of them, in the page's order."""

    meta: dict[str, list[str]] = field(default_factory=dict)
    """Contents by name or property, in lower case, `:` for `.`."""
    properties: dict[str, list[HtmlElement]] = field(default_factory=dict)
    """Elements by `itemprop` (microdata)."""
    links: dict[str, list[str]] = field(default_factory=dict)
    """Addresses of `link` elements by relation."""
    nodes: list[Node] = field(default_factory=list)
    """Linked data."""

    def first(self, *names: str) -> str | None:
        """Give the first content that is stated under the first of these names."""
        return next((content for name in names for content in self.meta.get(name, ())), None)

    def article(self) -> Node:
        """Give the node that describes what the page is about; an empty one where none does."""
        for pattern in (_ARTICLES, _PAGES):
            found = [node for node in self.nodes if any(pattern.search(kind) for kind in types(node))]
            found.sort(key=lambda node: not ("headline" in node or "datePublished" in node))
            if found:
                return found[0]
        return {}

    def page(self) -> Node:
        """Give the node of the page itself."""
        return next((node for node in self.nodes if any(_PAGES.search(kind) for kind in types(node))), {})

    def refer(self, value: Any) -> Any:
        """Follow a reference to another node by its `@id`."""
        if isinstance(value, dict) and set(value) == {"@id"}:
            return next((node for node in self.nodes if node.get("@id") == value["@id"] and len(node) > 1), value)
        return value


def statements(root: HtmlElement) -> Statements:
    """Collect what a page states."""
    found = Statements(nodes=list(_nodes(root)))
    _collect_meta(root, found)
    for element in root.iter("link"):
        for relation in _names(element, "rel"):
            found.links.setdefault(relation, []).append((element.get("href") or "").strip())
    for element in root.xpath("//*[@itemprop]"):
        if _is_of_a_review(element):
            continue
        for name in _names(element, "itemprop"):
            found.properties.setdefault(name, []).append(element)
    return found


def _collect_meta(root: HtmlElement, found: Statements) -> None:
    """Collect meta elements, properties before names."""
    for attribute in ("property", "name", "itemprop", "http-equiv"):
        for element in root.iter("meta"):
            content = text(element.get("content"))
            if content and not _is_of_a_review(element):
                for name in _names(element, attribute):
                    found.meta.setdefault(_DUBLIN_CORE.sub("dc:", name.replace(".", ":")), []).append(content)


def _is_of_a_review(element: HtmlElement) -> bool:
    """Tell whether an element belongs to a review of what the page is about."""
    if element.get("itemprop") is None:
        return False
    thing = next((each for each in element.iterancestors() if each.get("itemtype")), None)
    return thing is not None and "itemprop" in thing.attrib and (thing.get("itemtype") or "").endswith("/Review")


def _names(element: HtmlElement, attribute: str) -> list[str]:
    return (element.get(attribute) or "").lower().split()


def types(node: Node) -> list[str]:
    """Name the kinds of a node, without their vocabulary."""
    kinds = node.get("@type") or node.get("type") or ()
    kinds = kinds if isinstance(kinds, list) else [kinds]
    return [kind.rpartition("/")[2].rpartition("#")[2] for kind in kinds if isinstance(kind, str)]


def text(value: Any) -> str | None:
    """Give a value as one clean line; None where it is no text, or an empty one."""
    if not isinstance(value, str):
        return None
    once = unescape(value)
    line = " ".join(_CONTROL.sub(" ", unescape(once) if "&" in once else once).split())
    if "<" in line and _IS_MARKUP.search(line):
        line = " ".join(_TAGS.sub(" ", line).split())
    return line or None


def _nodes(root: HtmlElement) -> Iterator[Node]:
    left = MOST_NODES
    for script in root.iter("script"):
        if "ld+json" not in (script.get("type") or "").lower():
            continue
        for node in _flat(_json(script.text or "")):
            left -= 1
            if left < 0:
                return
            yield node


def _json(source: str) -> Any:
    source = _CDATA.sub("", source)
    for attempt in (
        source,
        _CONTROL.sub(" ", source),
        re.sub(r",\s*([}\]])", r"\1", _CONTROL.sub(" ", source)).rstrip("; "),
    ):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _flat(value: Any, depth: int = 0) -> Iterator[Node]:
    if depth > 6:
        return
    if isinstance(value, list):
        for each in value:
            yield from _flat(each, depth + 1)
    elif isinstance(value, dict):
        yield value
        for name in ("@graph", "mainEntity", "mainEntityOfPage", "hasPart", "isPartOf", "itemReviewed"):
            if isinstance(value.get(name), list | dict):
                yield from _flat(value[name], depth + 1)
