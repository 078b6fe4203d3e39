"""Numbering: bullets, numbered lists with their own starts, task lists and numbered headings."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mediakit.engines.docx_writer.elements import Element, set_number, w
from mediakit.engines.rich_text.markdown import Heading

if TYPE_CHECKING:
    from docx.document import Document

LEVELS = 9
"""Levels of a list in Word. Deeper lists use the last one."""

STEP = 400
"""Indentation of one level, in twips."""

DEFINITIONS = ("bullet", "task", "decimal", "lowerLetter", "upperLetter", "lowerRoman", "upperRoman")
"""The definitions of lists in the files of the themes. The ID of each is its position."""

_FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
"""Word's number formats by the `type` of an `ol` element."""

_MAX_START = 2**31 - 1
_AFTER_NUMBER = "\u2002"
"""Space between the number of a heading and its text."""

_NO_NUMBER = 0
"""ID of the numbering that removes the number of a style."""


class Numbering:
    """The lists of a document. Each ordered list has its own instance, so each starts where it should."""

    def __init__(self, document: "Document") -> None:
        self.root = document.part.numbering_part.element
        self._count = 0
        self._shared: dict[str, int] = {}

    def unordered(self, kind: str) -> int:
        """Return the ID of the numbering of unordered lists. `kind` is bullet, or task for lists of check boxes."""
        if kind not in self._shared:
            self._shared[kind] = self.add(DEFINITIONS.index(kind))
        return self._shared[kind]

    def ordered(self, level: int, start: int, kind: str) -> int:
        """Return the ID of a new numbered list.

        Args:
            level: Its level, from 0.
            start: Number of its first item.
            kind: Its `type` in HTML: 1, a, A, i or I.
        """
        first = min(max(start, 0), _MAX_START)
        number_format = _FORMATS.get(kind, "decimal") if first else "decimal"  # letters have no zero
        override = w("lvlOverride", w("startOverride", val=first), ilvl=level)
        return self.add(DEFINITIONS.index(number_format), override)

    def add(self, definition: int, *overrides: Any) -> int:
        """Return the ID of a new instance of a definition."""
        self._count += 1
        self.root.append(w("num", w("abstractNumId", val=definition), *overrides, numId=self._count))
        return self._count


class HeadingNumbers:
    """Decides how each heading gets its number. Word continues the numbers when headings are added."""

    def __init__(self, headings: Sequence[Heading], numbering: Numbering, document: "Document") -> None:
        self._numbers: Mapping[str, str] = {each.anchor: each.number for each in headings}
        numbered = [each.level for each in headings if each.number]
        self._top = min(numbered, default=1)
        """Level of headings with one number, from 1."""
        self._numbering: int | None = None
        if numbered:
            numbering.root.append(_heading_definition(self._top))
            self._numbering = numbering.add(len(DEFINITIONS))
            for level in range(self._top, 7):
                set_number(document.styles[f"Heading {level}"].element, level - 1, self._numbering)

    def set_number(self, heading: Element, anchor: str, level: int, *, is_nested: bool) -> None:
        """Set the numbering of one heading where it differs from that of its style."""
        if self._numbering is None:
            return
        number = "" if is_nested else self._numbers.get(anchor, "")
        depth = number.count(".")
        if number and depth != level - self._top:
            set_number(heading, depth + self._top - 1, self._numbering)
        elif not number and level >= self._top:
            set_number(heading, 0, _NO_NUMBER)


def _heading_definition(top: int) -> Any:
    identifier = len(DEFINITIONS)
    levels = []
    for level in range(LEVELS):
        is_numbered = top - 1 <= level < 6
        text = ".".join(f"%{each + 1}" for each in range(top - 1, level + 1)) + _AFTER_NUMBER
        children = [w("start", val=1), w("numFmt", val="decimal" if is_numbered else "none")]
        children += [w("pStyle", val=f"Heading{level + 1}")] if is_numbered else []
        children += [w("suff", val="nothing"), w("lvlText", val=text if is_numbered else ""), w("lvlJc", val="left")]
        levels.append(w("lvl", *children, w("pPr", w("ind", left=0, firstLine=0)), ilvl=level))
    kind = [w("nsid", val=f"{0x4D4B0000 + identifier:08X}"), w("multiLevelType", val="multilevel")]
    return w("abstractNum", *kind, *levels, abstractNumId=identifier)
