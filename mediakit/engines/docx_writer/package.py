"""The package of a document: parts, their relationships and content types, and the ZIP file (ECMA-376 part 2)."""

import io
import zipfile
from dataclasses import dataclass, field

from mediakit.engines.docx_writer.xml_tree import Element, to_xml

_RELATIONSHIPS = "http://schemas.openxmlformats.org/package/2006/relationships"
_CONTENT_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
OFFICE_RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every entry, so that equal documents have equal bytes."""


@dataclass
class Relationships:
    """The relationships of one part. Equal targets share one relationship."""

    entries: dict[tuple[str, str, bool], str] = field(default_factory=dict)

    def add(self, kind: str, target: str, *, external: bool = False) -> str:
        """Return the ID of a relationship. `kind` is the last segment of its type, or a whole type."""
        full = kind if "/" in kind else f"{OFFICE_RELATIONSHIPS}/{kind}"
        return self.entries.setdefault((full, target, external), f"rId{len(self.entries) + 1}")

    def to_xml(self) -> bytes:
        """Return the part that stores the relationships."""
        entries = []
        for (kind, target, external), identifier in self.entries.items():
            mode = {"TargetMode": "External"} if external else {}
            entries.append(Element("Relationship", {"Id": identifier, "Type": kind, "Target": target, **mode}))
        return to_xml(Element("Relationships", None, entries), {"": _RELATIONSHIPS})


@dataclass
class Package:
    """The parts of a document by name, such as `word/document.xml`."""

    parts: dict[str, bytes] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    """Content types of parts by name."""
    extensions: dict[str, str] = field(default_factory=dict)
    """Content types of images by extension."""
    relationships: dict[str, Relationships] = field(default_factory=dict)
    """Relationships by the name of their part. The package itself has the name ""."""

    def related(self, part: str) -> Relationships:
        """Return the relationships of a part."""
        return self.relationships.setdefault(part, Relationships())

    def add_xml(self, name: str, content_type: str, content: bytes) -> None:
        """Add an XML part."""
        self.parts[name] = content
        self.types[name] = content_type

    def add_image(self, name: str, content_type: str, content: bytes) -> None:
        """Add an image part."""
        self.parts[name] = content
        self.extensions[name.rpartition(".")[2]] = content_type

    def to_bytes(self) -> bytes:
        """Return the ZIP file."""
        entries = {"[Content_Types].xml": self._content_types(), **self._relationship_parts(), **self.parts}
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name, content in entries.items():
                info = zipfile.ZipInfo(name, _DATE)
                is_image = name.startswith("word/media/")
                info.compress_type = zipfile.ZIP_STORED if is_image else zipfile.ZIP_DEFLATED
                archive.writestr(info, content)
        return buffer.getvalue()

    def _relationship_parts(self) -> dict[str, bytes]:
        parts = {}
        for name, relationships in self.relationships.items():
            folder, _, file = name.rpartition("/")
            if relationships.entries:
                parts[f"{folder}/_rels/{file}.rels".lstrip("/")] = relationships.to_xml()
        return parts

    def _content_types(self) -> bytes:
        defaults = {
            "rels": "application/vnd.openxmlformats-package.relationships+xml",
            "xml": "application/xml",
            **dict(sorted(self.extensions.items())),
        }
        types = [Element("Default", {"Extension": name, "ContentType": kind}) for name, kind in defaults.items()]
        types += [
            Element("Override", {"PartName": f"/{name}", "ContentType": kind}) for name, kind in self.types.items()
        ]
        return to_xml(Element("Types", None, types), {"": _CONTENT_TYPES})
