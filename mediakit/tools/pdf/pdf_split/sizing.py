"""Parts of a maximum size, with as many pages as fit.

The size of a part is known only when it is made, because pages share fonts and images. A page range is searched by
interpolation: each trial predicts the next from the sizes so far and from the streams that each page has of its own.
"""

from collections.abc import Iterator
from itertools import accumulate

import pikepdf
from pikepdf import Name, Stream

from mediakit.engines.pdf.objects import dictionary, items
from mediakit.engines.pdf.source import Source
from mediakit.tools.pdf.pdf_split.part_maker import PartMaker
from mediakit.tools.pdf.pdf_split.plans import MAX_PARTS, require_few_parts

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
