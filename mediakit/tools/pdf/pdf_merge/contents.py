"""The contents of a merge: a row for each file, and for the bookmarks of its first level."""

from collections.abc import Sequence

import pikepdf

from mediakit.engines.pdf.glyphs import missing_characters
from mediakit.engines.pdf.outlines import first_level
from mediakit.engines.pdf.part import Part
from mediakit.tools.pdf.pdf_merge.contents_layout import ContentsLayout, Row, require_glyphs
from mediakit.tools.pdf.pdf_merge.contents_page import add_links, draw_contents
from mediakit.tools.pdf.pdf_merge.inputs import Input, clean_title

MAX_ROWS = 1000
"""Rows of the contents; with more, bookmarks are omitted."""


class Contents:
    """Contents pages, placed before the rest is known and drawn after."""

    def __init__(self, heading: str, inputs: Sequence[Input], starts: Sequence[int], size: tuple[float, float]) -> None:
        """Place the rows.

        Args:
            heading: Title of the contents.
            inputs: The files.
            starts: Index of each file's first page, without the contents.
            size: Width and height of the page in points.
        """
        self.warnings: list[str] = []
        self._starts = starts
        rows = self._rows(inputs)
        require_glyphs([("toc_title", heading)])
        self._targets = [target for _, target in rows]
        self._layout = ContentsLayout(heading, [row for row, _ in rows], *size)
        self._layout.place()
        self._front = 0

    @property
    def count(self) -> int:
        """Number of contents pages."""
        return self._layout.pages

    def draw(self, front: int) -> list[pikepdf.Object]:
        """Return the pages; the first file begins at index `front`."""
        self._front = front
        self._pdf = draw_contents(self._layout, [front + target + 1 for target in self._targets])
        return [page.obj for page in self._pdf.pages]

    def link(self, pdf: pikepdf.Pdf) -> None:
        """Link the rows to their pages in the result."""
        add_links(pdf, self._layout, 0, [self._front + target for target in self._targets])

    def _rows(self, inputs: Sequence[Input]) -> list[tuple[Row, int]]:
        rows: list[tuple[Row, int]] = []
        missing: set[str] = set()
        for index, (item, start) in enumerate(zip(inputs, self._starts, strict=True)):
            require_glyphs([(f"titles[{index}]", item.title)])
            rows.append((Row(item.title), start))
            rows += [(Row(_drawable(title, missing), 1), page) for title, page in _bookmarks(item, start)]
        if missing:
            self.warnings.append(f"No font here has {' '.join(sorted(missing))}; the contents page leaves them out.")
        if len(rows) > MAX_ROWS:
            self.warnings.append(f"The contents page lists files only, because there are {len(rows)} bookmarks.")
            return [(row, page) for row, page in rows if row.level == 0]
        return [(row, page) for row, page in rows if row.title]


def _bookmarks(item: Input, start: int) -> list[tuple[str, int]]:
    if item.source is None:
        return []
    found = [
        (clean_title(entry.title), entry.page) for entry in first_level(Part(item.source, list(item.indices), start))
    ]
    return [] if [title for title, _ in found] == [item.title] else found


def _drawable(title: str, missing: set[str]) -> str:
    """Return a title without the characters that no font has, and note them."""
    lost = missing_characters(title)
    missing |= set(lost)
    return "".join(character for character in title if character not in lost).strip()
