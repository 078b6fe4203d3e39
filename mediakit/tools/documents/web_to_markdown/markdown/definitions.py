"""Definition lists, as PHP Markdown Extra and Pandoc write them: the term, then `: ` and what it means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.blocks import Block, indented, joined

if TYPE_CHECKING:
    from mediakit.tools.documents.web_to_markdown.markdown.writer import Writer


def written(writer: Writer, element: HtmlElement, _before: Block | None) -> list[Block]:
    """Write a definition list, a block for each group of terms."""
    found: list[Block] = []
    lines: list[str] = []
    if element.find(".//dt") is None:  # a list without terms only sets its text in
        return writer.blocks(element)
    for child in _entries(element):
        if child.tag == "dt":
            if lines and lines[-1].startswith((": ", "  ")):
                found.append(Block("definitions", "\n".join(lines)))
                lines = []
            lines += [block.text for block in writer.blocks(child)]
        elif blocks := writer.blocks(child):
            text = indented(joined(blocks), "  ")
            lines.append(f"  {text}" if writer.style.plain else f": {text}")
    if lines:
        found.append(Block("definitions", "\n".join(lines)))
    return found


def _entries(element: HtmlElement) -> Iterator[HtmlElement]:
    """Give the terms and their meanings; groups of them may stand in a `div` (WHATWG HTML 4.4.9)."""
    for child in element:
        if child.tag in ("dt", "dd"):
            yield child
        elif isinstance(child.tag, str):
            yield from _entries(child)
