"""HTML to a tree, whatever the HTML: what would take a parser's time or memory is capped by one linear scan."""

import re

from lxml import etree, html
from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.elements import words

MOST_ATTRIBUTES = 100
"""Attributes a tag may keep; libxml2 takes time quadratic in them."""

LONGEST_TAG = 100_000
"""Characters; longer ones are inline pictures, which nobody reads."""

DEEPEST = 150
"""Levels of elements; deeper ones lose their tags and keep their text."""

# Where a `<` stands in a value the tag is not seen; that only makes the scan less sharp, and it stays linear.
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/<>]*)([^<>]*+)>")
_ATTRIBUTE = re.compile(r"[^\s=/>\"']+(?:\s*+=\s*+(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*>", re.IGNORECASE)
_SUBSET = re.compile(r"^\s*<!DOCTYPE[^\[>]*\[[^\]]*\]\s*>", re.IGNORECASE)
"""A document type with declarations of its own, of which HTML knows nothing."""
_UNREADABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML tree can hold."""

_FLAT = words("area base br col embed hr img input link meta param source track wbr p li option tr td th tbody")
"""Elements that are empty, or whose end tag may be left out: an open one says nothing of depth."""

_EMPTY_TAG = re.compile(r"<(/?)(source|track|wbr)\b([^<>]*?)/?>", re.IGNORECASE)
"""Empty elements that libxml2 does not know as such: it would put the rest of the page into them."""

_LONG_TAG = re.compile(r"<[a-zA-Z][^<>]{4000}")
_is_deep = etree.XPath(f"boolean(//*[ancestor::*[{DEEPEST}]])")

_OF_THE_HEAD = words("title meta link base script style noscript template object")

_RAW = {name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "title", "xmp")}


def parse(text: str) -> HtmlElement:
    """Read HTML, a document or a fragment, and give its `html` element; of nothing, an empty one."""
    source = _UNREADABLE.sub("", _SUBSET.sub("", _DECLARATION.sub("", text)))
    source = _EMPTY_TAG.sub(lambda tag: "" if tag[1] else f"<{tag[2]}{tag[3]}/>", source)
    if _LONG_TAG.search(source):
        return _with_body(_tree(_capped(source)))
    root = _tree(source)
    return _with_body(_tree(_capped(source)) if _is_deep(root) else root)


def _tree(source: str) -> HtmlElement:
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=True, encoding="utf-8")
    try:
        return html.document_fromstring(source.encode(), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):  # nothing but white space or comments
        return html.document_fromstring("<html><body></body></html>")


def body_of(root: HtmlElement) -> HtmlElement:
    """Give the `body` of a tree."""
    body = root.find("body")
    return root if body is None else body


def _with_body(root: HtmlElement) -> HtmlElement:
    """Move what stands in the head by mistake into the body: libxml2 does not know the elements of HTML 5."""
    head, body = root.find("head"), root.find("body")
    if body is None:
        body = root.makeelement("body")
        strays = [child for child in root if child is not head]
        body.extend(strays)
        root.append(body)
    if head is not None:
        start = next((index for index, child in enumerate(head) if child.tag not in _OF_THE_HEAD), len(head))
        before = head[start - 1] if 0 < start < len(head) else None
        for place, child in enumerate(list(head)[start:]):
            body.insert(place, child)
        if before is not None:
            before.tail = None
    return root


def _capped(source: str) -> str:
    """Drop attributes and levels beyond their number, in one pass."""
    pieces: list[str] = []
    stack: list[str] = []
    copied = position = 0
    while tag := _TAG.search(source, position):
        position = tag.end()
        kept = _kept(tag, stack)
        if kept != tag[0]:
            pieces += (source[copied : tag.start()], kept)
            copied = position
        if not tag[1] and (raw := _RAW.get(tag[2].lower())):
            end = raw.search(source, position)
            position = end.start() if end else len(source)
    return "".join((*pieces, source[copied:]))


def _kept(tag: re.Match[str], stack: list[str]) -> str:
    """Give what is kept of a tag; `stack` names the open elements."""
    name = tag[2].lower()
    if name in _FLAT:
        return _slimmed(tag)
    if tag[1]:
        if name in stack:
            while stack.pop() != name:
                pass
            return tag[0]
        return tag[0] if len(stack) < DEEPEST else " "
    if stack and {name, stack[-1]} == {"dt", "dd"}:  # one ends the other
        stack.pop()
    if len(stack) >= DEEPEST:
        return " "
    stack.append(name)
    return _slimmed(tag)


def _slimmed(tag: re.Match[str]) -> str:
    if len(tag[3]) <= 2 * MOST_ATTRIBUTES:  # no room for more
        return tag[0]
    attributes = _ATTRIBUTE.findall(tag[3])
    if len(attributes) <= MOST_ATTRIBUTES and len(tag[3]) <= LONGEST_TAG:
        return tag[0]
    few = (attribute for attribute in attributes[:MOST_ATTRIBUTES] if len(attribute) <= LONGEST_TAG)
    return f"<{tag[2]} {' '.join(few)}>"
