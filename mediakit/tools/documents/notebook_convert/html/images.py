"""Images in cleaned HTML: those of the notebook are embedded, all others become links or their alternative text."""

import re
from collections.abc import Mapping
from html import escape, unescape

from mediakit.engines.notebooks.images import NotebookImage
from mediakit.tools.documents.notebook_convert.remarks import Remarks

_IMAGE = re.compile(r"<img\b[^>]*>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
_REMOTE = re.compile(r"(?:https?:)?//", re.IGNORECASE)


def embed_images(html: str, attached: Mapping[str, NotebookImage], remarks: Remarks) -> str:
    """Return HTML whose images are all `data:` URIs.

    Args:
        html: HTML as nh3 writes it, with attributes in double quotes.
        attached: Images by the address that the HTML has for them.
        remarks: Counts the images that are omitted.
    """

    def embed(match: re.Match[str]) -> str:
        attributes = {name: unescape(value) for name, value in _ATTRIBUTE.findall(match[0])}
        source = attributes.get("src", "").strip()
        if source in attached:
            return match[0].replace(f'src="{escape(source)}"', f'src="{attached[source].data_uri}"')
        if source.lower().startswith("data:image/"):
            return match[0]
        alt = " ".join(attributes.get("alt", "").split())
        return _substitute(source, alt, remarks)

    return _IMAGE.sub(embed, html)


def _substitute(source: str, alt: str, remarks: Remarks) -> str:
    if _REMOTE.match(source):
        remarks.add("remote_image")
        address = f"https:{source}" if source.startswith("//") else source
        return f'<a class="missing-image" href="{escape(address)}">{escape(alt or address)}</a>'
    remarks.add("missing_image")
    return f'<span class="missing-image">{escape(alt or source or "image")}</span>'
