"""Tables of slides as HTML elements."""

from lxml import etree
from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.office.blocks import BlockBuilder, new_element
from mediakit.tools.documents.document_to_markdown.readers.slides.names import A, Element, integer, is_true
from mediakit.tools.documents.document_to_markdown.readers.slides.text_body import TextReader

MAX_SPAN = 1000


def table_element(table: Element, text: TextReader) -> HtmlElement:
    """Return a table, the first row of which is its header."""
    made = new_element("table")
    for number, row in enumerate(table.iterchildren(f"{A}tr")):
        line = etree.SubElement(made, "tr")
        for cell in row.iterchildren(f"{A}tc"):
            if is_true(cell.get("hMerge")) or is_true(cell.get("vMerge")):
                continue
            element = etree.SubElement(line, "td" if number else "th")
            for name, attribute in (("colspan", "gridSpan"), ("rowspan", "rowSpan")):
                span = min(MAX_SPAN, integer(cell.get(attribute), 1))
                if span > 1:
                    element.set(name, str(span))
            body = cell.find(f"{A}txBody")
            if body is not None:
                text.append(body, BlockBuilder(element), "cell", lambda _level: False)
    return made
