"""Footnotes, endnotes and comments: references in the text, and the list at the end of the document."""

from collections.abc import Callable

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.block_builder import new_element

ReadNote = Callable[[HtmlElement], None]
"""Appends the content of a note to its item."""

MAX_NOTES = 20_000


class NoteList:
    """The notes of a document in the order of their references."""

    def __init__(self) -> None:
        self._items: dict[str, ReadNote] = {}
        self._labels: dict[str, str] = {}
        self._counts = {"": 0, "c": 0}

    def reference(self, key: str, read: ReadNote, prefix: str = "") -> HtmlElement | None:
        """Return a reference to a note. None over the limit of notes.

        Args:
            key: Identifies the note in the document.
            read: Reads the note. It is called when the list is written.
            prefix: What the label begins with: `c` for comments.
        """
        if key not in self._labels:
            if len(self._labels) >= MAX_NOTES:
                return None
            self._counts[prefix] += 1
            self._labels[key] = f"{prefix}{self._counts[prefix]}"
            self._items[key] = read
        label = self._labels[key]
        mark = new_element("sup")
        link = etree.SubElement(mark, "a", href=f"#fn-{label}")
        link.text = label
        return mark

    def append_to(self, root: HtmlElement) -> None:
        """Append the notes to a document. Notes that other notes refer to follow."""
        if not self._items:
            return
        listed = etree.SubElement(root, "ol")
        listed.set("class", "footnotes")
        while self._items:
            key = next(iter(self._items))
            read = self._items.pop(key)
            item = etree.SubElement(listed, "li", id=f"fn-{self._labels[key]}")
            item.set("data-label", self._labels[key])
            read(item)
