"""Assembles the result from the working copy, and proves it: in rounds, until nothing is found any more."""

from io import BytesIO

import pikepdf

from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_redact import marked_content, tags, working_copy
from mediakit.tools.pdf.pdf_redact.claim import Claim
from mediakit.tools.pdf.pdf_redact.document_texts import scrub
from mediakit.tools.pdf.pdf_redact.erasing import erase
from mediakit.tools.pdf.pdf_redact.hidden_data import (
    blank_notices,
    drop_comments,
    drop_unused_resources,
    shorten_maps,
)
from mediakit.tools.pdf.pdf_redact.image_metadata import scrub_images
from mediakit.tools.pdf.pdf_redact.image_pages import ImagePages, words_of
from mediakit.tools.pdf.pdf_redact.marked_page import MarkedPage, mark
from mediakit.tools.pdf.pdf_redact.marked_texts import has_texts, scrub_marked_content
from mediakit.tools.pdf.pdf_redact.marks import Letter
from mediakit.tools.pdf.pdf_redact.metadata import scrub_metadata
from mediakit.tools.pdf.pdf_redact.painting import Label, Painter
from mediakit.tools.pdf.pdf_redact.proof import Leaks, prove
from mediakit.tools.pdf.pdf_redact.renaming import rename
from mediakit.tools.pdf.pdf_redact.reports import page_list
from mediakit.tools.pdf.pdf_redact.request import PdfRedactRequest
from mediakit.tools.pdf.pdf_redact.scope import exempt_objects
from mediakit.tools.pdf.pdf_redact.scratch_pages import remove_scratch_pages, take_back
from mediakit.tools.pdf.pdf_redact.survey import Survey, Task
from mediakit.tools.pdf.pdf_redact.texts import Replacer
from mediakit.tools.pdf.pdf_redact.vectors import remove_vectors


class Assembler:
    """Removes what a survey found, and proves the removal.

    Args:
        task: The PDF and its working copy.
        request: The request.
        found: What was found.
    """

    def __init__(self, task: Task, request: PdfRedactRequest, found: Survey) -> None:
        self._task, self._request, self._found = task, request, found
        self._copy, self._finder, self._selected = task.copy, task.finder, task.selected
        self._label = Label(request.label, request.fill) if request.label else None
        self._painter = Painter(request.fill, self._label)
        self._count = len(task.source.pages)
        self._before = {
            index: marked_content.sequences(task.source.pdf.pages[index])
            for index in found.pages
            if index < self._count
        }
        self._erased: set[int] = set()
        self._textless: set[int] = set()
        self.images: list[int] = []
        """Indexes of the pages that became images."""
        self.places: dict[str, int] = {}
        """Texts outside pages that were changed, by their kind."""
        self.leaks = Leaks()
        """What the proof found in the result."""

    def run(self) -> bytes:
        """Return the redacted PDF.

        Raises:
            InvalidInput: Something cannot be removed with certainty.
        """
        left = [i for i, each in self._found.pages.items() if not self._copy.remove(i, each.letters, each.areas)]
        self.images = [index for index in left if index < self._count]
        if self._request.mode == "image":
            self.images = self._found.touched(self._count)
        content = self._assemble()
        for step in (self._remove_letters, self._draw_pages, self._drop_text_layers):
            self.leaks = self._prove(content)
            if not self.leaks.pages:
                return content
            step(self.leaks)
            content = self._assemble()
        self.leaks = self._prove(content)
        if self.leaks.pages:
            raise self._failure(self.leaks)
        return content

    def _prove(self, content: bytes) -> Leaks:
        request, areas = self._request, self._task.areas
        return prove(content, Claim(self._finder, self._selected, areas, request.label or "", request.password))

    def _remove_letters(self, leaks: Leaks) -> None:
        """Remove letters that pdfium reads, and text that only streams show, such as that of patterns."""
        for index, boxes in leaks.letters.items():
            self._copy.remove(index, [Letter(box, 0) for box in boxes], boxes)
            self._found.pages.setdefault(index, MarkedPage()).areas += boxes
        self._erased |= leaks.streams

    def _draw_pages(self, leaks: Leaks) -> None:
        """Turn pages with leaks into images."""
        self.images = sorted({*self.images, *leaks.pages})

    def _drop_text_layers(self, leaks: Leaks) -> None:
        """Leave out the text layers of images with leaks."""
        self._textless |= set(leaks.pages)
        self.images = sorted({*self.images, *leaks.pages})

    def _failure(self, leaks: Leaks) -> InvalidInput:
        advice = "; use mode=image." if self._request.mode == "text" else "."
        query = self._request.query
        name = "words" if query.words else "patterns" if query.patterns else "kinds" if query.kinds else "boxes"
        return InvalidInput(f"{name}: could not be removed with certainty from {page_list(leaks.pages)}{advice}")

    def _assemble(self) -> bytes:
        """Return the result of the working copy as it is now."""
        with pikepdf.open(BytesIO(self._copy.save()), password=self._request.password or "") as pdf:
            replacer = Replacer(self._finder, self._request.label or "")
            self._take_appearances(pdf)
            working_copy.restore(pdf)
            source = Source(pdf)
            self._scrub_pages(source, replacer)
            for index in self._erased:
                erase(pdf, pdf.pages[index], self._finder)
            self._paint(pdf)
            if self._request.query:
                scrub(source, replacer, exempt_objects(source, self._selected))
                if scrub_metadata(pdf, replacer):
                    self._task.source.warn("Metadata that could not be read were removed.")
                scrub_images(pdf, replacer)
                drop_comments(pdf, self._finder)
                blank_notices(pdf, self._finder)
            drop_unused_resources(pdf)
            rename(pdf, self._finder, replacer)
            shorten_maps(pdf, self._finder)
            self.places = replacer.places
            content = _save(pdf)
            return self._with_images(source, content) if self.images else content

    def _take_appearances(self, pdf: pikepdf.Pdf) -> None:
        for page in self._task.scratch:
            if page.index in self._found.pages:
                form, areas = take_back(pdf, page, self._found.pages[page.index].areas)
                self._painter.paint_form(form, areas)
        remove_scratch_pages(pdf, self._task.scratch)

    def _scrub_pages(self, source: Source, replacer: Replacer) -> None:
        """Remove the texts of tags and marked content that stand in for what was removed."""
        lost: dict[tuple[int, int], set[int]] = {}
        for index in sorted({*self._selected, *self._before}):
            page, alternates = source.pdf.pages[index], index in self._task.areas
            identifiers: set[int] = set()
            places: set[int] = set()
            if index in self._before:
                identifiers, places = marked_content.touched(self._before[index], marked_content.sequences(page))
                lost[page.obj.objgen] = identifiers
            if has_texts(page):
                scrub_marked_content(source.pdf, page, places, replacer, alternates=alternates)
        tags.remove_stand_ins(source, lost, replacer, alternates=bool(self._task.areas))

    def _paint(self, pdf: pikepdf.Pdf) -> None:
        label = self._label.form(pdf) if self._label else None
        for index, marked in self._found.pages.items():
            if index < self._count:
                remove_vectors(pdf, pdf.pages[index], marked.areas)
                self._painter.paint_page(pdf.pages[index], marked.areas, label)

    def _with_images(self, source: Source, content: bytes) -> bytes:
        drawn = ImagePages(source.pdf, content, self._request.password)
        for index in self.images:
            read = self._copy.read(index)
            removed = mark(read, self._finder).letters
            words = [] if index in self._textless else words_of(read, removed)
            drawn.replace(index, words)
        tags.forget_pages(source, {source.pages[index].objgen for index in self.images})
        return _save(source.pdf)


def _save(pdf: pikepdf.Pdf) -> bytes:
    """Save without object streams, so that a search of all decompressed streams finds content, not names of keys."""
    return save(pdf, object_streams=False)
