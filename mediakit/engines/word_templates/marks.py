"""Replaces the tags of a part by markers, wherever their text is split over runs."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

from lxml import etree

from mediakit.engines.word_templates.language.tags import Tag, parse_tag
from mediakit.engines.word_templates.tag_search import find_tags, underscores
from mediakit.engines.word_templates.vocabulary import MARKER, SPACE, Vocabulary, name_of


@dataclass
class _Piece:
    """A text, or an element that is one character, in a run."""

    element: etree._Element
    run: etree._Element
    start: int
    """The place of its first character in the paragraph."""
    text: str


class MarkedPart:
    """A part whose tags are markers: elements with the number of their tag."""

    def __init__(self, root: etree._Element, words: Vocabulary, label: str) -> None:
        """Replace the tags of a part by markers.

        Raises:
            InvalidInput: A tag does not follow the language.
        """
        self.root = root
        self.words = words
        self.label = label
        """The part in errors: `body`, `header 1`."""
        self.tags: list[Tag] = []
        for paragraph in list(root.iter(words.paragraph)):
            self._mark(paragraph)

    def tag_of(self, marker: etree._Element) -> Tag:
        """Return the tag of a marker."""
        return self.tags[int(marker.get("n", "0"))]

    def markers(self) -> list[etree._Element]:
        """Return the markers in the order of the part."""
        return list(self.root.iter(MARKER))

    def new_marker(self, tag: Tag) -> etree._Element:
        """Return a marker of a tag that the part does not have itself."""
        self.tags.append(tag)
        return etree.Element(MARKER, n=str(len(self.tags) - 1))

    def _mark(self, paragraph: etree._Element) -> None:
        pieces = _pieces(paragraph, self.words)
        text = "".join(piece.text for piece in pieces)
        if "{" not in text and "_}" not in text:
            return
        spans = list(find_tags(text, self.label))
        tags = [parse_tag(text[start:end], self.label) for start, end in spans]
        first = len(self.tags)
        self.tags += tags
        edits = [(start, end, first + number) for number, (start, end) in enumerate(spans)]
        edits += [(position, position + 1, -1) for position in underscores(text)]
        for start, end, number in sorted(edits, reverse=True):
            _replace(pieces, start, end, number, self.words)
        _drop_empty(pieces, self.words)


def _pieces(paragraph: etree._Element, words: Vocabulary) -> list[_Piece]:
    found: list[_Piece] = []
    length = 0
    for run in runs(paragraph, words):
        for element in run:
            text = (element.text or "") if element.tag == words.text else words.characters.get(name_of(element), "")
            if text:
                found.append(_Piece(element, run, length, text))
                length += len(text)
    return found


def runs(element: etree._Element, words: Vocabulary) -> Iterator[etree._Element]:
    """Yield the runs of a paragraph; not those of deleted text and of text boxes in it."""
    for child in element:
        if child.tag == words.run:
            yield child
        elif child.tag in words.wrappers:
            yield from runs(child, words)


def _replace(pieces: list[_Piece], start: int, end: int, number: int, words: Vocabulary) -> None:
    """Remove the characters from `start` to `end`, and put a marker there, unless its number is negative."""
    covered = [piece for piece in pieces if piece.start < end and start < piece.start + len(piece.text)]
    for piece in covered if number < 0 else covered[1:]:
        _set_text(piece, piece.text[: max(0, start - piece.start)] + piece.text[end - piece.start :], words)
    if number >= 0:
        _split(covered[0], start, end, number, words)


def _split(piece: _Piece, start: int, end: int, number: int, words: Vocabulary) -> None:
    """Put a marker behind the run of a piece; what follows the marker moves to a new run of the same format."""
    run, element = piece.run, piece.element
    properties = run.find(words.run_properties)
    marker = etree.Element(MARKER, n=str(number))
    right = etree.Element(run.tag, run.attrib, nsmap=run.nsmap)
    if properties is not None:
        marker.append(deepcopy(properties))
        right.append(deepcopy(properties))
    after = piece.text[end - piece.start :]
    if after:
        right.append(text_element(after, words))
    right.extend(list(element.itersiblings()))
    _set_text(piece, piece.text[: start - piece.start], words)
    run.addnext(marker)
    if any(child.tag != words.run_properties for child in right):
        marker.addnext(right)


def _set_text(piece: _Piece, text: str, words: Vocabulary) -> None:
    piece.text = text
    if text:
        piece.element.text = text
        if words.is_word:
            piece.element.set(SPACE, "preserve")
    elif (parent := piece.element.getparent()) is not None:
        parent.remove(piece.element)


def _drop_empty(pieces: list[_Piece], words: Vocabulary) -> None:
    for run in {piece.run: None for piece in pieces}:
        parent = run.getparent()
        if parent is not None and all(child.tag == words.run_properties for child in run):
            parent.remove(run)


def text_element(text: str, words: Vocabulary) -> etree._Element:
    """Return the element of a text whose spaces are kept."""
    element = etree.Element(words.text)
    element.text = text
    if words.is_word:
        element.set(SPACE, "preserve")
    return element
