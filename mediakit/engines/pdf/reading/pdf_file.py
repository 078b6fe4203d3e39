"""The PDF of a call: its pages, and what is found out about them while they are read."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import pymupdf

from mediakit.engines.pdf.reading.lines import Line, read_lines
from mediakit.engines.pdf.reading.textpage import PLAIN, UNMAPPED, run_text, shows_something
from mediakit.engines.pdf.source import Source


class PdfFile:
    """The selected pages of a PDF."""

    def __init__(self, source: Source, document: pymupdf.Document, selected: Sequence[int]) -> None:
        self.source = source
        self.document = document
        self.selected = selected
        """Indices of the selected pages, from 0."""
        self._incomplete: set[int] = set()
        self._letters: dict[int, int] = {}
        self._unmapped: dict[int, int] = {}

    @property
    def unmapped(self) -> float:
        """Share of the letters whose font has no Unicode, from 0 to 1."""
        unmapped = sum(self._unmapped.values())
        return max(round(unmapped / sum(self._letters.values()), 4), 0.0001) if unmapped else 0.0

    @cached_property
    def pages_without_text(self) -> list[int]:
        """Numbers of the pages, from 1, that show something but have no text."""
        empty = [index for index, letters in self._letters.items() if not letters]
        return [index + 1 for index in empty if shows_something(self.document[index])]

    @property
    def warnings(self) -> list[str]:
        """What is unreliable about the text."""
        found = [
            f"Page {number} is damaged, and only its readable part is here." for number in sorted(self._incomplete)
        ]
        if self.unmapped:
            share = f"{self.unmapped:.2%}".replace(".00%", "%")
            found.append(
                f"{share} of the letters have a font without Unicode; they are \N{REPLACEMENT CHARACTER} here."
            )
        if scans := self.pages_without_text:
            found.append(f"{_pages(scans)} no text: scans need text recognition (OCR) first.")
        return found

    def pages(self) -> Iterator[pymupdf.Page]:
        """Yield the selected pages."""
        for index in self.selected:
            yield self.document[index]

    def text(self, page: pymupdf.Page, flags: int = PLAIN) -> pymupdf.TextPage:
        """Return what MuPDF reads on a page, as far as it can."""
        text, is_complete = run_text(page, flags)
        if not is_complete:
            self._incomplete.add(page.number + 1)
        return text

    def lines(self, page: pymupdf.Page) -> list[Line]:
        """Return the lines of a page, and note its text."""
        lines = read_lines(self.text(page))
        self.note(page, "".join([line.text for line in lines]))
        return lines

    def read(self, index: int) -> list[Line]:
        """Return the lines of any page, without noting its text."""
        return read_lines(self.text(self.document[index]))

    def height(self, index: int) -> float:
        """Return the height of a page as it is seen, in points."""
        return float(self.document[index].rect.height)

    def note(self, page: pymupdf.Page, text: str) -> None:
        """Count the letters of a page's text."""
        self._letters[page.number] = len(text) - text.count(" ") - text.count("\n")
        self._unmapped[page.number] = text.count(UNMAPPED)


def _pages(numbers: Sequence[int]) -> str:
    shown = ", ".join(map(str, numbers[:10])) + (" …" if len(numbers) > 10 else "")
    return f"Page {shown} has" if len(numbers) == 1 else f"Pages {shown} have"
