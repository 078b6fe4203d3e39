"""Assembles a PDF from pages of others and keeps what belongs to the pages."""

from collections.abc import Sequence

import pikepdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.pdf.attachments import Attachments
from mediakit.engines.pdf.catalog import Catalog
from mediakit.engines.pdf.destinations import NamedDestinations, annotations, of_item, page_of
from mediakit.engines.pdf.fields import FormFields
from mediakit.engines.pdf.labels import PageLabels
from mediakit.engines.pdf.layers import Layers
from mediakit.engines.pdf.outlines import Bookmarks, Outlines
from mediakit.engines.pdf.part import Feature, Part
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.source import Source
from mediakit.engines.pdf.tags import StructureTree


class Assembly:
    """A PDF that grows by parts."""

    def __init__(self, bookmarks: Bookmarks = "keep") -> None:
        self.pdf = pikepdf.new()
        self.outlines = Outlines(bookmarks)
        self.fields = FormFields(self.pdf)
        self._features: tuple[Feature, ...] = (
            Catalog(),
            NamedDestinations(),
            self.outlines,
            PageLabels(),
            self.fields,
            Attachments(),
            Layers(),
            StructureTree(),
        )
        self._sources: list[Source] = []
        self._version = "1.5"
        self.count = 0
        """Pages so far."""

    def add(self, source: Source, indices: Sequence[int], title: str = "", *, leads: bool = False) -> Part:
        """Add pages of a PDF, with everything that belongs to them.

        The source is changed and must not be used again.

        Args:
            source: The PDF.
            indices: Its pages, from 0; a page may be repeated.
            title: Title of the part, for its bookmark.
            leads: Whether the result takes title, language and viewer preferences from this part.
        """
        part = Part(source, list(indices), self.count, title, leads)
        if not part.whole:
            _remove_dead_links(part)
        carried = {feature.key: found for feature in self._features if (found := feature.prepare(part)) is not None}
        repeated = self._copy_pages(part)
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


def _remove_dead_links(part: Part) -> None:
    """Remove the links to pages that are omitted."""
    removed = 0
    for page in part.pages:
        kept = [item for item in annotations(page) if not _is_dead(part, item)]
        if (lost := len(annotations(page)) - len(kept)) > 0:
            page.Annots = Array(kept)
            removed += lost
    if removed:
        part.source.warn(
            f"{removed} link{'s were' if removed > 1 else ' was'} removed: the pages they lead to are omitted."
        )


def _is_dead(part: Part, annotation: pikepdf.Object) -> bool:
    if annotation.get(Name.Subtype) != Name.Link:
        return False
    pages = [page_of(part.source, holder[key]) for holder, key in of_item(annotation)]
    found = [page for page in pages if page is not None]
    return bool(found) and all(page.objgen not in part.kept for page in found)
