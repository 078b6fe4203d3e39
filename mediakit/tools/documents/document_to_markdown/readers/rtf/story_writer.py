"""Writes the paragraphs and tables of a flow of text in Rich Text Format as HTML."""

import re

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    Anchors,
    BlockBuilder,
    Piece,
    append_code,
    append_pieces,
    has_content,
    merge_texts,
    new_element,
    without_strong,
)
from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import (
    MAX_HEADING_LEVEL,
    named_level,
    style_role,
)
from mediakit.tools.documents.document_to_markdown.readers.rtf.charsets import join_surrogates
from mediakit.tools.documents.document_to_markdown.readers.rtf.definitions import Definitions, Style
from mediakit.tools.documents.document_to_markdown.readers.rtf.state import CellEdge, State, Story

MAX_COLUMNS = 200
MAX_LIST_LEVEL = 8
_INVALID = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
_HANGING_LABEL = re.compile(r"((?:[•◦▪■●○·–-]|\(?(?:\d{1,9}|[a-zA-Z])[.)]))\t")
_NUMBER = re.compile(r"\s*\(?(\d{1,9})[.)]?\s*")
_LETTER = re.compile(r"\s*\(?(?:[a-zA-Z]|[ivxlcdmIVXLCDM]{1,8})[.)]\s*")
_UNKNOWN_STYLE = Style()


class StoryWriter:
    """Writes what stories hold."""

    def __init__(self, definitions: Definitions, anchors: Anchors) -> None:
        self._definitions = definitions
        self._anchors = anchors
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
        style = self._definitions.styles.get(state.style, _UNKNOWN_STYLE)
        role = style_role(style.name.strip().lower())
        level = self._heading_level(style, state)
        if not has_content(pieces):
            if role == "code" and builder.is_in_code:
                builder.code_lines()
            story.pieces = [piece for piece in pieces if not isinstance(piece[1], str) and piece[1].tag == "a"]
        elif level or role == "title":
            heading = builder.block(f"h{level or 1}")
            append_pieces(heading, without_strong(pieces))
            self._anchors.move_to_heading(heading)
        elif role == "code":
            append_code(builder.code_lines(), pieces)
        else:
            append_pieces(self._paragraph_element(builder, state, label, is_quote=role == "quote"), pieces)

    def _heading_level(self, style: Style, state: State) -> int:
        level = named_level(style.name.strip().lower())
        outline = style.outline if state.outline is None else state.outline
        if not level and outline is not None and 0 <= outline < 9:
            level = min(MAX_HEADING_LEVEL, outline + 1)
        return level

    def _paragraph_element(self, builder: BlockBuilder, state: State, label: str, *, is_quote: bool) -> HtmlElement:
        if state.list_number or label:
            level = max(0, min(MAX_LIST_LEVEL, state.list_level) if state.list_number else state.indent)
            number = self._item_number(state.list_number, level, label)
            return builder.item(level, str(state.list_number), number, state.indent)
        if is_quote:
            return builder.grouped("blockquote", "p")
        return builder.continuation(state.indent) if builder.is_in_list and state.indent > 0 else builder.block("p")

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
            story.columns = {}
        element = new_element("td")
        story.cells.append(element)
        story.cell = BlockBuilder(element)

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
        origin: HtmlElement | None = None
        for index, cell in enumerate(cells):
            edge = story.edges[index] if index < len(story.edges) else CellEdge()
            above = story.columns.get(index)
            if edge.joins_left and origin is not None:
                _widen(origin, "colspan")
            elif edge.joins_above and above is not None:
                _widen(above, "rowspan")
            else:
                cell.tag = "th" if story.is_header_row else "td"
                row.append(cell)
                origin = story.columns[index] = cell

    def end_table(self, story: Story) -> None:
        """End the table before text outside of it."""
        if story.cells:
            self.end_row(story)
        story.table, story.cell = None, None


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


def _widen(cell: HtmlElement, attribute: str) -> None:
    cell.set(attribute, str(int(cell.get(attribute) or "1") + 1))
