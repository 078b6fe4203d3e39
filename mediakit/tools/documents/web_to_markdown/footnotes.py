"""Rewrites the footnotes of a page as a numbered list that the references link to.

Pages mark footnotes in many ways: as paragraphs that begin with their number, as a list without links, and as notes in
the margin. The Markdown writer knows one form: an `ol` with the class `footnotes`, whose items have an `id`.
"""

import re
from collections.abc import Iterator

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    HEADING_LEVELS,
    class_names,
    has_text,
    tag_name,
    word_set,
)

_NOTE_BLOCKS = frozenset(("p", "div", "section", "article", "aside"))
"""Elements that can be a footnote."""

_NOTES_NAME = re.compile(r"foot-?note|end-?note", re.IGNORECASE)
_NOTES_HEADING = re.compile(r"\s*(?:(?:foot|end)?notes|references)\s*:?\s*", re.IGNORECASE)
_BEFORE_MARK = " [(\n\t"
_ID_PREFIX = "mediakit-footnote-"

Positions = dict[HtmlElement, int]


def normalize_footnotes(body: HtmlElement) -> None:
    """Rewrite footnotes that a reference links to, and those that have the number of a superscript before them."""
    if next(body.iter("a", "sup"), None) is not None:
        positions = {element: index for index, element in enumerate(body.iter())}
        _rewrite_linked(body, positions)
        _rewrite_lists_without_links(body, positions)
        _rewrite_paragraphs_without_links(body, positions)
    move_margin_notes(body)


def _rewrite_linked(body: HtmlElement, positions: Positions) -> None:
    """Rewrite the blocks that a number links to and that begin with the same number."""
    links: dict[str, HtmlElement] = {}
    for link in body.iter("a"):
        _, separator, name = (link.get("href") or "").rpartition("#")
        if separator and name and reference_label(link.text_content()):
            links.setdefault(name, link)
    found: dict[HtmlElement, tuple[str, str, HtmlElement]] = {}
    shared: set[HtmlElement] = set()
    targets = _targets(body, links)
    _split_lines_of_notes(targets, links, positions)
    for name, target in targets.items():
        link = links[name]
        label = reference_label(link.text_content())
        block = _note_block(target, label) if positions[link] < positions[target] else None
        if block is not None:
            if block in found:
                shared.add(block)
            found[block] = name, label, link
    labels: set[str] = set()
    _rewrite_items(found)
    for block, (name, label, link) in found.items():
        if block.tag == "li" or block in shared or label in labels:
            continue
        if not any(element in found for element in block.iterdescendants()):
            labels.add(label)
            _drop_links_to(block, link)
            _move_to_list(body, [block], name, label)


def _split_lines_of_notes(targets: dict[str, HtmlElement], links: dict[str, HtmlElement], positions: Positions) -> None:
    """Split paragraphs with several footnotes into one paragraph for each."""
    starts: dict[HtmlElement, list[HtmlElement]] = {}
    for name, target in targets.items():
        parent = target.getparent()
        if parent is None or parent.tag not in ("p", "div") or positions[links[name]] > positions[target]:
            continue
        if has_only_mark(target, reference_label(links[name].text_content())):
            starts.setdefault(parent, []).append(target)
    for block, marks in starts.items():
        if not all(map(_starts_line, marks)):
            continue
        for mark in reversed(marks[1:]):  # a mark and everything after it are a new paragraph
            paragraph = block.makeelement("p")
            if (previous := mark.getprevious()) is not None:
                paragraph.text, previous.tail = previous.tail, None
            paragraph.extend([mark, *mark.itersiblings()])
            while len(block) and block[-1].tag == "br" and not (block[-1].tail or "").strip():
                block.remove(block[-1])
            paragraph.tail, block.tail = block.tail, None
            block.addnext(paragraph)


def _starts_line(mark: HtmlElement) -> bool:
    """Return whether a mark is at the start of its block or after a line break."""
    previous = mark.getprevious()
    if previous is None:
        parent = mark.getparent()
        return parent is None or not (parent.text or "").strip(_BEFORE_MARK)
    return previous.tag == "br" and not (previous.tail or "").strip(_BEFORE_MARK)


def _targets(body: HtmlElement, names: dict[str, HtmlElement]) -> dict[str, HtmlElement]:
    """Return the first element with each name."""
    targets: dict[str, HtmlElement] = {}
    for element in body.iter():
        for name in (element.get("id"), element.get("name")):
            if name in names:
                targets.setdefault(name, element)
    return targets


def _note_block(target: HtmlElement, label: str) -> HtmlElement | None:
    """Return the block that begins with a label at or in the target of a link. None if there is none."""
    if target.tag in _NOTE_BLOCKS and "footnote" in (target.get("role") or target.get("epub:type") or ""):
        return target
    block = target
    while tag_name(block) not in BLOCK_ELEMENTS or has_only_mark(block, label):
        parent = block.getparent()
        if parent is None or block.tag == "body":
            return None
        block = parent
    if block.tag not in (*_NOTE_BLOCKS, "li") or next(block.iter(*HEADING_LEVELS), None) is not None:
        return None
    return block if mark_at_start(block) == label else None


def _rewrite_items(found: dict[HtmlElement, tuple[str, str, HtmlElement]]) -> None:
    """Rewrite bulleted lists whose items are all footnotes, such as lists of references."""
    lists = {parent: None for block in found if block.tag == "li" and (parent := block.getparent()) is not None}
    for element in lists:
        items = element.findall("li")
        labels = {found[item][1] for item in items if item in found}
        if element.tag == "ul" and len(labels) == len(items):
            element.tag = "ol"
            element.set("class", "footnotes")
            for item in items:
                name, label, link = found[item]
                _drop_links_to(item, link)
                drop_mark(item, label)
                item.set("id", name)
                item.set("data-label", label)


def _drop_links_to(block: HtmlElement, reference: HtmlElement) -> None:
    """Remove the links from a footnote back to its reference."""
    names = {reference.get("id"), reference.get("name")}
    for ancestor in list(reference.iterancestors())[:3]:
        names.add(ancestor.get("id"))
    for link in block.findall(".//a"):
        name = (link.get("href") or "").rpartition("#")[2]
        if name and name in names and not reference_label(link.text_content()):
            link.drop_tree()


def _move_to_list(body: HtmlElement, blocks: list[HtmlElement], name: str, label: str) -> None:
    """Move a footnote into a list: the one before it, or else a new one."""
    first, *rest = blocks
    previous = first.getprevious()
    if (
        previous is None
        or (previous.tail or "").strip()
        or (previous.tag, previous.get("class")) != ("ol", "footnotes")
    ):
        previous = body.makeelement("ol", {"class": "footnotes"})
        first.addprevious(previous)
    notes = previous
    item = body.makeelement("li", {"id": name, "data-label": label})
    notes.append(item)
    notes.tail, first.tail = first.tail, None
    item.text = first.text
    item.extend(list(first))
    first.drop_tree()
    drop_mark(item, label)
    for block in rest:
        notes.tail, block.tail = block.tail, None
        item.append(block)


def _rewrite_lists_without_links(body: HtmlElement, positions: Positions) -> None:
    """Rewrite lists of footnotes, and lists in the margin, whose numbers are those of superscripts before them."""
    lists = []
    for element in body.iter("ol"):
        parent = element.getparent()
        is_aside = parent is not None and parent.tag == "aside" and element.get("start") and len(parent) == 1
        if is_aside or any(_NOTES_NAME.search(class_names(each)) for each in (element, *element.iterancestors())):
            lists.append(element)
    references = _superscripts(body) if lists else {}
    for element in lists:
        items = element.findall("li")
        start = element.get("start") or "1"
        numbers = [str(int(start) + index) for index in range(len(items))] if start.isdecimal() else []
        if items and numbers and all(_is_before(references.get(number), element, positions) for number in numbers):
            element.set("class", "footnotes")
            for number, item in zip(numbers, items, strict=True):
                item.set("id", _ID_PREFIX + number)
                item.set("data-label", number)
                _link(references.pop(number), number)


def _superscripts(body: HtmlElement) -> dict[str, list[HtmlElement]]:
    """Return the superscript numbers without links in the text, by number."""
    found: dict[str, list[HtmlElement]] = {}
    for element in body.iter("sup"):
        label = reference_label(element.text_content())
        if label.isdecimal() and element.find(".//a") is None and next(element.iterancestors("a"), None) is None:
            found.setdefault(label, []).append(element)
    return found


def _is_before(references: list[HtmlElement] | None, element: HtmlElement, positions: Positions) -> bool:
    return positions[references[0]] < positions[element] if references else False


def _link(references: list[HtmlElement], number: str) -> None:
    """Make superscripts links to a footnote."""
    for reference in references:
        link = reference.makeelement("a", {"href": f"#{_ID_PREFIX}{number}"})
        link.text = number
        reference.text, reference[:] = None, [link]


def _rewrite_paragraphs_without_links(body: HtmlElement, positions: Positions) -> None:
    """Rewrite paragraphs that begin with 1, 2, 3 and so on, after a rule or a heading such as "Notes"."""
    for separator in list(body.iter("hr", *HEADING_LEVELS)):
        if separator.tag != "hr" and not _NOTES_HEADING.fullmatch(separator.text_content()):
            continue
        notes = _numbered_groups(separator)
        if not notes:
            continue
        marks = {element for first, *_ in notes for element in first.iter("sup")}  # those of the footnotes themselves
        references = {
            label: [each for each in found if each not in marks] for label, found in _superscripts(body).items()
        }
        numbers = [str(index + 1) for index in range(len(notes))]
        if all(_is_before(references.get(number), separator, positions) for number in numbers):
            for number, group in zip(numbers, notes, strict=True):
                _link(references[number], number)
                _move_to_list(body, group, _ID_PREFIX + number, number)
            return


def _numbered_groups(separator: HtmlElement) -> list[list[HtmlElement]]:
    """Return the blocks after a separator, in a group for each number at the start of a block.

    Empty if they do not begin with 1, or if the numbers are not consecutive.
    """
    groups: list[list[HtmlElement]] = []
    for block in separator.itersiblings():
        if block.tag in HEADING_LEVELS or block.tag == "hr":
            break
        label = mark_at_start(block) if block.tag == "p" else ""
        if label == str(len(groups) + 1):
            groups.append([block])
        elif label.isdecimal() or not groups:
            return []
        elif block.tag in ("ul", "ol", "pre", "blockquote"):
            groups[-1].append(block)
        else:
            break
    return groups


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


_MARGIN_NAMES = word_set("sidenote side-note marginnote margin-note modern-footnotes-footnote__note ltx_note_outer")
"""Class names of notes in the margin."""

_MARGIN_ID_PREFIX = "mediakit-margin-note-"


def move_margin_notes(body: HtmlElement) -> None:
    """Move the notes in the margin to a list of footnotes at the end."""
    named = [note for note in body.iter("span", "small") if not _MARGIN_NAMES.isdisjoint(class_names(note).split())]
    notes = list(filter(has_text, named))
    if not notes:
        return
    labels = (item.get("data-label") or "" for item in body.iter("li"))
    moved = body.makeelement("ol", {"class": "footnotes"})
    for number, note in enumerate(notes, max((int(label) for label in labels if label.isdecimal()), default=0) + 1):
        label = mark_at_start(note)
        drop_mark(note, label)
        if label and mark_at_start(note) == label:  # LaTeXML writes it twice, for screens and for readers
            drop_mark(note, label)
        for mark in list(_marks_before(note)):
            mark.drop_tree()
        if (previous := note.getprevious()) is not None:
            previous.tail = (previous.tail or "").rstrip() or None
        reference, link = note.makeelement("sup"), note.makeelement("a", {"href": f"#{_MARGIN_ID_PREFIX}{number}"})
        link.text = str(number)
        reference.append(link)
        note.addprevious(reference)
        item = note.makeelement("li", {"id": f"{_MARGIN_ID_PREFIX}{number}", "data-label": str(number)})
        item.text = note.text
        item.extend(list(note))
        moved.append(item)
        note.drop_tree()
    body.append(moved)


def _marks_before(note: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the elements directly before a note that show its number, and the checkbox that opens it."""
    element = note.getprevious()
    while element is not None and not (element.tail or "").strip() and element.tag in ("label", "input", "sup"):
        text = element.text_content().strip()
        if text and not reference_label(text) and text not in ("⊕", "+"):
            return
        yield element
        element = element.getprevious()
