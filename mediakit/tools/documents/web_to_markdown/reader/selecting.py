"""Elements by CSS selector: those to give, and those to leave out."""

from cssselect import SelectorError
from lxml import etree
from lxml.html import HtmlElement

from mediakit.core.messages import quote
from mediakit.errors import InvalidInput


def remove(root: HtmlElement, selectors: tuple[str, ...]) -> None:
    """Take elements out of a page.

    Raises:
        InvalidInput: A selector is none.
    """
    for selector in selectors:
        for element in _matches(root, selector, "remove"):
            if element.getparent() is not None and element.tag not in ("html", "body"):
                element.drop_tree()


def select(root: HtmlElement, selector: str | None) -> list[HtmlElement] | None:
    """Find the elements to give, each once.

    Raises:
        InvalidInput: The selector is none, or matches nothing.
    """
    if selector is None:
        return None
    found = _matches(root, selector, "selector")
    if not found:
        raise InvalidInput(f"selector: {quote(selector)} matches nothing on the page.")
    taken = set(found)
    return [element for element in found if not any(parent in taken for parent in element.iterancestors())]


def gathered(elements: list[HtmlElement]) -> HtmlElement:
    """Put elements below each other in a body of their own."""
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
        raise InvalidInput(f"{field}: {quote(selector)} is no CSS selector that can be used here ({error}).") from None
