"""The main content that other libraries extract: readability-lxml and trafilatura."""

import logging
import re

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.parser import ELEMENT_CLASSES
from mediakit.tools.documents.web_to_markdown.reader.text_blocks import SegmentedPage

COMPARED_CHARACTERS = 80
"""Characters at the start of a block that are searched in the extracted text."""

_SPACES = re.compile(r"\s+")


def extract_with_readability(body: HtmlElement, page: SegmentedPage) -> list[bool]:
    """Return whether readability-lxml extracts each block."""
    import readability

    from mediakit.tools.documents.web_to_markdown.reader.readability_document import extracted_indexes

    logging.getLogger("readability.readability").disabled = True  # it logs an error for each page that it cannot parse
    try:
        indexes = extracted_indexes(body, page.indexes())
    except readability.Unparseable:
        return [False] * len(page.blocks)
    return [block.index in indexes for block in page.blocks]


def extract_with_trafilatura(html: str, page: SegmentedPage) -> list[bool]:
    """Return whether each block is in the text that trafilatura extracts."""
    import trafilatura
    from trafilatura.utils import HTML_PARSER

    HTML_PARSER.set_element_class_lookup(ELEMENT_CLASSES)
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    extracted = trafilatura.extract(html, output_format="txt", include_comments=False, fast=True) or ""
    text = _SPACES.sub(" ", extracted)
    return [block.text[:COMPARED_CHARACTERS] in text for block in page.blocks]
