"""The main content that other libraries extract: readability-lxml and trafilatura."""

import logging
import re

import lxml.html
from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SegmentedPage

COMPARED_CHARACTERS = 80
"""Characters at the start of a block that are searched in the extracted text."""

_SPACES = re.compile(r"\s+")


def extract_with_readability(body: HtmlElement, id_attribute: str, page: SegmentedPage) -> list[bool]:
    """Return whether readability-lxml extracts each block. Elements have the index of their block in `id_attribute`."""
    import readability

    class Document(readability.Document):  # type: ignore[misc]  # readability-lxml has no types
        """A document that records the blocks of its summary."""

        def get_clean_html(self) -> str:
            self.block_ids = {element.get(id_attribute) for element in self.html.iter() if element.get(id_attribute)}
            return str(super().get_clean_html())

    document = Document(lxml.html.tostring(body, encoding="unicode"))
    document.block_ids = set()
    logging.getLogger("readability.readability").disabled = True  # it logs an error for each page that it cannot parse
    try:
        document.summary()
    except readability.Unparseable:
        return [False] * len(page.blocks)
    return [str(block.index) in document.block_ids for block in page.blocks]


def extract_with_trafilatura(html: str, page: SegmentedPage) -> list[bool]:
    """Return whether each block is in the text that trafilatura extracts."""
    import trafilatura

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    extracted = trafilatura.extract(html, output_format="txt", include_comments=False) or ""
    text = _SPACES.sub(" ", extracted)
    return [block.text[:COMPARED_CHARACTERS] in text for block in page.blocks]
