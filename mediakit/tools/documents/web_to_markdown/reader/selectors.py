"""Selects and removes elements by CSS selector."""

from cssselect import SelectorError
from lxml import etree
from lxml.html import HtmlElement

from mediakit.core.messages import quote
from mediakit.errors import InvalidInput


def remove_elements(root: HtmlElement, selectors: tuple[str, ...]) -> None:
    """Remove the elements that match any of the selectors.

    Raises:
        InvalidInput: A selector is invalid.
    """
    for selector in selectors:
        for element in _matches(root, selector, "remove"):
            if element.getparent() is not None and element.tag not in ("html", "body"):
                element.drop_tree()


def select_elements(root: HtmlElement, selector: str | None) -> list[HtmlElement] | None:
    """Return the elements that match a selector, without those inside other matches. None without a selector.

    Raises:
        InvalidInput: The selector is invalid or matches no element.
    """
    if selector is None:
        return None
    found = _matches(root, selector, "selector")
    if not found:
        raise InvalidInput(f"selector: must match an element of the page, {quote(selector)} matches none.")
    matches = set(found)
    return [element for element in found if not any(parent in matches for parent in element.iterancestors())]


def move_to_body(elements: list[HtmlElement]) -> HtmlElement:
    """Move elements into a new body and return it. A selected `body` or `html` element is returned itself."""
    body: HtmlElement = elements[0].makeelement("body")
    for element in elements:
        if element.tag in ("html", "body"):
            return element
        element.tail = None
        body.append(element)
    return body


def _matches(root: HtmlElement, selector: str, field: str) -> list[HtmlElement]:
    try:
        return list(root.cssselect(selector))
    except (SelectorError, etree.XPathError, ValueError) as error:
        raise InvalidInput(f"{field}: must be a supported CSS selector, got {quote(selector)} ({error}).") from None
