"""The inline content of a paragraph of OpenDocument: spans, links, spaces, notes, frames and bookmarks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.odt.names import (
    DRAW,
    OFFICE,
    STYLE_NAME,
    TEXT,
    XLINK,
    Element,
    count,
)
from mediakit.tools.documents.document_to_markdown.readers.odt.styles import OpenStyles
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Anchors, Marks, Piece, new_element

MAX_SPACES = 1000

_IGNORED = frozenset(
    f"{TEXT}{name}"
    for name in (
        "tracked-changes",
        "alphabetical-index-mark",
        "alphabetical-index-mark-start",
        "toc-mark",
        "user-index-mark",
        "hidden-text",
        "hidden-paragraph",
        "script",
        "note-citation",
        "ruby-text",
    )
)


class Frames(Protocol):
    """Reads what is inside paragraphs beside text."""

    def frame(self, element: Element, inline: "Inline", marks: Marks) -> None:
        """Read a frame or a shape."""

    def note(self, element: Element) -> HtmlElement | None:
        """Return the reference to a footnote or an endnote. None if notes are not read."""

    def comment(self, element: Element) -> HtmlElement | None:
        """Return the reference to a comment. None if comments are not read."""


@dataclass
class Inline:
    """The inline content of a paragraph."""

    pieces: list[Piece] = field(default_factory=list)
    boxes: list[Element | HtmlElement] = field(default_factory=list)
    """Text boxes, tables and charts in frames, which are written after the paragraph."""


class InlineReader:
    """Reads paragraphs."""

    def __init__(self, styles: OpenStyles, anchors: Anchors, frames: Frames) -> None:
        self._styles = styles
        self._anchors = anchors
        self._frames = frames
        self._inline = Inline()
        self._handlers: dict[object, Callable[[Element, Marks], None]] = {
            f"{TEXT}span": self._span,
            f"{TEXT}a": self._link,
            f"{TEXT}s": self._spaces,
            f"{TEXT}tab": lambda _, marks: self._add("\t", marks),
            f"{TEXT}line-break": lambda _, marks: self._add(new_element("br"), marks),
            f"{TEXT}note": lambda element, _: self._reference(self._frames.note(element)),
            f"{OFFICE}annotation": lambda element, _: self._reference(self._frames.comment(element)),
            f"{TEXT}bookmark": self._bookmark,
            f"{TEXT}bookmark-start": self._bookmark,
            f"{TEXT}reference-mark": self._bookmark,
            f"{TEXT}reference-mark-start": self._bookmark,
            f"{TEXT}bookmark-ref": self._cross_reference,
            f"{TEXT}reference-ref": self._cross_reference,
        }

    def read(self, paragraph: Element, marks: Marks = ()) -> Inline:
        """Return the inline content of a paragraph."""
        outer, self._inline = self._inline, Inline()
        self._children(paragraph, marks)
        found, self._inline = self._inline, outer
        return found

    def _children(self, parent: Element, marks: Marks) -> None:
        if parent.text:
            self._add(parent.text, marks)
        for child in parent:
            if isinstance(child.tag, str):
                self._child(child, marks)
            if child.tail:
                self._add(child.tail, marks)

    def _child(self, child: Element, marks: Marks) -> None:
        handler = self._handlers.get(child.tag)
        if handler:
            handler(child, marks)
        elif str(child.tag).startswith(DRAW):
            inline = self._inline
            self._frames.frame(child, inline, marks)
            self._inline = inline
        elif child.tag not in _IGNORED:
            self._children(child, marks)

    def _add(self, content: str | HtmlElement, marks: Marks) -> None:
        self._inline.pieces.append((marks, content))

    def _span(self, element: Element, marks: Marks) -> None:
        added = self._styles.text_marks(element.get(STYLE_NAME) or "")
        if added is not None:  # not hidden
            self._children(element, _combined(marks, added))

    def _link(self, element: Element, marks: Marks) -> None:
        address = element.get(f"{XLINK}href") or ""
        self._children(element, (("a", _internal(address)), *marks) if address else marks)

    def _cross_reference(self, element: Element, marks: Marks) -> None:
        name = element.get(f"{TEXT}ref-name")
        self._children(element, (("a", f"#{name}"), *marks) if name else marks)

    def _spaces(self, element: Element, marks: Marks) -> None:
        self._add(" " * count(element.get(f"{TEXT}c"), 1, MAX_SPACES), marks)

    def _bookmark(self, element: Element, _marks: Marks) -> None:
        self._anchors.bookmark(element.get(f"{TEXT}name") or "", self._inline.pieces)

    def _reference(self, reference: HtmlElement | None) -> None:
        if reference is not None:
            self._inline.pieces.append(((), reference))


def _combined(marks: Marks, added: Marks) -> Marks:
    return (*marks, *(mark for mark in added if mark not in marks))


def _internal(address: str) -> str:
    """Return an address; of a link to a heading or a bookmark (`#name|outline`) without the kind of its target."""
    return address.split("|", maxsplit=1)[0] if address.startswith("#") else address
