"""Styles of OpenDocument: the formats of texts, the roles of paragraphs, and the numbers of lists and headings."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mediakit.tools.documents.document_to_markdown.readers.office import (
    Element,
    Role,
    box_state,
    is_symbol_font,
    numeral,
    symbol_text,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    CODE,
    EMPHASIS,
    STRIKE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Mark,
    Marks,
)

_PREFIX = "urn:oasis:names:tc:opendocument:xmlns"
OFFICE = f"{{{_PREFIX}:office:1.0}}"
TEXT = f"{{{_PREFIX}:text:1.0}}"
TABLE = f"{{{_PREFIX}:table:1.0}}"
STYLE = f"{{{_PREFIX}:style:1.0}}"
DRAW = f"{{{_PREFIX}:drawing:1.0}}"
FO = f"{{{_PREFIX}:xsl-fo-compatible:1.0}}"
SVG = f"{{{_PREFIX}:svg-compatible:1.0}}"
CHART = f"{{{_PREFIX}:chart:1.0}}"
FORM = f"{{{_PREFIX}:form:1.0}}"
FIELD = "{urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0}"
XLINK = "{http://www.w3.org/1999/xlink}"
DC = "{http://purl.org/dc/elements/1.1/}"
MATHML = "{http://www.w3.org/1998/Math/MathML}"
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"

STYLE_NAME = f"{TEXT}style-name"
MAX_INHERITANCE = 30
MAX_LEVEL = 20

_ESCAPE = re.compile(r"_([0-9a-f]{2})_")
_ROLES: dict[str, Role] = {
    "title": "title",
    **dict.fromkeys(("preformattedtext", "sourcecode", "code", "codeblock"), "code"),
    **dict.fromkeys(("quotations", "quotation", "quote", "blockquote"), "quote"),
}
_INLINE_CODE = frozenset(("sourcetext", "teletype", "userentry", "sourcecode", "verbatimchar", "code"))
_BOLD = frozenset(("bold", "600", "700", "800", "900"))
_ITALIC = frozenset(("italic", "oblique"))
_NUMBER_FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
"""Formats of numbers (OpenDocument 1.3, 19.502), by their names in Word."""


def count(text: str | None, default: int = 1, limit: int = 100_000) -> int:
    """Return a whole number from 0 to the limit, or the default if the text is not one."""
    return min(limit, int(text)) if text and len(text) < 10 and text.isascii() and text.isdigit() else default


@dataclass(frozen=True, slots=True)
class TextFormat:
    """The format of a text."""

    marks: Marks = ()
    font: str | None = None
    """A symbol font; empty for other fonts. None if the style does not state the font."""


@dataclass(frozen=True, slots=True)
class ListLevel:
    """A level of a list style, or of the headings."""

    is_ordered: bool
    start: int = 1
    number_format: str = ""
    """Empty for no number."""
    prefix: str = ""
    suffix: str = ""
    shown_levels: int = 1
    """How many numbers are shown: that of this level, and of the levels above."""
    is_checked: bool | None = None
    """Whether its bullet is a checked box. None for other bullets and numbers."""


UNORDERED = ListLevel(is_ordered=False)


class OpenStyles:
    """The styles of a document: the common ones of `styles.xml` and the automatic ones of `content.xml`."""

    def __init__(self, roots: Sequence[Element]) -> None:
        self._styles: dict[tuple[str, str], Element] = {}
        self._automatic: set[tuple[str, str]] = set()
        self.lists: dict[str, Mapping[int, ListLevel]] = {}
        """The defined levels of list styles by number, from 1. Others have bullets."""
        self._formats: dict[tuple[str, str], TextFormat | None] = {}
        self._roles: dict[str, Role] = {}
        self._families: dict[str, str] = {}
        """The families of fonts by the names that styles use."""
        self._heading_levels: dict[int, ListLevel] = {}
        for root in roots:
            for face in root.iter(f"{STYLE}font-face"):
                self._families[face.get(f"{STYLE}name") or ""] = face.get(f"{SVG}font-family") or ""
            for style in root.iter(f"{STYLE}style"):
                key = style.get(f"{STYLE}family") or "", style.get(f"{STYLE}name") or ""
                self._styles[key] = style
                parent = style.getparent()
                if parent is not None and parent.tag == f"{OFFICE}automatic-styles":
                    self._automatic.add(key)
            for listed in root.iter(f"{TEXT}list-style"):
                self.lists[listed.get(f"{STYLE}name") or ""] = self._read_levels(listed)
            for outline in root.iter(f"{TEXT}outline-style"):
                self._heading_levels = self._read_levels(outline)

    def format_of(self, family: str, name: str) -> TextFormat | None:
        """Return the format of a style of texts or paragraphs, also what it inherits. None if its text is hidden.

        The marks of paragraphs are those of direct formatting, which is stored as an automatic style.
        """
        key = family, name
        if key not in self._formats:
            self._formats[key] = self._read_format(family, name)
        return self._formats[key]

    def role(self, name: str) -> Role:
        """Return the role of the paragraphs that have a style, or one that is based on it."""
        if name not in self._roles:
            keys = (_key(style) for style in self._chain("paragraph", name))
            self._roles[name] = next((_ROLES[key] for key in keys if key in _ROLES), _ROLES.get(_plain(name), ""))
        return self._roles[name]

    def heading_levels(self, style: str) -> Mapping[int, ListLevel]:
        """Return the levels that number headings of a style. Empty if the style takes its headings out of them."""
        stated = (each.get(f"{STYLE}list-style-name") for each in self._chain("paragraph", style))
        return {} if next((name for name in stated if name is not None), None) == "" else self._heading_levels

    def _chain(self, family: str, name: str) -> Iterator[Element]:
        for _ in range(MAX_INHERITANCE):
            style = self._styles.get((family, name))
            if style is None:
                return
            yield style
            name = style.get(f"{STYLE}parent-style-name") or ""

    def _read_format(self, family: str, name: str) -> TextFormat | None:
        found: dict[str, Mark | None] = {}
        font: str | None = None
        is_code = family == "text" and _plain(name) in _INLINE_CODE
        for style in self._chain(family, name):
            is_direct = family == "text" or (family, style.get(f"{STYLE}name")) in self._automatic
            is_code = is_code or (family == "text" and _key(style) in _INLINE_CODE)
            properties = style.find(f"{STYLE}text-properties")
            if properties is None:
                continue
            if is_direct and properties.get(f"{TEXT}display") == "none":
                return None
            font = self._symbol_font(properties) if font is None else font
            for kind, mark in _properties(properties) if is_direct else ():
                found.setdefault(kind, mark)
        marks = tuple(dict.fromkeys(mark for mark in found.values() if mark))
        return TextFormat((*marks, CODE) if is_code else marks, font)

    def _symbol_font(self, properties: Element) -> str | None:
        """Return a symbol font that properties state; empty for other fonts, None if they state none."""
        face = properties.get(f"{STYLE}font-name")
        family = properties.get(f"{FO}font-family") if face is None else self._families.get(face, face)
        name = None if family is None else family.split(",")[0].strip(" '\"")
        return name if name is None or is_symbol_font(name) else ""

    def _read_levels(self, listed: Element) -> dict[int, ListLevel]:
        levels = {}
        for element in listed:
            number_format = "" if element.tag in _BULLET_LEVELS else element.get(f"{STYLE}num-format") or ""
            properties = element.find(f"{STYLE}text-properties")
            font = None if properties is None else self._symbol_font(properties)
            levels[count(element.get(f"{TEXT}level"), 1, MAX_LEVEL)] = ListLevel(
                is_ordered=bool(number_format),
                start=count(element.get(f"{TEXT}start-value")),
                number_format=_NUMBER_FORMATS.get(number_format, number_format),
                prefix=element.get(f"{STYLE}num-prefix") or "",
                suffix=element.get(f"{STYLE}num-suffix") or "",
                shown_levels=count(element.get(f"{TEXT}display-levels"), 1, MAX_LEVEL),
                is_checked=box_state(symbol_text(font or "", element.get(f"{TEXT}bullet-char") or "")),
            )
        return levels


_BULLET_LEVELS = (f"{TEXT}list-level-style-bullet", f"{TEXT}list-level-style-image")


def _properties(properties: Element) -> Iterator[tuple[str, Mark | None]]:
    """Yield the kinds of marks that properties specify, with None for those that they switch off."""
    if weight := properties.get(f"{FO}font-weight"):
        yield "strong", STRONG if weight in _BOLD else None
    if slant := properties.get(f"{FO}font-style"):
        yield "em", EMPHASIS if slant in _ITALIC else None
    line = properties.get(f"{STYLE}text-line-through-style") or properties.get(f"{STYLE}text-line-through-type")
    if line:
        yield "del", STRIKE if line != "none" else None
    if position := properties.get(f"{STYLE}text-position"):  # such as `super 58%` or `-33% 58%`
        raised = position.split(maxsplit=1)[0] if position.split() else ""
        is_above = raised == "super" or (raised.rstrip("%").isdigit() and raised.rstrip("%") != "0")
        is_below = raised == "sub" or raised.startswith("-")
        yield "script", SUPERSCRIPT if is_above else SUBSCRIPT if is_below else None


def _key(style: Element) -> str:
    return _plain(style.get(f"{STYLE}display-name") or style.get(f"{STYLE}name") or "")


def _plain(name: str) -> str:
    """Return a name in lower case without spaces, which style names write as `_20_`."""
    return re.sub(r"[\s_-]", "", _ESCAPE.sub(lambda match: chr(int(match[1], 16)), name.lower()))


class ListNumbers:
    """Counts the items of lists that continue other ones, and headings."""

    def __init__(self) -> None:
        self._next_by_style: dict[tuple[str, int], int] = {}
        self._next_by_id: dict[str, int] = {}
        self._headings: dict[int, int] = {}
        """The last number of each level of headings."""

    def first(self, element: Element, style: str, level: int, start: int) -> int:
        """Return the number of the first item of a list."""
        continued = element.get(f"{TEXT}continue-list")
        if continued and continued in self._next_by_id:
            return self._next_by_id[continued]
        if element.get(f"{TEXT}continue-numbering") == "true":
            return self._next_by_style.get((style, level), start)
        return start

    def end(self, element: Element, style: str, level: int, number: int) -> None:
        """Remember the number that follows the last item of a list."""
        self._next_by_style[style, level] = number
        identifier = element.get(XML_ID)
        if identifier:
            self._next_by_id[identifier] = number

    def heading_label(self, heading: Element, level: int, levels: Mapping[int, ListLevel]) -> str:
        """Count a heading that is not in a list, and return its number with a space. Empty if it has none."""
        if heading.get(f"{TEXT}is-list-header") == "true" or not levels.get(level, UNORDERED).is_ordered:
            return ""
        for deeper in [each for each in self._headings if each > level]:
            del self._headings[deeper]
        stated = heading.get(f"{TEXT}start-value") if heading.get(f"{TEXT}restart-numbering") == "true" else None
        following = self._headings.get(level, levels[level].start - 1) + 1
        self._headings[level] = following if stated is None else count(stated)
        return label(
            levels, [self._headings.get(each, levels.get(each, UNORDERED).start) for each in range(1, level + 1)]
        )


def label(levels: Mapping[int, ListLevel], numbers: Sequence[int]) -> str:
    """Return the number of an item or heading as it is shown, with a space after it. Empty if it has none.

    The levels of its list are by number, from 1; the numbers are those of the levels down to its own.
    """
    own = levels.get(len(numbers), UNORDERED)
    if not own.is_ordered:
        return ""
    shown = range(max(1, len(numbers) - own.shown_levels + 1), len(numbers) + 1)
    texts = (
        numeral(numbers[level - 1], levels[level].number_format)
        for level in shown
        if level in levels and levels[level].is_ordered
    )
    return f"{own.prefix}{'.'.join(texts)}{own.suffix} "
