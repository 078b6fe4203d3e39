"""Options of the Markdown writer, and the resolution of links and image addresses."""

from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

_BLOCKED_SCHEMES = ("javascript", "vbscript", "data", "file", "blob")
"""Schemes that run scripts or point to local files. Markdown renderers block them too."""


@dataclass(frozen=True)
class MarkdownOptions:
    """How to write a page."""

    plain: bool = False
    """Write plain text instead of Markdown."""
    include_links: bool = True
    """Write link addresses, not only their text."""
    include_images: bool = False
    base_url: str = ""
    """Address against which relative ones are resolved. If empty, they stay relative."""
    keep_tables: bool = False
    """Write every table as a table, those with merged cells or blocks in cells as HTML, as documents need it. On web
    pages, tables may be used only for layout, and empty columns only for spacing."""

    resolve_fragments: bool = False
    """Resolve links inside the page, such as `#usage`, too. By default they stay links inside the result."""

    keep_empty: bool = False
    """Write plain elements that are empty in the HTML, such as `<h2></h2>`, and link titles that repeat the text. In the
    main content of a page they are the remains of icons and controls."""

    keep_anchors: bool = False
    """Write the anchors that links inside a document point to: empty `a` elements with the name in `data-anchor`."""

    def link_url(self, reference: str | None) -> str:
        """Return a link's address, resolved against `base_url`. Empty for invalid addresses and blocked schemes."""
        reference = "".join((reference or "").split("\n")).strip().replace("\t", "")
        if not reference:
            return ""
        is_resolved = bool(self.base_url) and (self.resolve_fragments or not reference.startswith("#"))
        try:
            url = urljoin(self.base_url, reference) if is_resolved else reference
            parts = urlsplit(url)
        except ValueError:  # invalid IPv6 address in brackets
            return ""
        if parts.scheme.lower() in _BLOCKED_SCHEMES:
            return ""
        if is_resolved and parts.netloc and not parts.path:
            url = parts._replace(path="/").geturl()  # as browsers resolve it (WHATWG URL 4.5)
        return url.replace(" ", "%20")

    def image_url(self, reference: str | None) -> str:
        """Return an image's address, resolved against `base_url`. Empty for data URIs and other blocked schemes."""
        url = self.link_url(reference)
        return "" if url.startswith(("mailto:", "tel:")) else url
