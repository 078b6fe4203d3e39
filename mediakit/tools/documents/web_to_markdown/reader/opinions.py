"""Second opinions on a page's main content: those of readability-lxml and of trafilatura."""

import logging
import re

import lxml.html
from lxml.html import HtmlElement

from mediakit.tools.documents.web_to_markdown.reader.units import Page

_SPACES = re.compile(r"\s+")
COMPARED = 80
"""Characters of a unit that are looked for in a text."""


def readability_lxml(body: HtmlElement, mark: str, page: Page) -> list[bool]:
    """Say which units readability-lxml keeps; they carry their number in the attribute `mark`."""
    import readability

    class Marked(readability.Document):  # type: ignore[misc]  # it has no types
        """A document that remembers which elements it keeps."""

        def get_clean_html(self) -> str:
            self.marks = {element.get(mark) for element in self.html.iter() if element.get(mark)}
            return str(super().get_clean_html())

    document = Marked(lxml.html.tostring(body, encoding="unicode"))
    document.marks = set()
    logging.getLogger("readability.readability").disabled = True  # it logs each page that it cannot read
    try:
        document.summary()
    except readability.Unparseable:
        return [False] * len(page.units)
    return [str(unit.order) in document.marks for unit in page.units]


def trafilatura(html: str, page: Page) -> list[bool]:
    """Say which units stand in the text that trafilatura extracts."""
    import trafilatura as library

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    found = library.extract(html, output_format="txt", include_comments=False) or ""
    text = _SPACES.sub(" ", found)
    return [unit.text[:COMPARED] in text for unit in page.units]
