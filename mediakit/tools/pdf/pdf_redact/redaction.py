"""Redacts a PDF; runs in a worker: finds what a request names, removes it, and proves that it is gone.

The other modules are in this order:

- find: `searching` (in a text), `stream_text` and `page_text` (texts of a PDF), `scope`, `matches`.
- remove: `page_content`, `shapes`, `painting`, `tagged_text`, `document_texts`, `hidden_data`. Outside the
  content of pages, finding is removing: what is replaced was found, and a call that only finds saves nothing.
- prove: `proof`, which imports nothing that removes.
"""

from collections.abc import Sequence
from typing import NoReturn, get_args

import pikepdf
import pymupdf

from mediakit.core.inputs import file_of
from mediakit.core.messages import quote
from mediakit.engines.pdf import MadePdf
from mediakit.engines.pdf.document import open_to_change, refuse_dynamic_xfa
from mediakit.engines.pdf.mupdf import add_letters
from mediakit.engines.pdf.opening import Source, open_unlimited
from mediakit.engines.pdf.page_ranges import indices, listed, page_list
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.shaped_text import missing_characters
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_redact.document_texts import Replacer, rename, scrub
from mediakit.tools.pdf.pdf_redact.hidden_data import (
    blank_notices,
    drop_comments,
    drop_rests,
    empty_private_streams,
    remove_hidden_data,
    scrub_images,
    scrub_metadata,
    shorten_maps,
)
from mediakit.tools.pdf.pdf_redact.matches import (
    Geometry,
    Surveyor,
    looks_of,
    remove_fields,
    remove_in_areas,
    take_back,
    working_copy,
)
from mediakit.tools.pdf.pdf_redact.page_content import (
    drop_text_without_size,
    erase_in,
    restore_hidden,
    simplify_line_operators,
)
from mediakit.tools.pdf.pdf_redact.page_text import Box, Letter, MarkedPage, mark
from mediakit.tools.pdf.pdf_redact.painting import ImagePages, Painter, label_mark, words_of
from mediakit.tools.pdf.pdf_redact.proof import Claim, Leaks, prove
from mediakit.tools.pdf.pdf_redact.scope import content_of_other_pages, exempt_objects
from mediakit.tools.pdf.pdf_redact.searching import Finder, Kind
from mediakit.tools.pdf.pdf_redact.shapes import remove_vectors
from mediakit.tools.pdf.pdf_redact.stream_text import ShownText
from mediakit.tools.pdf.pdf_redact.tagged_text import (
    forget_pages,
    has_texts,
    remove_stand_ins,
    scrub_marked_content,
    sequences,
    touched_sequences,
)
from mediakit.tools.pdf.pdf_redact.tool import PdfRedactRequest


def meant_kinds(patterns: Sequence[str]) -> str:
    """Return a hint for patterns that are names of kinds; empty for others."""
    names = [each.lower() for each in patterns if each.lower() in get_args(Kind)]
    return f" Did you mean kinds={names}?" if names else ""


def _save(pdf: pikepdf.Pdf) -> bytes:
    """Save what is used, without object streams, so that a search of the file finds content, not names of keys."""
    for page in pdf.pages:  # content of other pages can be among the resources
        page.remove_unreferenced_resources()
    return save(pdf, object_streams=False)


def _reopened(content: bytes, password: str | None) -> pikepdf.Pdf:
    """Open a PDF with any form of a password."""
    return open_unlimited(content, passwords=[password] if password else []).pdf


def redact(request: PdfRedactRequest) -> MadePdf:
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
        self._request, self._query = request, request.query
        self._finder = Finder(self._query)
        label = request.label or ""
        if missing := missing_characters(label):
            raise InvalidInput(f'label: no font here has "{"".join(missing)}".')
        if label and self._finder.find(label):
            raise InvalidInput("label: contains what is to be removed; choose another text.")
        self._source = open_to_change(file_of(request.file), request.password)
        refuse_dynamic_xfa(self._source)
        if not request.find_only:
            remove_hidden_data(self._source)
        self._pdf = _reopened(save(self._source.pdf), request.password)  # without unused objects
        self._source = Source(self._pdf, self._source.label, self._source.repaired, self._source.warnings)
        self._count = len(self._source.pages)
        self._selected = sorted(indices(request.pages, self._count, "pages")) if self._query else []
        self._geometry = Geometry(self._pdf)
        self._areas = self._user_areas()
        self._replacer = Replacer(self._finder, label)
        self._images: list[int] = []
        self._textless: set[int] = set()
        """Pages that became images, and those without a text layer."""
        self._erased: set[int] = set()
        self._leaks = Leaks()

    def run(self) -> MadePdf:
        """Redact, or only find."""
        if not self._request.find_only:
            self._remove_annotations()
            if sum(drop_text_without_size(self._pdf, self._pdf.pages[index]) for index in self._areas):
                self._source.warn("Text without a size was removed from pages with boxes: it can be in any of them.")
        add_letters(self._pdf)
        simplify_line_operators(self._pdf)
        looks = looks_of(self._pdf, self._selected)
        copy = working_copy(self._pdf, looks, self._request.password)
        found = self._found = Surveyor(copy, self._replacer, self._areas).run(self._source, self._selected, looks)
        if found.unmapped:
            where = page_list(found.unmapped)
            self._source.warn(
                f"Words cannot be found on {where}: the fonts do not name the characters of their letters."
            )
        self._scrub()
        if self._request.find_only:
            return self._result()
        self._require_found()
        self._before = {index: sequences(self._pdf.pages[index]) for index in found.pages if index < self._count}
        self._copy = working_copy(self._pdf, looks, self._request.password)
        content = self._removed()
        if self._replacer.places:
            self._source.warn(f"Matches were also removed from {listed(sorted(self._replacer.places))}.")
        if self._leaks.places:
            places = listed(sorted(self._leaks.places))
            self._source.warn(f"Not verified: what was to be removed is still in {places}.")
        if self._leaks.undecoded:
            places = listed(sorted(self._leaks.undecoded))
            self._source.warn(f"Not verified: {places} cannot be decoded, and may hold what was to be removed.")
        return self._result(content)

    def _user_areas(self) -> dict[int, list[Box]]:
        areas: dict[int, list[Box]] = {}
        for place, box in enumerate(self._request.boxes or ()):
            if box["page"] > self._count:
                raise InvalidInput(f"boxes[{place}]: page {box['page']} of {self._count}.")
            index, edges = box["page"] - 1, (box["x0"], box["y0"], box["x1"], box["y1"])
            areas.setdefault(index, []).append(self._geometry.user_box(index, edges))
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

    def _scrub(self) -> None:
        """Find and remove words outside the content of pages, and what streams show that have no place on a page."""
        if not self._query:
            return
        replacer, shown = self._replacer, ShownText()
        for index in self._selected:
            for each in shown.of_page(self._source.pages[index]):
                each.has_match(replacer)
        unshown = shown.unshown(self._pdf, content_of_other_pages(self._source, self._selected))
        erase_in(self._pdf, [each for each in unshown if each.has_match(replacer)], self._finder)
        scrub(self._source, replacer, exempt_objects(self._source, self._selected))
        if scrub_metadata(self._pdf, replacer) and not self._request.find_only:
            self._source.warn("Metadata that could not be read were removed.")
        empty_private_streams(self._pdf, replacer)
        scrub_images(self._pdf, replacer)
        drop_rests(self._pdf, self._finder)
        self._scrub_code(self._pdf)

    def _scrub_code(self, pdf: pikepdf.Pdf) -> None:
        """Remove words from names and comments, and from notices and other words in fonts."""
        drop_comments(pdf, self._replacer)
        blank_notices(pdf, self._finder)
        rename(pdf, self._replacer)
        shorten_maps(pdf, self._finder)

    def _require_found(self) -> None:
        if self._areas or self._found.pages or self._found.annotations:
            return
        without = self._found.without_text
        if self._selected and without == list(self._selected):
            several = len(without) > 1
            raise InvalidInput(
                f"file: {page_list(without)} {'are images' if several else 'is an image'} without text; "
                f"redact {'them' if several else 'it'} by boxes."
            )
        if not self._replacer.has_found:
            name = self._field()
            raise InvalidInput(f"{name}: none of them is in the PDF.{meant_kinds(self._query.patterns)}")

    def _field(self) -> str:
        """Return the field of the request that errors name."""
        return next((name for name in ("words", "patterns", "kinds") if getattr(self._query, name)), "boxes")

    def _removed(self) -> bytes:
        """Return the redacted PDF.

        Raises:
            InvalidInput: Something cannot be removed with certainty.
        """
        pages = self._found.pages
        left = [index for index, each in pages.items() if not self._copy.remove(index, each.letters, each.areas)]
        self._images = [index for index in left if index < self._count]
        if self._request.mode == "image":
            self._images = self._found.touched(self._count)
        request = self._request
        claim = Claim(self._finder, self._selected, self._areas, request.label or "", request.password)
        for step in (self._remove_letters, self._draw_pages, self._drop_text_layers, self._fail):
            content = self._assembled()
            self._leaks = prove(content, claim)
            if not self._leaks.pages:
                break
            step()
        return content

    def _remove_letters(self) -> None:
        """Remove letters that pdfium reads, and text that only streams show, such as that of patterns."""
        for index, boxes in self._leaks.letters.items():
            self._copy.remove(index, [Letter(box, 0) for box in boxes], boxes)
            self._found.pages.setdefault(index, MarkedPage()).areas += boxes
        self._erased |= self._leaks.streams

    def _draw_pages(self) -> None:
        """Turn pages with leaks into images."""
        self._images = sorted({*self._images, *self._leaks.pages})

    def _drop_text_layers(self) -> None:
        """Leave out the text layers of images with leaks."""
        self._textless |= set(self._leaks.pages)
        self._draw_pages()

    def _fail(self) -> NoReturn:
        advice = "; use mode=image." if self._request.mode == "text" else "."
        pages = page_list(self._leaks.pages)
        raise InvalidInput(f"{self._field()}: could not be removed with certainty from {pages}{advice}")

    def _assembled(self) -> bytes:
        """Return the result of the working copy as it is now."""
        with _reopened(self._copy.save(), self._request.password) as pdf:
            for index in range(self._count, len(pdf.pages)):
                if index in self._found.pages:
                    form, areas = take_back(pdf.pages[index].obj, self._found.pages[index].areas)
                    Painter(self._request.fill).paint_form(form, areas)
            del pdf.pages[self._count :]
            restore_hidden(pdf)
            source = Source(pdf)
            self._scrub_tags(source)
            for index in self._erased:
                erase_in(pdf, ShownText().of_page(pdf.pages[index].obj), self._finder)
            fill, label = self._request.fill, self._request.label
            painter = Painter(fill, label_mark(pdf, label, fill) if label else None)
            for index, marked in self._found.pages.items():
                if index < self._count:
                    remove_vectors(pdf, pdf.pages[index], marked.areas)
                    painter.paint_page(pdf.pages[index], marked.areas)
            if self._query:  # MuPDF and the label have added some
                self._scrub_code(pdf)
            content = _save(pdf)
            return self._with_images(source, content) if self._images else content

    def _scrub_tags(self, source: Source) -> None:
        """Remove the texts of tags and marked content that stand in for what was removed."""
        lost: dict[tuple[int, int], set[int]] = {}
        for index in sorted({*self._selected, *self._before}):
            page, alternates = source.pdf.pages[index], index in self._areas
            places: set[int] = set()
            if index in self._before:
                lost[page.obj.objgen], places = touched_sequences(self._before[index], sequences(page))
            if has_texts(page):
                scrub_marked_content(source.pdf, page, places, self._replacer, alternates=alternates)
        remove_stand_ins(source, lost, self._replacer, alternates=bool(self._areas))

    def _with_images(self, source: Source, content: bytes) -> bytes:
        drawn = ImagePages(source.pdf, content, self._request.password)
        for index in self._images:
            read = self._copy.read(index)
            removed = mark(read, self._replacer).letters
            drawn.replace(index, [] if index in self._textless else words_of(read, removed))
        forget_pages(source, {source.pages[index].objgen for index in self._images})
        shorten_maps(source.pdf, self._finder)
        return _save(source.pdf)

    def _result(self, content: bytes = b"") -> MadePdf:
        query, found = self._query, self._found
        missing = [word for index, word in enumerate(query.words) if index not in self._replacer.words]
        unmatched = [each for index, each in enumerate(query.patterns) if index not in self._replacer.patterns]
        if missing or unmatched:
            names = listed([quote(each) for each in (*missing, *unmatched)])
            self._source.warn(f"Not found, so nothing was removed for {names}.{meant_kinds(unmatched)}")
        matches = found.matches(self._geometry, self._count)
        meta = {
            "pages": self._count,
            "found": sum(len(found.places(index)) for index in found.touched(self._count)),
            "matches": matches,
            "not_found": [*missing, *unmatched],
            "pages_touched": [index + 1 for index in found.touched(self._count)],
            "pages_as_images": [index + 1 for index in self._images],
            "pages_without_text": [index + 1 for index in found.without_text],
            "warnings": list(self._source.warnings),
        }
        if self._request.find_only:
            return MadePdf(b"", meta)
        for match in matches:
            del match["text"]  # what was removed is not repeated
        return MadePdf(content, {**meta, "verified": not (self._leaks.places or self._leaks.undecoded)})
