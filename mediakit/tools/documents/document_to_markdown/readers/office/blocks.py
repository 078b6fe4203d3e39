"""Builds the HTML tree of a document: inline text, blocks, anchors, notes and plain tables."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from lxml import etree, html
from lxml.html import HtmlElement

from mediakit.engines.rich_text.markdown import slug, unique
from mediakit.tools.documents.document_to_markdown.readers.office import Role

Mark = tuple[str, str]
"""An element around text, and its address if it is a link: `("strong", "")`, `("a", "https://example.com")`."""

Marks = tuple[Mark, ...]
"""The elements around a piece, in no particular order."""

Piece = tuple[Marks, str | HtmlElement]
"""A text or an element, with its marks."""

STRONG: Mark = ("strong", "")
EMPHASIS: Mark = ("em", "")
STRIKE: Mark = ("del", "")
CODE: Mark = ("code", "")
SUPERSCRIPT: Mark = ("sup", "")
SUBSCRIPT: Mark = ("sub", "")

_INNERMOST = CODE
"""Code contains only text, so that it is the innermost element."""


def append_pieces(parent: HtmlElement, pieces: Sequence[Piece]) -> None:
    """Append pieces to an element. Of the marks of a piece, the one that spans most pieces is the outermost."""
    merged = merge_texts(pieces)
    _append(parent, merged, 0, len(merged), frozenset())


def merge_texts(pieces: Sequence[Piece]) -> list[Piece]:
    """Return pieces with one text in place of neighboring texts of the same marks."""
    merged: list[Piece] = []
    for (marks, is_text), group in groupby(pieces, key=lambda piece: (piece[0], isinstance(piece[1], str))):
        if is_text:
            merged.append((marks, "".join(content for _, content in group if isinstance(content, str))))
        else:
            merged += group
    return merged


def has_content(pieces: Sequence[Piece]) -> bool:
    """Return whether pieces show anything: more than spaces, line breaks and anchors."""
    return any(content.strip() if isinstance(content, str) else content.tag not in ("br", "a") for _, content in pieces)


def prepend_text(element: HtmlElement, text: str) -> None:
    """Put a text before the contents of an element, into its first paragraph."""
    target = element[0] if len(element) and not (element.text or "").strip() and element[0].tag == "p" else element
    target.text = text + (target.text or "")


def move_content(source: HtmlElement, target: HtmlElement) -> None:
    """Move the contents of an element into an empty one."""
    target.text = source.text
    target.extend(list(source))


def append_text(parent: HtmlElement, text: str) -> None:
    """Append a text to the contents of an element."""
    if len(parent):
        last = parent[-1]
        last.tail = (last.tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _append(parent: HtmlElement, pieces: Sequence[Piece], index: int, end: int, opened: frozenset[Mark]) -> None:
    while index < end:
        marks, content = pieces[index]
        if len(opened) < len(marks) and (waiting := [mark for mark in marks if mark not in opened]):
            mark, stop = _longest(pieces, index, end, waiting)
            child = etree.SubElement(parent, mark[0])
            if mark[1]:
                child.set("href", mark[1])
            _append(child, pieces, index, stop, opened | {mark})
            index = stop
            continue
        if isinstance(content, str):
            append_text(parent, content)
        else:
            parent.append(content)
        index += 1


def _longest(pieces: Sequence[Piece], index: int, end: int, marks: list[Mark]) -> tuple[Mark, int]:
    best, best_stop = marks[0], -1
    for mark in sorted(marks, key=lambda mark: (mark == _INNERMOST, mark[0] != "a")):
        stop = index + 1
        while stop < end and mark in pieces[stop][0]:
            stop += 1
        if best_stop < 0 or (stop > best_stop and mark != _INNERMOST and best[0] != "a"):
            best, best_stop = mark, stop
    return best, best_stop


_PARSER = html.HTMLParser(encoding="utf-8")


def new_element(tag: str) -> HtmlElement:
    """Return a new HTML element."""
    element: HtmlElement = _PARSER.makeelement(tag)
    return element


_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def check_box(*, is_checked: bool) -> HtmlElement:
    """Return the box that makes an item one of a task list."""
    box = new_element("input")
    box.set("type", "checkbox")
    if is_checked:
        box.set("checked", "")
    return box


class Anchors:
    """The bookmarks of a document that links point to. Others are not written."""

    def __init__(self, wanted: Iterable[str] = ()) -> None:
        self._wanted = frozenset(wanted)
        self._names: dict[str, str] = {}
        """Names of bookmarks that are written under another name."""
        self._headings: dict[str, HtmlElement] = {}

    def bookmark(self, name: str, pieces: list[Piece]) -> None:
        """Write a bookmark at the end of the pieces. One directly after another has its name."""
        if name not in self._wanted or name in self._names:
            return
        last = pieces[-1][1] if pieces else ""
        if not isinstance(last, str) and last.tag == "a" and last.get("data-anchor"):
            self._names[name] = last.get("data-anchor") or name
            return
        self._names[name] = name
        anchor = new_element("a")
        anchor.set("data-anchor", name)
        pieces.append(((), anchor))

    def move_to_heading(self, heading: HtmlElement) -> None:
        """Let the bookmarks in a heading point to the heading."""
        for anchor in heading.findall(".//a"):
            name = anchor.get("data-anchor")
            if name is not None:
                self._headings[name] = heading
                anchor.drop_tree()

    def resolve(self, root: HtmlElement) -> None:
        """Set the addresses of all links to bookmarks in a finished tree."""
        links = [link for link in root.iter("a") if (link.get("href") or "").startswith("#")]
        if not links:
            return
        slugs = heading_slugs(root) if self._headings else {}
        for link in links:
            name = (link.get("href") or "")[1:]
            name = self._names.get(name, name)
            heading = self._headings.get(name)
            link.set("href", f"#{name if heading is None else slugs.get(heading, name)}")


def heading_slugs(root: HtmlElement) -> dict[HtmlElement, str]:
    """Return the anchors that GitHub makes of headings: a repeated one gets a number."""
    slugs: dict[HtmlElement, str] = {}
    taken: dict[str, int] = {}
    for heading in root.iter(*_HEADINGS):
        if anchor := slug(" ".join(heading.text_content().split())):
            slugs[heading] = unique(anchor, taken)
    return slugs


@dataclass(frozen=True, slots=True)
class Item:
    """The item of a list that a paragraph is."""

    level: int
    """Depth of nesting, from 0."""
    key: str
    """Identifies the list: items of another one begin a new list."""
    number: int | None
    """None for a bullet."""
    indent: int = 0
    """Indentation of its text, in the document's unit."""
    has_label: bool = True
    """Whether it has a bullet or a number. Without it, it continues the item before."""


@dataclass(slots=True)
class _OpenList:
    element: HtmlElement
    last: Item
    item: HtmlElement
    """The element of the last item."""


class BlockBuilder:
    """Appends blocks to an element. Anchors of the document in headings point to the heading."""

    def __init__(self, root: HtmlElement, anchors: Anchors | None = None) -> None:
        self.root = root
        self._anchors = anchors
        self._lists: list[_OpenList] = []
        self._group: HtmlElement | None = None
        """The open block quote, code block or definition list."""

    def write_paragraph(
        self, pieces: list[Piece], role: Role = "", level: int = 0, item: Item | None = None, indent: int | None = 0
    ) -> list[Piece]:
        """Append a paragraph as the block that it is, and return what the next paragraph begins with.

        A heading comes before everything else, a line of code before an item without a label, an item before a quote.
        An empty paragraph is written only as a line of code; its anchors belong to the next paragraph. After items, an
        indented paragraph belongs to the open item that its indentation fits, or to the last item if it is None.
        """
        if not has_content(pieces):
            if role == "code" and self._group is not None and self._group.tag == "pre":
                append_text(self._group, "\n")
            return [piece for piece in pieces if not isinstance(piece[1], str) and piece[1].tag == "a"]
        if level or role == "title":
            heading = self.block(f"h{level or 1}")  # bold as a whole
            append_pieces(heading, [(tuple(mark for mark in marks if mark != STRONG), each) for marks, each in pieces])
            if self._anchors:
                self._anchors.move_to_heading(heading)
        elif role == "code" and not (item and item.has_label):
            code = self._grouped("pre", in_item=item is not None)
            texts = (each if isinstance(each, str) else "\n" * (each.tag == "br") for _, each in pieces)
            append_text(code, "".join(("\n" if len(code) or code.text else "", *texts)))
        else:
            append_pieces(self._paragraph_element(role, item, indent), pieces)
        return []

    def _paragraph_element(self, role: Role, item: Item | None, indent: int | None) -> HtmlElement:
        if item and item.has_label:
            return self.item(item)
        if role == "quote":
            return etree.SubElement(self._grouped("blockquote", in_item=item is not None), "p")
        if item:
            return self.continuation(item.indent)
        if role in ("term", "definition"):
            return etree.SubElement(self._grouped("dl"), "dt" if role == "term" else "dd")
        if self._lists and (indent is None or indent > 0 or role == "list"):
            return self.continuation(indent)
        return self.block("p")

    def block(self, tag: str) -> HtmlElement:
        """Append a block element and return it."""
        return etree.SubElement(self.append_point(), tag)

    def append_point(self) -> HtmlElement:
        """Return the element that a block is appended to which belongs to no list: the root."""
        self._lists.clear()
        self._group = None
        return self.root

    def block_in_item(self) -> HtmlElement:
        """Return the element that a table, a chart or a text box is appended to: the open item, or the root."""
        self._group = None
        return self._lists[-1].item if self._lists else self.root

    def continuation(self, indent: int | None = None, tag: str = "p") -> HtmlElement:
        """Append a paragraph or another block to the open item that content with an indentation belongs to.

        Without an indentation it belongs to the last item. Outside of lists, it is a block.
        """
        while indent is not None and self._lists and self._lists[-1].last.indent > indent:
            self._lists.pop()
        return etree.SubElement(self.block_in_item(), tag)

    def item(self, item: Item) -> HtmlElement:
        """Append an item of a list and return it. Markdown counts items, so that another number begins a list."""
        self._group = None
        while self._lists and self._lists[-1].last.level > item.level:
            self._lists.pop()
        if self._lists and (last := self._lists[-1].last).level == item.level:
            following = None if last.number is None else last.number + 1
            if (item.key, item.number) != (last.key, following):  # an item of another list
                self._lists.pop()
        if not self._lists or self._lists[-1].last.level < item.level:
            element = etree.SubElement(self.block_in_item(), "ul" if item.number is None else "ol")
            if item.number not in (None, 1):
                element.set("start", str(item.number))
            self._lists.append(_OpenList(element, item, element))
        opened = self._lists[-1]
        opened.last, opened.item = item, etree.SubElement(opened.element, "li")
        return opened.item

    def _grouped(self, tag: str, *, in_item: bool = False) -> HtmlElement:
        """Return the open group, such as a block quote, or begin one, in the open item of a list or after the lists."""
        if self._group is None or self._group.tag != tag:
            self._group = etree.SubElement(self.block_in_item() if in_item else self.append_point(), tag)
        return self._group

    @property
    def is_in_list(self) -> bool:
        """Whether the last block is an item of a list."""
        return bool(self._lists)


ReadNote = Callable[[HtmlElement], None]
"""Appends the content of a note to its item."""

MAX_NOTES = 20_000


class NoteList:
    """The notes of a document in the order of their references."""

    def __init__(self) -> None:
        self._items: dict[Hashable, ReadNote] = {}
        self._labels: dict[Hashable, str] = {}
        self._counts = {"": 0, "c": 0}

    def reference(self, key: Hashable, read: ReadNote, prefix: str = "") -> HtmlElement | None:
        """Return a reference to the note of a key, which is read when the list is written. None over their limit.

        The label begins with the prefix: `c` for comments.
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
