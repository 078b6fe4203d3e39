"""The base URL of a page, and the resolution of relative addresses against it (WHATWG HTML 2.4.3)."""

from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement


def document_base_url(root: HtmlElement, page_url: str) -> str:
    """Return the address against which relative ones are resolved.

    Args:
        root: The page. The `href` of its first `base` element applies if it is, or resolves to, an http or https URL.
        page_url: The address of the page, or an empty string.

    Returns:
        An absolute URL, or an empty string if neither the page nor `page_url` has one.
    """
    href = next((element.get("href") for element in root.iter("base") if element.get("href") is not None), None)
    return absolute_url(href, page_url) or page_url


def absolute_url(reference: str | None, base_url: str) -> str | None:
    """Return an address as an absolute http or https URL. None if it cannot be resolved."""
    if not reference or not reference.strip():
        return None
    try:
        url = urljoin(base_url, reference.strip())
        parts = urlsplit(url)
    except ValueError:  # invalid IPv6 address in brackets
        return None
    return url if parts.scheme.lower() in ("http", "https") and parts.netloc else None
