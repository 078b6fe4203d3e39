"""Converts inline content and line breaks to paragraphs."""

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader.reader_view.patterns import BLOCK_ELEMENTS, is_phrasing


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
