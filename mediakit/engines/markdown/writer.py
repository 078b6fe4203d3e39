"""A tree to blocks, in one walk."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from lxml.html import HtmlElement

from mediakit.engines.markdown import code, definitions, inline, lists, notes, quotes, tables
from mediakit.engines.markdown.blocks import Block
from mediakit.engines.markdown.collect import Collector
from mediakit.engines.markdown.elements import BLOCKS, EMPHASIS, HEADINGS, SILENT, containers, is_hidden, name
from mediakit.engines.markdown.style import Style
from mediakit.engines.markdown.tokens import Token, has_text


@dataclass
class Link:
    """A link around blocks: its first line, or its heading, carries it."""

    address: str
    title: str | None
    waits_for: HtmlElement | None
    used: bool = False


@dataclass(frozen=True)
class Around:
    """What stands around blocks and belongs to their lines."""

    marks: tuple[str, ...] = ()
    link: Link | None = None


NOTHING = Around()


class Writer:
    """Writes the blocks of one page."""

    def __init__(self, root: HtmlElement, style: Style) -> None:
        self.style = style
        self.containers = containers(root)
        self.notes = {} if style.plain else notes.found(root)
        self.collector = Collector(style, notes.labels(self.notes))

    def blocks(self, element: HtmlElement, around: Around = NOTHING) -> list[Block]:
        """Write what stands inside an element."""
        found: list[Block] = []
        line: list[Token] = []
        self.collector.text(element.text, line)
        for child in element:
            if name(child) in BLOCKS or child in self.containers:
                self._end_line(line, found, around)
                self._block(child, found, around)
            else:
                self.collector.element(child, line)
            self.collector.text(child.tail, line)
        self._end_line(line, found, around)
        return found

    def line(self, tokens: list[Token], write: Callable[[list[Token]], str] = inline.paragraph) -> str:
        """Write one line."""
        return inline.plain(tokens) if self.style.plain else write(tokens)

    def _block(self, element: HtmlElement, found: list[Block], around: Around) -> None:
        tag = name(element)
        if tag in SILENT or is_hidden(element):
            return
        if element in self.notes:
            found += notes.written(self, element)
        elif tag in HEADINGS:
            self._heading(element, found, around)
        elif tag in EMPHASIS or tag == "a":
            found += self.blocks(element, self._inside(element, around))
        elif tag == "hr":
            found.append(Block("rule", "" if self.style.plain else "---"))
        elif tag == "summary":
            found += self.blocks(element, replace(around, marks=(*around.marks, "strong")))
        elif write := WRITERS.get(tag):
            found += write(self, element, found[-1] if found else None)
        elif tag == "span" and self._formula(element, found):
            return
        else:
            found += self.blocks(element, around)

    def _formula(self, element: HtmlElement, found: list[Block]) -> bool:
        line: list[Token] = []
        self.collector.element(element, line)
        if len(line) == 1 and line[0].kind == "raw":
            found.append(Block("text", line[0].text))
            return True
        return False

    def _heading(self, element: HtmlElement, found: list[Block], around: Around) -> None:
        line: list[Token] = []
        self.collector.content(element, line)
        if not has_text(line):
            return
        text = self.line(self._linked(line, around, element), inline.heading)
        if text:
            marks = "" if self.style.plain else f"{'#' * HEADINGS[name(element)]} "
            found.append(Block("heading", f"{marks}{text}"))

    def _inside(self, element: HtmlElement, around: Around) -> Around:
        if element.tag != "a":
            return replace(around, marks=(*around.marks, EMPHASIS[name(element)]))
        address = self.collector.link(element)
        heading = next(element.iter(*HEADINGS), None)
        return replace(around, link=Link(address, element.get("title"), heading)) if address else around

    def _linked(self, line: list[Token], around: Around, element: HtmlElement | None = None) -> list[Token]:
        link = around.link
        if link is None or link.used or (link.waits_for is not None and link.waits_for is not element):
            return line
        link.used = True
        return self.collector.wrapped(line, "link", link.address, link.title)

    def _end_line(self, line: list[Token], found: list[Block], around: Around) -> None:
        for part in _paragraphs(line):
            if not has_text(part):
                continue
            tokens = self._linked(part, around)
            for mark in around.marks:
                tokens = self.collector.wrapped(tokens, mark)
            if text := self.line(tokens):
                found.append(Block("text", text))
        line.clear()


def _paragraphs(line: list[Token]) -> list[list[Token]]:
    """Part a line where two breaks and nothing between them mean a new paragraph."""
    parts: list[list[Token]] = [[]]
    depth = breaks = 0
    for token in line:
        depth += (token.kind == "open") - (token.kind == "close")
        if token.kind == "break" and not depth:
            breaks += 1
        elif token.kind != "text" or token.text.strip():
            if breaks > 1:
                parts.append([])
            breaks = 0
        parts[-1].append(token)
    return parts


def write(root: HtmlElement, style: Style) -> list[Block]:
    """Write a page, or a part of one, as blocks."""
    writer = Writer(root, style)
    found: list[Block] = []
    if name(root) in BLOCKS or root in writer.containers:
        wrapper = root if name(root) in ("body", "html") else None
        if wrapper is None:
            writer._block(root, found, NOTHING)  # noqa: SLF001  # this module's own class
            return [block for block in found if block.text]
    return [block for block in writer.blocks(root) if block.text]


WRITERS: dict[str, Callable[[Writer, HtmlElement, Block | None], list[Block]]] = {
    "ul": lists.written,
    "ol": lists.written,
    "menu": lists.written,
    "dir": lists.written,
    "dl": definitions.written,
    "blockquote": quotes.written,
    "pre": code.written,
    "listing": code.written,
    "xmp": code.written,
    "plaintext": code.written,
    "table": tables.written,
}
"""Element to what writes it; each is told the block before it."""
