"""Footnote lists in GitHub's syntax: `[^1]: …`."""

from lxml.html import HtmlElement

from mediakit.engines.markdown.blocks import Block, indent_lines, join_blocks
from mediakit.engines.markdown.html.block_writer import BlockWriter
from mediakit.engines.markdown.html.footnotes import drop_back_links


def write_footnotes(writer: BlockWriter, element: HtmlElement) -> list[Block]:
    """Write a footnote list."""
    parts = []
    for label, item in writer.footnotes[element].items():
        drop_back_links(item)
        text = indent_lines(join_blocks(writer.write_children(item)), "    ")
        parts.append(f"[^{label}]: {text}".rstrip())
    return [Block("footnotes", "\n\n".join(parts), parts)] if parts else []
