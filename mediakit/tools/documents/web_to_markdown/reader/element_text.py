"""The text of an element."""

from lxml.html import HtmlElement


def element_text(element: HtmlElement) -> str:
    """Return the text of an element and its descendants as one line."""
    if len(element):
        return " ".join(" ".join(element.itertext()).split())
    return " ".join((element.text or "").split())
