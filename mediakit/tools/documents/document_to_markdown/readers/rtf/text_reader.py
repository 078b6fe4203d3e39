"""Groups and text of Rich Text Format: charsets, Unicode characters, and where text goes."""

from collections.abc import Callable

from lxml.html import HtmlElement

from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import new_element
from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import symbol_character
from mediakit.tools.documents.document_to_markdown.readers.rtf.charsets import begins_pair
from mediakit.tools.documents.document_to_markdown.readers.rtf.definitions import Definitions
from mediakit.tools.documents.document_to_markdown.readers.rtf.state import State, Story
from mediakit.tools.documents.document_to_markdown.readers.rtf.tokens import Token

MAX_DEPTH = 500


class TextReader:
    """Reads groups and text, and collects them in stories, definitions or values."""

    def __init__(self) -> None:
        self.root = new_element("div")
        self._definitions = Definitions()
        self._state = State()
        self._states: list[tuple[State, Callable[[], None] | None]] = []
        """The states of the groups around, and what to do at the end of the current group."""
        self._stories = [Story(self.root)]
        self._charset = "cp1252"
        self._first_byte: int | None = None
        self._skipped = 0
        """Characters of text to skip after a Unicode character."""
        self._is_optional = False
        self._collected: list[str] = []

    @property
    def _story(self) -> Story:
        return self._stories[-1]

    def _begin_group(self) -> None:
        if len(self._states) >= MAX_DEPTH:
            raise InvalidInput(f"file: is nested deeper than {MAX_DEPTH} levels.")
        self._states.append((self._state, None))
        self._state = self._state.inherit()
        self._is_optional = False
        if self._state.destination == "styles":
            self._definitions.begin_style()

    def _end_group(self) -> None:
        self._flush_byte()
        if self._states:
            outer, action = self._states.pop()
            if action:
                action()
            self._state = outer
        self._skipped = 0

    def _at_end(self, action: Callable[[], None]) -> None:
        """Call a function at the end of the current group."""
        if self._states:
            self._states[-1] = (self._states[-1][0], action)

    def _read_text(self, content: bytes) -> None:
        if self._skipped:
            skipped = min(self._skipped, len(content))
            self._skipped -= skipped
            content = content[skipped:]
        if self._first_byte is not None and content:
            content, self._first_byte = bytes((self._first_byte,)) + content, None
        if content:
            self._add_text(self._decode(content))

    def _read_byte(self, byte: int) -> None:
        if self._skipped:
            self._skipped -= 1
        elif self._first_byte is not None:
            pair, self._first_byte = bytes((self._first_byte, byte)), None
            self._add_text(self._decode(pair))
        elif begins_pair(byte, self._font_charset()):
            self._first_byte = byte
        else:
            self._add_text(self._decode(bytes((byte,))))

    def _read_binary(self, token: Token) -> None:
        if self._state.destination == "image":
            self._collected.append(token.content.hex())

    def _flush_byte(self) -> None:
        """Drop the first byte of a character that has no second one."""
        self._first_byte = None

    def _font_charset(self) -> str:
        font = self._definitions.fonts.get(self._state.font)
        return (font.charset if font else None) or self._charset

    def _decode(self, content: bytes) -> str:
        font = self._definitions.fonts.get(self._state.font)
        if font and font.is_symbol and self._state.destination == "body":
            return "".join(symbol_character("symbol", f"{byte:x}") for byte in content)
        if content.isascii():
            return content.decode("ascii")
        return content.decode(self._font_charset(), "replace")

    def _add_text(self, text: str) -> None:
        match self._state.destination:
            case "body":
                if not self._state.hidden:
                    self._add_piece(text)
            case "styles":
                self._definitions.read_style_name(text)
            case "skip" | "fonts" | "lists" | "overrides" | "info":
                pass
            case _:
                self._collected.append(text)

    def _add_piece(self, content: str | HtmlElement) -> None:
        self._story.pieces.append((self._state.marks, content))

    def _add_character(self, character: str) -> None:
        if self._skipped:
            self._skipped -= 1
        else:
            self._add_text(character)
