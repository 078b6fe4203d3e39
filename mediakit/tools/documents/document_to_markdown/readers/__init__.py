"""Converts a document in a worker: finds the reader that its content needs, and writes what it reads as Markdown."""

import re
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from mediakit.core.inputs import file_of
from mediakit.engines.archives.container import Container, check_unpacked_sizes
from mediakit.engines.file_types import FILE_TYPES
from mediakit.engines.file_types.identify import type_name
from mediakit.engines.markdown.blocks import Block, truncate
from mediakit.engines.tables.readers.workbook import is_protected
from mediakit.errors import InvalidInput
from mediakit.tools.documents.document_to_markdown.document import KINDS, PARTS, Document, Kind
from mediakit.tools.documents.document_to_markdown.tool import Converted
from mediakit.tools.documents.document_to_markdown.tool import DocumentToMarkdownRequest as Request

if TYPE_CHECKING:
    from mediakit.tools.documents.document_to_markdown.readers.office.reading import Reading

READERS: Mapping[Kind, str] = {
    "pptx": "slides:read",
    **dict.fromkeys(("xlsx", "xlsm"), "sheets.workbook:read"),
    **dict.fromkeys(("xlsb", "xls"), "sheets.workbook:read_binary"),
    **dict.fromkeys(("csv", "tsv"), "sheets:read_delimited"),
    "ods": "sheets.opendocument:read",
    **dict.fromkeys(("odt", "odp"), "opendocument:read"),
    "docx": "docx:read",
    "ipynb": "pages:read_notebook_cells",
    "pdf": "pages:read_pdf",
    "epub": "epub:read",
    "rtf": "rtf:read",
    "html": "pages:read_page",
}
"""The module and the function that read a kind of document."""


def read_document(kind: Kind, content: bytes, options: Request, outer: "Reading | None" = None) -> Document:
    """Return the content of a document. Its reader and the libraries of it are imported only where they are used.

    Some kinds can be inside of another document, the `outer` one.

    Raises:
        InvalidInput: The document is damaged.
    """
    module, _, function = READERS[kind].partition(":")
    arguments = (content, options) if outer is None else (content, options, outer)
    document: Document = getattr(import_module(f"{__name__}.{module}"), function)(*arguments)
    return document


ENCRYPTED = "file: is encrypted; remove the password in Office first."

_OLD_KINDS = {
    "office-encrypted": ENCRYPTED,
    "doc": "file: is an old Word file (.doc); save it as .docx.",
    "ppt": "file: is an old PowerPoint file (.ppt); save it as .pptx.",
}

_KINDS: Mapping[str, Kind] = {
    **{kind: kind for kind in KINDS},
    **dict.fromkeys(("dotx", "docm", "dotm"), "docx"),
    **dict.fromkeys(("potx", "ppsx", "pptm", "potm", "ppsm"), "pptx"),
    **dict.fromkeys(("xltm", "xlam"), "xlsm"),
    "xltx": "xlsx",
    "ott": "odt",
    "ots": "ods",
    "otp": "odp",
    "xhtml": "html",
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
    kind = _KINDS.get(type_of_file)
    if kind is None and FILE_TYPES[type_of_file].kind == "text":  # a fragment of HTML, or what its name calls a table
        is_page = _HTML.match(content[:4096])
        kind = "html" if is_page else _TABLE_SUFFIXES.get(PurePath(name).suffix.lower())
    if kind is None:
        if type_of_file == "zip":
            check_unpacked_sizes(content, "file")
        raise InvalidInput(f"file: must be a document such as DOCX, got {FILE_TYPES[type_of_file].description}.")
    is_encrypted = kind == "xls" and is_protected(content)
    if kind in ("odt", "ods", "odp") and _MANIFEST in (container := Container(content)):
        is_encrypted = b"encryption-data" in container.read(_MANIFEST)
    if is_encrypted:
        raise InvalidInput(ENCRYPTED)
    return kind


DEEP_RECURSION = 10_000
"""Nested calls that deep trees need: about 50 for each of 150 levels of elements."""


def convert(request: Request) -> Converted:
    """Convert a document.

    Raises:
        InvalidInput: The file is not a document that can be read, or a sheet does not exist.
    """
    content = file_of(request.file)
    kind = identify(content, content.name)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEP_RECURSION))
    try:
        document = read_document(kind, content, request)
        blocks = _blocks(document, request)
    finally:
        sys.setrecursionlimit(limit)
    text, is_truncated = truncate(blocks, request.max_chars, splits_tables=True)
    fields: dict[str, Any] = {
        "type": kind,
        **{name: getattr(document, name) for name in ("title", "author", "created", "modified")},
        "format": request.format,
        "content": text,
        "length": len(text),
        "truncated": is_truncated or document.truncated,
        **({PARTS[kind]: document.parts} if kind in PARTS else {}),
        "images": [
            {name: getattr(image, name) for name in ("name", "mime_type", "alt", "width", "height")}
            | ({"file": image.content} if request.images == "embed" else {})
            for image in (document.images if request.images != "none" else ())
        ],
    }
    return Converted(fields, document.warnings)


def _blocks(document: Document, options: Request) -> list[Block]:
    from mediakit.engines.markdown.html.elements import MarkdownOptions
    from mediakit.engines.markdown.html.writer import write_blocks

    if document.body is None:
        return list(document.blocks)
    elements = list(document.body.iter())  # lxml makes a new object at each access to an element that nothing holds
    written = MarkdownOptions(
        plain=options.plain, include_images=options.images != "none", keep_tables=True, keep_anchors=True
    )
    blocks = write_blocks(document.body, written)
    elements.clear()
    return blocks
