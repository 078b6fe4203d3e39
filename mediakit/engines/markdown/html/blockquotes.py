"""Block quotes."""

from lxml.html import HtmlElement

from mediakit.engines.markdown.blocks import Block, join_blocks, prefix_lines
from mediakit.engines.markdown.html.block_writer import BlockWriter


def write_blockquote(writer: BlockWriter, element: HtmlElement, _previous: Block | None) -> list[Block]:
    """Write a block quote. In plain text, its paragraphs have no prefix."""
    inner = writer.write_children(element)
    if writer.options.plain:
        return inner
    if not inner:
        return [Block("quote", ">")] if len(element) == 0 else []
    parts = [prefix_lines(block.text, "> ") for block in inner]
    return [Block("quote", prefix_lines(join_blocks(inner), "> "), parts)]
