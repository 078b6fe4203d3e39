"""What the writers of lists and tables need of the writer of blocks, which uses them."""

from typing import Protocol

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.flow import Flow
from mediakit.engines.docx_writer.story import Story
from mediakit.engines.docx_writer.xml_tree import Element


class BlockWriter(Protocol):
    """Writes the blocks of one story."""

    @property
    def story(self) -> Story:
        """The part that the blocks belong to."""

    def write_children(self, element: HtmlElement, flow: Flow) -> list[Element]:
        """Write the content of an element."""

    def write(self, element: HtmlElement, flow: Flow) -> list[Element]:
        """Write one block element."""
