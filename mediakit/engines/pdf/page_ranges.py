"""Page ranges: `1-3,5`, `7-` for the rest, and in ordered mode `5-1` and repeated pages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from mediakit.errors import InvalidInput

MAX_LENGTH = 200
"""Characters of a page range."""

_PART = re.compile(r"\s*(\d+)\s*(?:(-)\s*(\d+)?\s*)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class PageSpan:
    """A part of a page range between two commas; pages count from 1."""

    first: int
    last: int | None
    """None for the last page of the PDF."""

    def pages(self, count: int) -> range:
        """Return the page numbers, in order, of a PDF with `count` pages.

        Raises:
            ValueError: The PDF does not have one of the pages.
        """
        last = count if self.last is None else self.last
        if (highest := max(self.first, last)) > count:
            raise ValueError(f"the PDF has {count} page{'s' * (count != 1)}, got {highest}.")
        return range(self.first, last + 1) if last >= self.first else range(self.first, last - 1, -1)


def parse(text: str, *, ordered: bool = False) -> list[PageSpan]:
    """Return the spans of a page range.

    Args:
        text: Page numbers and ranges, separated by commas.
        ordered: Accept falling ranges such as `5-1`.

    Raises:
        ValueError: The text is not a page range.
    """
    if len(text) > MAX_LENGTH:
        raise ValueError(f"must have at most {MAX_LENGTH} characters, got {len(text)}.")
    return [_span(part, ordered=ordered) for part in text.split(",")]


def resolve(text: str, count: int, *, ordered: bool = False) -> list[int]:
    """Return the page numbers of a page range, from 1, for a PDF with `count` pages.

    Without `ordered` the numbers rise and none is repeated.

    Raises:
        ValueError: The text is not a page range, or the PDF does not have one of the pages.
    """
    pages = [number for span in parse(text, ordered=ordered) for number in span.pages(count)]
    return pages if ordered else sorted(set(pages))


def indices(text: str | None, count: int, field: str = "pages", *, ordered: bool = False) -> Sequence[int]:
    """Return the pages of a page range, from 0, for a PDF with `count` pages; all pages without a range.

    Raises:
        InvalidInput: The text is not a page range, or the PDF does not have one of the pages. The message begins with
            the name of the field.
    """
    if text is None or not text.strip():
        return range(count)
    try:
        return [number - 1 for number in resolve(text, count, ordered=ordered)]
    except ValueError as error:
        raise InvalidInput(f"{field}: {error}") from None


def compact(pages: Sequence[int]) -> str:
    """Return page numbers, from 1, as a page range that keeps their order: `[3, 1, 2, 2]` is `3,1-2,2`."""
    spans: list[list[int]] = []
    for page in pages:
        span = spans[-1] if spans else []
        step = page - span[-1] if span else 0
        if abs(step) == 1 and (len(span) == 1 or span[1] - span[0] == step):
            span.append(page)
        else:
            spans.append([page])
    return ",".join(f"{span[0]}-{span[-1]}" if len(span) > 1 else str(span[0]) for span in spans)


def page_list(indexes: Sequence[int]) -> str:
    """Return pages in words, such as `pages 2-5 and 9`; indexes count from 0."""
    parts = compact([index + 1 for index in sorted(indexes)]).split(",")
    return ("page " if len(indexes) == 1 else "pages ") + listed(parts)


def listed(words: Sequence[str]) -> str:
    """Return words as an enumeration: `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _span(part: str, *, ordered: bool) -> PageSpan:
    match = _PART.fullmatch(part)
    if not match:
        raise ValueError(f'must be page numbers and ranges such as "1-3,5", got "{part.strip()[:20]}".')
    first = int(match[1])
    last = int(match[3]) if match[3] else None if match[2] else first
    if first < 1 or last == 0:
        raise ValueError("must begin with page 1 or later, got 0.")
    if last is not None and last < first and not ordered:
        raise ValueError(f"must rise within a range: write {last}-{first}, not {first}-{last}.")
    return PageSpan(first, last)
