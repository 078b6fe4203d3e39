"""Running headers, footers and page numbers: lines that repeat at the top or bottom of pages."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TypeVar

from mediakit.engines.pdf.reading.lines import Line
from mediakit.engines.pdf.reading.pdf_file import PdfFile
from mediakit.engines.pdf.reading.reading_order import rows

EDGE = 0.13
"""Part of a page, at its top and at its bottom, in which running headers and footers are."""

MAX_ROWS = 4
"""Rows of a running header or footer."""

MIN_SHARE = 0.25
"""Share of the pages on which a line repeats, at least: headers of chapters change."""

ENOUGH_PAGES = 8
"""Pages that are compared; with fewer selected ones, their neighbors are read, too."""

STEP = 5.0
"""Points by which the height of a line may differ between pages."""

_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.IGNORECASE)

Key = tuple[str, int]
"""Text of a row without its numbers, and its distance from the top in steps; from the bottom if negative."""

L = TypeVar("L", bound=Line)


class Furniture:
    """The running headers and footers of a PDF."""

    def __init__(self, file: PdfFile, pages: Mapping[int, Sequence[Line]]) -> None:
        """Find what repeats.

        Args:
            file: The PDF.
            pages: Lines of the selected pages by their index.
        """
        self._file = file
        neighbors = _neighbors(file.selected, file.document.page_count)
        compared = {index: file.read(index) for index in neighbors} | dict(pages)
        counts: Counter[Key] = Counter()
        for index, lines in compared.items():
            counts.update({key for edge in self._edges(index, lines) for key, _ in edge})
        needed = max(2, MIN_SHARE * len(compared))
        self._repeated = {key for key in counts if sum(counts[near] for near in _near(key)) >= needed}

    def remove(self, index: int, lines: Sequence[L]) -> list[L]:
        """Return the lines of a page without its running headers and footers."""
        found = [
            line.index
            for edge in self._edges(index, lines)
            for _, row in takewhile(lambda item: item[0] in self._repeated, edge)
            for line in row
        ]
        return [line for line in lines if line.index not in found]

    def _edges(self, index: int, lines: Sequence[L]) -> list[list[tuple[Key, list[L]]]]:
        """Return the rows at the top from the top down, and those at the bottom from the bottom up."""
        height = self._file.height(index)
        top = rows([line for line in lines if line.y1 < EDGE * height])[:MAX_ROWS]
        bottom = rows([line for line in lines if line.y0 > (1 - EDGE) * height])[: -MAX_ROWS - 1 : -1]
        return [
            [(_key(row, min(line.y0 for line in row)), row) for row in top],
            [(_key(row, min(line.y0 for line in row) - height), row) for row in bottom],
        ]


def _key(row: Sequence[Line], distance: float) -> Key:
    text = " ".join(line.text.strip() for line in row)
    return _NUMBER.sub("#", text).casefold(), round(distance / STEP)


def _near(key: Key) -> Iterator[Key]:
    """Yield the key and those of the same text a step higher and lower."""
    text, distance = key
    for step in (-1, 0, 1):
        yield text, distance + step


def _neighbors(selected: Sequence[int], count: int) -> list[int]:
    """Return the pages nearest to the selected ones, as many as there are too few."""
    others = sorted(set(range(count)) - set(selected), key=lambda index: min(abs(index - each) for each in selected))
    return others[: max(0, ENOUGH_PAGES - len(selected))]
