"""What the header of a document in Rich Text Format defines: fonts, styles of paragraphs, and lists."""

from dataclasses import dataclass, field

from mediakit.tools.documents.document_to_markdown.readers.rtf.tokens import (
    CODE_PAGES,
    SYMBOL_CHARSET,
    Group,
    code_page,
    first_word,
    is_skipped,
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

    def read_styles(self, sheet: Group, charset: str) -> None:
        """Read the style sheet. A style of paragraphs without a number is the default style, number 0."""
        for entry in subgroups(sheet):
            words = numbers_in(entry)
            if not is_skipped(entry) and words.keys().isdisjoint(("cs", "ts", "ds")):
                name = text_of(entry, charset).partition(";")[0].strip().lower()
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


def info_groups(info: Group) -> dict[str, Group]:
    """Return the properties of a document by their control words."""
    return {first_word(entry): entry for entry in subgroups(info)}
