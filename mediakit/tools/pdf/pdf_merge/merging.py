"""Merges files; runs in a worker."""

from collections.abc import Sequence
from itertools import accumulate, islice
from typing import Any

from mediakit.core.inputs import files_of
from mediakit.engines.paper import SIZES_MM
from mediakit.engines.pdf import MadePdf
from mediakit.engines.pdf.assembly import Assembly
from mediakit.engines.pdf.destinations import warn_of_removed_links
from mediakit.engines.pdf.document import JAVASCRIPT, active_content
from mediakit.engines.pdf.geometry import seen_size
from mediakit.engines.pdf.opening import MAX_PAGES, warn_of_late_damage
from mediakit.engines.pdf.scaling import POINTS_PER_MM, fit_pages
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_merge.contents import Contents
from mediakit.tools.pdf.pdf_merge.inputs import Input, image_pages, is_animated, open_inputs
from mediakit.tools.pdf.pdf_merge.tool import PageSize, PdfMergeRequest


def merge(request: PdfMergeRequest) -> MadePdf:
    """Return one PDF of all files, in order.

    Raises:
        InvalidInput: A file, a page range or a title is not valid, or the result has too many pages.
    """
    files = files_of(request.files)
    empty = [""] * len(files)
    inputs = open_inputs(files, request.pages or empty, request.titles or empty, list(request.password or ()))
    return Merge(inputs, request).run()


class Merge:
    """Files that become one PDF.

    Args:
        inputs: The opened files, in the order of the result.
        request: The options; None for the defaults.
    """

    def __init__(self, inputs: Sequence[Input], request: PdfMergeRequest | None = None) -> None:
        self._inputs = inputs
        self._page_size: PageSize = request.page_size if request else "keep"
        self._toc_title = request.toc_title if request and request.toc else ""
        self._is_double_sided = bool(request and request.double_sided)
        self._assembly = Assembly(request.bookmarks if request else "files")
        self._warnings: list[str] = []
        self._files: list[dict[str, Any]] = []

    def run(self) -> MadePdf:
        """Return the PDF."""
        self._require_few_pages(0)
        contents = self._contents() if self._toc_title else None
        front = 0 if contents is None else self._span(contents.count)
        self._require_few_pages(front)
        if contents is not None:
            for page in contents.draw(front):
                self._assembly.add_page(self._assembly.pdf.copy_foreign(page))
            self._pad(contents.count)
        for item in self._inputs:
            self._add(item)
        self._assembly.finish()
        self._resize(front)
        if contents is not None:
            contents.link(self._assembly.pdf)
        content = self._assembly.save()
        for item in self._inputs:
            if item.source is not None:
                warn_of_late_damage(item.source)  # that was found while it was copied
                self._warnings += [f"{item.label}: {sentence}" for sentence in item.source.warnings]
        meta = {
            "pages": self._assembly.count,
            "files": self._files,
            "renamed_fields": self._assembly.fields.renamed,
            "warnings": self._warnings,
        }
        return MadePdf(content, meta)

    def _require_few_pages(self, front: int) -> None:
        count = front + sum(self._span(item.count) for item in self._inputs)
        if count > MAX_PAGES:
            raise InvalidInput(f"files: makes {count} pages; the most is {MAX_PAGES}.")

    def _contents(self) -> Contents:
        starts = [0, *accumulate(self._span(item.count) for item in self._inputs)][:-1]
        source = self._inputs[0].source
        first = (0.0, 0.0) if source is None else seen_size(source.pdf.pages[self._inputs[0].indices[0]])
        contents = Contents(self._toc_title, self._inputs, starts, self._paper() or first)
        self._warnings += contents.warnings
        return contents

    def _add(self, item: Input) -> None:
        assembly, source, first = self._assembly, item.source, self._assembly.count
        if source is not None:
            warn_of_removed_links(assembly.add(source, item.indices, item.title, leads=not self._files))
            fields = assembly.fields
            for old, new in fields.latest.items():
                if fields.renamed[old] != new:  # it holds the new name of an earlier file
                    source.warn(f"The form field {old} is now called {new}.")
            if fields.latest and JAVASCRIPT in active_content(source):
                source.warn("Scripts of the form still use the old names of renamed fields.")
        else:
            assembly.outlines.add_entry(first, item.title)
            for page in islice(image_pages(assembly.pdf, item.image, item.format, item.label), item.count):
                assembly.add_page(page)
            if is_animated(item.image, item.format):
                self._warnings.append(f"{item.label}: The image is animated; only its first frame is shown.")
        file = {"name": item.name, "kind": item.kind, "pages": item.count, "first_page": first + 1, "title": item.title}
        self._files.append(file)
        self._pad(item.count)

    def _pad(self, count: int) -> None:
        """Add an empty page after an odd number of pages, for double-sided printing."""
        if self._span(count) > count:
            self._assembly.add_blank()

    def _span(self, count: int) -> int:
        return count + count % 2 if self._is_double_sided else count

    def _resize(self, front: int) -> None:
        if self._page_size == "keep":
            return
        pdf = self._assembly.pdf
        size = self._paper() or seen_size(pdf.pages[front])
        starts = ((file["first_page"] - 1, file["pages"]) for file in self._files if file["kind"] == "pdf")
        of_pdfs = [page for first, count in starts for page in range(first, first + count)]
        self._warnings += fit_pages(pdf, of_pdfs, *size)
        fit_pages(pdf, sorted({*range(front, len(pdf.pages))} - {*of_pdfs}), *size)  # images have no size to lose

    def _paper(self) -> tuple[float, float] | None:
        size = self._page_size
        if size == "keep" or size == "first":  # noqa: PLR1714  # mypy narrows by comparison
            return None
        width, height = SIZES_MM[size]
        return width * POINTS_PER_MM, height * POINTS_PER_MM
