"""Anchors of a document: links to bookmarks point to the slug of a heading, or to an anchor that is written."""

import re
from collections.abc import Iterable

from lxml.html import HtmlElement

from mediakit.tools.documents.document_to_markdown.readers.block_builder import new_element
from mediakit.tools.documents.document_to_markdown.readers.inline_tree import Piece

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")


class Anchors:
    """The bookmarks of a document that links point to."""

    def __init__(self, wanted: Iterable[str] = ()) -> None:
        """Create anchors.

        Args:
            wanted: Names of the bookmarks that links point to. Others are not written.
        """
        self._wanted = frozenset(wanted)
        self._names: dict[str, str] = {}
        """Names of bookmarks that are written under another name."""
        self._headings: dict[str, HtmlElement] = {}

    def bookmark(self, name: str, pieces: list[Piece]) -> None:
        """Write a bookmark at the end of the pieces. One directly after another has its name."""
        if name not in self._wanted or name in self._names:
            return
        last = pieces[-1][1] if pieces else ""
        if not isinstance(last, str) and last.tag == "a" and last.get("data-anchor"):
            self._names[name] = last.get("data-anchor") or name
            return
        self._names[name] = name
        anchor = new_element("a")
        anchor.set("data-anchor", name)
        pieces.append(((), anchor))

    def move_to_heading(self, heading: HtmlElement) -> None:
        """Let the bookmarks in a heading point to the heading."""
        for anchor in heading.findall(".//a"):
            name = anchor.get("data-anchor")
            if name is not None:
                self._headings[name] = heading
                anchor.drop_tree()

    def resolve(self, root: HtmlElement) -> None:
        """Set the addresses of all links to bookmarks in a finished tree."""
        links = [link for link in root.iter("a") if (link.get("href") or "").startswith("#")]
        if not links:
            return
        slugs = heading_slugs(root) if self._headings else {}
        for link in links:
            name = (link.get("href") or "")[1:]
            name = self._names.get(name, name)
            heading = self._headings.get(name)
            link.set("href", f"#{name if heading is None else slugs.get(heading, name)}")


def heading_slugs(root: HtmlElement) -> dict[HtmlElement, str]:
    """Return the anchors that GitHub makes of headings: a repeated one gets a number."""
    slugs: dict[HtmlElement, str] = {}
    counts: dict[str, int] = {}
    for heading in root.iter(*_HEADINGS):
        slug = heading_slug(" ".join(heading.text_content().split()))
        if not slug:
            continue
        count = counts.get(slug, 0)
        counts[slug] = count + 1
        slugs[heading] = f"{slug}-{count}" if count else slug
    return slugs


def heading_slug(text: str) -> str:
    """Return the anchor of a heading: lower case, without punctuation, hyphens for spaces."""
    return _NOT_IN_SLUG.sub("", text.strip().lower()).replace(" ", "-")
