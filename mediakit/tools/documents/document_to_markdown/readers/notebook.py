"""Jupyter notebooks: Markdown cells as they are, code in fences, and outputs as text, tables and images."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from mediakit.engines.markdown.blocks import Block, fenced_code
from mediakit.engines.markdown.html.elements import MarkdownOptions
from mediakit.engines.markdown.html.parser import body_of, parse_html
from mediakit.engines.markdown.html.writer import write_blocks
from mediakit.engines.notebooks import (
    HTML,
    IMAGES,
    JSON,
    LATEX,
    MARKDOWN,
    SVG,
    WIDGET_VIEW,
    Cell,
    Notebook,
    NotebookImage,
    Output,
    read_attachment,
    read_image,
    read_notebook,
)
from mediakit.engines.terminal import plain_text
from mediakit.tools.documents.document_to_markdown.document import Document, ReadOptions
from mediakit.tools.documents.document_to_markdown.readers.office.package import ImageList

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
_ATTACHMENT = re.compile(r"!\[([^\]\n]*)\]\(<?attachment:([^)\s>\"]+)>?")
_EMBEDDED = re.compile(r"!\[([^\]\n]*)\]\(<?data:image/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+?)>?(?=[)\s\"])")
_CELL_MAGIC = re.compile(r"%%(bash|sh|html|javascript|js|latex|markdown|perl|ruby|svg|sql|R)\b")


def read(content: bytes, options: ReadOptions) -> Document:
    """Read a notebook. None of its code is run.

    Raises:
        InvalidInput: It is damaged, too large, or of a version before 3.
    """
    notebook = read_notebook(content)
    images = ImageList()
    writer = NotebookWriter(notebook, images, options)
    blocks = [block for cell in notebook.cells for block in writer.blocks(cell)]
    headings = (_HEADING.search(cell.source) for cell in notebook.cells if cell.kind == "markdown")
    return Document(
        blocks=blocks,
        title=notebook.title or next((match[1] for match in headings if match), None),
        author=", ".join(notebook.authors) or None,
        images=images.images,
        warnings=list(notebook.warnings),
    )


class NotebookWriter:
    """Writes the cells of one notebook as blocks."""

    def __init__(self, notebook: Notebook, images: ImageList, options: ReadOptions) -> None:
        self._language = notebook.language or "python"
        self._images, self._options = images, options
        self._count = 0

    def blocks(self, cell: Cell) -> Iterator[Block]:
        """Yield the blocks of a cell and its outputs."""
        if not cell.source.strip() and not cell.outputs:
            return
        if cell.kind == "markdown":
            yield from self._markdown(cell.source, cell.attachments)
        elif cell.source.strip():
            magic = _CELL_MAGIC.match(cell.source)
            language = magic[1].lower() if magic else self._language if cell.kind == "code" else ""
            yield self._code(cell.source, language)
        for output in cell.outputs:
            yield from self._output(output)

    def _code(self, text: str, language: str = "") -> Block:
        text = text.strip("\n")
        return Block("code", text if self._options.plain else fenced_code(text, language))

    def _markdown(self, source: str, attachments: Mapping[str, Mapping[str, Any]]) -> Iterator[Block]:
        def attached(match: re.Match[str]) -> str:
            image = read_attachment(attachments.get(match[2], {}))
            return f"![{match[1]}]({self._named(image, match[1]) or match[2]}"

        def embedded(match: re.Match[str]) -> str:
            return f"![{match[1]}]({self._named(read_image(match[2]), match[1])}"

        source = _EMBEDDED.sub(embedded, _ATTACHMENT.sub(attached, source.strip()))
        if self._options.plain:
            from markdown_it import MarkdownIt

            yield from self._html(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(source))
        elif source:
            yield Block("text", source)

    def _named(self, image: NotebookImage | bytes | None, alt: str = "") -> str:
        """Return the name of an image, which is added to those of the document; empty if there is no image."""
        self._count += 1
        if isinstance(image, bytes):
            return self._images.add(f"{self._count}.svg", image, alt) or ""
        return (self._images.add(f"{self._count}.", image.content, alt) or "") if image else ""

    def _output(self, output: Output) -> Iterator[Block]:
        if output.kind != "data":
            text = plain_text(output.text).strip("\n")
            if text.strip():
                yield self._code(text)
            return
        for media, value in output.forms():
            blocks = list(self._form(media, value))
            if blocks:
                yield from blocks
                return

    def _form(self, media: str, value: Any) -> Iterator[Block]:
        """Yield the blocks of one form of an output. None if it cannot be written."""
        if media in IMAGES or media == SVG:
            yield from self._image(media, value)
        elif media in (WIDGET_VIEW, JSON) or not isinstance(value, str):
            return
        elif media == HTML:
            if "<table" in value or "</p>" in value:
                yield from self._html(value)
        elif media == MARKDOWN:
            yield from self._markdown(value, {})
        elif media == LATEX:
            yield Block("text", value.strip())
        elif value.strip():
            yield self._code(plain_text(value))

    def _image(self, media: str, value: Any) -> Iterator[Block]:
        if self._options.images == "none" or self._options.plain:
            return
        name = self._named(str(value).encode() if media == SVG else read_image(value))
        if name:
            yield Block("text", f"![]({name})")

    def _html(self, source: str) -> list[Block]:
        return write_blocks(body_of(parse_html(source)), MarkdownOptions(plain=self._options.plain, keep_tables=True))
