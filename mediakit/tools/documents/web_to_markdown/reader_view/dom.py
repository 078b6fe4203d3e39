"""Helpers for the tree of an attempt: texts, link density, moves, and paragraphs of inline content."""

from collections.abc import Iterator
from itertools import accumulate

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader_view.patterns import BLOCK_ELEMENTS, is_phrasing

ANCHOR_LINK_WEIGHT = 0.3
"""Weight of the text of links within the page, compared with that of other links."""

MOSTLY_SHARE = 0.9

_string = etree.XPath("string()", smart_strings=False)


def text_of(element: HtmlElement) -> str:
    """Return the text of an element as one line."""
    return " ".join(_string(element).split())


def names_of(element: HtmlElement) -> str:
    """Return the class names and the id of an element, with a space between them."""
    return f"{element.get('class') or ''} {element.get('id') or ''}"


def ancestors(element: HtmlElement, maximum: int) -> Iterator[HtmlElement]:
    """Yield the nearest ancestors of an element up to the body."""
    for level, ancestor in enumerate(element.iterancestors()):
        if level == maximum or ancestor.tag == "html":
            return
        yield ancestor


def is_inside(node: HtmlElement, tag: str, levels: int = 3) -> bool:
    """Return whether one of the nearest ancestors of a node has a tag."""
    return any(ancestor.tag == tag for _, ancestor in zip(range(levels), node.iterancestors(), strict=False))


def link_weight(link: HtmlElement) -> float:
    """Return the weight of a link's text in the link density."""
    return ANCHOR_LINK_WEIGHT if (link.get("href") or "").startswith("#") else 1


def link_density(element: HtmlElement) -> float:
    """Return the share of an element's text that is in links."""
    length = len(text_of(element))
    if not length:
        return 0.0
    return sum(len(text_of(link)) * link_weight(link) for link in element.iterdescendants("a")) / length


def text_and_link_lengths(body: HtmlElement) -> dict[HtmlElement, tuple[int, float]]:
    """Return the number of characters of each element's text, and the weighted number of those in links."""
    lengths: dict[HtmlElement, tuple[int, float]] = {}
    for element in reversed(list(body.iter())):
        chars, in_links = lengths.get(element, (0, 0.0))
        if text := element.text:
            chars += _line_length(text)
        if element.tag == "a":
            in_links = chars * link_weight(element)
        lengths[element] = chars, in_links
        parent = element.getparent()
        if parent is not None:
            outer_chars, outer_in_links = lengths.get(parent, (0, 0.0))
            tail = element.tail
            outer_chars += chars + (_line_length(tail) if tail else 0)
            lengths[parent] = outer_chars, outer_in_links + in_links
    return lengths


def _line_length(text: str) -> int:
    return 0 if text.isspace() else len(" ".join(text.split()))


def is_mostly(element: HtmlElement, text: str, tags: tuple[str, ...]) -> bool:
    """Return whether elements with these tags contain most of the text. Text in nested ones counts repeatedly."""
    minimum = MOSTLY_SHARE * len(text)
    lengths = accumulate(len(text_of(descendant)) for descendant in element.iterdescendants(*tags))
    return bool(text) and any(length > minimum for length in lengths)


def next_node(node: HtmlElement) -> HtmlElement | None:
    """Return the next node in document order."""
    return node[0] if len(node) else _next_outside(node)


def remove_and_get_next(node: HtmlElement) -> HtmlElement | None:
    """Remove a node and return the node after it in document order."""
    following = _next_outside(node)
    drop(node)
    return following


def _next_outside(node: HtmlElement) -> HtmlElement | None:
    """Return the next node in document order that is not inside this one."""
    current: HtmlElement | None = node
    while current is not None:
        following = current.getnext()
        if following is not None:
            return following
        current = current.getparent()
    return None


def drop(node: HtmlElement) -> None:
    """Remove a node with its descendants, if it is still in a tree."""
    if node.getparent() is not None:
        node.drop_tree()


def has_block(node: HtmlElement) -> bool:
    """Return whether a node contains a block element."""
    return len(node) > 0 and next(node.iterdescendants(*BLOCK_ELEMENTS), None) is not None


def has_own_text(node: HtmlElement) -> bool:
    """Return whether a node contains text outside of its child elements."""
    return bool(((node.text or "") + "".join(child.tail or "" for child in node)).strip())


def wrap_inline_content(node: HtmlElement) -> None:
    """Put each run of inline content into a paragraph. A node with inline content only is not changed."""
    children = list(node)
    if all(map(is_phrasing, children)):
        return
    paragraph = _wrap_leading_text(node)
    for child in children:
        if is_phrasing(child):
            if paragraph is None:
                if child.tag == "br" and not (child.tail or "").strip():
                    continue
                paragraph = node.makeelement("p")
                child.addprevious(paragraph)
            paragraph.append(child)
        else:
            paragraph = _wrap_tail(child)


def _wrap_leading_text(node: HtmlElement) -> HtmlElement | None:
    if not (node.text and node.text.strip()):
        return None
    paragraph: HtmlElement = node.makeelement("p")
    paragraph.text, node.text = node.text, None
    node.insert(0, paragraph)
    return paragraph


def _wrap_tail(child: HtmlElement) -> HtmlElement | None:
    if not (child.tail and child.tail.strip()):
        return None
    paragraph: HtmlElement = child.makeelement("p")
    paragraph.text, child.tail = child.tail, None
    child.addnext(paragraph)
    return paragraph


def split_at_breaks(body: HtmlElement) -> None:
    """Convert the content after two consecutive `br` elements to a paragraph."""
    for br in list(body.iter("br")):
        parent, following = br.getparent(), br.getnext()
        if parent is not None and following is not None and following.tag == "br" and not _has_tail(br):
            _start_paragraph(parent, br)


def _start_paragraph(parent: HtmlElement, br: HtmlElement) -> None:
    """Replace a `br` element and the inline content after it with a paragraph."""
    following = _remove_next_breaks(parent, br)
    paragraph = br.makeelement("p")
    paragraph.text, br.tail = br.tail, None
    parent.replace(br, paragraph)
    while following is not None and following.tag != "p" and is_phrasing(following):
        after = following.getnext()
        if following.tag == "br" and after is not None and after.tag == "br" and not _has_tail(following):
            break
        paragraph.append(following)
        following = after
    if parent.tag == "p":
        parent.tag = "div"


def _remove_next_breaks(parent: HtmlElement, br: HtmlElement) -> HtmlElement | None:
    """Remove the `br` elements directly after one and return the next other sibling."""
    following = br.getnext()
    while following is not None and following.tag == "br" and not _has_tail(br):
        br.tail = following.tail
        parent.remove(following)
        following = br.getnext()
    return following


def _has_tail(element: HtmlElement) -> bool:
    return bool((element.tail or "").strip())
