"""The structure tree of a tagged PDF (ISO 32000-2, 14.7) with the text of its elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

import pikepdf
import pymupdf
from lxml import etree
from pikepdf import Name
from pymupdf import mupdf

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT, in_reading_direction, runs_left
from mediakit.engines.pdf.letters.lines import Letter, LetterLine, box_of, inner_spaces
from mediakit.engines.pdf.objects import dictionary, one_or_more, text_of
from mediakit.engines.pdf.reading.pages import PLAIN, PageLink, PdfFile, read_links
from mediakit.engines.pdf.reading.structure.elements import StyledLine, styled_line


def as_read(lines: Sequence[StyledLine]) -> list[StyledLine]:
    """Return the pieces of one line, if it has Hebrew or Arabic, as one piece in reading order.

    They stay as they are where a run has lost letters, such as the number of a list item.
    """
    runs = [run for line in lines for run in line.runs]
    text, letters = "".join(run.text for run in runs), []
    for run, letter in [(each, letter) for each in runs for letter in each.letters]:
        x0, y0, x1, y1 = letter["bbox"]
        letters.append(Letter(letter["c"], x0, y0, x1, y1, letter["origin"], {"size": run.size, "run": run}))
    page_runs_left = lines[0].page_runs_left
    if page_runs_left is None or not RIGHT_TO_LEFT.search(text) or text != "".join(letter.text for letter in letters):
        return list(lines)
    (found,) = in_reading_direction([LetterLine(0, (1.0, 0.0), letters, 0)], page_runs_left=page_runs_left)
    ordered = []
    for _, group in groupby(found.letters, lambda letter: id(letter.span["run"])):
        members = list(group)
        x0, _, x1, _ = box_of(members)
        text = "".join(letter.text for letter in members)
        ordered.append(replace(members[0].span["run"], text=text, x0=x0, x1=x1))
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return [replace(lines[0], x0=x0, x1=x1, text=found.text, runs=ordered)]


def _dictionary_of(line: etree._Element) -> dict[str, Any]:
    """Return a line of MuPDF's XML as its dictionary has it, without spaces between letters that are set apart."""
    letters = []
    for font in line.iter("font"):
        span = {"font": font.get("name", ""), "size": float(font.get("size", 0)), "flags": 0}
        for char in font.iter("char"):
            quad = [float(number) for number in char.get("quad", "0 0 0 0").split()]
            x0, y0, x1, y1 = min(quad[::2]), min(quad[1::2]), max(quad[::2]), max(quad[1::2])
            text = char.get("c", "").replace("\u00a0", " ")
            letters.append(Letter(text, x0, y0, x1, y1, (x0, float(char.get("y", 0))), span))
    inner = inner_spaces(letters)
    kept = [letter for place, letter in enumerate(letters) if place not in inner]
    box = tuple(float(edge) for edge in line.get("bbox", "0 0 0 0").split())
    return {**LetterLine(0, (1.0, 0.0), kept, 0).as_dict(), "bbox": box}


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
        self._objects: dict[Path, pikepdf.Object] = {(): dictionary(file.source.root.get(Name.StructTreeRoot))}
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
        buffer = mupdf.FzBuffer(1 << 16)
        output = mupdf.FzOutput(buffer)
        mupdf.fz_print_stext_page_as_xml(output, text.this, 0)
        output.fz_close_output()
        parser = etree.XMLParser(recover=True, huge_tree=True, resolve_entities=False)
        root = etree.fromstring(bytes(buffer.fz_buffer_extract()), parser)
        pending: list[tuple[etree._Element, Path]] = [(root, ())]
        texts: list[str] = []
        while pending:
            element, path = pending.pop()
            following: list[tuple[etree._Element, Path]] = []
            for child in element:
                if child.tag == "struct" and len(path) < MAX_DEPTH:
                    inner = (*path, int(child.get("idx", 0)))
                    self._add_tag(inner, child.get("std", "NonStruct"))
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
            line = styled_line(_dictionary_of(element), links, self._count, keeps_letters=page_runs_left is not None)
            if line is None:
                continue
            line.page_runs_left = page_runs_left
            self._count += 1
            self.letters += len(line.text.strip())
            if path:
                self._tags[path].children.append(line)
            yield line.text

    def _add_tag(self, path: Path, name: str) -> None:
        """Add the element at a path, if it is new, to its parent at its position among the elements."""
        if path in self._tags:
            return
        parent, item = self._tags[path[:-1]], self._object(path)
        tag = self._tags[path] = Tag(name, path[-1], alt=text_of(item.get(Name.Alt)).strip())
        for attributes in map(dictionary, one_or_more(item.get(Name.A))):
            tag.columns = _span(attributes.get(Name.ColSpan), tag.columns)
            tag.rows = _span(attributes.get(Name.RowSpan), tag.rows)
        after = next(
            (at for at, child in enumerate(parent.children) if isinstance(child, Tag) and child.index > tag.index),
            len(parent.children),
        )
        parent.children.insert(after, tag)

    def _object(self, path: Path) -> pikepdf.Object:
        if path not in self._objects:
            listed = one_or_more(self._object(path[:-1]).get(Name.K))
            self._objects[path] = dictionary(listed[path[-1]] if path[-1] < len(listed) else None)
        return self._objects[path]


def _span(value: object, default: int) -> int:
    return max(1, min(int(value), 1000)) if isinstance(value, int) else default
