"""Lists of Word: their levels, the number of each item, and what Word shows for it (ISO/IEC 29500-1, 17.9)."""

from dataclasses import dataclass, replace

from mediakit.tools.documents.document_to_markdown.readers.docx.parts import WordContext
from mediakit.tools.documents.document_to_markdown.readers.docx.styles import (
    ParagraphStyle,
    Styles,
    child_value,
    integer,
    left_indent,
)
from mediakit.tools.documents.document_to_markdown.readers.office.vocabulary import Element, W

MAX_LEVEL = 8
UNORDERED_FORMATS = frozenset(("bullet",))


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

    def level(self, identifier: str, level: int) -> Level | None:
        """Return a level of a list. None if there is no such list."""
        found = self._list(identifier)
        if found is None:
            return None
        return found.levels.get(level) or Level(is_ordered=any(each.is_ordered for each in found.levels.values()))

    def level_of_style(self, identifier: str, style: str | None) -> int:
        """Return the level of a list whose items have a paragraph style; 0 if there is none."""
        found = self._list(identifier)
        levels = found.levels if found and style else {}
        return next((number for number, level in levels.items() if level.style == style), 0)

    def key(self, identifier: str) -> str:
        """Return what identifies a list: two lists of one abstract list are one list for Word."""
        found = self._list(identifier)
        return "" if found is None else found.abstract

    def advance(self, identifier: str, level: int) -> int:
        """Count an item and return its number."""
        found = self._list(identifier)
        if found is None:
            return 1
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

    def _list(self, identifier: str) -> _List | None:
        if identifier not in self._lists:
            self._lists[identifier] = self._read(identifier)
        return self._lists[identifier]

    def _read(self, identifier: str) -> _List | None:
        number = self._numbers.get(identifier)
        abstract_id = child_value(number, f"{W}abstractNumId") or ""
        abstract = self._resolve(self._abstract.get(abstract_id))
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

    def _resolve(self, abstract: Element | None) -> Element | None:
        """Follow the link of an abstract list to the numbering style that defines it."""
        style = child_value(abstract, f"{W}numStyleLink")
        number = self._numbers.get(self._styles.numbering_of(style) or "") if style else None
        linked = self._abstract.get(child_value(number, f"{W}abstractNumId") or "")
        return abstract if linked is None else linked


def _index(element: Element) -> int:
    return max(0, min(MAX_LEVEL, integer(element.get(f"{W}ilvl"))))


def _read_level(element: Element) -> Level:
    kind = child_value(element, f"{W}numFmt") or "decimal"
    restart = child_value(element, f"{W}lvlRestart")
    properties = element.find(f"{W}pPr")
    text = element.find(f"{W}lvlText")
    has_text = text is None or bool((text.get(f"{W}val") or "").strip())
    has_image = element.find(f"{W}lvlPicBulletId") is not None
    return Level(
        is_ordered=kind not in UNORDERED_FORMATS,
        has_label=kind != "none" and (has_text or has_image),
        start=max(0, integer(child_value(element, f"{W}start"))),
        restart=None if restart is None else integer(restart),
        indent=None if properties is None else left_indent(properties),
        style=child_value(element, f"{W}pStyle"),
    )


NO_LIST = "0"
"""The list that removes a paragraph from the list of its style (ISO/IEC 29500-1, 17.9.18)."""


@dataclass(slots=True)
class ListItem:
    """An item of a list."""

    level: int
    key: str
    """The list."""
    number: int | None
    """None for a bullet."""
    indent: int
    has_label: bool = True
    """Whether the item has a bullet or a number. Without it, it continues the item before."""


def list_item(
    context: WordContext, properties: Element, style: ParagraphStyle, style_name: str | None
) -> ListItem | None:
    """Return the item that a paragraph is; None for other paragraphs. It is counted."""
    direct = properties.find(f"{W}numPr")
    identifier = child_value(direct, f"{W}numId") or style.numbering
    if identifier == NO_LIST:
        return None
    numbering = context.numbering
    if identifier is None or numbering.level(identifier, 0) is None:
        return _by_name(style) if identifier is None else None
    stated = child_value(direct, f"{W}ilvl")
    if stated is not None:
        level = integer(stated)
    elif style.level is not None:
        level = style.level
    else:
        level = numbering.level_of_style(identifier, style_name)
    level = max(0, min(MAX_LEVEL, level))
    found = numbering.level(identifier, level)
    if found is None:
        return None
    indent = left_indent(properties)
    if indent is None:
        indent = found.indent if found.indent is not None else style.indent
    number = numbering.advance(identifier, level) if found.is_ordered else None
    return ListItem(level, numbering.key(identifier), number, indent, found.has_label)


def _by_name(style: ParagraphStyle) -> ListItem | None:
    """Return the item of a style such as List Bullet whose list is not defined."""
    return ListItem(0, "bullet", None, style.indent) if style.role == "bullet" else None
