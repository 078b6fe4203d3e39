"""Assembles a PDF from pages of others and keeps what belongs to the pages."""

from collections.abc import Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.attachments import Attachments
from mediakit.engines.pdf.catalog import Catalog
from mediakit.engines.pdf.dead_links import remove_dead_links
from mediakit.engines.pdf.destinations import NamedDestinations, annotations
from mediakit.engines.pdf.fields import FormFields
from mediakit.engines.pdf.labels import PageLabels
from mediakit.engines.pdf.layers import Layers
from mediakit.engines.pdf.outlines import Bookmarks, Outlines
from mediakit.engines.pdf.part import Feature, Part
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.shared_resources import remove_unused_resources
from mediakit.engines.pdf.source import Source
from mediakit.engines.pdf.tags import StructureTree


class Assembly:
    """A PDF that grows by parts."""

    def __init__(
        self, bookmarks: Bookmarks = "keep", into: pikepdf.Pdf | None = None, *, attachments: bool = True
    ) -> None:
        """Begin a PDF.

        Args:
            bookmarks: What becomes of the bookmarks of the parts.
            into: A PDF without pages that grows; a new one by default.
            attachments: Keep attachments.
        """
        self.pdf = pikepdf.new() if into is None else into
        self.outlines = Outlines(bookmarks)
        self.fields = FormFields(self.pdf)
        self._features: tuple[Feature, ...] = (
            Catalog(),
            NamedDestinations(),
            self.outlines,
            PageLabels(),
            self.fields,
            *([Attachments()] if attachments else []),
            Layers(),
            StructureTree(),
        )
        self._sources: list[Source] = []
        self._version = "1.5"
        self.count = 0
        """Pages so far."""

    def add(self, source: Source, indices: Sequence[int], title: str = "", *, leads: bool = False) -> Part:
        """Add pages of a PDF, with everything that belongs to them.

        The source is changed and must not be used again. The changes of the first part can be undone
        (`part.changes`), for more assemblies of its pages.

        Args:
            source: The PDF.
            indices: Its pages, from 0; a page may be repeated.
            title: Title of the part, for its bookmark.
            leads: Whether the result takes title, language and viewer preferences from this part.
        """
        part = Part(source, list(indices), self.count, title, leads)
        if not part.whole:
            remove_dead_links(part)
        carried = {feature.key: found for feature in self._features if (found := feature.prepare(part)) is not None}
        repeated = self._copy_pages(part)
        if not part.whole:
            remove_unused_resources(self.pdf, part)
        if carried:
            copied = self.pdf.copy_foreign(source.pdf.make_indirect(Dictionary(carried)))
            for feature in self._features:
                if feature.key in carried:
                    feature.attach(part, copied[feature.key])
        for copy, original in repeated:
            self._separate(part, copy, original)
        self._version = max(self._version, source.pdf.pdf_version)
        self._sources.append(source)  # streams are read when the result is saved
        return part

    def add_blank(self) -> None:
        """Add an empty page of the size of the last one."""
        before = self.pdf.pages[-1].obj
        page = Dictionary(Type=Name.Page, MediaBox=before.MediaBox, Resources=Dictionary())
        for key in (Name.CropBox, Name.Rotate, Name.UserUnit):
            if key in before:
                page[key] = before[key]
        self.add_page(page)

    def add_page(self, page: pikepdf.Object) -> None:
        """Add a page that was made for the result."""
        self.pdf.pages.append(pikepdf.Page(self.pdf.make_indirect(page)))
        self.count += 1

    def finish(self) -> None:
        """Write the document catalog."""
        for feature in self._features:
            feature.finish(self.pdf)

    def save(self) -> bytes:
        """Return the finished PDF."""
        return save(self.pdf, min_version=self._version)

    def _copy_pages(self, part: Part) -> list[tuple[int, int]]:
        """Copy the pages, and return index and original of those that are repeated."""
        pages, sources = self.pdf.pages, part.source.pdf.pages
        made: dict[int, int] = {}
        repeated = []
        for at, index in enumerate(part.indices, part.first):
            if index in made:
                repeated.append((at, made[index]))
                pages.append(pages[made[index]])
            else:
                made[index] = at
                pages.append(sources[index])
        self.count += len(part.indices)
        return repeated

    def _separate(self, part: Part, copy: int, original: int) -> None:
        """Make a repeated page independent of the first: its own annotations, and no tags."""
        page, first = self.pdf.pages[copy].obj, self.pdf.pages[original].obj
        if Name.StructParents in page:
            del page.StructParents
            part.source.warn("Pages that are repeated have tags at their first place only.")
        if annotations(first):
            page.Annots = self._copied_annotations(page, first)
            self.fields.repeat(page)

    def _copied_annotations(self, page: pikepdf.Object, first: pikepdf.Object) -> Array:
        copies = {item.objgen: self.pdf.make_indirect(item.copy()) for item in annotations(first)}
        for item in copies.values():
            item.P = page
            if Name.StructParent in item:
                del item.StructParent
            for key in (Name.Popup, Name.IRT, Name.Parent):
                related = item.get(key)
                if isinstance(related, Dictionary) and related.objgen in copies:
                    item[key] = copies[related.objgen]
        return Array(list(copies.values()))
