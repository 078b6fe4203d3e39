"""The structure tree of a tagged PDF (ISO 32000-2, 14.7) with the text of its elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

import pikepdf
import pymupdf
from lxml import etree
from pikepdf import Array, Dictionary, Name
from pymupdf import mupdf

from mediakit.engines.pdf.letters.bidi import RIGHT_TO_LEFT, in_reading_direction, runs_left
from mediakit.engines.pdf.letters.lines import LETTER_SPACED, Letter, LetterLine, box_of, inner_spaces, style_of_name
from mediakit.engines.pdf.objects import dictionary
from mediakit.engines.pdf.reading.pages import LIGATURES, PLAIN, PageLink, PdfFile, read_links
from mediakit.engines.pdf.reading.structure.elements import Run, StyledLine, mark_scripts, url_at


def read_line(
    element: etree._Element, links: Sequence[PageLink], index: int, *, page_runs_left: bool | None = None
) -> StyledLine | None:
    """Return a line, or None for one without text.

    Args:
        element: MuPDF's line.
        links: Links of the page.
        index: Number of the line.
        page_runs_left: Whether most letters of a page with Hebrew or Arabic run to the left; None for other pages.
    """
    x0, y0, x1, y1 = map(float, element.get("bbox", "0 0 0 0").split())
    near = [link for link in links if link.y0 < y1 and link.y1 > y0 and link.x0 < x1 and link.x1 > x0]
    runs = [run for font in element.iter("font") for run in _runs(font, near, page_runs_left=page_runs_left)]
    text = "".join(run.text for run in runs)
    if not text.strip():
        return None
    if LETTER_SPACED.search(text) and _remove_letter_spacing(element):
        return read_line(element, links, index, page_runs_left=page_runs_left)
    main = max(runs, key=lambda run: len(run.text.strip()))
    mark_scripts(runs, main)
    return StyledLine(x0, y0, x1, y1, text, main.size, index, runs, main.y)


def _remove_letter_spacing(line: etree._Element) -> bool:
    """Remove the spaces between letters of words that are set apart, and return whether there were some."""
    found = [(char, float(font.get("size", 0))) for font in line.iter("font") for char in font.iter("char")]
    letters = []
    for char, size in found:
        quad = [float(number) for number in char.get("quad", "0 0 0 0").split()]
        box = (min(quad[::2]), min(quad[1::2]), max(quad[::2]), max(quad[1::2]))
        letters.append(Letter(char.get("c", ""), *box, (box[0], box[3]), {"size": size}))
    inner = inner_spaces(letters)
    for place in inner:
        parent = found[place][0].getparent()
        if parent is not None:
            parent.remove(found[place][0])
    return bool(inner)


def has_letters(lines: Sequence[StyledLine]) -> bool:
    """Return whether lines are of a page with Hebrew or Arabic."""
    return any(run.letters is not None for line in lines for run in line.runs)


def as_read(lines: Sequence[StyledLine]) -> list[StyledLine]:
    """Return the pieces of one line, if it has Hebrew or Arabic, as one piece in reading order.

    They stay as they are where a run has lost letters, such as the number of a list item.
    """
    runs = [run for line in lines for run in line.runs]
    kept = [(run, letter) for run in runs for letter in run.letters or ()]
    text = "".join(run.text for run in runs)
    if not RIGHT_TO_LEFT.search(text) or text != "".join(letter.text for _, letter in kept):
        return list(lines)
    letters = [replace(letter, span={"size": run.size, "run": run}) for run, letter in kept]
    page_runs_left = bool(kept[0][1].span["page_runs_left"])
    (found,) = in_reading_direction([LetterLine(0, (1.0, 0.0), letters, 0)], page_runs_left=page_runs_left)
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return [replace(lines[0], x0=x0, x1=x1, text=found.text, runs=list(_runs_of(found.letters)))]


def _runs_of(letters: Sequence[Letter]) -> Iterator[Run]:
    for _, group in groupby(letters, lambda letter: id(letter.span["run"])):
        members = list(group)
        x0, _, x1, _ = box_of(members)
        text = "".join(letter.text for letter in members)
        yield replace(members[0].span["run"], text=text, x0=x0, x1=x1, letters=None)


def _runs(font: etree._Element, links: Sequence[PageLink], *, page_runs_left: bool | None) -> Iterator[Run]:
    bold, italic, mono = style_of_name(font.get("name", ""))
    size = float(font.get("size", 0))
    run: Run | None = None
    for character in font.iter("char"):
        quad = [float(number) for number in character.get("quad", "").split()]
        content = character.get("c", "").translate(LIGATURES).replace("\u00a0", " ")
        x0, x1 = min(quad[::2], default=0.0), max(quad[::2], default=0.0)
        url = url_at((x0, min(quad[1::2], default=0.0), x1, max(quad[1::2], default=0.0)), links)
        y0, y1, y = min(quad[1::2], default=0.0), max(quad[1::2], default=0.0), float(character.get("y", 0))
        letters = (
            [Letter(content, x0, y0, x1, y1, (x0, y), {"page_runs_left": page_runs_left})]
            if page_runs_left is not None
            else None
        )
        if run is not None and (url == run.url or not content.strip()):
            run.text += content
            if run.letters is not None and letters:
                run.letters += letters
            run.x1 = x1
            continue
        if run is not None:
            yield run
        run = Run(content, x0, x1, float(character.get("y", 0)), size, bold, italic, mono, url=url, letters=letters)
    if run is not None:
        yield run


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
