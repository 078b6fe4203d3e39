"""Builds the inline HTML of a paragraph from pieces of text with marks, such as the runs of word processors."""

from collections.abc import Sequence

from lxml import etree
from lxml.html import HtmlElement

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
    texts: list[str] = []
    texts_marks: Marks = ()
    for marks, content in pieces:
        is_text = isinstance(content, str)
        if texts and (not is_text or marks != texts_marks):
            merged.append((texts_marks, "".join(texts)))
            texts = []
        if isinstance(content, str):
            texts.append(content)
            texts_marks = marks
        else:
            merged.append((marks, content))
    if texts:
        merged.append((texts_marks, "".join(texts)))
    return merged


def append_code(parent: HtmlElement, pieces: Sequence[Piece]) -> None:
    """Append the text of pieces to a code block."""
    append_text(parent, "".join(_code_text(content) for _, content in pieces))


def _code_text(content: str | HtmlElement) -> str:
    if isinstance(content, str):
        return content
    return "\n" if content.tag == "br" else ""


def has_content(pieces: Sequence[Piece]) -> bool:
    """Return whether pieces show anything: more than spaces, line breaks and anchors."""
    return any(content.strip() if isinstance(content, str) else content.tag not in ("br", "a") for _, content in pieces)


def without_strong(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces of a heading, which is bold as a whole."""
    return [(tuple(mark for mark in marks if mark != STRONG), content) for marks, content in pieces]


def prepend_text(element: HtmlElement, text: str) -> None:
    """Put a text before the contents of an element, into its first paragraph."""
    target = element[0] if len(element) and not (element.text or "").strip() and element[0].tag == "p" else element
    target.text = text + (target.text or "")


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
