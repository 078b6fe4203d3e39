"""The paragraphs of shapes and cells: lists by their bullets and levels, runs with their marks."""

from collections.abc import Callable, Iterator

from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    EMPHASIS,
    STRIKE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    BlockBuilder,
    Mark,
    Piece,
    append_pieces,
    new_element,
)
from mediakit.tools.documents.document_to_markdown.readers.office.package import Relationship
from mediakit.tools.documents.document_to_markdown.readers.slides.names import MC, A, Element, R, integer, is_true
from mediakit.tools.documents.document_to_markdown.readers.slides.placeholders import stated_bullet

MAX_LEVEL = 8


class TextReader:
    """Reads the text of one slide."""

    def __init__(self, relationships: dict[str, Relationship]) -> None:
        self._relationships = relationships

    def append(self, body: Element, builder: BlockBuilder, key: str, has_bullet: Callable[[int], bool]) -> None:
        """Append the paragraphs of a text body.

        Args:
            body: The element with the paragraphs.
            builder: What they are appended to.
            key: Identifies the shape: its lists are its own.
            has_bullet: Returns whether paragraphs of a level have bullets if they do not say so themselves.
        """
        numbers: dict[int, int] = {}
        for paragraph in body.iterchildren(f"{A}p"):
            pieces = self.pieces(paragraph)
            if not any(not isinstance(content, str) or content.strip() for _, content in pieces):
                continue
            properties = paragraph.find(f"{A}pPr")
            level = 0 if properties is None else max(0, min(MAX_LEVEL, integer(properties.get("lvl"))))
            stated = None if properties is None else stated_bullet(properties)
            is_item = has_bullet(level) if stated is None else stated
            number = _number(properties, numbers, level) if is_item else None
            if not is_item:
                numbers.clear()
            parent = builder.item(level, key, number) if is_item else builder.block("p")
            append_pieces(parent, pieces)

    def pieces(self, paragraph: Element) -> list[Piece]:
        """Return the runs of a paragraph with their marks."""
        return list(self._pieces(paragraph))

    def _pieces(self, parent: Element) -> Iterator[Piece]:
        for child in parent:
            if child.tag in (f"{A}r", f"{A}fld"):
                text = child.findtext(f"{A}t") or ""
                yield self._marks(child.find(f"{A}rPr")), text.replace("\v", "\n").replace("_x000B_", " ")
            elif child.tag == f"{A}br":
                yield (), new_element("br")
            elif child.tag == f"{MC}AlternateContent":
                for alternative in child:
                    pieces = list(self._pieces(alternative))
                    if pieces:
                        yield from pieces
                        break

    def _marks(self, properties: Element | None) -> tuple[Mark, ...]:
        if properties is None:
            return ()
        baseline = integer(properties.get("baseline"))
        marks = [
            mark
            for mark, is_set in (
                (STRONG, is_true(properties.get("b"))),
                (EMPHASIS, is_true(properties.get("i"))),
                (STRIKE, properties.get("strike") in ("sngStrike", "dblStrike")),
                (SUPERSCRIPT, baseline > 0),
                (SUBSCRIPT, baseline < 0),
            )
            if is_set
        ]
        link = properties.find(f"{A}hlinkClick")
        url = self.address(link)
        return (*marks, ("a", url)) if url else tuple(marks)

    def address(self, link: Element | None) -> str:
        """Return the address of a link. Empty for links to slides and actions."""
        relationship = self._relationships.get(link.get(f"{R}id") or "") if link is not None else None
        return relationship.target if relationship is not None and relationship.is_external else ""


def _number(properties: Element | None, numbers: dict[int, int], level: int) -> int | None:
    """Return the number of a numbered paragraph, and count it. None for a bullet."""
    for deeper in [each for each in numbers if each > level]:
        del numbers[deeper]
    numbering = None if properties is None else properties.find(f"{A}buAutoNum")
    if numbering is None:
        numbers.pop(level, None)
        return None
    start = max(1, min(99_999, integer(numbering.get("startAt"), 1)))
    numbers[level] = numbers[level] + 1 if level in numbers else start
    return numbers[level]


def plain_text(pieces: list[Piece]) -> str:
    """Return pieces as one line of text."""
    texts = (content if isinstance(content, str) else " " for _, content in pieces)
    return " ".join("".join(texts).split())
