"""Splits a PDF; runs in a worker."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from mediakit.core.media import unique_names
from mediakit.engines.pdf.document import open_to_change
from mediakit.engines.pdf.labels import page_labels
from mediakit.engines.pdf.opening import warn_of_late_damage, warn_of_lost_protection
from mediakit.engines.pdf.outlines import placed_bookmarks
from mediakit.engines.pdf.page_ranges import compact
from mediakit.engines.pdf.source import Source
from mediakit.engines.pdf.trees import read_names
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_split.job import Mode, Split, SplitJob, SplitPart
from mediakit.tools.pdf.pdf_split.name_pattern import filled
from mediakit.tools.pdf.pdf_split.part_maker import PartMaker
from mediakit.tools.pdf.pdf_split.plans import planned_parts
from mediakit.tools.pdf.pdf_split.sizing import SizedParts, oversized

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


def split(job: SplitJob) -> Split:
    """Return the parts of a PDF.

    Raises:
        InvalidInput: The file is not valid, or cannot be split in this way.
    """
    source = open_to_change(job.file, job.password)
    warn_of_lost_protection(source)
    made = _collected(job, _sized(job, source) if job.mode == "size" else _planned(job, source))
    _warn(source, made)
    names = unique_names(
        filled(job.filename, _values(job, source, number, part)) for number, part in enumerate(made, 1)
    )
    parts = [
        SplitPart(part.content, name, compact([index + 1 for index in part.pages]), len(part.pages), part.title)
        for name, part in zip(names, made, strict=True)
    ]
    return Split(parts, source.warnings)


def _collected(job: SplitJob, parts: Iterator[_Made]) -> list[_Made]:
    made, size = [], 0
    for part in parts:
        made.append(part)
        size += len(part.content)
        if size > MAX_TOTAL_BYTES:
            field = FIELDS.get(job.mode, "mode")
            raise InvalidInput(f"{field}: makes parts of more than {MAX_TOTAL_BYTES // 1_000_000} MB together.")
    return made


def _planned(job: SplitJob, source: Source) -> Iterator[_Made]:
    maker = PartMaker(source)
    for number, plan in enumerate(planned_parts(job, source)):
        content = maker.make(plan.pages, attachments=not number)
        title = _title(job, source, plan.pages[0]) if plan.title is None else plan.title
        yield _Made(plan.pages, content, maker.removed_links, title)


def _sized(job: SplitJob, source: Source) -> Iterator[_Made]:
    for pages, content, removed_links in SizedParts(PartMaker(source), job.max_bytes):
        oversized(source, pages, len(content), job.max_bytes)
        yield _Made(pages, content, removed_links, _title(job, source, pages[0]))


def _title(job: SplitJob, source: Source, page: int) -> str:
    """Return the bookmark that a page is below, or the name of the file."""
    before = [entry for _, entry in source.read_once(placed_bookmarks) if entry.page <= page and entry.title]
    nearest = max((entry.page for entry in before), default=0)
    return next((entry.title for entry in before if entry.page == nearest), job.name)


def _values(job: SplitJob, source: Source, number: int, part: _Made) -> dict[str, str | int]:
    first = part.pages[0]
    return {
        "name": job.name,
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
