"""Builds the blocks of a document from its paragraphs in order: nested lists, code blocks, quotes."""

from dataclasses import dataclass

from lxml import etree, html
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.inline_tree import append_text


@dataclass(slots=True)
class _OpenList:
    level: int
    key: str
    element: HtmlElement
    item: HtmlElement
    next_number: int
    indent: int


_PARSER = html.HTMLParser(encoding="utf-8")


def new_element(tag: str) -> HtmlElement:
    """Return a new HTML element."""
    element: HtmlElement = _PARSER.makeelement(tag)
    return element


class BlockBuilder:
    """Appends blocks to an element."""

    def __init__(self, root: HtmlElement) -> None:
        self.root = root
        self._lists: list[_OpenList] = []
        self._group: HtmlElement | None = None
        """The open block quote, code block or definition list."""
        self._group_tag = ""

    def block(self, tag: str) -> HtmlElement:
        """Append a block element and return it."""
        self._close()
        return etree.SubElement(self.root, tag)

    def grouped(self, group_tag: str, tag: str, *, in_item: bool = False) -> HtmlElement:
        """Append an element to the open group, such as a paragraph of a block quote, and return it.

        Args:
            group_tag: The element around the group.
            tag: The element.
            in_item: Begin the group in the open item of a list.
        """
        return etree.SubElement(self._open_group(group_tag, in_item=in_item), tag)

    def code_lines(self, *, in_item: bool = False) -> HtmlElement:
        """Return the code block that a line of code is appended to. Lines after the first begin with a line feed.

        Args:
            in_item: Begin the block in the open item of a list.
        """
        if not self.is_in_code:
            return self._open_group("pre", in_item=in_item)
        append_text(self._open_group("pre", in_item=in_item), "\n")
        return self._open_group("pre", in_item=in_item)

    def _open_group(self, tag: str, *, in_item: bool) -> HtmlElement:
        if self._group is None or self._group_tag != tag:
            if not in_item:
                self._close()
            self._group = etree.SubElement(self._lists[-1].item if self._lists else self.root, tag)
            self._group_tag = tag
        return self._group

    def item(self, level: int, key: str, number: int | None, indent: int = 0) -> HtmlElement:
        """Append an item of a list and return it.

        Args:
            level: Depth of nesting, from 0.
            key: Identifies the list: items of another list begin a new one.
            number: The number of the item; None for a bullet.
            indent: Indentation of its text, in the document's unit.
        """
        self._group, self._group_tag = None, ""
        while self._lists and self._lists[-1].level > level:
            self._lists.pop()
        tag = "ul" if number is None else "ol"
        last = self._lists[-1] if self._lists else None
        if last and last.level == level and not self._continues(last, key, tag, number):
            self._lists.pop()
            last = self._lists[-1] if self._lists else None
        if last is None or last.level < level:
            parent = self.root if last is None else last.item
            element = etree.SubElement(parent, tag)
            last = _OpenList(level, key, element, element, 1, indent)
            self._lists.append(last)
            if number is not None and number != 1:
                element.set("start", str(number))
        last.item = etree.SubElement(last.element, "li")
        last.indent = indent
        last.next_number = (number or 0) + 1
        return last.item

    def continuation(self, indent: int | None = None, tag: str = "p") -> HtmlElement:
        """Append a paragraph or another block to the open item that content with an indentation belongs to.

        Without an indentation it belongs to the last item. Outside of lists, it is a block.
        """
        self._group, self._group_tag = None, ""
        while indent is not None and self._lists and self._lists[-1].indent > indent:
            self._lists.pop()
        return etree.SubElement(self._lists[-1].item, tag) if self._lists else self.block(tag)

    def append_point(self) -> HtmlElement:
        """Return the element that a block is appended to which belongs to no list: the root."""
        self._close()
        return self.root

    def block_in_item(self) -> HtmlElement:
        """Return the element that a table, a chart or a text box is appended to: the open item, or the root."""
        self._group, self._group_tag = None, ""
        return self._lists[-1].item if self._lists else self.root

    @property
    def is_in_list(self) -> bool:
        """Whether the last block is an item of a list."""
        return bool(self._lists)

    @property
    def is_in_code(self) -> bool:
        """Whether the last block is a line of code."""
        return self._group_tag == "pre"

    def _continues(self, opened: _OpenList, key: str, tag: str, number: int | None) -> bool:
        """Return whether an item belongs to a list. Markdown counts items, so that another number begins a list."""
        return opened.key == key and opened.element.tag == tag and number in (None, opened.next_number)

    def _close(self) -> None:
        self._lists.clear()
        self._group, self._group_tag = None, ""
