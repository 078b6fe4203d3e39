"""Reads a document and writes it as Markdown or text; runs in a worker."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mediakit.core.inputs import file_of
from mediakit.engines.markdown.blocks import Block, truncate
from mediakit.tools.documents.document_to_markdown.document import PARTS, Document, DocumentImage, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers import identify, import_reader
from mediakit.tools.documents.document_to_markdown.tool import Converted, DocumentToMarkdownRequest

DEEP_RECURSION = 10_000
"""Nested calls that deep trees need: about 50 for each of 150 levels of elements."""


def convert(request: DocumentToMarkdownRequest) -> Converted:
    """Convert a document.

    Raises:
        InvalidInput: The file is not a document that can be read, or a sheet does not exist.
    """
    content, options = file_of(request.file), request.options
    kind = identify(content, options.name)
    reader = import_reader(kind)
    with _deep_recursion():
        document = reader.read(content, options)
        blocks = _blocks(document, options)
    text, is_truncated = truncate(blocks, options.max_chars, splits_tables=True)
    fields: dict[str, Any] = {
        "type": kind,
        **{name: getattr(document, name) for name in ("title", "author", "created", "modified")},
        "format": options.format,
        "content": text,
        "length": len(text),
        "truncated": is_truncated or document.truncated,
        **({PARTS[kind]: document.parts} if kind in PARTS else {}),
        "images": [_image(image, options) for image in document.images] if options.images != "none" else [],
    }
    return Converted(fields, document.warnings)


def _blocks(document: Document, options: ReadOptions) -> list[Block]:
    from mediakit.engines.markdown.html.elements import MarkdownOptions
    from mediakit.engines.markdown.html.writer import write_blocks

    if document.body is None:
        return list(document.blocks)
    elements = list(document.body.iter())  # lxml makes a new object at each access to an element that nothing holds
    blocks = write_blocks(
        document.body,
        MarkdownOptions(
            plain=options.plain, include_images=options.images != "none", keep_tables=True, keep_anchors=True
        ),
    )
    elements.clear()
    return blocks


def _image(image: DocumentImage, options: ReadOptions) -> dict[str, Any]:
    fields: dict[str, Any] = {name: getattr(image, name) for name in ("name", "mime_type", "alt", "width", "height")}
    return fields | ({"file": image.content} if options.images == "embed" else {})


@contextmanager
def _deep_recursion() -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEP_RECURSION))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
