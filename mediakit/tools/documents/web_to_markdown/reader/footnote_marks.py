"""The marks of footnotes: numbers and signs in references, and at the start of the footnotes."""

import re

from lxml.html import HtmlElement

_MARK = r"\d{1,3}|[*†‡§]"
_REFERENCE = re.compile(rf"\s*[\[(]?\s*({_MARK})\s*[\])]?\s*")
"""Text of a reference."""

_MARK_ELEMENT = re.compile(rf"\s*[\[(]?\s*({_MARK})\s*[\])]?\s*[.:]?\s*")
"""Text of the element that contains the mark of a footnote."""

_MARK_IN_TEXT = re.compile(rf"\s*[\[(]?({_MARK})(?:[\])]?[.:]|[\])])?\s+")
"""A mark that is not in its own element."""

_OPENING = re.compile(r"\s*[\[(]?\s*")
_CLOSING = re.compile(r"\s*[\])]?\s*[.:]?\s*")
_MARK_ELEMENTS = ("sup", "a", "strong", "b", "span", "div", "label", "p", "font", "small")
_MAX_MARK_LEVELS = 4


def reference_label(text: str) -> str:
    """Return the number or sign in the text of a reference. Empty for other texts."""
    match = _REFERENCE.fullmatch(text)
    return match[1] if match else ""


def mark_at_start(block: HtmlElement) -> str:
    """Return the number or sign that a block begins with. Empty if it begins with other text."""
    element = _mark_element(block)
    match = _MARK_ELEMENT.fullmatch(element.text_content()) if element is not None else None
    match = match or _MARK_IN_TEXT.match(block.text or "")
    return match[1] if match else ""


def has_only_mark(block: HtmlElement, label: str) -> bool:
    """Return whether an element contains only the mark of a footnote."""
    match = _MARK_ELEMENT.fullmatch(block.text_content())
    return match is not None and match[1] == label


def drop_mark(block: HtmlElement, label: str) -> None:
    """Remove the mark at the start of a footnote."""
    element = _mark_element(block)
    if mark_at_start(block) != label:
        return
    if element is None:
        block.text = _MARK_IN_TEXT.sub("", block.text or "", count=1)
        return
    rest = _CLOSING.sub("", element.tail or "", count=1)
    element.tail = None
    if (parent := element.getparent()) is not None:
        parent.text = rest
        parent.remove(element)


def _mark_element(block: HtmlElement) -> HtmlElement | None:
    """Return the outermost first element that contains only a mark."""
    element = block
    for _ in range(_MAX_MARK_LEVELS):
        if len(element) == 0 or not _OPENING.fullmatch(element.text or "") or element[0].tag not in _MARK_ELEMENTS:
            return None
        element = element[0]
        if _MARK_ELEMENT.fullmatch(element.text_content()):
            return element
    return None
