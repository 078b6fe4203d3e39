"""Parses any HTML to a tree. Input that would take libxml2 too long or too much memory is reduced first."""

import re

from lxml import etree, html
from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import word_set

MAX_ATTRIBUTES = 100
"""Attributes of a tag. The time that libxml2 takes is quadratic in them."""

MAX_TAG_CHARACTERS = 100_000
"""Longer tags contain inline images, which are not converted."""

MAX_DEPTH = 150
"""Levels of nested elements. Of deeper elements only the text is kept."""

# Tags with a `<` in an attribute value are not matched. The scan is then less precise, but its time stays linear.
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/<>]*+)([^<>]*+)>")
_ATTRIBUTE = re.compile(r"[^\s=/>\"']+(?:\s*+=\s*+(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?")
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*>", re.IGNORECASE)
_SUBSET = re.compile(r"^\s*<!DOCTYPE[^\[>]*\[[^\]]*\]\s*>", re.IGNORECASE)
"""A document type with its own declarations, which HTML does not support."""

_INVALID_CHARACTERS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Characters that lxml does not accept in text."""

_INVALID_ASCII = bytes((*range(9), 0x0B, *range(0x0E, 0x20), 0x7F))
"""The ASCII characters of `_INVALID_CHARACTERS`. Bytes are searched in a third of the time."""

_INVALID_REFERENCE = re.compile(
    r"&#(?:0*(?:[0-8]|1[124-9]|2[0-9]|3[01]|6553[45])(?![0-9])|x0*(?:[0-8bcef]|1[0-9a-f]|fff[ef])(?![0-9a-f]))",
    re.IGNORECASE,
)
"""Character references to invalid characters."""

_NOT_NESTED = word_set(
    "area base br col embed hr img input link meta param source track wbr p li option tr td th tbody"
)
"""Empty elements and elements whose end tag is optional. They do not count as levels."""

_EMPTY_TAG = re.compile(r"<(/?)(embed|source|track|wbr)\b([^<>]*?)/?>", re.IGNORECASE)
"""Empty elements that are unknown to libxml2. It would parse the rest of the page as their content."""

_LONG_TAG_CHARACTERS = 4_000
_is_too_deep = etree.XPath(f"boolean({'/*' * (MAX_DEPTH + 1)})")

_ELEMENT_CLASSES = etree.ElementDefaultClassLookup(
    element=HtmlElement, comment=html.HtmlComment, pi=html.HtmlProcessingInstruction, entity=html.HtmlEntity
)
"""One class for all elements. lxml.html calls a Python function for each element, to find a class for its tag."""

_HEAD_ELEMENTS = word_set("title meta link base script style noscript template object")

_RAW_TEXT_END = {
    name: re.compile(f"</{name}", re.IGNORECASE) for name in ("script", "style", "textarea", "title", "xmp")
}


def parse_html(text: str) -> HtmlElement:
    """Parse a document or a fragment and return its `html` element.

    Form feeds are replaced with spaces and other control characters are removed, also where they are written as
    character references.
    """
    source = _remove_invalid_characters(_SUBSET.sub("", _DECLARATION.sub("", text)))
    source = _EMPTY_TAG.sub(lambda tag: "" if tag[1] else f"<{tag[2]}{tag[3]} />", source)
    has_long_tag = _has_long_tag(source)
    root = _parse(_reduce(source) if has_long_tag else source)
    if not has_long_tag and _is_too_deep(root):
        root = _parse(_reduce(source))
    _move_content_to_body(root)
    if _INVALID_REFERENCE.search(source):
        _clean_texts(root)
    return root


def _has_long_tag(source: str) -> bool:
    """Return whether a start tag is long. A search with a pattern takes six times as long."""
    pieces = (piece for piece in source.split("<")[1:] if len(piece) > _LONG_TAG_CHARACTERS)
    return any(
        piece[0].isascii() and piece[0].isalpha() and ">" not in piece[: _LONG_TAG_CHARACTERS + 1] for piece in pieces
    )


def _remove_invalid_characters(text: str) -> str:
    text = text.replace("\f", " ")
    try:
        encoded = text.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return _INVALID_CHARACTERS.sub("", text)
    has_ascii = len(encoded.translate(None, _INVALID_ASCII)) < len(encoded)
    return _INVALID_CHARACTERS.sub("", text) if has_ascii or "\ufffe" in text or "\uffff" in text else text


def _clean_texts(root: HtmlElement) -> None:
    """Remove the control characters that were written as character references."""
    for element in root.iter():
        if element.text:
            element.text = _remove_invalid_characters(element.text)
        if element.tail:
            element.tail = _remove_invalid_characters(element.tail)
        for name, value in element.attrib.items():
            if (cleaned := _remove_invalid_characters(value)) != value:
                try:
                    element.set(name, cleaned)
                except ValueError:  # a name such as `a"b`, which libxml2 parses and lxml does not accept
                    del element.attrib[name]


def _parse(source: str) -> HtmlElement:
    parser = html.HTMLParser(remove_comments=True, remove_pis=True, encoding="utf-8", huge_tree=True)
    parser.set_element_class_lookup(_ELEMENT_CLASSES)
    try:
        return html.document_fromstring(source.encode(), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):  # only white space or comments
        return html.document_fromstring("<html><body></body></html>")


def body_of(root: HtmlElement) -> HtmlElement:
    """Return the `body` element of a tree."""
    body = root.find("body")
    return root if body is None else body


def _move_content_to_body(root: HtmlElement) -> None:
    """Move content from the head to the body, where libxml2 puts elements of HTML 5 that it does not know."""
    head, body = root.find("head"), root.find("body")
    if body is None:
        body = root.makeelement("body")
        body.extend([child for child in root if child is not head])
        root.append(body)
    if head is not None:
        start = next((index for index, child in enumerate(head) if child.tag not in _HEAD_ELEMENTS), len(head))
        before = head[start - 1] if 0 < start < len(head) else None
        for position, child in enumerate(list(head)[start:]):
            body.insert(position, child)
        if before is not None:
            before.tail = None


def _reduce(source: str) -> str:
    """Return HTML without the attributes and levels over the limits. Takes linear time."""
    pieces: list[str] = []
    stack: list[str] = []
    copied = position = 0
    while tag := _TAG.search(source, position):
        position = tag.end()
        kept = _reduce_tag(tag, stack)
        if kept != tag[0]:
            pieces += (source[copied : tag.start()], kept)
            copied = position
        if not tag[1] and (raw := _RAW_TEXT_END.get(tag[2].lower())):
            end = raw.search(source, position)
            position = end.start() if end else len(source)
    return "".join((*pieces, source[copied:]))


def _reduce_tag(tag: re.Match[str], stack: list[str]) -> str:
    """Return a tag within the limits, or a space in its place. `stack` has the names of the open elements."""
    name = tag[2].lower()
    if name in _NOT_NESTED:
        return _reduce_attributes(tag)
    if tag[1]:
        if name in stack:
            while stack.pop() != name:
                pass
            return tag[0]
        return tag[0] if len(stack) < MAX_DEPTH else " "
    if stack and {name, stack[-1]} == {"dt", "dd"}:  # each of them closes the other one
        stack.pop()
    if len(stack) >= MAX_DEPTH:
        return " "
    stack.append(name)
    return _reduce_attributes(tag)


def _reduce_attributes(tag: re.Match[str]) -> str:
    if len(tag[3]) <= 2 * MAX_ATTRIBUTES:  # too short for more attributes
        return tag[0]
    attributes = _ATTRIBUTE.findall(tag[3])
    if len(attributes) <= MAX_ATTRIBUTES and len(tag[3]) <= MAX_TAG_CHARACTERS:
        return tag[0]
    few = (attribute for attribute in attributes[:MAX_ATTRIBUTES] if len(attribute) <= MAX_TAG_CHARACTERS)
    return f"<{tag[2]} {' '.join(few)}>"
