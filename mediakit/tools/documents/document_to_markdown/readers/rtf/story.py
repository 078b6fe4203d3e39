"""A flow of text in Rich Text Format: what the header defines, its properties at a place, and how it becomes HTML."""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.office import MAX_HEADING_LEVEL, named_level, style_role
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    EMPHASIS,
    STRIKE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    BlockBuilder,
    Item,
    Marks,
    Piece,
    has_content,
    merge_texts,
    new_element,
)
from mediakit.tools.documents.document_to_markdown.readers.office.reading import Reading
from mediakit.tools.documents.document_to_markdown.readers.rtf.tokens import (
    CODE_PAGES,
    SYMBOL_CHARSET,
    Group,
    code_page,
    fallback_count,
    is_skipped,
    join_surrogates,
    numbers_in,
    shown_tokens,
    subgroups,
    text_of,
)

_BULLET, _NO_NUMBER = 23, 255


@dataclass(slots=True)
class Font:
    """A font."""

    charset: str | None = None
    name: str = ""
    is_symbol: bool = False


@dataclass(frozen=True, slots=True)
class Style:
    """A paragraph style."""

    name: str = ""
    """In lower case."""
    outline: int | None = None


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A level of a list."""

    is_ordered: bool
    """Whether its items have numbers."""
    start: int = 1


@dataclass
class Definitions:
    """What a document defines, and the numbers of its lists."""

    fonts: dict[int, Font] = field(default_factory=dict)
    styles: dict[int, Style] = field(default_factory=dict)
    _lists: dict[int, list[ListLevel]] = field(default_factory=dict)
    _list_ids: dict[int, int] = field(default_factory=dict)
    """Identifiers of lists by the numbers that paragraphs use."""
    _numbers: dict[int, dict[int, int]] = field(default_factory=dict)
    """The last number of each level, by list."""

    def read_fonts(self, table: Group) -> None:
        """Read the table of fonts, in which a semicolon ends the name of a font."""
        font = Font()
        for token in shown_tokens(table):
            number = token.number or 0
            match token.name:
                case "f":
                    font = self.fonts.setdefault(number, Font())
                case "fcharset":
                    font.charset = CODE_PAGES.get(number) if number else None
                    font.is_symbol = number == SYMBOL_CHARSET
                case "cpg":
                    font.charset = code_page(number)
                case _:
                    name, end, _ = token.content.decode("latin-1").partition(";")
                    font.name += name
                    font = Font() if end else font

    def read_styles(self, sheet: Group, charset_of: Callable[[int], str], fallback_characters: int) -> None:
        """Read the style sheet. A style of paragraphs without a number is the default style, number 0."""
        for entry in subgroups(sheet):
            words = numbers_in(entry)
            if not is_skipped(entry) and words.keys().isdisjoint(("cs", "ts", "ds")):
                name = text_of(entry, charset_of, 0, fallback_characters).partition(";")[0].strip().lower()
                self.styles[words.get("s", 0)] = Style(name, words.get("outlinelevel"))

    def read_lists(self, table: Group) -> None:
        """Read the table of lists."""
        for entry in subgroups(table, "list"):
            levels = []
            for words in map(numbers_in, subgroups(entry, "listlevel")):
                kind = words.get("levelnfcn", words.get("levelnfc", 0))
                levels.append(ListLevel(kind not in (_BULLET, _NO_NUMBER), max(0, words.get("levelstartat", 1))))
            self._lists[numbers_in(entry).get("listid", 0)] = levels

    def read_overrides(self, table: Group) -> None:
        """Read the table that gives lists the numbers that paragraphs use."""
        for words in map(numbers_in, subgroups(table, "listoverride")):
            self._list_ids[words.get("ls", 0)] = words.get("listid", 0)

    def list_level(self, number: int, level: int) -> ListLevel | None:
        """Return a level of the list that paragraphs use by its number. None if it is not defined."""
        levels = self._lists.get(self._list_ids.get(number, 0), [])
        return levels[level] if level < len(levels) else None

    def count(self, list_number: int, level: int, stated: int | None) -> int:
        """Count an item of a list with numbers, and return its number: the stated one, or the one that follows."""
        numbers = self._numbers.setdefault(list_number, {})
        defined = self.list_level(list_number, level)
        following = numbers.get(level, (defined.start if defined else 1) - 1) + 1
        for deeper in [each for each in numbers if each > level]:
            del numbers[deeper]
        numbers[level] = following if stated is None else stated
        return numbers[level]


MAX_COLUMNS = 200
MAX_LIST_LEVEL = 8
TOLERANCE, DEFAULT_WIDTH = 100, 1440
"""Twips by which edges of one column may differ, and the width of a cell that is not defined."""

_INVALID = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
"""Characters that XML does not allow."""

_HANGING_LABEL = re.compile(r"((?:[•◦▪■●○·–-]|\(?(?:\d{1,9}|[a-zA-Z])[.)]))\t")
_NUMBER = re.compile(r"\s*\(?(\d{1,9})[.)]?\s*")
_LETTER = re.compile(r"\s*\(?(?:[a-zA-Z]|[ivxlcdmIVXLCDM]{1,8})[.)]\s*")


@dataclass(slots=True)
class State:
    """The properties of characters and paragraphs, which a group inherits from the group around it."""

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
        marks = {
            STRONG: self.bold,
            EMPHASIS: self.italic,
            STRIKE: self.strike,
            SUPERSCRIPT: self.script > 0,
            SUBSCRIPT: self.script < 0,
            ("a", self.link): bool(self.link),
        }
        return tuple(mark for mark, is_set in marks.items() if is_set)


STATE_WORDS: Mapping[str, tuple[str, Callable[[int], object]]] = {
    "b": ("bold", bool),
    "i": ("italic", bool),
    **dict.fromkeys(("strike", "striked"), ("strike", bool)),
    **dict.fromkeys(("v", "deleted"), ("hidden", bool)),
    "super": ("script", lambda number: 1 if number else 0),
    "sub": ("script", lambda number: -1 if number else 0),
    "nosupersub": ("script", lambda _: 0),
    "f": ("font", int),
    "uc": ("fallback_characters", fallback_count),
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
class RowLayout:
    """The definition of a row."""

    left: int = 0
    """Position of its left edge, in twips."""
    is_header: bool = False
    edges: list[CellEdge] = field(default_factory=list)
    pending: CellEdge = field(default_factory=CellEdge)
    """The cell whose right edge has not been read."""


@dataclass(slots=True)
class PlacedCell:
    """A cell of a written row, with the positions of its edges."""

    element: HtmlElement
    left: int
    right: int
    definitions: int = 1
    """The cells that it was merged from."""


@dataclass
class Table:
    """A table whose end has not been read."""

    element: HtmlElement
    cells: list[HtmlElement] = field(default_factory=list)
    """The cells of the current row."""
    cell: BlockBuilder | None = None
    """The open cell."""
    rows: list[list[PlacedCell]] = field(default_factory=list)
    _open: dict[int, HtmlElement] = field(default_factory=dict)
    """The last cell at each left edge, to which merged cells below belong."""

    def end_row(self, layout: RowLayout) -> None:
        """Write the cells of the current row. Cells that are merged with others widen those."""
        cells, self.cells, self.cell = self.cells[:MAX_COLUMNS], [], None
        if not cells:
            return
        row = etree.SubElement(self.element, "tr")
        placed: list[PlacedCell] = []
        right = layout.left
        for index, cell in enumerate(cells):
            edge = layout.edges[index] if index < len(layout.edges) else CellEdge(right=right + DEFAULT_WIDTH)
            left, right = right, max(right + 1, edge.right)
            above = next((each for start, each in self._open.items() if abs(start - left) <= TOLERANCE), None)
            if edge.joins_left and placed:
                placed[-1].right = right
                placed[-1].definitions += 1
            elif edge.joins_above and above is not None:
                above.set("rowspan", str(int(above.get("rowspan") or "1") + 1))
                placed.append(PlacedCell(above, left, right))
            else:
                cell.tag = "th" if layout.is_header else "td"
                row.append(cell)
                placed.append(PlacedCell(cell, left, right))
                self._open = {start: each for start, each in self._open.items() if not left <= start < right}
                self._open[left] = cell
        self.rows.append(placed)

    def span_columns(self) -> None:
        """Let cells span the columns that they cover, if rows have different numbers of cells.

        The edges of all cells make the columns. Rows with the same number of cells are aligned whatever their widths.
        """
        if len({len(row) for row in self.rows}) < 2:
            return
        columns: list[int] = []
        for edge in sorted({edge for row in self.rows for cell in row for edge in (cell.left, cell.right)}):
            if not columns or edge - columns[-1] > TOLERANCE:
                columns.append(edge)
        for cell in (cell for row in self.rows for cell in row):
            first, last = (bisect_right(columns, edge) for edge in (cell.left, cell.right))
            span = max(cell.definitions, last - first if len(columns) <= MAX_COLUMNS else 1)
            if span > 1:
                cell.element.set("colspan", str(span))


class Story:
    """A flow of paragraphs and tables: the text, a note, a header or a text box."""

    def __init__(self, root: HtmlElement, reading: Reading, definitions: Definitions) -> None:
        self._reading, self._definitions = reading, definitions
        self._builder = BlockBuilder(root, reading.anchors)
        self._table: Table | None = None
        self._row = RowLayout()
        self.pieces: list[Piece] = []
        """The content of the current paragraph."""
        self.label = ""
        """The number or bullet before its text."""

    @property
    def builder(self) -> BlockBuilder:
        """What blocks are appended to here: a cell or the story."""
        return self._table.cell if self._table and self._table.cell else self._builder

    def define_row(self, word: str, number: int) -> None:
        """Read a control word that defines a row of a table."""
        row = self._row
        match word:
            case "trowd":
                self._row = RowLayout()
            case "trleft":
                row.left = number
            case "trhdr":
                row.is_header = True
            case "clmrg":
                row.pending.joins_left = True
            case "clvmrg":
                row.pending.joins_above = True
            case "cellx":
                row.pending.right = number
                row.edges.append(row.pending)
                row.pending = CellEdge()

    def end_paragraph(self, state: State) -> None:
        """Write the current paragraph, into the open cell if it is in a table."""
        if not state.in_table:
            self._end_table()
        elif self._table is None:
            self._table = Table(self._builder.block("table"))
        if state.in_table and self._table and self._table.cell is None:
            element = new_element("td")
            self._table.cells.append(element)
            self._table.cell = BlockBuilder(element, self._reading.anchors)
        pieces: list[Piece] = [
            (marks, _INVALID.sub("", join_surrogates(content)) if isinstance(content, str) else content)
            for marks, content in merge_texts(self.pieces)
        ]
        self.pieces, label, self.label = [], self.label, ""
        if not label and state.first_line < 0:
            label = _take_label(pieces)
        style = self._definitions.styles.get(state.style, Style())
        outline = style.outline if state.outline is None else state.outline
        level = named_level(style.name)
        if not level and outline is not None and 0 <= outline < 9:
            level = min(MAX_HEADING_LEVEL, outline + 1)
        if level and label.strip() and self._reading.options.heading_numbers and has_content(pieces):
            pieces.insert(0, ((), f"{label.strip()} "))
        item = self._item(state, label) if (state.list_number or label) and not level and has_content(pieces) else None
        self.pieces = self.builder.write_paragraph(pieces, style_role(style.name), level, item, state.indent)

    def _item(self, state: State, label: str) -> Item:
        """Return the item of a list that a paragraph is: with a number if its list or its label has numbers."""
        level = max(0, min(MAX_LIST_LEVEL, state.list_level) if state.list_number else state.indent)
        defined = self._definitions.list_level(state.list_number, level)
        match = _NUMBER.fullmatch(label)
        is_ordered = defined.is_ordered if defined else bool(match or _LETTER.fullmatch(label))
        stated = int(match[1]) if match else None
        number = self._definitions.count(state.list_number, level, stated) if is_ordered else None
        return Item(level, str(state.list_number), number, state.indent)

    def end_cell(self, state: State) -> None:
        """End the open cell."""
        state.in_table = True
        self.end_paragraph(state)
        if self._table:
            self._table.cell = None

    def end_row(self) -> None:
        """End the current row."""
        if self._table:
            self._table.end_row(self._row)

    def _end_table(self) -> None:
        """End the table before text outside of it."""
        if self._table:
            self._table.end_row(self._row)
            self._table.span_columns()
            self._table = None

    def end(self, state: State) -> None:
        """Write the last paragraph, which may have no end, and end the table."""
        if self.pieces:
            self.end_paragraph(state)
        self._end_table()


def _take_label(pieces: list[Piece]) -> str:
    """Remove the bullet or number that begins a paragraph with a hanging indent, and return it."""
    content = pieces[0][1] if pieces else ""
    match = _HANGING_LABEL.match(content) if isinstance(content, str) else None
    if match is None:
        return ""
    pieces[0] = pieces[0][0], str(content)[match.end() :]
    return match[1]
