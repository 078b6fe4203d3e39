"""Office packages and OpenDocument containers: their parts, relationships and properties."""

import posixpath
import re
from dataclasses import dataclass
from functools import cached_property

from lxml import etree

from mediakit.engines.archives.container import Container
from mediakit.engines.xml import parse_xml
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document

RELATIONSHIP_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_TRANSITIONAL = rb"http://schemas.openxmlformats.org/\1/2006/"
"""The start of namespaces in strict documents, and in the transitional ones that the readers know."""

_PROPERTIES = {"title": "title", "creator": "author", "created": "created", "modified": "modified"}
"""Elements of the core properties, and the attributes of a document."""


@dataclass(frozen=True, slots=True)
class Relationship:
    """What an identifier in a part refers to."""

    kind: str
    """The last word of its type: `slide`, `image`, `hyperlink`."""
    target: str
    """Name of a part, or an address if it is external."""
    is_external: bool


class OfficePackage:
    """The parts of a package by name. Names are found whatever their case."""

    def __init__(self, content: bytes, main: str) -> None:
        """Open a package. The usual name of the main part is for packages that do not name theirs.

        Raises:
            InvalidInput: It is damaged, or larger than allowed.
        """
        self._container = Container(content)
        self._names = {_normal(name): name for name in self._container.names}
        self._usual_main = main
        self._relationships: dict[str, dict[str, Relationship]] = {}
        self._types: dict[str, str] | None = None

    @cached_property
    def main(self) -> str:
        """The name of the main part.

        Raises:
            InvalidInput: The package has none.
        """
        found = (each.target for each in self.relationships("").values() if each.kind == "officeDocument")
        for name in (*found, self._usual_main):
            if _normal(name) in self._names:
                return name
        raise InvalidInput("file: is damaged; it has no main part.")

    def __contains__(self, name: str) -> bool:
        return _normal(name) in self._names

    def read(self, name: str) -> bytes:
        """Return the bytes of a part; of XML in the namespaces of transitional documents. Empty if there is no part.

        Raises:
            InvalidInput: The part is damaged.
        """
        entry = self._names.get(_normal(name))
        content = self._container.read(entry) if entry else b""
        return _STRICT.sub(_TRANSITIONAL, content) if _STRICT.search(content[:5000]) else content

    def xml(self, name: str) -> "etree._Element | None":
        """Return the root of an XML part. None if there is no such part.

        Raises:
            InvalidInput: The part is damaged.
        """
        content = self.read(name)
        return parse_xml(content, name) if content else None

    def relationships(self, part: str) -> dict[str, Relationship]:
        """Return the relationships of a part by identifier. The package itself is the part with an empty name."""
        if part in self._relationships:
            return self._relationships[part]
        folder, name = posixpath.split(part)
        root = self.xml(posixpath.join(folder, "_rels", f"{name}.rels"))
        found = self._relationships[part] = {}
        for element in () if root is None else root.iterfind("{*}Relationship"):
            target, is_external = element.get("Target") or "", element.get("TargetMode") == "External"
            if not is_external:
                target = posixpath.normpath(posixpath.join("/", folder, target.replace("\\", "/"))).lstrip("/")
            kind = (element.get("Type") or "").rpartition("/")[2]
            found[element.get("Id") or ""] = Relationship(kind, target, is_external)
        return found

    def content_type(self, part: str) -> str:
        """Return the declared media type of a part in lower case (ISO/IEC 29500-2, 10.1.2). Empty if it has none."""
        if self._types is None:
            root = self.xml("[Content_Types].xml")
            self._types = {
                (element.get("PartName") or f".{element.get('Extension')}").lower(): element.get("ContentType") or ""
                for element in (() if root is None else root.iterchildren("{*}Default", "{*}Override"))
            }
        name = _normal(part)
        return (self._types.get(f"/{name}") or self._types.get(f".{name.rpartition('.')[2]}") or "").lower()

    def related(self, part: str, kind: str) -> str | None:
        """Return the name of the first part of a kind that a part refers to."""
        found = self.relationships(part).values()
        return next((each.target for each in found if each.kind == kind and not each.is_external), None)

    def related_xml(self, part: str, identifier: str | None) -> "etree._Element | None":
        """Return the root of the part that an identifier in a part refers to. None if there is none."""
        relationship = self.relationships(part).get(identifier or "")
        return None if relationship is None or relationship.is_external else self.xml(relationship.target)

    def describe(self, document: Document) -> None:
        """Set the title, the author and the times of a document from the core properties."""
        name = self.related("", "core-properties") or "docProps/core.xml"
        try:
            root = self.xml(name)
        except InvalidInput:  # the properties are not needed
            return
        for element in () if root is None else root:
            attribute = _PROPERTIES.get(etree.QName(element).localname) if isinstance(element.tag, str) else None
            text = " ".join((element.text or "").split())
            if attribute and text:
                setattr(document, attribute, text)


def _normal(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


_META = "{urn:oasis:names:tc:opendocument:xmlns:meta:1.0}"
_DC = "{http://purl.org/dc/elements/1.1/}"

_ELEMENTS = (
    (f"{_DC}title", "title"),
    (f"{_DC}creator", "author"),
    (f"{_META}initial-creator", "author"),
    (f"{_META}creation-date", "created"),
    (f"{_DC}date", "modified"),
)
"""Elements and the attributes of a document. Of the two authors, the first one counts."""


def part_xml(container: Container, name: str) -> "etree._Element | None":
    """Return the root of an XML part of a container. None if there is no such part.

    Raises:
        InvalidInput: The part is damaged.
    """
    return parse_xml(container.read(name), name) if name in container else None


def describe(container: Container, document: Document) -> None:
    """Set the title, the author and the times of an OpenDocument file."""
    try:
        root = part_xml(container, "meta.xml")
    except InvalidInput:  # the properties are not needed
        return
    for tag, attribute in reversed(_ELEMENTS):
        text = "" if root is None else " ".join((root.findtext(f".//{tag}") or "").split())
        if text:
            setattr(document, attribute, text)
