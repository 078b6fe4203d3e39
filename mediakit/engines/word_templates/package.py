"""The parts and elements of a Word file: reads them within limits, and writes the file again."""

import posixpath
import re
from collections.abc import Sequence
from copy import deepcopy
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from mediakit.core.media import describe
from mediakit.engines.archives.container import Container
from mediakit.engines.archives.writer import NewEntry, write_zip
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
STRICT_WORD = "http://purl.oclc.org/ooxml/wordprocessingml/main"
STRICT_DRAWING = "http://purl.oclc.org/ooxml/drawingml/main"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"


@cache
def _path(namespace: str, locals_: tuple[str, ...]) -> str:
    return "/".join(f"{{{namespace}}}{local}" for local in locals_)


class Words(NamedTuple):
    """The names of elements in one namespace: WordprocessingML, or DrawingML in charts."""

    namespace: str
    is_strict: bool

    def __call__(self, *locals_: str) -> str:
        """Return the name of an element in lxml's notation, or a path of several."""
        return _path(self.namespace, locals_)

    @property
    def is_word(self) -> bool:
        """Whether text belongs to a document, where it can have images, links and tables."""
        return self.namespace in (WORD, STRICT_WORD)

    def all(self, *locals_: str) -> frozenset[str]:
        """Return the names of elements."""
        return frozenset(self(local) for local in locals_)


def words_of(root: Element) -> Words:
    """Return the names of elements of a part."""
    is_strict = not {STRICT_WORD, STRICT_DRAWING}.isdisjoint(root.nsmap.values())
    if etree.QName(root).namespace in (WORD, STRICT_WORD):
        return Words(str(etree.QName(root).namespace), is_strict)
    return Words(STRICT_DRAWING if is_strict else DRAWING, is_strict)


def remove(*elements: Element | None) -> None:
    """Remove elements from their parents."""
    for element in elements:
        parent = None if element is None else element.getparent()
        if element is not None and parent is not None:
            parent.remove(element)


def set_property(properties: Element, order: Sequence[str], words: Words, local: str, **attributes: str) -> None:
    """Set one of the properties of a run or a cell; `order` has the names of those before it."""
    remove(*properties.findall(words(local)))
    before = words.all(*order[: order.index(local)])
    made = etree.Element(words(local), {words(name): value for name, value in attributes.items()})
    properties.insert(sum(child.tag in before for child in properties), made)


def cell_columns(cell: Element, words: Words) -> int:
    """Return how many columns of the grid a cell covers."""
    element = cell.find(words("tcPr", "gridSpan"))
    return integer(None if element is None else element.get(words("val"))) or 1


def integer(text: str | None) -> int:
    """Return the number of an attribute; 0 if it has none."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else 0


def split(parent: Element, child: Element, properties: frozenset[str]) -> None:
    """Split an element so that a child becomes its sibling; both halves have its properties, empty ones are removed."""
    right = etree.Element(parent.tag, parent.attrib, nsmap=parent.nsmap)
    right.text, child.tail = child.tail, None
    right.extend([deepcopy(each) for each in takewhile(lambda each: each.tag in properties, parent)])  # they are first
    right.extend(list(child.itersiblings()))
    parent.addnext(right)
    parent.addnext(child)
    remove(*(half for half in (parent, right) if not half.text and all(each.tag in properties for each in half)))


BODY = "body"
"""The label of the main part, which errors do not mention."""

MAX_RESULT_BYTES = 20 * 1024 * 1024

CONTENT_TYPES = "[Content_Types].xml"
CORE_PROPERTIES = "application/vnd.openxmlformats-package.core-properties+xml"
DOCUMENT = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
TEMPLATE = "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml"

_TYPES_NAMESPACE = "{http://schemas.openxmlformats.org/package/2006/content-types}"
_RELATIONSHIPS_NAMESPACE = "{http://schemas.openxmlformats.org/package/2006/relationships}"

_KINDS = {
    ".header+xml": "header", ".footer+xml": "footer", ".footnotes+xml": "footnotes", ".endnotes+xml": "endnotes",
    "drawingml.chart+xml": "chart",
}  # fmt: skip
"""Ends of the media types of parts that can have placeholders, and what errors call them."""


class WordFile:
    """A DOCX or DOTX."""

    def __init__(self, content: bytes) -> None:
        """Read the parts of a file.

        Raises:
            InvalidInput: It is not a Word document, has macros, is damaged, or is larger than allowed.
        """
        if not content.startswith(b"PK"):
            raise InvalidInput(f"file: must be a Word document (DOCX or DOTX), got {describe(content)}.")
        container = Container(content)
        self.parts = {name: container.read(name) for name in container.names if not name.endswith("/")}
        if CONTENT_TYPES not in self.parts:
            raise InvalidInput("file: must be a Word document (DOCX or DOTX), got a ZIP file.")
        self._types = parse_xml(self.parts[CONTENT_TYPES], CONTENT_TYPES)
        self._relationships: dict[str, etree._Element] = {}
        self._overrides = {
            each.get("PartName", "").lstrip("/"): each for each in self._types.iter(f"{_TYPES_NAMESPACE}Override")
        }
        types = [each.get("ContentType", "").lower() for each in self._types]
        has_macros = any("macroenabled" in each or "vbaproject" in each for each in types)
        if has_macros or any(name.lower().endswith("vbaproject.bin") for name in self.parts):
            raise InvalidInput("file: has macros, which are not allowed; save it as DOCX.")
        self.main = self.related("", "officeDocument")
        """The name of the part with the text."""
        main = self._overrides.get(self.main)
        if main is None or main.get("ContentType") not in (DOCUMENT, TEMPLATE):
            raise InvalidInput("file: must be a Word document (DOCX or DOTX), got another Office file or a ZIP file.")

    @property
    def core_properties(self) -> str:
        """The name of the part with title, author and subject; empty if there is none."""
        names = (name for name, each in self._overrides.items() if each.get("ContentType") == CORE_PROPERTIES)
        return next((name for name in names if name in self.parts), "")

    def text_parts(self) -> list[tuple[str, str]]:
        """Return the name and the label of each part that can have placeholders, the main part first."""
        found = [(self.main, BODY)]
        for end, kind in _KINDS.items():
            ending = (name for name, each in self._overrides.items() if each.get("ContentType", "").endswith(end))
            names = [name for name in ending if name in self.parts]
            for name in sorted(names, key=_number):
                number = 0 if kind.endswith("notes") else _number(name)[0]
                found.append((name, f"{kind} {number}" if number else kind))
        return found

    def parse(self, name: str) -> etree._Element:
        """Return the root of a part."""
        return parse_xml(self.parts[name], name)

    def write(self, name: str, root: etree._Element) -> None:
        """Replace a part."""
        self.parts[name] = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)

    def related(self, part: str, kind: str) -> str:
        """Return the name of a part to which another has a relationship, such as `styles`; empty if there is none."""
        for each in self._relations(part):
            if each.get("Type", "").endswith(f"/{kind}") and each.get("TargetMode") != "External":
                name = posixpath.normpath(posixpath.join(posixpath.dirname(part), each.get("Target", "")))
                return name.lstrip("/") if name.lstrip("/") in self.parts else ""
        return ""

    def relate(self, part: str, kind: str, target: str, *, is_external: bool = False) -> str:
        """Add a relationship of a kind (a URI) to a part or an external URL, if it is new, and return its ID."""
        relations = self._relations(part)
        shown = target if is_external else posixpath.relpath(target, posixpath.dirname(part) or ".")
        for each in relations:
            if (each.get("Type"), each.get("Target")) == (kind, shown):
                return str(each.get("Id"))
        taken = {each.get("Id") for each in relations}
        number = next(number for number in range(1, len(taken) + 2) if f"rId{number}" not in taken)
        made = etree.SubElement(relations, f"{_RELATIONSHIPS_NAMESPACE}Relationship")
        made.attrib.update({"Id": f"rId{number}", "Type": kind, "Target": shown})
        if is_external:
            made.set("TargetMode", "External")
        return f"rId{number}"

    def add_image(self, content: bytes, extension: str, media_type: str) -> str:
        """Add an image and return the name of its part."""
        folder = f"{posixpath.dirname(self.main)}/media".lstrip("/")
        numbers = (number for number in range(1, len(self.parts) + 2))
        stems = {posixpath.splitext(name)[0] for name in self.parts}
        stem = next(stem for number in numbers if (stem := f"{folder}/image{number}") not in stems)
        self.parts[f"{stem}.{extension}"] = content
        known = {each.get("Extension", "").lower() for each in self._types.iter(f"{_TYPES_NAMESPACE}Default")}
        if extension not in known:
            default = etree.Element(f"{_TYPES_NAMESPACE}Default", Extension=extension, ContentType=media_type)
            self._types.insert(0, default)
        return f"{stem}.{extension}"

    def to_bytes(self) -> bytes:
        """Return the file as a DOCX.

        Raises:
            InvalidInput: It is larger than 20 MB.
        """
        if self.main in self._overrides:
            self._overrides[self.main].set("ContentType", DOCUMENT)
        self.write(CONTENT_TYPES, self._types)
        for part, relations in self._relationships.items():
            if len(relations):
                self.write(_relations_name(part), relations)
        names = [CONTENT_TYPES, *(name for name in self.parts if name != CONTENT_TYPES)]
        content = write_zip([NewEntry(name, self.parts[name]) for name in names], level=6).content
        if len(content) > MAX_RESULT_BYTES:
            raise InvalidInput("file: makes a document of more than 20 MB; send fewer items or smaller images.")
        return content

    def _relations(self, part: str) -> etree._Element:
        if part not in self._relationships:
            name = _relations_name(part)
            empty = etree.Element(
                f"{_RELATIONSHIPS_NAMESPACE}Relationships", nsmap={None: _RELATIONSHIPS_NAMESPACE[1:-1]}
            )
            self._relationships[part] = self.parse(name) if name in self.parts else empty
        return self._relationships[part]


def _relations_name(part: str) -> str:
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def _number(name: str) -> tuple[int, str]:
    found = re.search(r"(\d{1,6})\.xml$", name, re.ASCII)
    return (int(found[1]) if found else 0), name
