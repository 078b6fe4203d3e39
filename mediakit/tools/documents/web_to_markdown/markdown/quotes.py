"""Quotations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.markdown.blocks import Block, joined, prefixed

if TYPE_CHECKING:
    from mediakit.tools.documents.web_to_markdown.markdown.writer import Writer


def written(writer: Writer, element: HtmlElement, _before: Block | None) -> list[Block]:
    """Write a quotation; as plain text its paragraphs stand as they are."""
    inner = writer.blocks(element)
    if writer.style.plain:
        return inner
    if not inner:
        return [Block("quote", ">")] if len(element) == 0 else []
    parts = [prefixed(block.text, "> ") for block in inner]
    return [Block("quote", prefixed(joined(inner), "> "), parts)]
