"""Writes Word documents (DOCX, ECMA-376 transitional) from a tree of clean HTML.

`writer.write_docx` is the entry point. The other modules import python-docx, lxml and Pillow, so only workers import
them. Each theme is a Word file in `themes`, which `docs/word_themes.py` makes.
"""

from dataclasses import dataclass, field

from mediakit.engines.paper import Margins, PageLayout
from mediakit.engines.rich_text.page import Theme


@dataclass(frozen=True)
class DocxOptions:
    """Properties, look and page of a document."""

    title: str = ""
    """Title in the core properties."""
    printed_title: str = ""
    """Title that is printed above the text; empty if the text begins with its title."""
    author: str = ""
    """Author in the core properties, and below the printed title."""
    date: str = ""
    """Date as text, below the printed title."""
    theme: Theme = "plain"
    toc: bool = False
    """Whether a table of contents follows the title."""
    numbered: bool = False
    """Whether headings have numbers: 1, 1.1, 1.2."""
    page: PageLayout = field(default_factory=lambda: PageLayout(margins=Margins(20, 20, 20, 20)))
    page_numbers: bool = False
    """Whether the footer has the page number."""
    lang: str = "en"
    """Language of the text, as a BCP 47 tag."""
    rtl: bool = False
    """Whether the text runs from right to left."""
