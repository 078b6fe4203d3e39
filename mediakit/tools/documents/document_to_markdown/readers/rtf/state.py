"""The state of reading Rich Text Format: properties of characters and paragraphs, which groups inherit."""

from dataclasses import dataclass, field, replace
from typing import Literal

from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    EMPHASIS,
    STRIKE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    BlockBuilder,
    Marks,
    Piece,
)

Destination = Literal[
    "body", "skip", "fonts", "styles", "lists", "overrides", "info", "title", "author", "instruction", "label",
    "image", "bookmark", "note_author", "created", "modified",
]  # fmt: skip


@dataclass(slots=True)
class State:
    """What a group inherits from the group around it."""

    destination: Destination = "body"
    bold: bool = False
    italic: bool = False
    strike: bool = False
    script: int = 0
    """1 for superscript, -1 for subscript."""
    hidden: bool = False
    link: str = ""
    font: int = 0
    fallback_characters: int = 1
    """Characters after a Unicode character that stand for it in old readers."""
    style: int = 0
    outline: int | None = None
    in_table: bool = False
    list_number: int = 0
    """The list of the paragraph; 0 for none."""
    list_level: int = 0
    indent: int = 0
    first_line: int = 0
    """Indentation of the first line relative to the others."""

    def inherit(self) -> "State":
        """Return the state of a group inside."""
        return replace(self)

    def reset_characters(self) -> None:
        """Reset the properties of characters."""
        self.bold = self.italic = self.strike = self.hidden = False
        self.script = 0

    def reset_paragraph(self) -> None:
        """Reset the properties of paragraphs."""
        self.style = self.list_number = self.list_level = self.indent = self.first_line = 0
        self.outline = None
        self.in_table = False

    @property
    def marks(self) -> Marks:
        """The marks of text here."""
        found = [
            mark for mark, is_set in ((STRONG, self.bold), (EMPHASIS, self.italic), (STRIKE, self.strike)) if is_set
        ]
        if self.script:
            found.append(SUPERSCRIPT if self.script > 0 else SUBSCRIPT)
        if self.link:
            found.append(("a", self.link))
        return tuple(found)


@dataclass(slots=True)
class CellEdge:
    """The definition of a cell of a row: whether it is merged with the one before or above."""

    joins_left: bool = False
    joins_above: bool = False


@dataclass
class Story:
    """A flow of paragraphs: the text, a footnote, a header or a text box."""

    root: HtmlElement
    builder: BlockBuilder = field(init=False)
    pieces: list[Piece] = field(default_factory=list)
    label: str = ""
    """The number or bullet before the text of the current paragraph."""
    table: HtmlElement | None = None
    cells: list[HtmlElement] = field(default_factory=list)
    """The cells of the current row."""
    cell: BlockBuilder | None = None
    """The open cell."""
    edges: list[CellEdge] = field(default_factory=list)
    pending: CellEdge = field(default_factory=CellEdge)
    """The definition of the cell whose right edge has not been read."""
    is_header_row: bool = False
    columns: dict[int, HtmlElement] = field(default_factory=dict)
    """The last cell of each column."""

    def __post_init__(self) -> None:
        self.builder = BlockBuilder(self.root)
