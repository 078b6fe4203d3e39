"""The interface that writers of lists, tables, quotes and other blocks use to write their contents."""

from collections.abc import Callable, Mapping
from typing import Protocol

from lxml.html import HtmlElement

from mediakit.engines.markdown.blocks import Block
from mediakit.engines.markdown.html.collector import TokenCollector
from mediakit.engines.markdown.html.footnotes import Footnotes
from mediakit.engines.markdown.html.options import MarkdownOptions


class BlockWriter(Protocol):
    """Writes the contents of elements. `writer.MarkdownWriter` implements it."""

    @property
    def options(self) -> MarkdownOptions:
        """The options of the conversion."""

    @property
    def collector(self) -> TokenCollector:
        """The collector of the tokens of inline content."""

    @property
    def footnotes(self) -> Mapping[HtmlElement, Footnotes]:
        """The footnote lists of the page."""

    def write_children(self, element: HtmlElement) -> list[Block]:
        """Return the contents of an element as Markdown blocks."""

    def write_element(self, element: HtmlElement) -> list[Block]:
        """Return a block element as Markdown blocks."""


ElementWriter = Callable[[BlockWriter, HtmlElement, Block | None], list[Block]]
"""A function that returns an element as Markdown blocks. Its last argument is the previous block, if any."""
