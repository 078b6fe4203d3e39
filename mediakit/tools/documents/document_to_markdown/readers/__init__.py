"""The readers of documents, and which of them a file needs, by its content."""

import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import PurePath
from typing import Protocol, cast

from mediakit.engines.archives.container import Container, check_unpacked_sizes
from mediakit.engines.file_types import FILE_TYPES, type_name
from mediakit.engines.tables.readers.workbook import is_protected
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import Document, Kind, ReadOptions

READERS: Mapping[Kind, str] = {
    "pptx": "slides",
    "xlsx": "sheets.workbook",
    "xlsm": "sheets.workbook",
    "xlsb": "sheets.binary_workbook",
    "xls": "sheets.binary_workbook",
    "ods": "sheets.opendocument",
    "odp": "opendocument",
    "docx": "docx",
    "ipynb": "notebook",
    "pdf": "pdf",
    "odt": "opendocument",
    "epub": "epub",
    "rtf": "rtf",
    "html": "html_page",
    "csv": "sheets.delimited",
    "tsv": "sheets.delimited",
}
"""The module that reads a kind of document."""


class Reader(Protocol):
    """A module that reads documents of a kind."""

    def read(self, content: bytes, options: ReadOptions) -> Document:
        """Return the content of a document.

        Raises:
            InvalidInput: The document is damaged.
        """


def import_reader(kind: Kind) -> Reader:
    """Return the module that reads a kind of document. It and its libraries are imported only where they are used."""
    return cast("Reader", import_module(f"{__name__}.{READERS[kind]}"))


ENCRYPTED = "file: is encrypted; remove the password in Office first."

_OLD_KINDS = {
    "office-encrypted": ENCRYPTED,
    "doc": "file: is an old Word file (.doc); save it as .docx.",
    "ppt": "file: is an old PowerPoint file (.ppt); save it as .pptx.",
}

_KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(("docx", "dotx", "docm", "dotm"), "docx"),
    **dict.fromkeys(("pptx", "potx", "ppsx", "pptm", "potm", "ppsm"), "pptx"),
    **dict.fromkeys(("xlsx", "xltx"), "xlsx"),
    **dict.fromkeys(("xlsm", "xltm", "xlam"), "xlsm"),
    **dict.fromkeys(("odt", "ott"), "odt"),
    **dict.fromkeys(("ods", "ots"), "ods"),
    **dict.fromkeys(("odp", "otp"), "odp"),
    **dict.fromkeys(("html", "xhtml"), "html"),
    "xlsb": "xlsb",
    "xls": "xls",
    "epub": "epub",
    "rtf": "rtf",
    "csv": "csv",
    "tsv": "tsv",
    "ipynb": "ipynb",
    "pdf": "pdf",
}
"""Kinds by the name of the type of a file."""

_TABLE_SUFFIXES: Mapping[str, Kind] = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv"}
_MANIFEST = "META-INF/manifest.xml"
_HTML = re.compile(
    rb"\s*+(?><!--.*?-->\s*+)*+<(?:html|head|body|title|meta|div|p|h[1-6]|table|article|section|main|ul|ol|span|a|b|strong)"
    rb"[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
"""The start of a fragment of a page."""


def identify(content: bytes, name: str = "") -> Kind:
    """Return the kind of a document. The name of the file counts only between kinds of text that look alike.

    Raises:
        InvalidInput: The file is encrypted, of an old format, damaged, or not a document.
    """
    type_of_file = type_name(content, name)
    if message := _OLD_KINDS.get(type_of_file):
        raise InvalidInput(message)
    kind = _KINDS.get(type_of_file) or _kind_of_text(content, type_of_file, name)
    if kind is None:
        if type_of_file == "zip":
            check_unpacked_sizes(content, "file")
        raise InvalidInput(f"file: must be a document such as DOCX, got {FILE_TYPES[type_of_file].description}.")
    if _is_encrypted(content, kind):
        raise InvalidInput(ENCRYPTED)
    return kind


def _kind_of_text(content: bytes, type_of_file: str, name: str) -> Kind | None:
    """Return the kind of a fragment of HTML, and of a text that its name calls a table."""
    if FILE_TYPES[type_of_file].kind != "text":
        return None
    return "html" if _HTML.match(content[:4096]) else _TABLE_SUFFIXES.get(PurePath(name).suffix.lower())


def _is_encrypted(content: bytes, kind: Kind) -> bool:
    if kind == "xls":
        return is_protected(content)
    if kind not in ("odt", "ods", "odp"):
        return False
    container = Container(content)
    return _MANIFEST in container and b"encryption-data" in container.read(_MANIFEST)
