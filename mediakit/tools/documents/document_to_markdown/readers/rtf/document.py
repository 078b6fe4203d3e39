"""Documents in Rich Text Format (version 1.9.1)."""

import re

from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.office.blocks import Anchors
from mediakit.tools.documents.document_to_markdown.readers.rtf.reader import RtfReader

_LINK_TARGET = re.compile(rb'(?:\\\\l\s{1,9}|REF\s{1,9}|HYPERLINK\s{1,9})"?#?([\w.]{1,200})')


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a document. Embedded objects and linked files are not opened.

    Raises:
        InvalidInput: Its groups are nested deeper than 500 levels.
    """
    anchors = Anchors(name.decode("latin-1") for name in _LINK_TARGET.findall(content))
    reader = RtfReader(options, anchors)
    reader.read(content)
    root, document = reader.root, reader.document
    for index, header in enumerate(reader.header):
        root.insert(index, header)
    root.extend(reader.footer)
    reader.notes.append_to(root)
    anchors.resolve(root)
    document.images = reader.images.images
    return document
