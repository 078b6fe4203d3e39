"""What a document has while it is written: numbered lists and headings, bookmarks, footnotes, images, and warnings."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from docx.opc.constants import RELATIONSHIP_TYPE
from lxml.html import HtmlElement

from mediakit.engines.docx_writer import DocxOptions
from mediakit.engines.docx_writer.elements import Element, set_number, w
from mediakit.engines.docx_writer.images import Images, StoredImage
from mediakit.engines.markdown.html.collector import find_footnotes
from mediakit.engines.rich_text.markdown import Heading

if TYPE_CHECKING:
    from docx.document import Document
    from docx.opc.part import Part, XmlPart


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
        """Return the ID of a new numbered list at a level from 0. `kind` is its `type` in HTML: 1, a, A, i or I."""
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


MAX_WARNINGS = 20
"""Warnings of one kind; the rest is counted."""

TWIPS_PER_MM = 1440 / 25.4

_SUBJECTS = {"images": "Image not stored: ", "links": "A link ", "properties": "In the properties of the file, the "}
_MAX_BOOKMARK_CHARACTERS = 40


class Bookmarks:
    """Names and IDs of bookmarks. A name has letters, digits and underscores, and at most 40 characters."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        """Names by the anchor of the HTML."""
        self._placed: set[str] = set()
        self._taken: set[str] = set()
        self._count = 0

    def name_of(self, anchor: str) -> str:
        """Return the name of an anchor's bookmark."""
        if anchor in self._names:
            return self._names[anchor]
        base = re.sub(r"[^\w]+", "_", anchor).strip("_") or "section"
        if not base[0].isalpha():
            base = f"a_{base}"
        name, number = base[:_MAX_BOOKMARK_CHARACTERS], 1
        while name.lower() in self._taken:  # Word does not distinguish case
            number += 1
            ending = f"_{number}"
            name = base[: _MAX_BOOKMARK_CHARACTERS - len(ending)] + ending
        self._taken.add(name.lower())
        self._names[anchor] = name
        return name

    def place(self, anchor: str) -> list[Element]:
        """Return the start and the end of an anchor's bookmark, or nothing if it has its place already."""
        if anchor in self._placed:
            return []
        self._placed.add(anchor)
        return self.mark(self.name_of(anchor))

    def mark(self, name: str) -> list[Element]:
        """Return the start and the end of a bookmark."""
        self._count += 1
        return [w("bookmarkStart", id=self._count, name=name), w("bookmarkEnd", id=self._count)]


class Footnotes:
    """The footnotes of the HTML, numbered in the order of their first marks."""

    def __init__(self, root: HtmlElement) -> None:
        lists = find_footnotes(root)
        self._items = {str(item.get("id")): item for items in lists.values() for item in items.values()}
        self._lists = set(lists)
        self._numbers: dict[str, int] = {}
        self._marked: list[str] = []
        """IDs of the items of the footnotes that have a mark."""

    def has(self, anchor: str) -> bool:
        """Return whether an anchor is a footnote."""
        return anchor in self._items

    def holds(self, element: HtmlElement) -> bool:
        """Return whether an element is or contains a list of footnotes."""
        return any(each in self._lists for each in element.iter())

    def number_of(self, anchor: str) -> tuple[int, bool]:
        """Return the number of a footnote, and whether this is its first mark."""
        is_first = anchor not in self._numbers
        if is_first:
            self._marked.append(anchor)
            self._numbers[anchor] = len(self._marked)
        return self._numbers[anchor], is_first

    def items(self) -> Iterator[tuple[int, HtmlElement]]:
        """Yield numbers and texts of footnotes. Those that are marked meanwhile, in footnotes, are too."""
        yield from ((number, self._items[anchor]) for number, anchor in enumerate(self._marked, 1))


@dataclass
class State:
    """The state of one document while it is written."""

    options: DocxOptions
    document: "Document"
    """The document of python-docx, with the styles of the theme."""
    anchors: frozenset[str]
    """IDs of elements that links of the document refer to."""
    notes: Footnotes
    bookmarks: Bookmarks = field(default_factory=Bookmarks)
    images: Images = field(default_factory=Images)
    _warnings: dict[str, list[str]] = field(default_factory=dict)
    _ids: int = 0

    def __post_init__(self) -> None:
        self.numbering = Numbering(self.document)

    @property
    def content_size(self) -> tuple[int, int]:
        """Width and height of the content area, in twips."""
        width, height = self.options.page.content_size
        return round(width * TWIPS_PER_MM), round(height * TWIPS_PER_MM)

    def next_id(self) -> int:
        """Return a new ID of a content control."""
        self._ids += 1
        return self._ids

    def warn(self, kind: str, text: str) -> None:
        """Note what could not be kept. `kind` is images, links or properties."""
        found = self._warnings.setdefault(kind, [])
        if text not in found:
            found.append(text)

    @property
    def warnings(self) -> list[str]:
        """Sentences that say what could not be kept."""
        found = []
        for kind, texts in self._warnings.items():
            found += [f"{_SUBJECTS[kind]}{text}." for text in texts[:MAX_WARNINGS]]
            if len(texts) > MAX_WARNINGS:
                found.append(f"{len(texts) - MAX_WARNINGS} more of these are not listed.")
        return found


class Story:
    """The text of the body or of the footnotes, which are parts with relationships of their own."""

    def __init__(self, state: State, part: "XmlPart", *, is_body: bool) -> None:
        self.state = state
        self.is_body = is_body
        self._part = part
        self._relationships: dict[str, str] = {}
        self.waiting: list[Element] = []
        """Bookmarks for the next paragraph."""

    def link_to(self, address: str) -> str:
        """Return the ID of the relationship to an address."""
        return self._relate(address, RELATIONSHIP_TYPE.HYPERLINK, address, is_external=True)

    def show(self, image: StoredImage) -> str:
        """Return the ID of the relationship to an image."""
        return self._relate(str(image.part.partname), RELATIONSHIP_TYPE.IMAGE, image.part, is_external=False)

    def _relate(self, key: str, kind: str, target: "Part | str", *, is_external: bool) -> str:
        # Part.relate_to compares all relationships each time.
        if key not in self._relationships:
            self._relationships[key] = f"rIdT{len(self._relationships) + 1}"
            self._part.load_rel(kind, target, self._relationships[key], is_external)
        return self._relationships[key]

    def bookmarks_of(self, element: HtmlElement) -> list[Element]:
        """Return the start and the end of the bookmark at an element, if there is one."""
        anchor = element.get("id") or (element.get("name") if element.tag == "a" else None)
        return self.state.bookmarks.place(anchor) if anchor and anchor in self.state.anchors else []


def linked_anchors(body: HtmlElement) -> frozenset[str]:
    """Return the IDs of elements that links of the document refer to."""
    targets = {str(link.get("href"))[1:] for link in body.iter("a") if (link.get("href") or "").startswith("#")}
    present = {str(element.get("id") or element.get("name")) for element in body.iter() if element.attrib}
    return frozenset((targets & present) - {""})
