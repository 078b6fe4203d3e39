"""What the content shows: its links and images, and for pages that name none, a first paragraph and a large image."""

from itertools import chain, islice

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import BLOCK_ELEMENTS
from mediakit.engines.markdown.html.images import alt_text, image_url, is_large, is_tracking_pixel
from mediakit.engines.markdown.html.options import MarkdownOptions
from mediakit.tools.documents.web_to_markdown.reader.element_text import element_text

MAX_REFERENCES = 1_000
"""Links, and images, that are listed."""

MAX_TEXT_CHARACTERS = 500

MAX_PARAGRAPHS = 300
"""Paragraphs that are searched for a description."""

MIN_DESCRIPTION_CHARACTERS = 25
MAX_DESCRIPTION_CHARACTERS = 1000

_PARAGRAPH_ELEMENTS = ("p", "div", "section", "article", "main", "blockquote", "td")


def list_links(body: HtmlElement, base_url: str) -> list[dict[str, str]]:
    """Return the links in the content, each address once."""
    options = MarkdownOptions(base_url=base_url)
    found: dict[str, dict[str, str]] = {}
    for element in body.iter("a"):
        url = options.link_url(element.get("href"))
        if url and not url.startswith("#") and not found.get(url, {}).get("text"):
            text = element_text(element) or next((alt_text(image) for image in element.iter("img")), "")
            found[url] = {"text": text[:MAX_TEXT_CHARACTERS], "url": url}
        if len(found) >= MAX_REFERENCES:
            break
    return list(found.values())


def list_images(body: HtmlElement, base_url: str) -> list[dict[str, str]]:
    """Return the images in the content, each address once."""
    options = MarkdownOptions(base_url=base_url)
    found: dict[str, dict[str, str]] = {}
    for element in body.iter("img"):
        url = image_url(element, options)
        if url and not is_tracking_pixel(element):
            found.setdefault(url, {"alt": alt_text(element)[:MAX_TEXT_CHARACTERS], "url": url})
        if len(found) >= MAX_REFERENCES:
            break
    return list(found.values())


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
