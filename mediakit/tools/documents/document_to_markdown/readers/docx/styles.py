"""Styles of paragraphs and characters of Word, and the formats of runs: headings, roles, lists, marks and fonts."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from mediakit.tools.documents.document_to_markdown.readers.office import (
    MAX_HEADING_LEVEL,
    Element,
    Role,
    W,
    integer,
    is_code_style,
    is_symbol_font,
    named_level,
    style_role,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import (
    CODE,
    EMPHASIS,
    STRIKE,
    STRONG,
    SUBSCRIPT,
    SUPERSCRIPT,
    Marks,
)

WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
V = "{urn:schemas-microsoft-com:vml}"
OFFICE = "{urn:schemas-microsoft-com:office:office}"

VAL = f"{W}val"
PARAGRAPH = f"{W}p"
TABLE = f"{W}tbl"

TRANSPARENT = frozenset(
    f"{W}{name}" for name in ("sdtContent", "sdt", "smartTag", "customXml", "ins", "moveTo", "dir", "bdo", "fldSimple")
)
"""Elements that only wrap content that is read."""

REMOVED = frozenset(f"{W}{name}" for name in ("del", "moveFrom"))
"""Tracked deletions."""

_FALSE = ("0", "false", "off", "none")


def child_value(element: Element | None, name: str) -> str | None:
    """Return the `w:val` of a child; None without the child or its value."""
    if element is None:
        return None
    child = element.find(name)
    return None if child is None else child.get(VAL)


def is_on(element: Element) -> bool:
    """Return the value of a toggle: on unless its `w:val` is false (ISO/IEC 29500-1, 17.17.4)."""
    return element.get(VAL, "1") not in _FALSE


Script = Literal["", "sup", "sub"]

MAX_INHERITANCE = 30
"""Styles that one style is based on. More are a loop."""


@dataclass(slots=True)
class ParagraphStyle:
    """What a paragraph style says about the paragraphs that have it."""

    heading: int = 0
    """Level of a heading, 1-6; 0 for other paragraphs."""
    role: Role = ""
    numbering: str | None = None
    """Identifier of the list; `0` for none."""
    level: int | None = None
    """Level of the list, from 0. None if the style does not state it."""
    indent: int = 0
    """Left indentation in twentieths of a point."""
    font: str = ""
    """A symbol font; empty for other fonts."""


@dataclass(slots=True)
class CharacterStyle:
    """What a character style says about its text. None is unspecified."""

    bold: bool | None = None
    italic: bool | None = None
    strike: bool | None = None
    hidden: bool | None = None
    script: Script | None = None
    font: str | None = None
    """A symbol font; empty for other fonts."""
    is_code: bool = False


class Styles:
    """The styles of a document."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._default_paragraph = ""
        self._paragraphs: dict[str, ParagraphStyle] = {}
        self._characters: dict[str, CharacterStyle] = {}
        for style in () if root is None else root.iterchildren(f"{W}style"):
            identifier = style.get(f"{W}styleId") or ""
            self._elements.setdefault(identifier, style)
            if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true", "on"):
                self._default_paragraph = identifier

    def paragraph(self, identifier: str | None) -> ParagraphStyle:
        """Return a paragraph style. The default style stands for unknown ones."""
        key = identifier if identifier in self._elements else self._default_paragraph
        found = self._paragraphs.get(key or "")
        if found is None:
            found = self._paragraphs[key or ""] = self._read_paragraph(key or "")
        return found

    def character(self, identifier: str) -> CharacterStyle:
        """Return a character style. Unknown ones specify nothing."""
        found = self._characters.get(identifier)
        if found is None:
            found = self._characters[identifier] = self._read_character(identifier)
        return found

    def numbering_of(self, identifier: str) -> str | None:
        """Return the identifier of a numbering style's list (ISO/IEC 29500-1, 17.9.21)."""
        return self.paragraph(identifier).numbering if identifier in self._elements else None

    def _chain(self, identifier: str) -> Iterator[Element]:
        """Yield a style and those that it is based on, nearest first."""
        for _ in range(MAX_INHERITANCE):
            style = self._elements.get(identifier)
            if style is None:
                return
            yield style
            identifier = child_value(style, f"{W}basedOn") or ""

    def _read_paragraph(self, identifier: str) -> ParagraphStyle:
        found = ParagraphStyle()
        indent: int | None = None
        font: str | None = None
        for style in self._chain(identifier):
            properties = style.find(f"{W}pPr")
            name = _name(style)
            found.heading = found.heading or named_level(name) or outline_level(properties)
            found.role = found.role or style_role(name)
            _read_numbering(found, properties)
            if indent is None and properties is not None:
                indent = left_indent(properties)
            if font is None and (fonts := style.find(f"{W}rPr/{_FONTS}")) is not None:
                font = symbol_font(fonts)
        found.indent, found.font = indent or 0, font or ""
        if found.heading:
            found.role = ""
        return found

    def _read_character(self, identifier: str) -> CharacterStyle:
        found = CharacterStyle()
        for style in self._chain(identifier):
            found.is_code = found.is_code or is_code_style(_name(style))
            properties = style.find(f"{W}rPr")
            if properties is not None:
                _merge(found, read_character_properties(properties))
        return found


def left_indent(properties: Element) -> int | None:
    """Return the left indentation of paragraph properties, in twentieths of a point. None if it is unspecified."""
    indent = properties.find(f"{W}ind")
    if indent is None:
        return None
    text = indent.get(f"{W}left") or indent.get(f"{W}start")
    return None if text is None else integer(text)


def read_character_properties(properties: Element, *, is_complex: bool = False) -> CharacterStyle:
    """Return what character properties specify directly, without their style.

    Args:
        properties: The properties.
        is_complex: Whether the text is of a complex script, which has its own bold and italic (17.3.2.2).
    """
    found = CharacterStyle()
    for child in properties:
        match child.tag:
            case tag if tag == (_BOLD_COMPLEX if is_complex else _BOLD):
                found.bold = is_on(child)
            case tag if tag == (_ITALIC_COMPLEX if is_complex else _ITALIC):
                found.italic = is_on(child)
            case tag if tag in _STRIKES:
                found.strike = is_on(child) or bool(found.strike)
            case tag if tag == _VANISH:
                found.hidden = is_on(child)
            case tag if tag == _FONTS:
                found.font = symbol_font(child)
            case tag if tag == _VERTICAL:
                found.script = _SCRIPTS.get(child.get(VAL) or "", "")
    return found


_BOLD, _BOLD_COMPLEX = f"{W}b", f"{W}bCs"
_ITALIC, _ITALIC_COMPLEX = f"{W}i", f"{W}iCs"
_STRIKES = frozenset((f"{W}strike", f"{W}dstrike"))
_VANISH, _VERTICAL, _FONTS = f"{W}vanish", f"{W}vertAlign", f"{W}rFonts"
_SCRIPTS: dict[str, Script] = {"superscript": "sup", "subscript": "sub"}


def _merge(found: CharacterStyle, base: CharacterStyle) -> None:
    """Take over what a style leaves unspecified."""
    for name in ("bold", "italic", "strike", "hidden", "script", "font"):
        if getattr(found, name) is None:
            setattr(found, name, getattr(base, name))


def _name(style: Element) -> str:
    return (child_value(style, f"{W}name") or style.get(f"{W}styleId") or "").strip().lower()


def outline_level(properties: Element | None) -> int:
    """Return the heading level that the outline level of paragraph properties is; 0 for body text."""
    level = integer(child_value(properties, f"{W}outlineLvl"), 9)
    return min(MAX_HEADING_LEVEL, level + 1) if 0 <= level < 9 else 0


def _read_numbering(found: ParagraphStyle, properties: Element | None) -> None:
    numbering = None if properties is None else properties.find(f"{W}numPr")
    if numbering is None:
        return
    if found.numbering is None:
        found.numbering = child_value(numbering, f"{W}numId")
    if found.level is None and (level := child_value(numbering, f"{W}ilvl")) is not None:
        found.level = integer(level)


_NO_STYLE = CharacterStyle()
_COMPLEX_SCRIPT = (f"{W}rtl", f"{W}cs")


def symbol_font(fonts: Element) -> str | None:
    """Return the font of letters if it is a symbol font, and an empty text for other fonts. None if unspecified."""
    if fonts.get(f"{W}asciiTheme") or fonts.get(f"{W}hAnsiTheme"):
        return ""
    name = fonts.get(f"{W}ascii") or fonts.get(f"{W}hAnsi")
    return name if name is None or is_symbol_font(name) else ""


@dataclass(frozen=True, slots=True)
class RunFormat:
    """How the text of a run is read."""

    marks: Marks = ()
    font: str | None = None
    """A symbol font; empty for other fonts. None: that of the paragraph."""


def run_format(properties: Element, styles: Styles) -> RunFormat | None:
    """Return the format of a run by its properties. None if its text is hidden or was deleted.

    Direct formatting takes precedence over the character style. The formatting of paragraph styles is not a mark: it
    is the same in the whole paragraph.
    """
    if len(properties) == 0:
        return RunFormat()
    is_complex = any(is_on(child) for child in properties.iterchildren(*_COMPLEX_SCRIPT))
    found = read_character_properties(properties, is_complex=is_complex)
    name = child_value(properties, f"{W}rStyle")
    style = styles.character(name) if name else _NO_STYLE
    _merge(found, style)
    if found.hidden:
        return None
    marks = [
        mark for mark, is_set in ((STRONG, found.bold), (EMPHASIS, found.italic), (STRIKE, found.strike)) if is_set
    ]
    if found.script:
        marks.append(SUPERSCRIPT if found.script == "sup" else SUBSCRIPT)
    if style.is_code:
        marks.append(CODE)
    return RunFormat(tuple(marks), found.font)
