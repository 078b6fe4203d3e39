"""A story: the text of the body or of the footnotes, which have parts and relationships of their own."""

from collections.abc import Iterator
from typing import Protocol

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.package import Relationships
from mediakit.engines.docx_writer.state import State
from mediakit.engines.docx_writer.xml_tree import Element

DOCUMENT_PART = "word/document.xml"


class FootnoteMarks(Protocol):
    """Writes the marks of footnotes."""

    def has(self, anchor: str) -> bool:
        """Return whether an anchor is a footnote."""

    def holds(self, element: HtmlElement) -> bool:
        """Return whether an element is or contains a list of footnotes."""

    def refer(self, anchor: str, story: "Story") -> list[Element]:
        """Return the mark of a footnote."""


class Story:
    """The text of one part."""

    def __init__(self, document: State, part: str, notes: "FootnoteMarks | None") -> None:
        self.document = document
        self.part = part
        self.notes = notes
        self._waiting: list[Element] = []
        """Bookmarks for the next paragraph."""

    @property
    def relationships(self) -> Relationships:
        """Relationships of the part."""
        return self.document.package.related(self.part)

    def bookmarks_of(self, element: HtmlElement) -> Iterator[Element]:
        """Yield the start and the end of the bookmark at an element, if there is one."""
        anchor = element.get("id") or (element.get("name") if element.tag == "a" else None)
        if anchor and anchor in self.document.anchors and (marks := self.document.bookmarks.place(anchor)):
            yield from marks

    def hold_bookmarks(self, element: HtmlElement) -> None:
        """Keep the bookmark at a block for the first paragraph in it."""
        self._waiting += self.bookmarks_of(element)

    def take_bookmarks(self) -> list[Element]:
        """Return the bookmarks that wait for a paragraph."""
        waiting, self._waiting = self._waiting, []
        return waiting
