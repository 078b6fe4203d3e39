"""Definition lists in the syntax of PHP Markdown Extra and Pandoc: the term, then `: ` and its definition."""

from collections.abc import Iterator

from lxml.html import HtmlElement

from mediakit.engines.markdown.blocks import Block, indent_lines, join_blocks
from mediakit.engines.markdown.html.block_writer import BlockWriter


def write_definition_list(writer: BlockWriter, element: HtmlElement, _previous: Block | None) -> list[Block]:
    """Return a definition list as blocks, one for each group of terms and definitions."""
    if element.find(".//dt") is None:  # without terms, the page uses the list only to indent text
        return writer.write_children(element)
    found: list[Block] = []
    lines: list[str] = []
    for child in _entries(element):
        if child.tag == "dt":
            if lines and lines[-1].startswith((": ", "  ")):
                found.append(Block("definitions", "\n".join(lines)))
                lines = []
            lines += [block.text for block in writer.write_children(child)]
        elif blocks := writer.write_children(child):
            text = indent_lines(join_blocks(blocks), "  ")
            lines.append(f"  {text}" if writer.options.plain else f": {text}")
    if lines:
        found.append(Block("definitions", "\n".join(lines)))
    return found


def _entries(element: HtmlElement) -> Iterator[HtmlElement]:
    """Yield terms and definitions, including those in `div` groups (WHATWG HTML 4.4.9)."""
    for child in element:
        if child.tag in ("dt", "dd"):
            yield child
        elif isinstance(child.tag, str):
            yield from _entries(child)
