"""Writes the elements of a document as blocks of Markdown."""

from collections.abc import Sequence

from mediakit.engines.markdown.blocks import Block, fenced_code, indent_lines, join_blocks, prefix_lines
from mediakit.engines.markdown.inline import write_heading, write_paragraph
from mediakit.engines.markdown.tokens import Token
from mediakit.engines.pdf.reading.markdown.elements import (
    Code,
    Element,
    Figure,
    Heading,
    Item,
    ListOf,
    Paragraph,
    Quote,
    TableOf,
)
from mediakit.engines.pdf.reading.markdown.inline_tokens import tokens
from mediakit.engines.pdf.reading.markdown.table_writing import write_table


def write_elements(elements: Sequence[Element]) -> list[Block]:
    """Return the blocks of a document."""
    blocks: list[Block] = []
    for element in elements:
        block = _write(element, blocks[-1] if blocks else None)
        if block.text:
            blocks.append(block)
    return blocks


def _write(element: Element, previous: Block | None) -> Block:
    match element:
        case TableOf():
            return write_table(element)
        case ListOf():
            return _write_list(element, previous)
        case Quote():
            parts = [prefix_lines(block.text, "> ") for block in write_elements(element.parts)]
            return Block("quote", "\n>\n".join(parts), parts)
    return _write_leaf(element)


def _write_leaf(element: Heading | Paragraph | Code | Figure) -> Block:
    match element:
        case Heading():
            text = write_heading(tokens(element.runs, plain_bold=True))
            return Block("heading", f"{'#' * element.level} {text}" if text else "")
        case Code():
            return Block("code", fenced_code(element.text, ""))
        case Figure():
            return Block("text", f"![{write_paragraph([Token('text', element.alt)])}]()")
    return Block("text", write_paragraph(tokens(element.runs)))


def _write_list(element: ListOf, previous: Block | None) -> Block:
    """Write a list. Directly after a list of the same kind it uses other markers, so that they stay two lists."""
    ordered = element.items[0].number is not None
    markers = (".", ")") if ordered else ("-", "*")
    marker = markers[1] if previous and previous.kind == "list" and previous.marker == markers[0] else markers[0]
    items, is_loose = [], False
    for item in element.items:
        prefix = f"{item.number}{marker} " if item.number is not None else f"{marker} "
        text, has_paragraphs = _write_item(item, prefix)
        items.append(text)
        is_loose = is_loose or has_paragraphs
    return Block("list", ("\n\n" if is_loose else "\n").join(items), items, marker)


def _write_item(item: Item, prefix: str) -> tuple[str, bool]:
    """Return the text of an item, and whether its blocks are separated by blank lines."""
    blocks = write_elements(item.parts)
    is_tight = (
        all(block.kind in ("text", "list") for block in blocks) and sum(block.kind == "text" for block in blocks) < 2
    )
    text = "\n".join(block.text for block in blocks) if is_tight else join_blocks(blocks)
    return (prefix + indent_lines(text, " " * len(prefix))).rstrip(" "), not is_tight and len(blocks) > 1
