"""Jupyter notebooks: Markdown cells as they are, code in fences, and outputs as text, tables and images."""

import re
from dataclasses import replace

from mediakit.engines.notebooks import Cell, CellWriter, read_image, read_notebook
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^()\n]*\)")
_EMBEDDED = re.compile(r"!\[([^\]\n]*)\]\(<?data:image/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+?)>?(?=[)\s\"])")


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a notebook. None of its code is run.

    Raises:
        InvalidInput: It is damaged, too large, or of a version before 3.
    """
    notebook = read_notebook(content)
    images = ImageList()

    def add_image(content: bytes, extension: str, alt: str) -> str:
        if options.images == "none":
            return ""
        return images.add(f"{len(images.images)}.{extension}", content, alt) or ""

    def embedded(match: re.Match[str]) -> str:
        image = read_image(match[2])
        return f"![{match[1]}]({add_image(image.content, image.extension, match[1]) if image else ''}"

    def prepared(cell: Cell) -> Cell:
        """Return a cell without images in data URIs, or without images."""
        if cell.kind != "markdown" or "![" not in cell.source:
            return cell
        without = options.images == "none"
        return replace(cell, source=_IMAGE.sub("", cell.source) if without else _EMBEDDED.sub(embedded, cell.source))

    writer = CellWriter(notebook, add_image, plain=options.plain)
    headings = (_HEADING.search(cell.source) for cell in notebook.cells if cell.kind == "markdown")
    return Document(
        blocks=[block for cell in notebook.cells for block in writer.blocks(prepared(cell))],
        title=notebook.title or next((match[1] for match in headings if match), None),
        author=", ".join(notebook.authors) or None,
        images=images.images,
        warnings=list(notebook.warnings),
    )
