"""Reads the tokens of a document in Rich Text Format (version 1.9.1)."""

from collections.abc import Callable
from functools import partial

from mediakit.tools.documents.document_to_markdown.document import ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Anchors, new_element
from mediakit.tools.documents.document_to_markdown.readers.rtf.charsets import code_page, named_charset
from mediakit.tools.documents.document_to_markdown.readers.rtf.control_words import (
    CHARACTERS,
    DESTINATIONS,
    IGNORED_DESTINATIONS,
    SYMBOLS,
    TRANSPARENT,
)
from mediakit.tools.documents.document_to_markdown.readers.rtf.destinations import DestinationReader
from mediakit.tools.documents.document_to_markdown.readers.rtf.state import CellEdge
from mediakit.tools.documents.document_to_markdown.readers.rtf.tokens import Token, tokens


class RtfReader(DestinationReader):
    """Reads one document."""

    def __init__(self, options: ReadOptions, anchors: Anchors) -> None:
        super().__init__(options, anchors)
        self._words = self._word_handlers()

    def read(self, content: bytes) -> None:
        """Read the tokens of a document.

        Raises:
            InvalidInput: Its groups are nested deeper than 500 levels.
        """
        handlers: dict[str, Callable[[Token], None]] = {
            "text": lambda token: self._read_text(token.content),
            "word": self._read_word,
            "begin": lambda _: self._begin_group(),
            "end": lambda _: self._end_group(),
            "byte": lambda token: self._read_byte(token.number or 0),
            "symbol": lambda token: self._read_symbol(token.name),
            "binary": self._read_binary,
        }
        for token in tokens(content):
            handlers[token.kind](token)
        while self._states:
            self._end_group()
        self._end_story()

    def _read_symbol(self, name: str) -> None:
        self._flush_byte()
        if name == "*":
            self._is_optional = True
        elif name in ("\r", "\n"):
            self._end_paragraph()
        elif name in SYMBOLS:
            self._add_character(SYMBOLS[name])

    def _read_word(self, token: Token) -> None:
        self._flush_byte()
        name, number = token.name, token.number
        if self._is_optional or name in DESTINATIONS or name in IGNORED_DESTINATIONS or name in TRANSPARENT:
            self._is_optional = False
            self._begin_destination(name)
            return
        if name == "u" and number is not None:
            self._add_text(chr(number % 65_536))
            self._skipped = self._state.fallback_characters
        elif name in CHARACTERS:
            self._add_character(CHARACTERS[name])
        elif self._state.destination != "body" and self._read_definition(name, number or 0):
            return
        elif handler := self._words.get(name):
            handler(1 if number is None else number)

    def _read_definition(self, name: str, number: int) -> bool:
        """Read a control word inside a table of definitions, and return whether it belongs to the table."""
        read = {
            "fonts": self._definitions.read_font,
            "styles": self._definitions.read_style,
            "lists": self._definitions.read_list,
            "overrides": self._definitions.read_override,
        }.get(self._state.destination)
        if read is None:
            self._numbers[name] = number
            return False
        read(name, number)
        return True

    def _word_handlers(self) -> dict[str, Callable[[int], None]]:
        def toggle(name: str) -> Callable[[int], None]:
            return lambda number: setattr(self._state, name, bool(number))

        def value(name: str) -> Callable[[int], None]:
            return lambda number: setattr(self._state, name, number)

        return {
            "b": toggle("bold"),
            "i": toggle("italic"),
            "strike": toggle("strike"),
            "striked": toggle("strike"),
            "v": toggle("hidden"),
            "deleted": toggle("hidden"),
            "super": lambda number: setattr(self._state, "script", 1 if number else 0),
            "sub": lambda number: setattr(self._state, "script", -1 if number else 0),
            "nosupersub": lambda _: setattr(self._state, "script", 0),
            "plain": lambda _: self._state.reset_characters(),
            "f": value("font"),
            "uc": lambda number: setattr(self._state, "fallback_characters", max(0, min(100, number))),
            "pard": lambda _: self._state.reset_paragraph(),
            "s": value("style"),
            "outlinelevel": value("outline"),
            "ls": value("list_number"),
            "ilvl": value("list_level"),
            "li": value("indent"),
            "fi": value("first_line"),
            "intbl": lambda _: setattr(self._state, "in_table", True),
            "par": lambda _: self._end_paragraph(),
            "sect": lambda _: self._end_paragraph(),
            "nestcell": lambda _: self._end_paragraph(),
            "line": lambda _: self._line_break(),
            "cell": lambda _: self._end_cell(),
            "row": lambda _: self._in_body(lambda: self._writer.end_row(self._story)),
            "trowd": lambda _: self._begin_row(),
            "cellx": lambda _: self._end_edge(),
            "clmrg": lambda _: setattr(self._story.pending, "joins_left", True),
            "clvmrg": lambda _: setattr(self._story.pending, "joins_above", True),
            "trhdr": lambda _: setattr(self._story, "is_header_row", True),
            "ansicpg": lambda number: setattr(self, "_charset", code_page(number)),
            **{name: partial(self._set_charset, name) for name in ("ansi", "mac", "pc", "pca")},
        }

    def _set_charset(self, name: str, _number: int) -> None:
        self._charset = named_charset(name)

    def _in_body(self, action: Callable[[], None]) -> None:
        if self._state.destination == "body":
            action()

    def _end_paragraph(self) -> None:
        self._in_body(lambda: self._writer.end_paragraph(self._story, self._state))

    def _end_cell(self) -> None:
        self._in_body(lambda: self._writer.end_cell(self._story, self._state))

    def _line_break(self) -> None:
        if self._state.destination == "body" and not self._state.hidden:
            self._add_piece(new_element("br"))

    def _begin_row(self) -> None:
        story = self._story
        story.edges, story.pending, story.is_header_row = [], CellEdge(), False

    def _end_edge(self) -> None:
        self._story.edges.append(self._story.pending)
        self._story.pending = CellEdge()
