"""The first paragraph and the first large image of the content, for pages without a description or an image."""

from itertools import chain, islice

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import BLOCK_ELEMENTS
from mediakit.engines.markdown.html.images import image_url, is_large
from mediakit.engines.markdown.html.options import MarkdownOptions
from mediakit.tools.documents.web_to_markdown.reader.element_text import element_text

MAX_PARAGRAPHS = 300
"""Paragraphs that are searched for a description."""

MIN_DESCRIPTION_CHARACTERS = 25
MAX_DESCRIPTION_CHARACTERS = 1000

_PARAGRAPH_ELEMENTS = ("p", "div", "section", "article", "main", "blockquote", "td")


def lead_paragraph(body: HtmlElement) -> str | None:
    """Return the first paragraph that is long enough to describe the page, or else the first paragraph."""
    first = None
    for element in chain((body,), islice(body.iterdescendants(*_PARAGRAPH_ELEMENTS), MAX_PARAGRAPHS)):
        if element.tag != "p" and next(element.iterdescendants(*BLOCK_ELEMENTS), None) is not None:
            continue
        text = element_text(element)
        first = first or text
        if len(text) >= MIN_DESCRIPTION_CHARACTERS:
            return text[:MAX_DESCRIPTION_CHARACTERS]
    return first


def lead_image(body: HtmlElement, base_url: str) -> str | None:
    """Return the absolute URL of the first large image."""
    options = MarkdownOptions(base_url=base_url)
    urls = (image_url(element, options) for element in body.iter("img") if is_large(element))
    return next((url for url in urls if url.startswith(("http://", "https://"))), None)
