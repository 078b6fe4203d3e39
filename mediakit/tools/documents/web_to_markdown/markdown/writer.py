"""A tree to blocks, in one walk."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown import code, definitions, inline, lists, notes, quotes, tables
from mediakit.tools.documents.web_to_markdown.markdown.blocks import Block
from mediakit.tools.documents.web_to_markdown.markdown.collect import Collector
from mediakit.tools.documents.web_to_markdown.markdown.elements import (
    BLOCKS,
    EMPHASIS,
    HEADINGS,
    SILENT,
    containers,
    is_hidden,
    name,
)
from mediakit.tools.documents.web_to_markdown.markdown.style import Style
from mediakit.tools.documents.web_to_markdown.markdown.tokens import Token, has_text


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

    def block(self, element: HtmlElement) -> list[Block]:
        """Write an element that is a block itself."""
        found: list[Block] = []
        self._block(element, found, NOTHING)
        return found

    def line(self, tokens: list[Token], write: Callable[[list[Token]], str] = inline.paragraph) -> str:
        """Write one line."""
        return inline.plain(tokens) if self.style.plain else write(tokens)

    def _block(self, element: HtmlElement, found: list[Block], around: Around) -> None:
        tag = name(element)
        if tag in SILENT or is_hidden(element):
            return
        if tag in HEADINGS:
            self._heading(element, found, around)
        elif element in self.notes:
            found += notes.written(self, element)
        elif write := WRITERS.get(tag):
            found += write(self, element, found[-1] if found else None)
        elif tag != "span" or not self._formula(element, found):
            found += self.blocks(element, self._inside(element, around))

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
        """Give what stands around the blocks inside an element."""
        if mark := EMPHASIS.get(name(element), "strong" if element.tag == "summary" else ""):
            return replace(around, marks=(*around.marks, mark))
        if element.tag != "a" or not (address := self.collector.link(element)):
            return around
        heading = next(element.iter(*HEADINGS), None)
        return replace(around, link=Link(address, element.get("title"), heading))

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
    """Write what stands inside a page's body, or inside a part of one, as blocks."""
    return [block for block in Writer(root, style).blocks(root) if block.text]


def _rule(writer: Writer, _element: HtmlElement, _before: Block | None) -> list[Block]:
    return [Block("rule", "" if writer.style.plain else "---")]


WRITERS: dict[str, Callable[[Writer, HtmlElement, Block | None], list[Block]]] = {
    "ul": lists.written,
    "ol": lists.written,
    "menu": lists.written,
    "dir": lists.written,
    "dl": definitions.written,
    "hr": _rule,
    "blockquote": quotes.written,
    "pre": code.written,
    "listing": code.written,
    "xmp": code.written,
    "plaintext": code.written,
    "table": tables.written,
}
"""Element to what writes it; each is told the block before it."""
