"""A page without what nobody reads: scripts and styles, controls, and what the page itself hides."""

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.elements import BLOCKS, SILENT, is_hidden, name
from mediakit.tools.documents.web_to_markdown.markdown.mathematics import formula
from mediakit.tools.documents.web_to_markdown.markdown.tree import body_of

FEW = 1000
"""Characters below which a page shows too little to be all of it."""

MUCH = 400
"""Characters that no button holds: an element that does is one that was never closed, or wraps the page."""

LINE = 25
"""Characters of a line in the body itself that is a block of its own."""

_WRAPPERS = frozenset(("button", "dialog", "select", "object", "canvas"))
_UNSEEN = frozenset(("noscript", "template"))


def clean(root: HtmlElement) -> None:
    """Take out of a tree what is not read.

    A page that shows next to nothing without its scripts gives what it keeps for readers without them, or hides until
    they have run.
    """
    for element in list(root.iter(*SILENT)):
        if not _is_kept(element):
            _drop(element)
    hidden = [element for element in root.iter() if name(element) and is_hidden(element) and element.tag != "body"]
    unseen = list(root.iter(*_UNSEEN))
    shown = _length(root) - sum(map(_length, _outermost(hidden + unseen)))
    if shown < FEW:
        unseen = [element for element in unseen if not _is_shown_after_all(element, shown)]
        hidden = _still_hidden(hidden, shown)
    for element in hidden + unseen:
        _drop(element)
    _set_apart(body_of(root))


def _set_apart(body: HtmlElement) -> None:
    """Put lines that stand in the body itself into blocks of their own, so that each can stay or go."""
    run: list[HtmlElement] = []
    for child in [*body, None]:
        if child is not None and not _is_block(child):
            run.append(child)
            continue
        if _has_formula(run) or sum(_length(each) + len((each.tail or "").strip()) for each in run) >= LINE:
            block = body.makeelement("div")
            run[0].addprevious(block)
            if body[0] is block:
                block.text, body.text = body.text, None
            block.extend(run)
        run = []


def _has_formula(run: list[HtmlElement]) -> bool:
    return any(next(each.iter("math"), None) is not None for each in run)


def _is_block(element: HtmlElement) -> bool:
    return name(element) in BLOCKS or next(element.iterdescendants(*BLOCKS), None) is not None


def _is_shown_after_all(element: HtmlElement, shown: int) -> bool:
    """Show what is kept for readers without scripts, where it is most of the page."""
    if _length(element) <= max(2 * shown, MUCH):
        return False
    element.tag = "div"
    return True


def _still_hidden(hidden: list[HtmlElement], shown: int) -> list[HtmlElement]:
    """Show what is hidden, where it is most of the page; give what stays hidden."""
    if sum(map(_length, _outermost(hidden))) <= 2 * shown:
        return hidden
    for element in hidden:
        element.attrib.pop("hidden", None)
        element.attrib.pop("style", None)
    return []


def _is_kept(element: HtmlElement) -> bool:
    tag = name(element)
    if tag in _WRAPPERS and _length(element) > MUCH and element.find(".//p") is not None:
        element.tag = "div"
        return True
    if tag == "source":  # where a picture stands that its image does not name
        return next(element.iterancestors("picture"), None) is not None
    if tag == "input":
        return (element.get("type") or "").lower() == "checkbox"
    return tag in _UNSEEN or (tag == "script" and formula(element) is not None) or element.getparent() is None


def _drop(element: HtmlElement) -> None:
    parent = element.getparent()
    if parent is not None:
        element.drop_tree()


def _outermost(elements: list[HtmlElement]) -> list[HtmlElement]:
    found = set(elements)
    return [element for element in elements if not any(parent in found for parent in element.iterancestors())]


def _length(element: HtmlElement) -> int:
    return sum(len(text.strip()) for text in element.itertext() if text)
