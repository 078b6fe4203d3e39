"""Lists of OpenDocument: their kind, and the number of each item (OpenDocument 1.3, 5.3)."""

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.odt.names import STYLE_NAME, TEXT, XML_ID, Element, count
from mediakit.tools.documents.document_to_markdown.readers.odt.styles import OpenStyles


class ListNumbers:
    """Counts the items of lists that continue other ones."""

    def __init__(self) -> None:
        self._next_by_style: dict[tuple[str, int], int] = {}
        self._next_by_id: dict[str, int] = {}

    def first(self, element: Element, style: str, level: int, start: int) -> int:
        """Return the number of the first item of a list."""
        continued = element.get(f"{TEXT}continue-list")
        if continued and continued in self._next_by_id:
            return self._next_by_id[continued]
        if element.get(f"{TEXT}continue-numbering") == "true":
            return self._next_by_style.get((style, level), start)
        return start

    def end(self, element: Element, style: str, level: int, number: int) -> None:
        """Remember the number that follows the last item of a list."""
        self._next_by_style[style, level] = number
        identifier = element.get(XML_ID)
        if identifier:
            self._next_by_id[identifier] = number


class ListWriter:
    """Appends the items of one list to HTML lists. A number that does not follow the last one begins another list."""

    def __init__(self, parent: HtmlElement, styles: OpenStyles, style: str, level: int, number: int) -> None:
        self._parent = parent
        self._level = styles.list_level(style, level)
        self._element: HtmlElement | None = None
        self.number = number

    def item(self, element: Element) -> HtmlElement:
        """Append an item and return it."""
        stated = element.get(f"{TEXT}start-value")
        if stated is not None and count(stated, self.number) != self.number:
            self.number, self._element = count(stated, self.number), None
        if self._element is None:
            self._element = etree.SubElement(self._parent, "ol" if self._level.is_ordered else "ul")
            if self._level.is_ordered and self.number != 1:
                self._element.set("start", str(self.number))
        self.number += 1
        return etree.SubElement(self._element, "li")


def list_style(element: Element, inherited: str) -> str:
    """Return the name of a list's style: its own, or that of the list around it."""
    return element.get(STYLE_NAME) or inherited
