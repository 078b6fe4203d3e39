"""Moves notes that a page shows in its margin, such as those of Tufte CSS, out of the sentences they are written in."""

from collections.abc import Iterator

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import class_names, tag_name, word_set
from mediakit.tools.documents.web_to_markdown.reader.element_text import element_text
from mediakit.tools.documents.web_to_markdown.reader.footnote_marks import drop_mark, mark_at_start, reference_label

_NAMES = word_set("sidenote side-note marginnote margin-note")
"""Class names of notes in the margin."""

_ID_PREFIX = "mediakit-margin-note-"


def move_margin_notes(body: HtmlElement) -> None:
    """Move the notes in the margin to a list of footnotes at the end. Copies of other footnotes are removed."""
    notes = [note for note in body.iter("span", "small") if not _NAMES.isdisjoint(class_names(note).split())]
    if not notes:
        return
    items = [item for notes_list in body.iter("ol") if _is_footnotes(notes_list) for item in notes_list]
    known = {element_text(item) for item in items}
    number = max((int(label) for item in items if (label := item.get("data-label") or "").isdecimal()), default=0)
    moved = body.makeelement("ol", {"class": "footnotes"})
    for note in notes:
        if note.getparent() is None or not (note.text_content().strip()):
            continue
        drop_mark(note, mark_at_start(note))
        is_copy = element_text(note) in known
        if not is_copy:
            number += 1
            moved.append(_item(note, number))
        _replace(note, 0 if is_copy else number)
    if len(moved):
        body.append(moved)


def _is_footnotes(element: HtmlElement) -> bool:
    return any(item.get("data-label") for item in element) or "footnotes" in class_names(element)


def _item(note: HtmlElement, number: int) -> HtmlElement:
    item = note.makeelement("li", {"id": f"{_ID_PREFIX}{number}", "data-label": str(number)})
    item.text = note.text
    item.extend(list(note))
    return item


def _replace(note: HtmlElement, number: int) -> None:
    """Replace a note, and the switch and the mark before it, with a reference. With number 0, the mark stays."""
    if number:
        for element in list(_marks_before(note)):
            element.drop_tree()
        if (previous := note.getprevious()) is not None:
            previous.tail = (previous.tail or "").rstrip() or None
        reference = note.makeelement("sup")
        link = note.makeelement("a", {"href": f"#{_ID_PREFIX}{number}"})
        link.text = str(number)
        reference.append(link)
        note.addprevious(reference)
    note.drop_tree()


def _marks_before(note: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the elements directly before a note that show its number, and the checkbox that opens it."""
    element = note.getprevious()
    while element is not None and not (element.tail or "").strip():
        if tag_name(element) not in ("label", "input", "sup"):
            return
        text = element.text_content().strip()
        if text and not reference_label(text) and text not in ("⊕", "+"):
            return
        yield element
        element = element.getprevious()
