"""A part of an assembled PDF, and what each feature of a PDF does with it."""

from dataclasses import dataclass, field
from functools import cached_property

import pikepdf

from mediakit.engines.pdf.changes import Changes
from mediakit.engines.pdf.source import PageKey, Source


@dataclass
class Part:
    """Pages of one PDF that go into the result."""

    source: Source
    indices: list[int]
    """Pages of the source, from 0, in the order of the result; a page may be repeated."""
    first: int
    """Index in the result of the first page."""
    title: str = ""
    leads: bool = False
    """Whether the result takes its title, language and preferences from this part."""
    changes: Changes = field(default_factory=Changes, repr=False)
    """What was changed in the source to omit other pages."""
    removed_links: list[pikepdf.Object] = field(default_factory=list)
    """Links that led to pages that are omitted."""

    @cached_property
    def kept(self) -> dict[PageKey, int]:
        """Index in the result of each source page that is kept, the first if it is repeated."""
        pages = self.source.pages
        return {pages[index].objgen: self.first + at for at, index in reversed(list(enumerate(self.indices)))}

    @cached_property
    def whole(self) -> bool:
        """Whether every page of the source is kept."""
        return len(set(self.indices)) == len(self.source.pages)

    @cached_property
    def mask(self) -> int:
        """The source's pages that are kept, a bit for each."""
        return sum(1 << index for index in set(self.indices))

    @property
    def pages(self) -> list[pikepdf.Object]:
        """The source's pages that are kept, each once."""
        return [self.source.pages[index] for index in dict.fromkeys(self.indices)]


class Feature:
    """Something of the document catalog that an assembly keeps, such as bookmarks or attachments."""

    key = ""
    """Name under which an object travels from the source to the result."""

    def prepare(self, part: Part) -> pikepdf.Object | None:
        """Change the source so that it can be joined, and return what must be copied."""
        raise NotImplementedError

    def attach(self, part: Part, copied: pikepdf.Object | None) -> None:
        """Take what was copied; not called if `prepare` returned None."""
        raise NotImplementedError

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Write everything that was taken into the result."""
        raise NotImplementedError
