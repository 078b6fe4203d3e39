"""Which pages go into which part."""

from collections.abc import Sequence
from dataclasses import dataclass

from mediakit.core.inputs import file_of
from mediakit.engines.pdf.outlines import placed_bookmarks
from mediakit.engines.pdf.page_ranges import compact, indices
from mediakit.engines.pdf.source import Source
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_split.request import PdfSplitRequest

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
            from mediakit.tools.pdf.pdf_split.blank_pages import blank_pages  # imports PyMuPDF

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
