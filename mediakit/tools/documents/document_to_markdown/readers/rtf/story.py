"""A flow of text in Rich Text Format: its definitions and properties, and how its paragraphs and tables become HTML."""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.office import (
    MAX_HEADING_LEVEL,
    named_level,
    style_role,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    EMPHASIS,
    STRIKE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Anchors,
    BlockBuilder,
    Item,
    Marks,
    Piece,
    has_content,
    merge_texts,
    new_element,
)
from mediakit.tools.documents.document_to_markdown.readers.rtf.tokens import (
    CODE_PAGES,
    SYMBOL_CHARSET,
    code_page,
    join_surrogates,
)

MAX_DEFINITIONS = 10_000
MAX_COLUMNS = 200
MAX_LIST_LEVEL = 8
MAX_NAME_CHARACTERS = 200
TOLERANCE, DEFAULT_WIDTH = 100, 1440
"""Twips by which edges of one column may differ, and the width of a cell that is not defined."""

_INVALID = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
_HANGING_LABEL = re.compile(r"((?:[•◦▪■●○·–-]|\(?(?:\d{1,9}|[a-zA-Z])[.)]))\t")
_NUMBER = re.compile(r"\s*\(?(\d{1,9})[.)]?\s*")
_LETTER = re.compile(r"\s*\(?(?:[a-zA-Z]|[ivxlcdmIVXLCDM]{1,8})[.)]\s*")
_BULLET, _NO_NUMBER = 23, 255
Destination = Literal[
    "body", "skip", "fonts", "styles", "lists", "overrides", "info", "title", "author", "instruction", "label",
    "image", "bookmark", "note_author", "created", "modified", "form", "choice",
]  # fmt: skip


@dataclass(slots=True)
class Font:
    """A font."""

    charset: str | None = None
    name: str = ""
    is_symbol: bool = False


@dataclass(slots=True)
class Style:
    """A paragraph style."""

    name: str = ""
    outline: int | None = None


@dataclass(slots=True)
class ListLevel:
    """A level of a list."""

    number_format: int = 0
    start: int = 1

    @property
    def is_ordered(self) -> bool:
        """Whether its items have numbers."""
        return self.number_format not in (_BULLET, _NO_NUMBER)


@dataclass
class Definitions:
    """What the header of a document defines."""

    fonts: dict[int, Font] = field(default_factory=dict)
    styles: dict[int, Style] = field(default_factory=dict)
    _lists: dict[int, list[ListLevel]] = field(default_factory=dict)
    _overrides: dict[int, int] = field(default_factory=dict)
    _font: Font = field(default_factory=Font)
    _style: Style = field(default_factory=Style)
    _levels: list[ListLevel] = field(default_factory=list)
    _override: int = 0

    def read_font(self, word: str, number: int) -> None:
        """Read a control word of the font table."""
        if word == "f" and len(self.fonts) < MAX_DEFINITIONS:
            self._font = self.fonts.setdefault(number, Font())
        elif word == "fcharset":
            self._font.charset = CODE_PAGES.get(number) if number else None
            self._font.is_symbol = number == SYMBOL_CHARSET
        elif word == "cpg":
            self._font.charset = code_page(number)

    def read_font_name(self, text: str) -> None:
        """Read a part of the name of a font. A semicolon ends it."""
        name, separator, _ = text.partition(";")
        self._font.name += name[:MAX_NAME_CHARACTERS]
        if separator:
            self._font = Font()

    def read_style(self, word: str, number: int) -> None:
        """Read a control word of the style sheet."""
        if word in ("s", "cs", "ts", "ds"):
            self._style = Style()
            if word == "s" and len(self.styles) < MAX_DEFINITIONS:
                self.styles[number] = self._style
        elif word == "outlinelevel":
            self._style.outline = number

    def read_style_name(self, text: str) -> None:
        """Read a part of the name of a style. A semicolon ends it."""
        name, separator, _ = text.partition(";")
        self._style.name += name[:MAX_NAME_CHARACTERS]
        if separator:
            self._style = Style()

    def begin_style(self) -> None:
        """Begin a style. Without a number it is the default style, number 0."""
        self._style = self.styles.setdefault(0, Style())

    def read_list(self, word: str, number: int) -> None:
        """Read a control word of the table of lists."""
        if word == "list":
            self._levels = []
        elif word == "listlevel" and len(self._levels) < 9:
            self._levels.append(ListLevel())
        elif word == "listid" and len(self._lists) < MAX_DEFINITIONS:
            self._lists[number] = self._levels
        elif self._levels and word in ("levelnfc", "levelnfcn"):
            self._levels[-1].number_format = number
        elif self._levels and word == "levelstartat":
            self._levels[-1].start = max(0, number)

    def read_override(self, word: str, number: int) -> None:
        """Read a control word of the table of overrides, which gives lists the numbers that paragraphs use."""
        if word == "listid":
            self._override = number
        elif word == "ls" and len(self._overrides) < MAX_DEFINITIONS:
            self._overrides[number] = self._override

    def list_level(self, number: int, level: int) -> ListLevel | None:
        """Return a level of the list that paragraphs use by its number. None if it is not defined."""
        levels = self._lists.get(self._overrides.get(number, 0), [])
        return levels[level] if level < len(levels) else None


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


STATE_WORDS: Mapping[str, tuple[str, Callable[[int], object]]] = {
    "b": ("bold", bool),
    "i": ("italic", bool),
    **dict.fromkeys(("strike", "striked"), ("strike", bool)),
    **dict.fromkeys(("v", "deleted"), ("hidden", bool)),
    "super": ("script", lambda number: 1 if number else 0),
    "sub": ("script", lambda number: -1 if number else 0),
    "nosupersub": ("script", lambda _: 0),
    "f": ("font", int),
    "uc": ("fallback_characters", lambda number: max(0, min(100, number))),
    "s": ("style", int),
    "outlinelevel": ("outline", int),
    "ls": ("list_number", int),
    "ilvl": ("list_level", int),
    "li": ("indent", int),
    "fi": ("first_line", int),
    "intbl": ("in_table", lambda _: True),
}
"""Control words that set a property of characters or paragraphs, and its value by the parameter of the word."""


@dataclass(slots=True)
class CellEdge:
    """The definition of a cell of a row: whether it is merged with the one before or above, and where it ends."""

    joins_left: bool = False
    joins_above: bool = False
    right: int = 0
    """Position of its right edge, in twips."""


@dataclass(slots=True)
class PlacedCell:
    """A cell of a written row, with the positions of its edges."""

    element: HtmlElement
    left: int
    right: int
    definitions: int = 1
    """The cells that it was merged from."""


@dataclass
class Story:
    """A flow of paragraphs: the text, a footnote, a header or a text box."""

    root: HtmlElement
    anchors: Anchors
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
    row_left: int = 0
    """Position of the left edge of the row, in twips."""
    rows: list[list[PlacedCell]] = field(default_factory=list)
    """The cells that begin in each row of the table."""
    open_cells: dict[int, HtmlElement] = field(default_factory=dict)
    """The last cell at each left edge, to which merged cells below belong."""

    def __post_init__(self) -> None:
        self.builder = BlockBuilder(self.root, self.anchors)


class StoryWriter:
    """Writes what stories hold."""

    def __init__(self, definitions: Definitions, *, heading_numbers: bool) -> None:
        self._definitions = definitions
        self._heading_numbers = heading_numbers
        self._numbers: dict[int, dict[int, int]] = {}
        """The last number of each level, by list."""

    def end_paragraph(self, story: Story, state: State) -> None:
        """Write the current paragraph, into the open cell if it is in a table."""
        if state.in_table:
            if story.cell is None:
                self._open_cell(story)
            builder = story.cell or story.builder
        else:
            self.end_table(story)
            builder = story.builder
        pieces, story.pieces = clean_pieces(story.pieces), []
        label, story.label = story.label, ""
        if not label and state.first_line < 0:
            label = _take_label(pieces)
        style = self._definitions.styles.get(state.style, Style())
        name = style.name.strip().lower()
        outline = style.outline if state.outline is None else state.outline
        level = named_level(name)
        if not level and outline is not None and 0 <= outline < 9:
            level = min(MAX_HEADING_LEVEL, outline + 1)
        if level and label.strip() and self._heading_numbers and has_content(pieces):
            pieces.insert(0, ((), f"{label.strip()} "))
        item = self._item(state, label) if (state.list_number or label) and not level and has_content(pieces) else None
        left = builder.write_paragraph(pieces, style_role(name), level, item, state.indent)
        story.pieces = [piece for piece in left if not isinstance(piece[1], str) and piece[1].tag == "a"]

    def _item(self, state: State, label: str) -> Item:
        level = max(0, min(MAX_LIST_LEVEL, state.list_level) if state.list_number else state.indent)
        return Item(level, str(state.list_number), self._item_number(state.list_number, level, label), state.indent)

    def _item_number(self, list_number: int, level: int, label: str) -> int | None:
        """Return the number of an item: that of its label, or else the one that follows. None for bullets."""
        defined = self._definitions.list_level(list_number, level)
        match = _NUMBER.fullmatch(label)
        is_ordered = defined.is_ordered if defined else bool(match or _LETTER.fullmatch(label))
        if not is_ordered:
            return None
        numbers = self._numbers.setdefault(list_number, {})
        start = defined.start if defined else 1
        number = int(match[1]) if match else numbers.get(level, start - 1) + 1
        for deeper in [each for each in numbers if each > level]:
            del numbers[deeper]
        numbers[level] = number
        return number

    def _open_cell(self, story: Story) -> None:
        if story.table is None:
            story.table = story.builder.block("table")
            story.rows, story.open_cells = [], {}
        element = new_element("td")
        story.cells.append(element)
        story.cell = BlockBuilder(element, story.anchors)

    def end_cell(self, story: Story, state: State) -> None:
        """End the open cell."""
        state.in_table = True
        self.end_paragraph(story, state)
        story.cell = None

    def end_row(self, story: Story) -> None:
        """Write the cells of the current row. Cells that are merged with others widen those."""
        cells, story.cells, story.cell = story.cells[:MAX_COLUMNS], [], None
        if story.table is None or not cells:
            return
        row = etree.SubElement(story.table, "tr")
        placed: list[PlacedCell] = []
        right = story.row_left
        for index, cell in enumerate(cells):
            edge = story.edges[index] if index < len(story.edges) else CellEdge(right=right + DEFAULT_WIDTH)
            left, right = right, max(right + 1, edge.right)
            above = next((each for start, each in story.open_cells.items() if abs(start - left) <= TOLERANCE), None)
            if edge.joins_left and placed:
                placed[-1].right = right
                placed[-1].definitions += 1
            elif edge.joins_above and above is not None:
                above.set("rowspan", str(int(above.get("rowspan") or "1") + 1))
                placed.append(PlacedCell(above, left, right))
            else:
                cell.tag = "th" if story.is_header_row else "td"
                row.append(cell)
                placed.append(PlacedCell(cell, left, right))
                story.open_cells = {
                    start: each for start, each in story.open_cells.items() if not left <= start < right
                }
                story.open_cells[left] = cell
        story.rows.append(placed)

    def end_table(self, story: Story) -> None:
        """End the table before text outside of it."""
        if story.cells:
            self.end_row(story)
        if story.table is not None and len({len(row) for row in story.rows}) > 1:
            _span_columns(story.rows)
        story.table, story.cell, story.rows = None, None, []


def _span_columns(rows: list[list[PlacedCell]]) -> None:
    """Let cells span the columns that they cover, in a table whose rows have different numbers of cells.

    The edges of all cells make the columns. Rows with the same number of cells are aligned whatever their widths.
    """
    columns: list[int] = []
    for edge in sorted({edge for row in rows for cell in row for edge in (cell.left, cell.right)}):
        if not columns or edge - columns[-1] > TOLERANCE:
            columns.append(edge)
    for cell in (cell for row in rows for cell in row):
        first, last = (bisect_right(columns, edge) for edge in (cell.left, cell.right))
        span = max(cell.definitions, last - first if len(columns) <= MAX_COLUMNS else 1)
        if span > 1:
            cell.element.set("colspan", str(span))


def _take_label(pieces: list[Piece]) -> str:
    """Remove the bullet or number that begins a paragraph with a hanging indent, and return it."""
    content = pieces[0][1] if pieces else ""
    match = _HANGING_LABEL.match(content) if isinstance(content, str) else None
    if match is None:
        return ""
    pieces[0] = pieces[0][0], str(content)[match.end() :]
    return match[1]


def clean_pieces(pieces: list[Piece]) -> list[Piece]:
    """Return pieces whose texts have only characters that XML allows."""
    return [
        (marks, _INVALID.sub("", join_surrogates(content)) if isinstance(content, str) else content)
        for marks, content in merge_texts(pieces)
    ]
