"""Writes a tree as blocks in one walk."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from lxml.html import HtmlElement

from mediakit.engines.markdown import inline
from mediakit.engines.markdown.blocks import Block
from mediakit.engines.markdown.html.block_writers import (
    CALLOUT_ELEMENTS,
    find_callout,
    write_blockquote,
    write_callout,
    write_definition_list,
    write_footnotes,
    write_list,
)
from mediakit.engines.markdown.html.code_blocks import write_code_block
from mediakit.engines.markdown.html.collector import (
    ElementWriter,
    Footnotes,
    TokenCollector,
    find_footnotes,
    footnote_labels,
)
from mediakit.engines.markdown.html.elements import (
    BLOCK_ELEMENTS,
    EMPHASIS_MARKS,
    HEADING_LEVELS,
    IGNORED_ELEMENTS,
    MarkdownOptions,
    block_ancestors,
    is_hidden,
    is_plain_and_empty,
    tag_name,
)
from mediakit.engines.markdown.html.formulas import normalize_formulas
from mediakit.engines.markdown.html.tables import write_table
from mediakit.engines.markdown.tokens import Token, has_text


@dataclass(slots=True)
class BlockLink:
    """A link that contains blocks. It is written once: on the first heading inside it, or else on its first line."""

    url: str
    title: str | None
    heading: HtmlElement | None
    is_written: bool = False


class InheritedMarkup(NamedTuple):
    """Emphasis and link of the elements around a block."""

    marks: tuple[str, ...] = ()
    link: BlockLink | None = None


NO_MARKUP = InheritedMarkup()


class MarkdownWriter:
    """Writes the blocks of one page."""

    def __init__(self, root: HtmlElement, options: MarkdownOptions) -> None:
        self.options = options
        self.footnotes: dict[HtmlElement, Footnotes] = {} if options.plain else find_footnotes(root)
        self.collector = TokenCollector(root, options, footnote_labels(self.footnotes))
        self._block_ancestors = block_ancestors(root)

    def write_children(self, element: HtmlElement, inherited: InheritedMarkup = NO_MARKUP) -> list[Block]:
        """Write the contents of an element."""
        blocks: list[Block] = []
        line: list[Token] = []
        self.collector.add_text(element.text, line)
        for child in element:
            if tag_name(child) in BLOCK_ELEMENTS or child in self._block_ancestors:
                self._end_line(line, blocks, inherited)
                self._write(child, blocks, inherited)
            else:
                self.collector.add_element(child, line)
            self.collector.add_text(child.tail, line)
        self._end_line(line, blocks, inherited)
        return blocks

    def write_element(self, element: HtmlElement) -> list[Block]:
        """Write a block element."""
        blocks: list[Block] = []
        self._write(element, blocks, NO_MARKUP)
        return blocks

    def _write(self, element: HtmlElement, blocks: list[Block], inherited: InheritedMarkup) -> None:
        tag = tag_name(element)
        if tag in IGNORED_ELEMENTS or is_hidden(element):
            return
        if tag in HEADING_LEVELS:
            self._write_heading(element, blocks, inherited)
        elif element in self.footnotes:
            blocks += write_footnotes(self, element)
        elif tag in CALLOUT_ELEMENTS and not self.options.plain and (callout := find_callout(element)):
            blocks += write_callout(self, element, callout)
        elif write := ELEMENT_WRITERS.get(tag):
            blocks += write(self, element, blocks[-1] if blocks else None)
        else:
            if mark := EMPHASIS_MARKS.get(tag, "strong" if tag == "summary" else ""):
                inherited = InheritedMarkup((*inherited.marks, mark), inherited.link)
            elif tag == "a" and (url := self.collector.link_url(element)):
                heading = next(element.iter(*HEADING_LEVELS), None)
                inherited = InheritedMarkup(inherited.marks, BlockLink(url, element.get("title"), heading))
            blocks += self.write_children(element, inherited)

    def _write_heading(self, element: HtmlElement, blocks: list[Block], inherited: InheritedMarkup) -> None:
        line: list[Token] = []
        self.collector.add_content(element, line)
        if not has_text(line):
            if self.options.keep_empty and not self.options.plain and is_plain_and_empty(element):
                blocks.append(Block("heading", "#" * HEADING_LEVELS[tag_name(element)]))
            return
        text = self._write_line(self._add_link(line, inherited, element), inline.write_heading)
        if text:
            prefix = "" if self.options.plain else f"{'#' * HEADING_LEVELS[tag_name(element)]} "
            blocks.append(Block("heading", f"{prefix}{text}"))

    def _add_link(
        self, line: list[Token], inherited: InheritedMarkup, heading: HtmlElement | None = None
    ) -> list[Token]:
        link = inherited.link
        if link is None or link.is_written or (link.heading is not None and link.heading is not heading):
            return line
        link.is_written = True
        return self.collector.wrap(line, "link", link.url, link.title)

    def _end_line(self, line: list[Token], blocks: list[Block], inherited: InheritedMarkup) -> None:
        for paragraph in _split_paragraphs(line) if has_text(line) else ():
            if not has_text(paragraph):
                continue
            tokens = self._add_link(paragraph, inherited)
            for mark in inherited.marks:
                tokens = self.collector.wrap(tokens, mark)
            if text := self._write_line(tokens, inline.write_paragraph):
                blocks.append(Block("text", text))
        line.clear()

    def _write_line(self, tokens: list[Token], write: Callable[[list[Token]], str]) -> str:
        return inline.write_plain_text(tokens) if self.options.plain else write(tokens)


def write_blocks(root: HtmlElement, options: MarkdownOptions) -> list[Block]:
    """Write the contents of a page's body, or of a part of it, as blocks. Formulas may have any form."""
    normalize_formulas(root)
    return write_normalized_blocks(root, options)


def write_normalized_blocks(root: HtmlElement, options: MarkdownOptions) -> list[Block]:
    """Write the contents of a body whose formulas are `math` elements as blocks."""
    return [block for block in MarkdownWriter(root, options).write_children(root) if block.text]


def _split_paragraphs(line: list[Token]) -> list[list[Token]]:
    """Split a line into paragraphs at two consecutive line breaks."""
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


ELEMENT_WRITERS: dict[str, ElementWriter] = {
    "ul": write_list,
    "ol": write_list,
    "menu": write_list,
    "dir": write_list,
    "dl": write_definition_list,
    "hr": lambda writer, _element, _previous: [Block("rule", "" if writer.options.plain else "---")],
    "blockquote": write_blockquote,
    "pre": write_code_block,
    "listing": write_code_block,
    "xmp": write_code_block,
    "plaintext": write_code_block,
    "table": write_table,
}
