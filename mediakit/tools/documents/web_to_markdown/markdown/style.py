"""How a page is written down: which marks, links and pictures, and where relative addresses lead."""

from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

_REFUSED = ("javascript", "vbscript", "data", "file", "blob")
"""Schemes that run, or lead to the reader's own files; Markdown renderers refuse them, too."""


@dataclass(frozen=True)
class Style:
    """What is asked of a conversion."""

    plain: bool = False
    """Text without markup instead of Markdown."""
    links: bool = True
    """Whether links keep their address, or their text alone."""
    images: bool = False
    """Whether pictures are written down."""
    base: str = ""
    """Address that relative ones start from; empty: they stay relative."""

    def address(self, reference: str | None) -> str:
        """Give a link's address in full; nothing for those that lead nowhere, such as scripts."""
        reference = "".join((reference or "").split("\n")).strip().replace("\t", "")
        if not reference:
            return ""
        try:
            address = urljoin(self.base, reference) if self.base else reference
            scheme = urlsplit(address).scheme
        except ValueError:  # a bracket that is no IPv6 address
            return ""
        return address.replace(" ", "%20") if scheme.lower() not in _REFUSED else ""

    def picture(self, reference: str | None) -> str:
        """Give a picture's address in full; nothing for pictures that carry their data with them."""
        address = self.address(reference)
        return "" if address.startswith(("mailto:", "tel:")) else address
