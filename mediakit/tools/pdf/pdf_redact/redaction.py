"""Redacts a PDF; runs in a worker."""

from itertools import chain

import pymupdf
from pikepdf import Name

from mediakit.core.inputs import file_of
from mediakit.engines.pdf.document import open_to_change, refuse_dynamic_xfa
from mediakit.engines.pdf.glyph_names import add_letters
from mediakit.engines.pdf.glyphs import missing_characters
from mediakit.engines.pdf.objects import dictionaries
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.pdf.saving import save
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_redact import working_copy
from mediakit.tools.pdf.pdf_redact.annotations import remove_fields, remove_in_areas
from mediakit.tools.pdf.pdf_redact.assembly import Assembler
from mediakit.tools.pdf.pdf_redact.document_texts import document_texts
from mediakit.tools.pdf.pdf_redact.erasing import erase_in
from mediakit.tools.pdf.pdf_redact.hidden_data import remove_hidden_data
from mediakit.tools.pdf.pdf_redact.line_operators import simplify_line_operators
from mediakit.tools.pdf.pdf_redact.marks import Box
from mediakit.tools.pdf.pdf_redact.mupdf_copy import MupdfCopy
from mediakit.tools.pdf.pdf_redact.names import containers, names_in, names_of_content
from mediakit.tools.pdf.pdf_redact.reports import (
    also_removed,
    left_in,
    meant_kinds,
    not_found,
    page_list,
    undecoded,
    unmapped,
)
from mediakit.tools.pdf.pdf_redact.request import Area, PdfRedactRequest, Redacted
from mediakit.tools.pdf.pdf_redact.scope import appearances
from mediakit.tools.pdf.pdf_redact.scratch_pages import add_scratch_pages
from mediakit.tools.pdf.pdf_redact.searching import Finder
from mediakit.tools.pdf.pdf_redact.shown_text import ShownText, content_bytes
from mediakit.tools.pdf.pdf_redact.survey import Geometry, Survey, Task, survey
from mediakit.tools.pdf.pdf_redact.texts import Replacer


def redact(request: PdfRedactRequest) -> Redacted:
    """Remove what a request names from a PDF, and prove that it is gone.

    Raises:
        InvalidInput: The file, a page, an area or the label is not valid, nothing is found, or something cannot be
            removed with certainty.
    """
    try:
        return _Redaction(request).run()
    except (RuntimeError, pymupdf.mupdf.FzErrorBase) as error:
        raise InvalidInput("file: is damaged and cannot be redacted.") from error


class _Redaction:
    def __init__(self, request: PdfRedactRequest) -> None:
        self._request = request
        self._query = request.query
        self._finder = Finder(self._query)
        self._check_label()
        self._source = open_to_change(file_of(request.file), request.password)
        refuse_dynamic_xfa(self._source)
        self._count = len(self._source.pages)
        self._selected = sorted(indices(request.pages, self._count, "pages")) if self._query else []
        self._geometry = Geometry(self._source.pdf)
        self._areas = self._user_areas()

    def run(self) -> Redacted:
        """Redact, or only find."""
        if not self._request.find_only:
            remove_hidden_data(self._source)
            self._remove_annotations()
        add_letters(self._source.pdf)
        elsewhere = self._search_document()
        scratch = add_scratch_pages(self._source.pdf, self._selected)
        simplify_line_operators(self._source.pdf)
        working_copy.hide(self._source.pdf)
        copy = MupdfCopy(save(self._source.pdf), self._request.password)
        working_copy.restore(self._source.pdf)
        task = Task(self._source, copy, self._finder, self._selected, self._areas, scratch)
        found = survey(task)
        found.words |= elsewhere.words
        found.patterns |= elsewhere.patterns
        if found.unmapped:
            self._source.warn(unmapped(found.unmapped))
        if self._request.find_only:
            return self._result(found)
        self._require_found(found, elsewhere)
        assembler = Assembler(task, self._request, found)
        content = assembler.run()
        if assembler.places:
            self._source.warn(also_removed(assembler.places))
        if assembler.leaks.places:
            self._source.warn(left_in(assembler.leaks.places))
        if assembler.leaks.undecoded:
            self._source.warn(undecoded(assembler.leaks.undecoded))
        return self._result(found, content, assembler)

    def _check_label(self) -> None:
        if missing := missing_characters(self._request.label or ""):
            raise InvalidInput(f'label: no font here has "{"".join(missing)}".')
        if self._request.label and self._finder.find(self._request.label):
            raise InvalidInput("label: contains what is to be removed; choose another text.")

    def _user_areas(self) -> dict[int, list[Box]]:
        areas: dict[int, list[Box]] = {}
        for place, area in enumerate(Area(**box) for box in self._request.boxes or ()):
            if area.page > self._count:
                raise InvalidInput(f"boxes[{place}]: page {area.page} of {self._count}.")
            areas.setdefault(area.page - 1, []).append(self._geometry.user_box(area))
        return areas

    def _remove_annotations(self) -> None:
        """Remove annotations and fields that lie in areas of the request."""
        removed = [
            annotation
            for index, areas in self._areas.items()
            for annotation in remove_in_areas(self._source.pages[index], areas)
        ]
        if removed:
            remove_fields(self._source.root, removed)
            noun = "annotation or form field was" if len(removed) == 1 else "annotations and form fields were"
            self._source.warn(f"{len(removed)} {noun} removed, because they lie in boxes.")

    def _search_document(self) -> Replacer:
        """Find words in the texts outside the pages' content, and in what streams show that have no place on a page."""
        replacer, shown, pdf = Replacer(self._finder, ""), ShownText(), self._source.pdf
        if self._query:
            streams = (text for index in self._selected for text in shown.of_page(pdf.pages[index]))
            names = {name for item in containers(pdf) for name in names_in(item)}
            for index in self._selected:
                names |= names_of_content(content_bytes(pdf.pages[index].obj))
            for text in chain(
                document_texts(self._source, self._selected), streams, filter(self._finder.has_long_word, names)
            ):
                replacer.note("texts", len(replacer.find(text)))
        if len(self._selected) == self._count:
            looks = [
                form
                for page in pdf.pages
                for each in dictionaries(page.obj.get(Name.Annots))
                for form in appearances(each)
            ]
            for look in looks:
                shown.of_form(look)
            unshown = [each for each in shown.unshown(pdf) if replacer.find(each.text)]
            replacer.note("texts", len(unshown))
            if not self._request.find_only:
                erase_in(pdf, unshown, self._finder)
        return replacer

    def _require_found(self, found: Survey, elsewhere: Replacer) -> None:
        if self._areas or found.pages or found.annotations:
            return
        if self._selected and found.without_text == list(self._selected):
            pages = page_list(found.without_text)
            several = len(found.without_text) > 1
            raise InvalidInput(
                f"file: {pages} {'are images' if several else 'is an image'} without text; "
                f"redact {'them' if several else 'it'} by boxes."
            )
        if not elsewhere.places.get("texts"):
            query = self._query
            name = "words" if query.words else "patterns" if query.patterns else "kinds"
            raise InvalidInput(f"{name}: none of them is in the PDF.{meant_kinds(query.patterns)}")

    def _result(self, found: Survey, content: bytes = b"", assembler: Assembler | None = None) -> Redacted:
        query = self._query
        missing = [word for index, word in enumerate(query.words) if index not in found.words]
        missing += [pattern for index, pattern in enumerate(query.patterns) if index not in found.patterns]
        if missing:
            self._source.warn(not_found(missing) + meant_kinds([each for each in missing if each in query.patterns]))
        return Redacted(
            content=content,
            pages=self._count,
            found=found.found(self._count),
            matches=found.matches(self._geometry, self._count),
            not_found=missing,
            pages_touched=[index + 1 for index in found.touched(self._count)],
            pages_as_images=[index + 1 for index in assembler.images] if assembler else [],
            pages_without_text=[index + 1 for index in found.without_text],
            verified=assembler is not None and not (assembler.leaks.places or assembler.leaks.undecoded),
            warnings=list(self._source.warnings),
        )
