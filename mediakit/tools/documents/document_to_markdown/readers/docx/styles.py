"""Styles of paragraphs and characters of Word, and the formats of runs: headings, roles, lists, marks and fonts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mediakit.tools.documents.document_to_markdown.readers.office import (
    MAX_HEADING_LEVEL,
    Element,
    Role,
    W,
    integer,
    is_code_style,
    is_symbol_font,
    list_depth,
    named_level,
    style_role,
)
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import CODE, EMPHASIS, STRIKE, STRONG, Marks

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
    depth: int = 0
    """Levels that the first level of the list is below the outermost one."""
    indent: int = 0
    """Left indentation in twentieths of a point."""
    font: str = ""
    """A symbol font; empty for other fonts."""


Properties = Mapping[str, Any]
"""What is specified of characters: `bold`, `italic`, `strike`, `double strike`, `hidden` and `code` as booleans;
`script` as the tag `sup` or `sub`, `font` as a symbol font, both empty for others.
"""


class Styles:
    """The styles of a document."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._default_paragraph = ""
        self._paragraphs: dict[str, ParagraphStyle] = {}
        self._characters: dict[str, Properties] = {}
        for style in () if root is None else root.iterchildren(f"{W}style"):
            identifier = style.get(f"{W}styleId") or ""
            self._elements.setdefault(identifier, style)
            if style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true", "on"):
                self._default_paragraph = identifier

    def paragraph(self, identifier: str | None) -> ParagraphStyle:
        """Return a paragraph style. The default style stands for unknown ones."""
        key = (identifier if identifier in self._elements else self._default_paragraph) or ""
        if key in self._paragraphs:
            return self._paragraphs[key]
        found = self._paragraphs[key] = ParagraphStyle()
        indent: int | None = None
        font: str | None = None
        for style in self._chain(key):
            properties = style.find(f"{W}pPr")
            name = _name(style)
            found.heading = found.heading or named_level(name) or outline_level(properties)
            found.role = found.role or style_role(name)
            found.depth = found.depth or list_depth(name)
            if properties is not None:
                numbering = properties.find(f"{W}numPr")
                if found.numbering is None:
                    found.numbering = child_value(numbering, f"{W}numId")
                if found.level is None and (level := child_value(numbering, f"{W}ilvl")) is not None:
                    found.level = integer(level)
                indent = left_indent(properties) if indent is None else indent
            if font is None and (fonts := style.find(f"{W}rPr/{W}rFonts")) is not None:
                font = symbol_font(fonts)
        found.indent, found.font = indent or 0, font or ""
        if found.heading:
            found.role = ""
        return found

    def character(self, identifier: str) -> Properties:
        """Return what a character style specifies; nothing for unknown ones."""
        if identifier not in self._characters:
            found: Properties = {}
            for style in self._chain(identifier):
                properties = style.find(f"{W}rPr")
                own = {} if properties is None else character_properties(properties)
                found = {**own, **({"code": True} if is_code_style(_name(style)) else {}), **found}
            self._characters[identifier] = found
        return self._characters[identifier]

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


def left_indent(properties: Element) -> int | None:
    """Return the left indentation of paragraph properties, in twentieths of a point. None if it is unspecified."""
    indent = properties.find(f"{W}ind")
    if indent is None:
        return None
    text = indent.get(f"{W}left") or indent.get(f"{W}start")
    return None if text is None else integer(text)


def character_properties(properties: Element, *, is_complex: bool = False) -> dict[str, Any]:
    """Return what character properties specify directly, without their style.

    Text of a complex script has its own bold and italic (17.3.2.2).
    """
    known = _COMPLEX_PROPERTIES if is_complex else _PROPERTIES
    found = {known[child.tag][0]: known[child.tag][1](child) for child in properties if child.tag in known}
    return {name: value for name, value in found.items() if value is not None}


def _name(style: Element) -> str:
    return (child_value(style, f"{W}name") or style.get(f"{W}styleId") or "").strip().lower()


def outline_level(properties: Element | None) -> int:
    """Return the heading level that the outline level of paragraph properties is; 0 for body text."""
    level = integer(child_value(properties, f"{W}outlineLvl"), 9)
    return min(MAX_HEADING_LEVEL, level + 1) if 0 <= level < 9 else 0


def symbol_font(fonts: Element) -> str | None:
    """Return the font of letters if it is a symbol font, and an empty text for other fonts. None if unspecified."""
    if fonts.get(f"{W}asciiTheme") or fonts.get(f"{W}hAnsiTheme"):
        return ""
    name = fonts.get(f"{W}ascii") or fonts.get(f"{W}hAnsi")
    return name if name is None or is_symbol_font(name) else ""


_COMMON_PROPERTIES: Mapping[object, tuple[str, Callable[[Element], Any]]] = {
    f"{W}strike": ("strike", is_on),
    f"{W}dstrike": ("double strike", is_on),
    f"{W}vanish": ("hidden", is_on),
    f"{W}vertAlign": (
        "script",
        lambda element: {"superscript": "sup", "subscript": "sub"}.get(element.get(VAL) or "", ""),
    ),
    f"{W}rFonts": ("font", symbol_font),
}
_PROPERTIES = {**_COMMON_PROPERTIES, f"{W}b": ("bold", is_on), f"{W}i": ("italic", is_on)}
_COMPLEX_PROPERTIES = {**_COMMON_PROPERTIES, f"{W}bCs": ("bold", is_on), f"{W}iCs": ("italic", is_on)}
_COMPLEX_SCRIPT = (f"{W}rtl", f"{W}cs")
_MARKS = {"bold": STRONG, "italic": EMPHASIS, "strike": STRIKE, "double strike": STRIKE, "code": CODE}


def run_format(properties: Element, styles: Styles) -> tuple[Marks, str | None] | None:
    """Return the marks and the symbol font of a run by its properties. None if its text is hidden or was deleted.

    Direct formatting takes precedence over the character style. The formatting of paragraph styles is not a mark: it
    is the same in the whole paragraph. The font is empty for other fonts, and None if it is that of the paragraph.
    """
    is_complex = any(is_on(child) for child in properties.iterchildren(*_COMPLEX_SCRIPT))
    name = child_value(properties, f"{W}rStyle")
    found = {**(styles.character(name) if name else {}), **character_properties(properties, is_complex=is_complex)}
    if found.get("hidden"):
        return None
    marks = [mark for key, mark in _MARKS.items() if found.get(key)]
    if script := found.get("script"):
        marks.append((script, ""))
    return tuple(dict.fromkeys(marks)), found.get("font")
