"""What the parts of one document share: its package, numberings, bookmarks, images and warnings."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from lxml.html import HtmlElement

from mediakit.engines.docx_writer.bookmarks import Bookmarks
from mediakit.engines.docx_writer.images import Images
from mediakit.engines.docx_writer.numbering import Numbering
from mediakit.engines.docx_writer.options import DocxOptions
from mediakit.engines.docx_writer.package import Package
from mediakit.engines.docx_writer.wordml import TWIPS_PER_MM

MAX_WARNINGS = 20
"""Warnings of one kind; the rest is counted."""

_SUBJECTS = {"images": "Image not stored", "links": "A link"}


@dataclass
class State:
    """The state of one document while it is written."""

    options: DocxOptions
    anchors: frozenset[str]
    """IDs of elements that links of the document refer to."""
    package: Package = field(default_factory=Package)
    numbering: Numbering = field(default_factory=Numbering)
    bookmarks: Bookmarks = field(default_factory=Bookmarks)
    images: Images = field(init=False)
    _warnings: dict[str, list[str]] = field(default_factory=dict)
    _ids: int = 0

    def __post_init__(self) -> None:
        self.images = Images(self.package)

    @property
    def width(self) -> int:
        """Width of the content area, in twips."""
        return round(self.options.page.content_size[0] * TWIPS_PER_MM)

    @property
    def height(self) -> int:
        """Height of the content area, in twips."""
        return round(self.options.page.content_size[1] * TWIPS_PER_MM)

    def next_id(self) -> int:
        """Return a new ID of a content control."""
        self._ids += 1
        return self._ids

    def bookmark_target(self, anchor: str) -> str | None:
        """Return the name of the bookmark at an anchor, or None if the document has no such anchor."""
        return self.bookmarks.name_of(anchor) if anchor in self.anchors else None

    def warn(self, kind: str, text: str) -> None:
        """Note what could not be kept. `kind` is images or links."""
        found = self._warnings.setdefault(kind, [])
        if text not in found:
            found.append(text)

    @property
    def warnings(self) -> list[str]:
        """Sentences that say what could not be kept."""
        return [sentence for kind, texts in self._warnings.items() for sentence in _sentences(_SUBJECTS[kind], texts)]


def _sentences(subject: str, texts: list[str]) -> Iterable[str]:
    separator = ": " if "not" in subject else " "
    yield from (f"{subject}{separator}{text}." for text in texts[:MAX_WARNINGS])
    if len(texts) > MAX_WARNINGS:
        yield f"{len(texts) - MAX_WARNINGS} more of these are not listed."


def linked_anchors(body: HtmlElement) -> frozenset[str]:
    """Return the IDs of elements that links of the document refer to."""
    targets = {str(link.get("href"))[1:] for link in body.iter("a") if (link.get("href") or "").startswith("#")}
    present = {str(element.get("id") or element.get("name")) for element in body.iter() if element.attrib}
    return frozenset((targets & present) - {""})
