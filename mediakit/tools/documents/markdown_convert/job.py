"""What a worker gets to convert, and what it returns."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mediakit.engines.paper import PageLayout
from mediakit.engines.rich_text.document import Heading
from mediakit.engines.rich_text.page import Theme


@dataclass(frozen=True)
class Job:
    """Markdown and the options of its conversion."""

    markdown: str
    title: str = ""
    """Title of the request; empty if it has none."""
    theme: Theme = "plain"
    toc: bool = False
    numbered: bool = False
    document: bool = True
    lang: str = ""
    """Language of the request; empty if it has none."""
    page_numbers: bool = False
    """Whether a Word document has page numbers. Those of a PDF are printed by the browser."""
    layout: PageLayout = field(default_factory=PageLayout)


@dataclass(frozen=True)
class WrittenText:
    """A text as HTML, and what is known about the document."""

    before: str
    """HTML up to the place of the contents."""
    after: str
    """HTML after the contents."""
    title: str
    author: str
    lang: str
    headings: Sequence[Heading]
    words: int
    warnings: Sequence[str]
    local_images: Sequence[str] = ()
    """Addresses of images that only the page's own folder could have."""

    @property
    def meta(self) -> dict[str, Any]:
        """What the result reports."""
        return {
            "title": self.title or None,
            "headings": [
                {"level": heading.level, "text": heading.text, "anchor": heading.anchor} for heading in self.headings
            ],
            "words": self.words,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True)
class WrittenDocument:
    """A file that a worker wrote, and what the result reports."""

    content: bytes
    meta: dict[str, Any]
