"""Tables of plain texts as HTML elements."""

from collections.abc import Sequence

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.block_builder import new_element


def table_element(rows: Sequence[Sequence[str]]) -> HtmlElement:
    """Return a table whose first row is the header."""
    table = new_element("table")
    for number, row in enumerate(rows):
        line = etree.SubElement(table, "tr")
        for text in row:
            etree.SubElement(line, "td" if number else "th").text = text
    return table
