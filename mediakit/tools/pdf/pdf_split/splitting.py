"""Splits a PDF: which pages go into which part, and the parts; runs in a worker."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
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


def _is_blank(page: Any) -> bool:
    """Return whether a page has less than 0.1 % ink."""
    import numpy as np
    import pymupdf

    try:
        if len(page.read_contents()) > MAX_CONTENT_BYTES:
            return False
        zoom = min(BLANK_DPI / 72, MAX_PIXELS / max(page.rect.width, page.rect.height, 1))
        drawn = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), colorspace=pymupdf.csGRAY, alpha=False)  # type: ignore[no-untyped-call]
    except (pymupdf.mupdf.FzErrorBase, RuntimeError):  # a page that cannot be drawn is kept
        return False
    levels = np.bincount(np.frombuffer(drawn.samples, np.uint8), minlength=256)
    paper = int(levels.argmax())
    return paper >= DARKEST_PAPER and bool(levels[: paper - DARKER + 1].sum() / levels.sum() < MAX_INK)


MAX_PARTS = 200

MAX_TOTAL_BYTES = 200_000_000
"""Bytes of all parts together. Fonts and images that pages share are in each part, and ranges can overlap."""

FIELDS: Mapping[Mode, str] = {"every": "every", "ranges": "ranges", "size": "max_bytes"}
"""The field that decides on the parts."""


@dataclass(frozen=True)
class Part:
    """A part that has no name yet."""

    pages: Sequence[int]
    """Indices of the pages."""
    content: bytes = field(repr=False)
    removed_links: int
    """Links that led to pages of other parts."""
    title: str


def split(request: PdfSplitRequest) -> Split:
    """Return the parts of a PDF.

    Raises:
        InvalidInput: The file is not valid, or cannot be split in this way.
    """
    source = open_to_change(file_of(request.file), request.password)
    warn_of_lost_protection(source)
    made: list[Part] = []
    for part in _sized(request, source) if request.chosen_mode == "size" else _planned(request, source):
        made.append(part)
        if sum(len(each.content) for each in made) > MAX_TOTAL_BYTES:
            name = FIELDS.get(request.chosen_mode, "mode")
            raise InvalidInput(f"{name}: makes parts of more than {MAX_TOTAL_BYTES // 1_000_000} MB together.")
    if links := sum(part.removed_links for part in made):
        verb = "links were" if links > 1 else "link was"
        source.warn(f"{links} {verb} removed: the pages they lead to are not in the same part.")
    if len(made) > 1 and read_names(source.names("/EmbeddedFiles")):
        source.warn("The attachments are in the first part only.")
    warn_of_late_damage(source)
    labels = source.read_once(page_labels)
    names = unique_names(
        request.name_of(
            name=request.stem,
            n=number,
            title=part.title,
            label=labels[part.pages[0]].text,
            first=part.pages[0] + 1,
            last=part.pages[-1] + 1,
        )
        for number, part in enumerate(made, 1)
    )
    parts = [
        SplitPart(part.content, name, compact([index + 1 for index in part.pages]), len(part.pages), part.title)
        for name, part in zip(names, made, strict=True)
    ]
    return Split(parts, source.warnings)


def make_part(source: Source, pages: Sequence[int], title: str = "", *, attachments: bool) -> Part:
    """Return a part with some of the pages and everything that belongs to them; the source stays as it is."""
    assembly = Assembly(attachments=attachments)
    added = assembly.add(source, pages, leads=True)
    added.changes.undo()
    assembly.finish()
    return Part(pages, assembly.save(), len(added.removed_links), title)


def _planned(request: PdfSplitRequest, source: Source) -> Iterator[Part]:
    """Yield the parts of all modes but `size`.

    Raises:
        InvalidInput: The PDF does not have the pages or the bookmarks, or there are more than 200 parts.
    """
    count, mode, every = len(source.pages), request.chosen_mode, request.every or 1
    titles: dict[int, str] = {}
    match mode:
        case "ranges":
            plans = [indices(text, count, f"ranges[{number}]") for number, text in enumerate(request.ranges or ())]
        case "bookmarks":
            titles = _bookmarked(request, source)
            plans = [range(start, end) for start, end in pairwise([*titles, count])]
        case "blank":
            plans = _between_blank_pages(request, source)
        case _:
            plans = [range(start, min(start + every, count)) for start in range(0, count, every)]
    if len(plans) > MAX_PARTS:
        name = "every" if mode == "every" else "mode"
        raise InvalidInput(f"{name}: makes {len(plans)} parts; the most is {MAX_PARTS}.")
    for number, pages in enumerate(plans):
        title = titles.get(pages[0]) or _title(request, source, pages[0])
        yield make_part(source, pages, title, attachments=not number)


def _bookmarked(request: PdfSplitRequest, source: Source) -> dict[int, str]:
    """Return the titles of parts by their first page; pages before the first bookmark are a part, too."""
    bookmarks = placed_bookmarks(source)
    if not bookmarks:
        raise InvalidInput("mode: bookmarks needs an outline, this PDF has none.")
    titles: dict[int, str] = {}
    for level, entry in bookmarks:
        if level <= request.level:
            titles.setdefault(entry.page, entry.title or request.stem)
    if not titles:
        raise InvalidInput(f"level: no bookmark down to level {request.level} leads to a page of the PDF.")
    return {0: request.stem} | dict(sorted(titles.items()))


def _between_blank_pages(request: PdfSplitRequest, source: Source) -> list[Sequence[int]]:
    from mediakit.engines.pdf.mupdf import open_pages  # imports PyMuPDF

    with open_pages(source, file_of(request.file), request.password) as document:
        blank = [index for index, page in enumerate(document) if _is_blank(page)]
    edges = pairwise((-1, *blank, len(source.pages)))
    plans: list[Sequence[int]] = [range(start + 1, end) for start, end in edges if end > start + 1]
    if not plans:
        raise InvalidInput("mode: all pages are blank.")
    if blank:
        omitted = compact([index + 1 for index in blank])
        pages = "pages were" if len(blank) > 1 else "page was"
        source.warn(f"{len(blank)} blank {pages} omitted: {omitted}.")
    else:
        source.warn("No page is blank, so the only part is the whole file.")
    return plans


PAGE_BYTES = 500
"""Estimate of a page's bytes besides its streams."""

INTERPOLATIONS = 6
"""Trials of one part before the rest is halved each time."""


def _sized(request: PdfSplitRequest, source: Source) -> Iterator[Part]:
    """Yield parts that are not larger than `max_bytes`; a page that alone is larger is a part.

    Raises:
        InvalidInput: There are more than 200 parts.
    """
    max_bytes = request.max_bytes or 0
    weights = [0, *accumulate(PAGE_BYTES + _stream_bytes(page) for page in source.pages)]
    ratio, start, made = 1.0, 0, 0
    while start < len(source.pages):
        made += 1
        if made > MAX_PARTS:
            raise InvalidInput(f"max_bytes: makes {made} parts; the most is {MAX_PARTS}.")
        title = _title(request, source, start)
        part = _largest(source, start, title, weights=weights, ratio=ratio, max_bytes=max_bytes)
        if (size := len(part.content)) > max_bytes:
            source.warn(f"Page {start + 1} alone has {size} bytes, more than max_bytes; it is a part of its own.")
        yield part
        end = start + len(part.pages)
        ratio, start = size / (weights[end] - weights[start]), end


def _largest(source: Source, start: int, title: str, *, weights: Sequence[int], ratio: float, max_bytes: int) -> Part:
    """Return the largest part that begins at a page; a single page may be larger.

    Args:
        source: The PDF.
        start: Index of the page.
        title: Title of the part.
        weights: Estimated bytes of all pages before each page.
        ratio: Bytes of a part by its weight, as far as known.
        max_bytes: Bytes that a part may have.
    """
    fits, too_large, size = start, len(source.pages) + 1, 0
    best: Part | None = None
    for trial in range(len(source.pages)):
        last = min(too_large - 1, len(source.pages))
        guess = bisect_right(weights, weights[fits] + (max_bytes - size) / ratio) - 1
        end = max(fits + 1, min(last, guess)) if trial < INTERPOLATIONS else (fits + last + 1) // 2
        part = make_part(source, range(start, end), title, attachments=not start)
        ratio = len(part.content) / (weights[end] - weights[start])
        if len(part.content) <= max_bytes or end == start + 1:
            best, fits, size = part, end, len(part.content)
        else:
            too_large = end
        if best and (size > max_bytes or fits + 1 >= min(too_large, len(source.pages) + 1)):
            break
    return best or part


def _stream_bytes(page: pikepdf.Object) -> int:
    """Return the stored bytes of a page's content and images."""
    streams = [page.get(Name.Contents), *items(page.get(Name.Contents))]
    streams += dictionary(dictionary(page.get(Name.Resources)).get(Name.XObject)).values()
    lengths: list[object] = [stream.get(Name.Length) for stream in streams if isinstance(stream, Stream)]
    return sum(length for length in lengths if isinstance(length, int))


def _title(request: PdfSplitRequest, source: Source, page: int) -> str:
    """Return the bookmark that a page is below, or the name of the file."""
    before = [entry for _, entry in source.read_once(placed_bookmarks) if entry.page <= page and entry.title]
    nearest = max((entry.page for entry in before), default=0)
    return next((entry.title for entry in before if entry.page == nearest), request.stem)
