"""The tables of a document in Rich Text Format: its fonts, styles and lists."""

from dataclasses import dataclass, field

from mediakit.tools.documents.document_to_markdown.readers.rtf.charsets import CODE_PAGES, SYMBOL_CHARSET, code_page

MAX_DEFINITIONS = 10_000
_BULLET, _NO_NUMBER = 23, 255


@dataclass(slots=True)
class Font:
    """A font."""

    charset: str | None = None
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
        self._style.name += name[:200]
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
