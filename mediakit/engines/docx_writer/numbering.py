"""The numbering part: bullets, numbered lists with their own starts, task lists and numbered headings."""

from collections.abc import Callable
from dataclasses import dataclass, field

from mediakit.engines.docx_writer.wordml import make, properties, w
from mediakit.engines.docx_writer.xml_tree import Element

LEVELS = 9
"""Levels of a list in Word. Deeper lists use the last one."""

STEP = 400
"""Indentation of one level, in twips."""

_BULLETS = ("•", "◦", "▪")
FORMATS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
"""Word's number formats by the `type` of an `ol` element."""

_MAX_START = 2**31 - 1
_AFTER_NUMBER = "\u2002"
"""Space between the number of a heading and its text."""


@dataclass
class Numbering:
    """The lists of a document. Each ordered list has its own instance, so each starts where it should."""

    definitions: list[Element] = field(default_factory=list)
    instances: list[Element] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)
    _shared: dict[str, int] = field(default_factory=dict)

    def bullets(self) -> int:
        """Return the ID of the numbering of unordered lists."""
        return self._shared_instance("bullet", lambda level: (_BULLETS[level % len(_BULLETS)], "bullet"))

    def tasks(self) -> int:
        """Return the ID of the numbering of task lists, whose items begin with a check box in place of a bullet."""
        return self._shared_instance("task", lambda _level: ("", "bullet"), suffix="nothing")

    def ordered(self, level: int, start: int, kind: str) -> int:
        """Return the ID of a new numbered list.

        Args:
            level: Its level, from 0.
            start: Number of its first item.
            kind: Its `type` in HTML: 1, a, A, i or I.
        """
        number_format = FORMATS.get(kind, "decimal")
        first = min(max(start, 0), _MAX_START)
        if number_format != "decimal" and first < 1:
            number_format = "decimal"
        definition = self._define(number_format, lambda each: (f"%{each + 1}.", number_format))
        override = w("lvlOverride", w("startOverride", val=first), ilvl=level)
        return self._instance(definition, override)

    def headings(self, top: int) -> int:
        """Return the ID of the numbering of headings. `top` is the level of those that have one number, from 1."""

        def level_text(level: int) -> tuple[str, str]:
            numbers = [f"%{each + 1}" for each in range(top - 1, level + 1)]
            return ".".join(numbers), "decimal"

        key = f"headings {top}"
        if key not in self._shared:
            definition = self._define(key, level_text, headings_from=top)
            self._shared[key] = self._instance(definition)
        return self._shared[key]

    def to_xml(self) -> Element:
        """Return the root of `word/numbering.xml`."""
        return w("numbering", *self.definitions, *self.instances)

    def _shared_instance(self, key: str, text: "LevelText", suffix: str = "tab") -> int:
        if key not in self._shared:
            self._shared[key] = self._instance(self._define(key, text, suffix=suffix))
        return self._shared[key]

    def _define(self, key: str, text: "LevelText", *, suffix: str = "tab", headings_from: int = 0) -> int:
        if key not in self._known:
            identifier = len(self.definitions)
            self._known[key] = identifier
            self.definitions.append(_definition(identifier, text, suffix, headings_from))
        return self._known[key]

    def _instance(self, definition: int, *overrides: Element) -> int:
        identifier = len(self.instances) + 1
        self.instances.append(w("num", w("abstractNumId", val=definition), *overrides, numId=identifier))
        return identifier


LevelText = Callable[[int], tuple[str, str]]
"""Returns the text of a level, such as `%1.`, and its number format."""


def _definition(identifier: int, text: LevelText, suffix: str, headings_from: int) -> Element:
    levels = [
        _heading_level(level, text, headings_from) if headings_from else _list_level(level, text, suffix)
        for level in range(LEVELS)
    ]
    nsid = make("w:nsid", {"w:val": f"{0x4D4B0000 + identifier:08X}"})
    kind = "multilevel" if headings_from else "hybridMultilevel"
    return w("abstractNum", nsid, w("multiLevelType", val=kind), *levels, abstractNumId=identifier)


def _list_level(level: int, text: LevelText, suffix: str) -> Element:
    content, number_format = text(level)
    indent = properties("w:pPr", [w("ind", left=STEP * (level + 1), hanging=STEP)])
    return w(
        "lvl", w("start", val=1), w("numFmt", val=number_format), w("suff", val=suffix), w("lvlText", val=content),
        w("lvlJc", val="left"), indent, *_marker_font(number_format), ilvl=level,
    )  # fmt: skip


def _marker_font(number_format: str) -> list[Element]:
    if number_format != "bullet":
        return []
    return [w("rPr", w("rFonts", ascii="Arial", hAnsi="Arial", cs="Arial"))]


def _heading_level(level: int, text: LevelText, top: int) -> Element:
    content, number_format = text(level)
    is_numbered = top - 1 <= level < 6
    children = [w("start", val=1), w("numFmt", val=number_format if is_numbered else "none")]
    if is_numbered:
        children.append(w("pStyle", val=f"Heading{level + 1}"))
    children += [
        w("suff", val="nothing"),
        w("lvlText", val=f"{content}{_AFTER_NUMBER}" if is_numbered else ""),
        w("lvlJc", val="left"),
        properties("w:pPr", [w("ind", left=0, firstLine=0)]),
    ]
    return w("lvl", *children, ilvl=level)
