"""Lists of Word: the item that a paragraph is, its number, and the label that Word shows (ISO/IEC 29500-1, 17.9)."""

import re
from dataclasses import dataclass, replace

from mediakit.tools.documents.document_to_markdown.readers.docx.styles import Styles, child_value, is_on, left_indent
from mediakit.tools.documents.document_to_markdown.readers.office import (
    Element,
    W,
    box_state,
    integer,
    numeral,
    symbol_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Item

MAX_LEVEL = 8
NO_LIST = "0"
"""The list that removes a paragraph from the list of its style (ISO/IEC 29500-1, 17.9.18)."""

_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a list."""

    is_ordered: bool = True
    has_label: bool = True
    """Whether its items have a bullet or a number."""
    start: int = 1
    restart: int | None = None
    """Items of this level or a higher one restart the numbers; 0 for never. None: any higher level."""
    indent: int | None = None
    """Indentation of the text in twentieths of a point."""
    style: str | None = None
    """The paragraph style whose paragraphs are items of this level."""
    number_format: str = "decimal"
    text: str = ""
    """What is shown, with `%1` for the number of the first level; the bullet of a level without numbers."""
    is_decimal: bool = False
    """Whether the numbers of all levels are shown as decimal (17.9.4)."""
    suffix: str = " "
    """What separates the label from the text."""


@dataclass(frozen=True, slots=True)
class WordItem(Item):
    """An item of a list, with what Word shows before its text."""

    label: str = ""
    """The number with what separates it from the text, such as `1.2 `. Empty for bullets."""
    is_checked: bool | None = None
    """Whether its bullet is a checked box. None for other bullets and numbers."""


@dataclass(slots=True)
class _List:
    """A list: the levels of an abstract list with overrides."""

    abstract: str
    levels: dict[int, Level]
    restarts: dict[int, int]
    """First numbers of levels that start again where this list is used first."""


class Numbering:
    """The lists of a document, and their counters."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._abstract: dict[str, Element] = {}
        self._numbers: dict[str, Element] = {}
        self._lists: dict[str, _List | None] = {}
        self._counters: dict[str, list[int | None]] = {}
        if root is not None:
            self._abstract = {item.get(f"{W}abstractNumId") or "": item for item in root.iter(f"{W}abstractNum")}
            self._numbers = {item.get(f"{W}numId") or "": item for item in root.iter(f"{W}num")}

    def count(self, properties: Element, style_name: str | None, *, is_labeled: bool) -> WordItem | None:
        """Count a paragraph, and return the item that it is, if needed with its label; None for other paragraphs."""
        style = self._styles.paragraph(style_name)
        direct = properties.find(f"{W}numPr")
        identifier = child_value(direct, f"{W}numId") or style.numbering
        if identifier is None:
            # A style such as List Bullet whose list is not defined
            return WordItem(style.depth, "bullet", None, style.indent) if style.role == "bullet" else None
        if identifier not in self._lists:
            self._lists[identifier] = None if identifier == NO_LIST else self._read(identifier)
        found = self._lists[identifier]
        if found is None:
            return None
        stated = child_value(direct, f"{W}ilvl")
        if stated is not None:
            number = integer(stated)
        elif style.level is not None:
            number = style.level
        else:
            number = next((each for each, of in found.levels.items() if style_name and of.style == style_name), 0)
        number = max(0, min(MAX_LEVEL, number))
        level = found.levels.get(number) or Level(is_ordered=any(each.is_ordered for each in found.levels.values()))
        indent = left_indent(properties)
        if indent is None:
            indent = style.indent if level.indent is None else level.indent
        depth = number or style.depth
        if not level.is_ordered:
            checked = box_state(level.text)
            key = found.abstract if checked is None else "boxes"  # items of one list have several bullets
            return WordItem(depth, key, None, indent, level.has_label, is_checked=checked)
        counted = self._advance(found, number)
        label = self._label(found, level) if is_labeled else ""
        return WordItem(depth, found.abstract, counted, indent, level.has_label, label)

    def _advance(self, found: _List, level: int) -> int:
        """Count an item and return its number."""
        counters = self._counters.setdefault(found.abstract, [None] * (MAX_LEVEL + 1))
        if level in found.restarts:
            counters[level] = found.restarts.pop(level) - 1
        current = counters[level]
        number = found.levels.get(level, Level()).start if current is None else current + 1
        counters[level] = number
        for deeper in range(level + 1, MAX_LEVEL + 1):
            restart = found.levels.get(deeper, Level()).restart
            if restart is None or level < restart:
                counters[deeper] = None
        return number

    def _label(self, found: _List, level: Level) -> str:
        """Return the label of the item that was counted last. Levels without an item show their first number."""
        counters = self._counters[found.abstract]

        def shown(match: re.Match[str]) -> str:
            index = int(match[1]) - 1
            other = found.levels.get(index, Level())
            number = counters[index]
            return numeral(
                other.start if number is None else number, "decimal" if level.is_decimal else other.number_format
            )

        text = _PLACE.sub(shown, level.text)
        return f"{text}{level.suffix}" if text.strip() else ""

    def _read(self, identifier: str) -> _List | None:
        number = self._numbers.get(identifier)
        abstract_id = child_value(number, f"{W}abstractNumId") or ""
        abstract = self._abstract.get(abstract_id)
        if style := child_value(abstract, f"{W}numStyleLink"):  # the numbering style that defines the list
            defining = self._numbers.get(self._styles.numbering_of(style) or "")
            abstract = self._abstract.get(child_value(defining, f"{W}abstractNumId") or "", abstract)
        if number is None or abstract is None:
            return None
        levels = {_index(element): _read_level(element) for element in abstract.iterchildren(f"{W}lvl")}
        restarts: dict[int, int] = {}
        for override in number.iterchildren(f"{W}lvlOverride"):
            index = _index(override)
            element = override.find(f"{W}lvl")
            if element is not None:
                levels[index] = _read_level(element)
            start = child_value(override, f"{W}startOverride")
            if start is not None:
                restarts[index] = integer(start, 1)
                levels[index] = replace(levels.get(index, Level()), start=restarts[index])
        return _List(abstract.get(f"{W}abstractNumId") or "", levels, restarts)


def _index(element: Element) -> int:
    return max(0, min(MAX_LEVEL, integer(element.get(f"{W}ilvl"))))


def _read_level(element: Element) -> Level:
    kind = child_value(element, f"{W}numFmt") or "decimal"
    restart = child_value(element, f"{W}lvlRestart")
    properties = element.find(f"{W}pPr")
    stated = element.find(f"{W}lvlText")
    text = "" if stated is None else stated.get(f"{W}val") or ""
    fonts = element.find(f"{W}rPr/{W}rFonts")
    decimal = element.find(f"{W}isLgl")
    return Level(
        is_ordered=kind != "bullet",
        has_label=kind != "none"
        and (stated is None or bool(text.strip()) or element.find(f"{W}lvlPicBulletId") is not None),
        start=max(0, integer(child_value(element, f"{W}start"))),
        restart=None if restart is None else integer(restart),
        indent=None if properties is None else left_indent(properties),
        style=child_value(element, f"{W}pStyle"),
        number_format=kind,
        text=symbol_text("" if fonts is None else fonts.get(f"{W}ascii") or "", text) if kind == "bullet" else text,
        is_decimal=decimal is not None and is_on(decimal),
        suffix="" if child_value(element, f"{W}suff") == "nothing" else " ",
    )
