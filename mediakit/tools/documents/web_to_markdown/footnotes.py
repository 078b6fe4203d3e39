"""Rewrites the footnotes of a page as a numbered list that the references link to.

Pages mark footnotes in many ways: as paragraphs that begin with their number, and as a list without links. The Markdown
writer knows one form: an `ol` with the class `footnotes`, whose items have an `id`.
"""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    HEADING_LEVELS,
    class_names,
    tag_name,
)

_NOTE_BLOCKS = frozenset(("p", "div", "section", "article", "aside"))
"""Elements that can be a footnote."""

_NOTES_NAME = re.compile(r"foot-?note|end-?note", re.IGNORECASE)
_ID_PREFIX = "mediakit-footnote-"
MAX_START_DIGITS = 6

Positions = dict[HtmlElement, int]


def normalize_footnotes(body: HtmlElement) -> None:
    """Rewrite footnotes that a reference links to, and those that have the number of a superscript before them."""
    if next(body.iter("a", "sup"), None) is not None:
        positions = {element: index for index, element in enumerate(body.iter())}
        _rewrite_linked(body, positions)
        _rewrite_lists_without_links(body, positions)


def _rewrite_linked(body: HtmlElement, positions: Positions) -> None:
    """Rewrite the blocks that a number links to and that begin with the same number."""
    links: dict[str, HtmlElement] = {}
    for link in body.iter("a"):
        _, separator, name = (link.get("href") or "").rpartition("#")
        if separator and name and reference_label(link.text_content()):
            links.setdefault(name, link)
    found: dict[HtmlElement, tuple[str, str, HtmlElement]] = {}
    shared: set[HtmlElement] = set()
    for name, target in list(_targets(body, links)):
        link = links[name]
        label = reference_label(link.text_content())
        block = _note_block(target, label) if positions[link] < positions[target] else None
        if block is not None:
            if block in found:
                shared.add(block)
            found[block] = name, label, link
    labels: set[str] = set()
    for block, (name, label, link) in found.items():
        if block not in shared and label not in labels and not _contains_another(block, found):
            labels.add(label)
            _drop_links_to(block, link)
            _move_to_list(block, name, label)


def _targets(body: HtmlElement, names: dict[str, HtmlElement]) -> Iterator[tuple[str, HtmlElement]]:
    """Yield the first element with each name."""
    missing = set(names)
    for element in body.iter():
        for name in (element.get("id"), element.get("name")):
            if name in missing:
                missing.remove(name)
                yield name, element


def _note_block(target: HtmlElement, label: str) -> HtmlElement | None:
    """Return the block that begins with a label at or in the target of a link. None if there is none."""
    block = target
    while tag_name(block) not in BLOCK_ELEMENTS or has_only_mark(block, label):
        parent = block.getparent()
        if parent is None or block.tag == "body":
            return None
        block = parent
    if block.tag not in _NOTE_BLOCKS or next(block.iter(*HEADING_LEVELS), None) is not None:
        return None
    return block if mark_at_start(block) == label else None


def _contains_another(block: HtmlElement, found: dict[HtmlElement, tuple[str, str, HtmlElement]]) -> bool:
    return any(element is not block and element in found for element in block.iter())


def _drop_links_to(block: HtmlElement, reference: HtmlElement) -> None:
    """Remove the links from a footnote back to its reference."""
    names = {reference.get("id"), reference.get("name")}
    for ancestor in list(reference.iterancestors())[:3]:
        names.add(ancestor.get("id"))
    for link in block.findall(".//a"):
        name = (link.get("href") or "").rpartition("#")[2]
        if name and name in names and not mark_at_start(link):
            link.drop_tree()


def _move_to_list(block: HtmlElement, name: str, label: str) -> None:
    """Make a footnote an item of a list: the one before it, or else a new one."""
    notes = block.getprevious()
    if notes is None or (notes.tail or "").strip() or (notes.tag, notes.get("class")) != ("ol", "footnotes"):
        notes = block.makeelement("ol", {"class": "footnotes"})
        block.addprevious(notes)
    notes.tail, block.tail = block.tail, None
    notes.append(block)
    block.tag = "li"
    block.attrib.clear()
    block.attrib.update({"id": name, "data-label": label})
    drop_mark(block, label)


def _rewrite_lists_without_links(body: HtmlElement, positions: Positions) -> None:
    """Rewrite lists of footnotes, and lists in the margin, whose numbers are those of superscripts before them."""
    references: dict[str, list[HtmlElement]] = {}
    for element in body.iter("sup"):
        if element.find(".//a") is None and next(element.iterancestors("a"), None) is None:
            references.setdefault(reference_label(element.text_content()), []).append(element)
    for notes in body.iter("ol") if references else ():
        start, parent = notes.get("start") or "1", notes.getparent()
        first = int(start) if start.isdecimal() and len(start) < MAX_START_DIGITS else 1
        items = {str(number): item for number, item in enumerate(notes.findall("li"), start=first)}
        is_in_margin = parent is not None and parent.tag == "aside" and len(parent) == 1
        is_named = any(_NOTES_NAME.search(class_names(element)) for element in (notes, *notes.iterancestors()))
        if not ((is_named or is_in_margin) and items and items.keys() <= references.keys()):
            continue
        if all(positions[references[label][0]] < positions[notes] for label in items):
            notes.set("class", "footnotes")
            for label, item in items.items():
                item.attrib.update({"id": _ID_PREFIX + label, "data-label": label})
                for reference in references.pop(label):
                    link = reference.makeelement("a", {"href": f"#{_ID_PREFIX}{label}"})
                    link.text, reference.text, reference[:] = label, None, [link]


_MARK = r"\d{1,3}|[*†‡§]"
_REFERENCE = re.compile(rf"\s*[\[(]?\s*({_MARK})\s*[\])]?\s*")
"""Text of a reference."""

_MARK_ELEMENT = re.compile(rf"\s*[\[(]?\s*({_MARK})\s*[\])]?\s*[.:]?\s*")
"""Text of the element that contains the mark of a footnote."""

_MARK_IN_TEXT = re.compile(rf"\s*[\[(]?({_MARK})(?:[\])]?[.:]|[\])])?\s+")
"""A mark that is not in its own element."""

_OPENING = re.compile(r"\s*[\[(]?\s*")
_CLOSING = re.compile(r"\s*[\])]?\s*[.:]?\s*")
_MARK_ELEMENTS = ("sup", "a", "strong", "b", "span", "div", "label", "p", "font", "small")
_MAX_MARK_LEVELS = 4


def reference_label(text: str) -> str:
    """Return the number or sign in the text of a reference. Empty for other texts."""
    match = _REFERENCE.fullmatch(text)
    return match[1] if match else ""


def mark_at_start(block: HtmlElement) -> str:
    """Return the number or sign that a block begins with. Empty if it begins with other text."""
    element = _mark_element(block)
    match = _MARK_ELEMENT.fullmatch(element.text_content()) if element is not None else None
    match = match or _MARK_IN_TEXT.match(block.text or "")
    return match[1] if match else ""


def has_only_mark(block: HtmlElement, label: str) -> bool:
    """Return whether an element contains only the mark of a footnote."""
    match = _MARK_ELEMENT.fullmatch(block.text_content())
    return match is not None and match[1] == label


def drop_mark(block: HtmlElement, label: str) -> None:
    """Remove the mark at the start of a footnote."""
    element = _mark_element(block)
    if mark_at_start(block) != label:
        return
    if element is None:
        block.text = _MARK_IN_TEXT.sub("", block.text or "", count=1)
        return
    rest = _CLOSING.sub("", element.tail or "", count=1)
    element.tail = None
    if (parent := element.getparent()) is not None:
        parent.text = rest
        parent.remove(element)


def _mark_element(block: HtmlElement) -> HtmlElement | None:
    """Return the outermost first element that contains only a mark."""
    element = block
    for _ in range(_MAX_MARK_LEVELS):
        if len(element) == 0 or not _OPENING.fullmatch(element.text or "") or element[0].tag not in _MARK_ELEMENTS:
            return None
        element = element[0]
        if _MARK_ELEMENT.fullmatch(element.text_content()):
            return element
    return None
