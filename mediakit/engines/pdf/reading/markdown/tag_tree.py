"""The structure tree of a tagged PDF (ISO 32000-2, 14.7) with the text of its elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import pikepdf
import pymupdf
from lxml import etree
from pikepdf import Array, Dictionary, Name
from pymupdf import mupdf

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT, runs_left
from mediakit.engines.pdf.objects import dictionary
from mediakit.engines.pdf.reading.links import PageLink, read_links
from mediakit.engines.pdf.reading.markdown.runs import StyledLine
from mediakit.engines.pdf.reading.markdown.tagged_lines import read_line
from mediakit.engines.pdf.reading.pdf_file import PdfFile
from mediakit.engines.pdf.reading.textpage import PLAIN

MAX_ROLES = 10
"""Steps of the role map that are followed."""

MAX_DEPTH = 100
"""Levels of nested elements."""

FLAGS = PLAIN | pymupdf.TEXT_COLLECT_STRUCTURE

Path = tuple[int, ...]
"""Position of each element among the children of its parent, from the root."""


@dataclass
class Tag:
    """An element of the structure tree, with what of it is on the selected pages."""

    name: str
    """Standard structure type, such as `H1`."""
    index: int = 0
    """Position among the children of its parent."""
    alt: str = ""
    columns: int = 1
    """Columns that a cell covers."""
    rows: int = 1
    """Rows that a cell covers."""
    children: list[Tag | StyledLine] = field(default_factory=list)

    @property
    def tags(self) -> list[Tag]:
        """The elements inside."""
        return [child for child in self.children if isinstance(child, Tag)]

    def lines(self) -> Iterator[StyledLine]:
        """Yield the lines of the element and of those inside it."""
        for child in self.children:
            if isinstance(child, Tag):
                yield from child.lines()
            else:
                yield child

    def names(self) -> Iterator[str]:
        """Yield the names of the element and of those inside it."""
        yield self.name
        for tag in self.tags:
            yield from tag.names()


class TagTree:
    """The elements of a tagged PDF, filled page by page with the lines that MuPDF finds in them."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        tree = dictionary(file.source.root.get(Name.StructTreeRoot))
        self._roles = dictionary(tree.get(Name.RoleMap))
        self._objects: dict[Path, pikepdf.Object] = {(): tree}
        self.root = Tag("Document")
        self._tags: dict[Path, Tag] = {(): self.root}
        self.letters = 0
        """Letters of all pages."""
        self._count = 0

    def read(self, page: pymupdf.Page) -> str:
        """Add the text of a page, and return it."""
        links = [link for link in read_links(self._file.document, page) if link.url]
        text = self._file.text(page, FLAGS)
        plain = text.extractText()
        page_runs_left = runs_left(plain) if RIGHT_TO_LEFT.search(plain) else None
        root = etree.fromstring(_xml(text), etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False))
        pending: list[tuple[etree._Element, Path]] = [(root, ())]
        texts: list[str] = []
        while pending:
            element, path = pending.pop()
            following: list[tuple[etree._Element, Path]] = []
            for child in element:
                if child.tag == "struct" and len(path) < MAX_DEPTH:
                    inner = (*path, int(child.get("idx", 0)))
                    self._tag(inner)
                    following.append((child, inner))
                elif child.tag == "block":
                    texts += self._add_lines(child, path, links, page_runs_left=page_runs_left)
            pending += reversed(following)
        return "".join(texts)

    def innermost(self, name: str) -> Iterator[tuple[Path, Tag]]:
        """Yield the elements of a type, with their paths, in which there is no other one of that type."""
        found = {path: tag for path, tag in self._tags.items() if tag.name == name}
        around = {path[:end] for path in found for end in range(len(path))}
        yield from ((path, tag) for path, tag in found.items() if path not in around)

    def _add_lines(
        self, block: etree._Element, path: Path, links: Sequence[PageLink], *, page_runs_left: bool | None
    ) -> Iterator[str]:
        for element in block.iter("line"):
            line = read_line(element, links, self._count, page_runs_left=page_runs_left)
            if line is None:
                continue
            self._count += 1
            self.letters += len(line.text.strip())
            if path:
                self._tags[path].children.append(line)
            yield line.text

    def _tag(self, path: Path) -> Tag:
        """Return the element at a path; it is added to its parent at its position among the elements."""
        if path in self._tags:
            return self._tags[path]
        parent = self._tag(path[:-1])
        tag = self._described(path)
        after = next(
            (at for at, child in enumerate(parent.children) if isinstance(child, Tag) and child.index > tag.index),
            len(parent.children),
        )
        parent.children.insert(after, tag)
        self._tags[path] = tag
        return tag

    def _described(self, path: Path) -> Tag:
        item = self._object(path)
        tag = Tag(self._standard(item), path[-1], alt=str(item.get(Name.Alt, "")).strip())
        for attributes in _attributes(item):
            tag.columns = _span(attributes.get(Name.ColSpan), tag.columns)
            tag.rows = _span(attributes.get(Name.RowSpan), tag.rows)
        return tag

    def _object(self, path: Path) -> pikepdf.Object:
        if path not in self._objects:
            kids = self._object(path[:-1]).get(Name.K)
            listed = kids if isinstance(kids, Array) else [kids]
            self._objects[path] = dictionary(listed[path[-1]] if path[-1] < len(listed) else None)
        return self._objects[path]

    def _standard(self, item: pikepdf.Object) -> str:
        """Return the standard type that the role map gives an element."""
        name = item.get(Name.S)
        for _ in range(MAX_ROLES):
            mapped = self._roles.get(str(name)) if isinstance(name, Name) else None
            if not isinstance(mapped, Name) or mapped == name:
                break
            name = mapped
        return str(name)[1:] if isinstance(name, Name) else "NonStruct"


def _xml(text: pymupdf.TextPage) -> bytes:
    buffer = mupdf.FzBuffer(1 << 16)
    output = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_xml(output, text.this, 0)
    output.fz_close_output()
    return bytes(buffer.fz_buffer_extract())


def _attributes(item: pikepdf.Object) -> list[pikepdf.Object]:
    found = item.get(Name.A)
    return [each for each in (found if isinstance(found, Array) else [found]) if isinstance(each, Dictionary)]


def _span(value: object, default: int) -> int:
    return max(1, min(int(value), 1000)) if isinstance(value, int) else default
