"""The tree of an attempt as plain objects: texts, link density, removal, and paragraphs of inline content."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader_view.patterns import BLOCK_ELEMENTS, PHRASING_ELEMENTS

ANCHOR_LINK_WEIGHT = 0.3
"""Weight of the text of links within the page, compared with that of other links."""

MAX_KEPT_CHARACTERS = 1_000
"""Longer texts are joined again each time, so that nested elements do not multiply the memory that a page takes."""


_NO_ATTRIBUTES: Mapping[str, str] = {}


class Node:
    """An element. Reading and changing it takes a fraction of the time of an element of lxml."""

    __slots__ = ("attributes", "children", "end", "index", "joined_text", "parent", "start", "tag", "tail", "text")

    def __init__(self, tag: str, text: str | None, tail: str | None, parent: "Node | None") -> None:
        self.tag = tag
        """The tag name. Empty for a removed element, of which only the tail is left."""
        self.text = text
        self.tail = tail
        self.parent = parent
        self.children: list[Node] = []
        self.attributes = _NO_ATTRIBUTES
        self.index: int | None = None
        """The index of the text block, if the element contains text directly."""
        self.start = self.end = 0
        """Positions of the element and of its last descendant in document order, within the article."""
        self.joined_text: str | None = None
        """The text of the element and its descendants, if it is known."""

    def text_of(self) -> str:
        """Return the text as one line."""
        pieces: list[str] = []
        self.collect_text(pieces)
        return " ".join("".join(pieces).split())

    def collect_text(self, pieces: list[str]) -> int:
        """Add the text to a list of texts, and return its length."""
        if self.joined_text is not None:
            pieces.append(self.joined_text)
            return len(self.joined_text)
        first, length = len(pieces), 0
        if self.text:
            pieces.append(self.text)
            length = len(self.text)
        for child in self.children:
            length += child.collect_text(pieces)
            if child.tail:
                pieces.append(child.tail)
                length += len(child.tail)
        if self.children and length <= MAX_KEPT_CHARACTERS:
            self.joined_text = "".join(pieces[first:])
            pieces[first:] = [self.joined_text]
        return length

    def forget_text(self) -> None:
        """Forget the texts of the element and its ancestors, because a part of them was removed."""
        node: Node | None = self
        while node is not None:
            node.joined_text = None
            node = node.parent

    def ancestors(self) -> Iterator["Node"]:
        """Yield the elements around this one, the innermost one first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def descendants(self) -> Iterator["Node"]:
        """Yield the elements in this one in document order."""
        for child in self.children:
            yield child
            yield from child.descendants()


class Tree:
    """The elements of an attempt, which is discarded as a whole."""

    def __init__(self, body: HtmlElement, indexes: Mapping[HtmlElement, int]) -> None:
        self._nodes: list[Node] = []
        self._with_breaks: set[Node] = set()
        """The elements that have a `br` among their children."""
        self.body = self._copy(body, None, indexes)

    def _copy(self, element: HtmlElement, parent: Node | None, indexes: Mapping[HtmlElement, int]) -> Node:
        node = Node(str(element.tag), element.text, element.tail, parent)
        self._nodes.append(node)
        if parent is not None and node.tag == "br":
            self._with_breaks.add(parent)
        node.index = indexes.get(element)
        if attributes := element.items():
            node.attributes = dict(attributes)
        node.children = [self._copy(child, node, indexes) for child in element]
        return node

    def create(self, tag: str, parent: Node | None, text: str | None = None) -> Node:
        """Return a new element, which is not yet among the children of its parent."""
        node = Node(tag, text, None, parent)
        self._nodes.append(node)
        return node

    def discard(self) -> None:
        """Separate all elements. Otherwise, only a search for reference cycles could free them."""
        for node in self._nodes:
            node.parent = None
            node.children = []

    def split_at_breaks(self) -> None:
        """Convert the content after two consecutive `br` elements to a paragraph."""
        for node in [node for node in self._nodes if node in self._with_breaks]:
            self._split(node)

    def _split(self, node: Node) -> None:
        rest, node.children = node.children, []
        position = 0
        while position < len(rest):
            child = rest[position]
            position += 1
            if _is_double_break(rest, position - 1):
                paragraph = self.create("p", node)
                while _is_break(rest, position) and not _has_tail(child):
                    child = rest[position]
                    position += 1
                paragraph.text = child.tail
                start = position
                while position < len(rest) and rest[position].tag != "p" and is_phrasing(rest[position]):
                    if _is_double_break(rest, position):
                        break
                    position += 1
                _move(rest[start:position], paragraph)
                child = paragraph
                if node.tag == "p":
                    node.tag = "div"
            node.children.append(child)

    def wrap_inline_content(self, node: Node) -> None:
        """Put each run of inline content into a paragraph. A node with inline content only is not changed."""
        children = [(child, is_phrasing(child)) for child in node.children]
        if all(is_inline for _, is_inline in children):
            return
        node.children = []
        if paragraph := self._paragraph(node, node.text):
            node.text = None
        for child, is_inline in children:
            if not is_inline:
                node.children.append(child)
                if paragraph := self._paragraph(node, child.tail):
                    child.tail = None
            elif paragraph is None and child.tag == "br" and not _has_tail(child):
                node.children.append(child)
            else:
                if paragraph is None:
                    paragraph = self.create("p", node)
                    node.children.append(paragraph)
                _move([child], paragraph)

    def _paragraph(self, node: Node, text: str | None) -> Node | None:
        """Add a paragraph with a text to the children of a node, if the text is not blank."""
        if not (text and text.strip()):
            return None
        node.children.append(paragraph := self.create("p", node, text))
        return paragraph


def _move(nodes: list[Node], parent: Node) -> None:
    for node in nodes:
        node.parent = parent
    parent.children += nodes


def _is_break(siblings: list[Node], position: int) -> bool:
    return position < len(siblings) and siblings[position].tag == "br"


def _is_double_break(siblings: list[Node], position: int) -> bool:
    return _is_break(siblings, position) and _is_break(siblings, position + 1) and not _has_tail(siblings[position])


def _has_tail(node: Node) -> bool:
    return bool((node.tail or "").strip())


def is_phrasing(node: Node) -> bool:
    """Return whether a node is inline content."""
    return node.tag in PHRASING_ELEMENTS or (node.tag in ("a", "del", "ins") and all(map(is_phrasing, node.children)))


def names_of(node: Node) -> str:
    """Return the class names and the id of a node, with a space between them. Empty without any."""
    names = f"{node.attributes.get('class', '')} {node.attributes.get('id', '')}" if node.attributes else ""
    return names if len(names) > 1 else ""


def is_inside(node: Node, tag: str, levels: int = 3) -> bool:
    """Return whether one of the nearest ancestors of a node has a tag."""
    return any(ancestor.tag == tag for ancestor in islice(node.ancestors(), levels))


def has_block(node: Node) -> bool:
    """Return whether a node contains a block element."""
    return any(child.tag in BLOCK_ELEMENTS or has_block(child) for child in node.children)


def has_own_text(node: Node) -> bool:
    """Return whether a node contains text outside of its child elements."""
    return bool((node.text or "").strip()) or any(map(_has_tail, node.children))


def link_weight(link: Node) -> float:
    """Return the weight of a link's text in the link density."""
    return ANCHOR_LINK_WEIGHT if link.attributes.get("href", "").startswith("#") else 1


def link_density(length: int, links: Iterable[Node]) -> float:
    """Return the share of a text with this number of characters that is in links."""
    return sum(len(link.text_of()) * link_weight(link) for link in links) / length if length else 0.0


def text_and_link_lengths(body: Node) -> dict[Node, tuple[int, float]]:
    """Return the number of characters of each node's text, and the weighted number of those in links."""
    lengths: dict[Node, tuple[int, float]] = {}

    def measure(node: Node) -> tuple[int, float]:
        chars, in_links = 0, 0.0
        for child in reversed(node.children):
            child_chars, child_in_links = measure(child)
            chars += child_chars + (_line_length(child.tail) if child.tail else 0)
            in_links += child_in_links
        if node.text:
            chars += _line_length(node.text)
        lengths[node] = result = chars, chars * link_weight(node) if node.tag == "a" else in_links
        return result

    measure(body)
    return lengths


def _line_length(text: str) -> int:
    return 0 if text.isspace() else len(" ".join(text.split()))
