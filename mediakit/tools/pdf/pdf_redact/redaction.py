"""Redacts a PDF; runs in a worker: finds what a request names, removes it, and proves that it is gone.

The other modules are in this order:

- find: `searching` (in a text), `stream_text` and `page_text` (texts of a PDF), `scope`, `matches`.
- remove: `page_content`, `shapes`, `painting`, `tagged_text`, `replacing`, `document_texts`, `hidden_data`.
- prove: `proof`, which imports nothing that removes.
"""

from collections.abc import Collection, Mapping, Sequence
from io import BytesIO
from itertools import chain
from typing import get_args

import pikepdf
import pymupdf
from pikepdf import Name

from mediakit.core.inputs import file_of
from mediakit.core.messages import quote
from mediakit.engines.pdf.document import open_to_change, refuse_dynamic_xfa
from mediakit.engines.pdf.mupdf import add_letters
from mediakit.engines.pdf.objects import appearances, dictionaries
from mediakit.engines.pdf.opening import Source
from mediakit.engines.pdf.page_ranges import indices, listed, page_list
from mediakit.engines.pdf.saving import save
from mediakit.engines.pdf.shaped_text import missing_characters
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_redact.document_texts import document_texts, scrub
from mediakit.tools.pdf.pdf_redact.hidden_data import (
    blank_notices,
    drop_comments,
    drop_unused_resources,
    remove_hidden_data,
    scrub_images,
    scrub_metadata,
    shorten_maps,
)
from mediakit.tools.pdf.pdf_redact.matches import (
    Geometry,
    Survey,
    Task,
    add_scratch_pages,
    remove_fields,
    remove_in_areas,
    remove_scratch_pages,
    survey,
    take_back,
)
from mediakit.tools.pdf.pdf_redact.page_content import (
    MupdfCopy,
    erase,
    erase_in,
    hide_all_but_content,
    restore_hidden,
    simplify_line_operators,
)
from mediakit.tools.pdf.pdf_redact.page_text import Box, Letter, MarkedPage, mark
from mediakit.tools.pdf.pdf_redact.painting import ImagePages, Label, Painter, words_of
from mediakit.tools.pdf.pdf_redact.proof import Claim, Leaks, prove
from mediakit.tools.pdf.pdf_redact.replacing import Replacer, rename
from mediakit.tools.pdf.pdf_redact.scope import content_of_other_pages, exempt_objects
from mediakit.tools.pdf.pdf_redact.searching import Finder, Kind
from mediakit.tools.pdf.pdf_redact.shapes import remove_vectors
from mediakit.tools.pdf.pdf_redact.stream_text import ShownText, containers, content_bytes, names_in, names_of_content
from mediakit.tools.pdf.pdf_redact.tagged_text import (
    forget_pages,
    has_texts,
    remove_stand_ins,
    scrub_marked_content,
    sequences,
    touched_sequences,
)
from mediakit.tools.pdf.pdf_redact.tool import Area, PdfRedactRequest, Redacted


def also_removed(places: Mapping[str, int]) -> str:
    """Return the warning that names the texts outside pages that were changed."""
    return f"Matches were also removed from {listed(sorted(places))}."


def unmapped(indexes: Sequence[int]) -> str:
    """Return the warning for pages whose text cannot be searched."""
    return f"Words cannot be found on {page_list(indexes)}: the fonts do not name the characters of their letters."


def left_in(places: Collection[str]) -> str:
    """Return the warning for places from which words are not removed."""
    return f"Not verified: what was to be removed is still in {listed(sorted(places))}."


def undecoded(places: Collection[str]) -> str:
    """Return the warning for parts of the file that cannot be searched."""
    return f"Not verified: {listed(sorted(places))} cannot be decoded, and may hold what was to be removed."


def not_found(missing: Sequence[str]) -> str:
    """Return the warning for words and patterns that are not in the PDF."""
    return f"Not found, so nothing was removed for {listed([quote(each) for each in missing])}."


def meant_kinds(patterns: Sequence[str]) -> str:
    """Return a hint for patterns that are names of kinds; empty for others."""
    names = [each.lower() for each in patterns if each.lower() in get_args(Kind)]
    return f" Did you mean kinds={names}?" if names else ""


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
        self._before = {index: sequences(task.source.pdf.pages[index]) for index in found.pages if index < self._count}
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
            restore_hidden(pdf)
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
                identifiers, places = touched_sequences(self._before[index], sequences(page))
                lost[page.obj.objgen] = identifiers
            if has_texts(page):
                scrub_marked_content(source.pdf, page, places, replacer, alternates=alternates)
        remove_stand_ins(source, lost, replacer, alternates=bool(self._task.areas))

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
        forget_pages(source, {source.pages[index].objgen for index in self.images})
        return _save(source.pdf)


def _save(pdf: pikepdf.Pdf) -> bytes:
    """Save without object streams, so that a search of all decompressed streams finds content, not names of keys."""
    return save(pdf, object_streams=False)


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
        hide_all_but_content(self._source.pdf)
        copy = MupdfCopy(save(self._source.pdf), self._request.password)
        restore_hidden(self._source.pdf)
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
            looks = [
                form
                for index in self._selected
                for each in dictionaries(pdf.pages[index].obj.get(Name.Annots))
                for form in appearances(each)
            ]
            for look in looks:
                shown.of_form(look)
            others = content_of_other_pages(self._source, self._selected)
            unshown = [each for each in shown.unshown(pdf, others) if replacer.find(each.text)]
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
