"""Removes the signs in headings that link to the heading itself."""

from lxml.html import HtmlElement

from mediakit.engines.markdown.html.elements import HEADING_LEVELS

PERMALINK_SIGNS = frozenset("#¶§🔗⚓∞")


def remove_heading_permalinks(body: HtmlElement) -> None:
    """Remove links to an anchor from headings if their text is only a sign such as "¶"."""
    for heading in body.iter(*HEADING_LEVELS):
        for link in heading.findall(".//a"):
            if "#" in (link.get("href") or "") and "".join(link.itertext()).strip("\ufe0f \n\t") in PERMALINK_SIGNS:
                link.drop_tree()
