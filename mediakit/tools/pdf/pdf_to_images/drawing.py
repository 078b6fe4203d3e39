"""Draws pages with MuPDF, which runs no scripts of a PDF and fetches nothing."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pymupdf

from mediakit.core.inputs import file_of
from mediakit.engines.pdf.document import open_to_read, refuse_dynamic_xfa
from mediakit.engines.pdf.labels import label_texts
from mediakit.engines.pdf.mupdf import open_pages
from mediakit.engines.pdf.opening import warn_of_lost_protection
from mediakit.engines.pdf.page_ranges import indices
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_to_images.encoding import Pixels, encode, pixels_of
from mediakit.tools.pdf.pdf_to_images.frames import MAX_PAGES, POINTS_PER_INCH, Frame, check_frames, frame_of
from mediakit.tools.pdf.pdf_to_images.request import Drawn, DrawnPage, PdfToImagesRequest
from mediakit.tools.pdf.pdf_to_images.sheets import Sheet, sheet_of

FIRST_PIXELS = 5_000_000
"""Pixels that the first worker draws before the rest is shared among several."""


def draw_first(request: PdfToImagesRequest) -> Drawn:
    """Check all pages and draw the first ones, or all of them if they are combined.

    Raises:
        InvalidInput: The file cannot be read, a page does not exist, or the images would be too large.
    """
    source = open_to_read(file_of(request.file), request.password)
    refuse_dynamic_xfa(source)
    warn_of_lost_protection(source)
    selected = _selected(request.pages, len(source.pages))
    with _document(source, request) as document:
        frames = [frame_of(document, index, request) for index in selected]
        check_frames(frames, request)
        drawing = _Drawing(document, label_texts(source), request)
        if request.combine != "none":
            pages, combined = drawing.combined(frames)
            return Drawn(pages, [], combined, selected[-1] + 1, source.warnings)
        count = _first_count(frames)
        rest = [frame.index for frame in frames[count:]]
        return Drawn(drawing.pages(frames[:count]), rest, b"", selected[-1] + 1, source.warnings)


def draw_rest(request: PdfToImagesRequest, selected: Sequence[int]) -> Drawn:
    """Draw pages that `draw_first` has checked."""
    source = open_to_read(file_of(request.file), request.password)
    with _document(source, request) as document:
        frames = [frame_of(document, index, request) for index in selected]
        return Drawn(_Drawing(document, label_texts(source), request).pages(frames), [], warnings=source.warnings)


class _Drawing:
    """An open document and how to draw it."""

    def __init__(self, document: pymupdf.Document, labels: Sequence[str] | None, request: PdfToImagesRequest) -> None:
        self._document = document
        self._labels = labels
        self._request = request

    def pages(self, frames: Sequence[Frame]) -> list[DrawnPage]:
        """Return an encoded image of each page."""
        return [self._page(frame, encode(self._pixels(frame), self._request, self._dpi(frame))) for frame in frames]

    def combined(self, frames: Sequence[Frame]) -> tuple[list[DrawnPage], bytes]:
        """Return what is known of the pages, and one image of them all."""
        sheet: Sheet = sheet_of(frames, self._request)
        for frame, place in zip(frames, sheet.places, strict=True):
            sheet.paste(self._pixels(frame), place)
        return [self._page(frame, b"") for frame in frames], encode(sheet.pixels, self._request, self._dpi(frames[0]))

    def _page(self, frame: Frame, content: bytes) -> DrawnPage:
        label = self._labels[frame.index] if self._labels else None
        return DrawnPage(frame.index, label, frame.width, frame.height, content)

    def _pixels(self, frame: Frame) -> Pixels:
        matrix = pymupdf.Matrix(frame.scale, frame.scale)  # type: ignore[no-untyped-call]
        try:
            page = self._document[frame.index]
            drawn = page.get_pixmap(matrix=matrix, alpha=self._request.transparent, annots=self._request.annotations)
        except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
            raise InvalidInput(f"file: page {frame.index + 1} is damaged and cannot be drawn.") from error
        return pixels_of(drawn)

    @staticmethod
    def _dpi(frame: Frame) -> float:
        return frame.scale * POINTS_PER_INCH


@contextmanager
def _document(source: Source, request: PdfToImagesRequest) -> Iterator[pymupdf.Document]:
    try:
        document = open_pages(source, file_of(request.file), request.password)
    except (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase) as error:
        raise InvalidInput("file: is a damaged PDF that cannot be drawn.") from error
    with document:
        yield document


def _selected(pages: str | None, count: int) -> Sequence[int]:
    if pages is None and count > MAX_PAGES:
        raise InvalidInput(f"pages: is required, because the PDF has {count} pages; name up to {MAX_PAGES}.")
    selected = indices(pages, count)
    if len(selected) > MAX_PAGES:
        raise InvalidInput(f"pages: must name at most {MAX_PAGES} pages, got {len(selected)}.")
    return selected


def _first_count(frames: Sequence[Frame]) -> int:
    """Return how many pages the first worker draws."""
    total = 0
    for count, frame in enumerate(frames, 1):
        total += frame.pixels
        if total > FIRST_PIXELS:
            return count
    return len(frames)
