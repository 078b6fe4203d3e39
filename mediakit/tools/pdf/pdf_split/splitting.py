"""Splits a PDF: which pages go into which part, and the parts; runs in a worker."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import pikepdf
from pikepdf import Name, Stream

from mediakit.core.inputs import file_of
from mediakit.core.media import unique_names
from mediakit.engines.pdf.assembly import Assembly
from mediakit.engines.pdf.document import open_to_change
from mediakit.engines.pdf.objects import dictionary, items, read_names
from mediakit.engines.pdf.opening import Source, warn_of_late_damage, warn_of_lost_protection
from mediakit.engines.pdf.outlines import page_labels, placed_bookmarks
from mediakit.engines.pdf.page_ranges import compact, indices
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_split.tool import Mode, PdfSplitRequest, Split, SplitPart

BLANK_DPI = 36
"""Resolution at which pages are drawn."""

MAX_INK = 0.001
"""Part of a blank page that may be darker than its paper."""

DARKER = 24
"""Levels of 256 by which ink is darker than the paper."""

DARKEST_PAPER = 200
"""Level of paper. Scanned paper is not white, but a page that is mostly darker is not blank."""

MAX_CONTENT_BYTES = 1_000_000
"""Content of a page that can be blank; more takes long to draw. Images do not count."""

MAX_PIXELS = 2000
"""Pixels of the longer side of a drawn page."""


def blank_pages(source: Source, content: bytes, password: str | None) -> set[int]:
    """Return the indices of the pages with less than 0.1 % ink.

    Args:
        source: The opened PDF.
        content: The file.
        password: The password that opened it.
    """
    from mediakit.engines.pdf.mupdf import open_pages  # imports PyMuPDF

    with open_pages(source, content, password) as document:
        return {index for index, page in enumerate(document) if _is_blank(page)}


def _is_blank(page: Any) -> bool:
    import pymupdf

    try:
        if len(page.read_contents()) > MAX_CONTENT_BYTES:
            return False
        return _ink(page) < MAX_INK
    except (pymupdf.mupdf.FzErrorBase, RuntimeError):  # a page that cannot be drawn is kept
        return False


def _ink(page: Any) -> float:
    """Return the part of a page that is darker than its paper, 0 to 1."""
    import numpy as np
    import pymupdf

    zoom = min(BLANK_DPI / 72, MAX_PIXELS / max(page.rect.width, page.rect.height, 1))
    drawn = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False)  # type: ignore[no-untyped-call]
    levels = np.bincount(np.frombuffer(drawn.samples, np.uint8), minlength=256)
    paper = int(levels.argmax())
    if paper < DARKEST_PAPER:
        return 1.0
    return float(levels[: paper - DARKER + 1].sum() / levels.sum())


MAX_PARTS = 200


@dataclass(frozen=True)
class Plan:
    """The pages of a part."""

    pages: Sequence[int]
    """Indices of the pages."""
    title: str | None = None
    """Title of the part, where it does not follow from its first page."""


def planned_parts(request: PdfSplitRequest, source: Source) -> list[Plan]:
    """Return the parts of all modes but `size`.

    Raises:
        InvalidInput: The PDF does not have the pages or the bookmarks, or there are more than 200 parts.
    """
    count, mode, every = len(source.pages), request.chosen_mode, request.every or 1
    match mode:
        case "ranges":
            ranges = enumerate(request.ranges or ())
            plans = [Plan(indices(text, count, f"ranges[{number}]")) for number, text in ranges]
        case "bookmarks":
            plans = _at_bookmarks(request, source)
        case "blank":
            plans = _between_blank_pages(source, blank_pages(source, file_of(request.file), request.password))
        case _:
            plans = [Plan(range(start, min(start + every, count))) for start in range(0, count, every)]
    field = "every" if mode == "every" else "mode"
    require_few_parts(len(plans), field)
    return plans


def require_few_parts(count: int, field: str) -> None:
    """Refuse more parts than a call may make.

    Raises:
        InvalidInput: There are more than 200.
    """
    if count > MAX_PARTS:
        raise InvalidInput(f"{field}: makes {count} parts; the most is {MAX_PARTS}.")


def _at_bookmarks(request: PdfSplitRequest, source: Source) -> list[Plan]:
    bookmarks = placed_bookmarks(source)
    if not bookmarks:
        raise InvalidInput("mode: bookmarks needs an outline, this PDF has none.")
    titles: dict[int, str] = {}
    for level, entry in bookmarks:
        if level <= request.level:
            titles.setdefault(entry.page, entry.title)
    if not titles:
        raise InvalidInput(f"level: no bookmark down to level {request.level} leads to a page of the PDF.")
    starts = sorted(titles)
    ends = [*starts[1:], len(source.pages)]
    front = [Plan(range(starts[0]), request.stem)] if starts[0] else []
    return front + [
        Plan(range(start, end), titles[start] or request.stem) for start, end in zip(starts, ends, strict=True)
    ]


def _between_blank_pages(source: Source, blank: set[int]) -> list[Plan]:
    runs: list[list[int]] = [[]]
    for index in range(len(source.pages)):
        if index in blank:
            runs.append([])
        else:
            runs[-1].append(index)
    plans = [Plan(run) for run in runs if run]
    if not plans:
        raise InvalidInput("mode: all pages are blank.")
    if blank:
        omitted = compact([index + 1 for index in sorted(blank)])
        pages = "pages were" if len(blank) > 1 else "page was"
        source.warn(f"{len(blank)} blank {pages} omitted: {omitted}.")
    else:
        source.warn("No page is blank, so the only part is the whole file.")
    return plans


class PartMaker:
    """Makes PDFs of pages of one PDF, which stays as it is."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.removed_links = 0
        """Links of the latest part that led to pages of others."""

    def make(self, pages: Sequence[int], *, attachments: bool) -> bytes:
        """Return a PDF of some of the pages, with everything that belongs to them.

        Args:
            pages: Indices of the pages.
            attachments: Keep the attachments of the document.
        """
        assembly = Assembly(attachments=attachments)
        part = assembly.add(self.source, pages, leads=True)
        part.changes.undo()
        assembly.finish()
        self.removed_links = len(part.removed_links)
        return assembly.save()


PAGE_BYTES = 500
"""Estimate of a page's bytes besides its streams."""

INTERPOLATIONS = 6
"""Trials of one part before the rest is halved each time."""


class SizedParts:
    """The parts of a PDF that are not larger than a size, one after the other."""

    def __init__(self, maker: PartMaker, max_bytes: int) -> None:
        self._maker = maker
        self._max_bytes = max_bytes
        self._count = len(maker.source.pages)
        weights = (PAGE_BYTES + _stream_bytes(page) for page in maker.source.pages)
        self._weights = [0, *accumulate(weights)]
        self._bytes_per_weight = 1.0
        self._links = 0

    def __iter__(self) -> Iterator[tuple[range, bytes, int]]:
        """Yield the pages, the PDF and the number of removed links of each part.

        Raises:
            InvalidInput: There are more than 200 parts.
        """
        start = made = 0
        while start < self._count:
            made += 1
            if made > MAX_PARTS:
                require_few_parts(made, "max_bytes")
            end, content = self._largest(start)
            yield range(start, end), content, self._links
            start = end

    def _largest(self, start: int) -> tuple[int, bytes]:
        """Return the end and the content of the largest part that begins at a page; a single page may be larger."""
        fits, too_large = start, self._count + 1
        known = (0, 0)  # weight and size of the largest part that fits
        content = b""
        for trial in range(self._count):
            if fits + 1 >= too_large and content:
                break
            end = self._next(start, fits, too_large, known, halve=trial >= INTERPOLATIONS)
            made = self._maker.make(range(start, end), attachments=not start)
            weight = self._weights[end] - self._weights[start]
            self._bytes_per_weight = len(made) / weight
            if len(made) <= self._max_bytes or end == start + 1:
                fits, content, known = end, made, (weight, len(made))
                self._links = self._maker.removed_links
                if len(made) > self._max_bytes or end == self._count:
                    break
            else:
                too_large = end
        return fits, content

    def _next(self, start: int, fits: int, too_large: int, known: tuple[int, int], *, halve: bool) -> int:
        """Return the end to try next: after `fits`, before `too_large`."""
        last = min(too_large - 1, self._count)
        if halve:
            return (fits + last + 1) // 2
        weight, size = known
        limit = self._weights[start] + weight + (self._max_bytes - size) / self._bytes_per_weight
        end = fits + 1
        while end < last and self._weights[end + 1] <= limit:
            end += 1
        return end


def _stream_bytes(page: pikepdf.Object) -> int:
    """Return the stored bytes of a page's content and images."""
    streams = [page.get(Name.Contents), *items(page.get(Name.Contents))]
    streams += dictionary(dictionary(page.get(Name.Resources)).get(Name.XObject)).values()
    return sum(_length(stream) for stream in streams)


def _length(stream: object) -> int:
    length: object = stream.get(Name.Length) if isinstance(stream, Stream) else 0
    return length if isinstance(length, int) else 0


def oversized(source: Source, pages: range, size: int, max_bytes: int) -> None:
    """Add a warning for a page that alone is larger than a part may be."""
    if size > max_bytes:
        source.warn(f"Page {pages[0] + 1} alone has {size} bytes, more than max_bytes; it is a part of its own.")


MAX_TOTAL_BYTES = 200_000_000
"""Bytes of all parts together. Fonts and images that pages share are in each part, and ranges can overlap."""

FIELDS: Mapping[Mode, str] = {"every": "every", "ranges": "ranges", "size": "max_bytes"}
"""The field that decides on the parts."""


@dataclass(frozen=True)
class _Made:
    """A part that has no name yet."""

    pages: Sequence[int]
    content: bytes = field(repr=False)
    removed_links: int
    title: str


def split(request: PdfSplitRequest) -> Split:
    """Return the parts of a PDF.

    Raises:
        InvalidInput: The file is not valid, or cannot be split in this way.
    """
    source = open_to_change(file_of(request.file), request.password)
    warn_of_lost_protection(source)
    sized = request.chosen_mode == "size"
    made = _collected(request, _sized(request, source) if sized else _planned(request, source))
    _warn(source, made)
    names = unique_names(request.name_of(_values(request, source, number, part)) for number, part in enumerate(made, 1))
    parts = [
        SplitPart(part.content, name, compact([index + 1 for index in part.pages]), len(part.pages), part.title)
        for name, part in zip(names, made, strict=True)
    ]
    return Split(parts, source.warnings)


def _collected(request: PdfSplitRequest, parts: Iterator[_Made]) -> list[_Made]:
    made, size = [], 0
    for part in parts:
        made.append(part)
        size += len(part.content)
        if size > MAX_TOTAL_BYTES:
            field = FIELDS.get(request.chosen_mode, "mode")
            raise InvalidInput(f"{field}: makes parts of more than {MAX_TOTAL_BYTES // 1_000_000} MB together.")
    return made


def _planned(request: PdfSplitRequest, source: Source) -> Iterator[_Made]:
    maker = PartMaker(source)
    for number, plan in enumerate(planned_parts(request, source)):
        content = maker.make(plan.pages, attachments=not number)
        title = _title(request, source, plan.pages[0]) if plan.title is None else plan.title
        yield _Made(plan.pages, content, maker.removed_links, title)


def _sized(request: PdfSplitRequest, source: Source) -> Iterator[_Made]:
    max_bytes = request.max_bytes or 0
    for pages, content, removed_links in SizedParts(PartMaker(source), max_bytes):
        oversized(source, pages, len(content), max_bytes)
        yield _Made(pages, content, removed_links, _title(request, source, pages[0]))


def _title(request: PdfSplitRequest, source: Source, page: int) -> str:
    """Return the bookmark that a page is below, or the name of the file."""
    before = [entry for _, entry in source.read_once(placed_bookmarks) if entry.page <= page and entry.title]
    nearest = max((entry.page for entry in before), default=0)
    return next((entry.title for entry in before if entry.page == nearest), request.stem)


def _values(request: PdfSplitRequest, source: Source, number: int, part: _Made) -> dict[str, str | int]:
    first = part.pages[0]
    return {
        "name": request.stem,
        "n": number,
        "title": part.title,
        "label": source.read_once(page_labels)[first].text,
        "first": first + 1,
        "last": part.pages[-1] + 1,
    }


def _warn(source: Source, made: Sequence[_Made]) -> None:
    links = sum(part.removed_links for part in made)
    if links:
        verb = "links were" if links > 1 else "link was"
        source.warn(f"{links} {verb} removed: the pages they lead to are not in the same part.")
    if len(made) > 1 and read_names(source.names("/EmbeddedFiles")):
        source.warn("The attachments are in the first part only.")
    warn_of_late_damage(source)
