"""Lists the links and images of the content."""

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.images import alt_text, image_url, is_tracking_pixel
from mediakit.engines.markdown.html.options import MarkdownOptions
from mediakit.tools.documents.web_to_markdown.reader.element_text import element_text

MAX_REFERENCES = 1_000
"""Links, and images, that are listed."""

MAX_TEXT_CHARACTERS = 500


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
