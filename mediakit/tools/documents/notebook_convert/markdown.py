"""Writes a notebook as Markdown, with its images as files."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from mediakit.core.media import type_of
from mediakit.engines.markdown.blocks import Block, fenced_code, join_blocks
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
    Output,
    read_attachment,
    read_image,
)
from mediakit.engines.terminal import plain_text
from mediakit.results.files import FileResult, ImageResult, zip_of
from mediakit.tools.documents.notebook_convert.cleaning import clean_svg
from mediakit.tools.documents.notebook_convert.formulas import formula_of
from mediakit.tools.documents.notebook_convert.selection import Remarks, Selection, ShownCell

FOLDER = "images"
RAW_AS_IS = ("", MARKDOWN, HTML)
FENCE_NAMES = {"": "python", "ipython": "python"}


@dataclass
class MarkdownWriter:
    """Writes one notebook."""

    notebook: Notebook
    remarks: Remarks
    images: dict[str, bytes] = field(default_factory=dict)
    """The images by the paths that the Markdown has for them."""

    def write(self, selection: Selection) -> str:
        """Return the Markdown of the cells that are shown."""
        blocks = (block for shown in selection.cells for block in self._cell(shown))
        text = join_blocks(Block("text", block) for block in blocks if block.strip())
        return f"{text}\n" if text else ""

    def _cell(self, shown: ShownCell) -> Iterator[str]:
        cell = shown.cell
        source = cell.source.replace("\r\n", "\n").strip("\n")
        if cell.kind == "markdown":
            yield self._with_attachments(source, cell)
        elif cell.kind == "raw":
            yield source if cell.media_type in RAW_AS_IS or not source else fenced_code(source, "")
        else:
            if shown.has_input and source:
                yield fenced_code(source, FENCE_NAMES.get(self.notebook.language, self.notebook.language))
            yield from map(self._output, cell.outputs)

    def _with_attachments(self, source: str, cell: Cell) -> str:
        for name, forms in sorted(cell.attachments.items(), key=lambda item: -len(item[0])):
            if image := read_attachment(forms):
                path = self._add_image(image.content, image.extension)
                for written in {name, name.replace(" ", "%20")}:
                    source = source.replace(f"attachment:{written}", path)
        return source

    def _output(self, output: Output) -> str:
        if output.kind != "data":
            text = plain_text(output.text)
            return fenced_code(text, "") if text.strip() else ""
        for media, value in output.forms():
            if media != WIDGET_VIEW and (text := self._form(media, value)):
                return text
        self.remarks.add("not_shown")
        return ""

    def _form(self, media: str, value: Any) -> str:
        if media == JSON:
            return _json(value)
        if not isinstance(value, str) or not value.strip():
            return ""
        if media in IMAGES or media == SVG:
            return self._image(media, value)
        writers: Mapping[str, Callable[[str], str]] = {
            HTML: _html,
            MARKDOWN: lambda text: text.strip("\n"),
            LATEX: _latex,
        }
        return writers[media](value) if media in writers else fenced_code(plain_text(value), "")

    def _image(self, media: str, value: str) -> str:
        if media == SVG:
            content, extension = clean_svg(value), "svg"
        else:
            image = read_image(value)
            content, extension = (image.content, image.extension) if image else (None, "")
        if content is None:
            self.remarks.add("svg" if media == SVG else "broken_image")
            return ""
        path = self._add_image(content, extension)
        return f"![Output {len(self.images)}]({path})"

    def _add_image(self, content: bytes, extension: str) -> str:
        path = f"{FOLDER}/image-{len(self.images) + 1}.{extension}"
        self.images[path] = content
        return path


def _html(value: str) -> str:
    from mediakit.engines.markdown.html.elements import MarkdownOptions
    from mediakit.engines.markdown.html.parser import body_of, parse_html
    from mediakit.engines.markdown.html.writer import write_blocks

    return join_blocks(write_blocks(body_of(parse_html(value)), MarkdownOptions(include_images=True)))


def _latex(value: str) -> str:
    """Return one formula as a block, or a text that has formulas as it is."""
    formula = formula_of(value)
    return value.strip() if "$" in formula else f"$$\n{formula}\n$$"


def _json(value: Any) -> str:
    try:
        return fenced_code(json.dumps(value, indent=2, ensure_ascii=False), "json")
    except RecursionError:
        return ""


def archive(name: str, text: str, images: Mapping[str, bytes]) -> bytes:
    """Return a ZIP file of the Markdown and its images; the same files are the same bytes."""
    files: list[Any] = [FileResult(text.encode(), MARKDOWN, name)]
    for path, content in images.items():
        image = ImageResult(content, type_of(PurePath(path)) or "image/png")
        image.filename = path
        files.append(image)
    return zip_of(files)
