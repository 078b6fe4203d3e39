"""Pages to find tables on, drawn with PyMuPDF."""

from collections.abc import Iterable, Sequence
from typing import Any

import pymupdf

WORDS = ["the", "quick", "brown", "fox", "jumps", "over", "a", "lazy", "dog", "while", "many", "animals", "look", "on"]
LINE = 14.0
SIZE = 10.0


class PageBuilder:
    """A page of 595 x 842 points that text and rulings are drawn on."""

    def __init__(self) -> None:
        self.document: Any = pymupdf.open()  # type: ignore[no-untyped-call]
        self.page: Any = self.document.new_page()

    def text(self, x: float, y: float, text: str, size: float = SIZE, font: str = "helv") -> None:
        self.page.insert_text((x, y), text, fontsize=size, fontname=font)

    def centered(self, x0: float, x1: float, y: float, text: str) -> None:
        self.text((x0 + x1 - pymupdf.get_text_length(text, fontsize=SIZE)) / 2, y, text)

    def row(self, xs: Sequence[float], y: float, texts: Iterable[str], *, right: bool = False) -> None:
        """Write texts at places; `right` aligns all but the first to the right of their place."""
        for index, (x, text) in enumerate(zip(xs, texts, strict=True)):
            shift = pymupdf.get_text_length(text, fontsize=SIZE) if right and index else 0
            self.text(x - shift, y, text)

    def rows(self, xs: Sequence[float], y: float, rows: Iterable[Sequence[str]], *, right: bool = False) -> float:
        """Write rows of texts, and return the baseline after the last."""
        for row in rows:
            self.row(xs, y, row, right=right)
            y += LINE
        return y

    def paragraph(self, x: float, y: float, width: float, lines: int) -> float:
        """Write running text and return the baseline after it."""
        at = 0
        for _ in range(lines):
            line = ""
            while pymupdf.get_text_length(f"{line} {WORDS[at % len(WORDS)]}", fontsize=SIZE) < width:
                line = f"{line} {WORDS[at % len(WORDS)]}".strip()
                at += 1
            self.text(x, y, line)
            y += LINE
        return y

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.page.draw_line((x0, y0), (x1, y1), width=0.5)

    def grid(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        """Draw all lines of a grid."""
        for x in xs:
            self.line(x, ys[0], x, ys[-1])
        for y in ys:
            self.line(xs[0], y, xs[-1], y)

    def next_page(self) -> None:
        """Begin another page."""
        self.page = self.document.new_page()

    def content(self) -> bytes:
        """Return the PDF."""
        return bytes(self.document.tobytes())

    def finish(self) -> Any:
        """Return the page as it is read from a file."""
        self.document = pymupdf.open(stream=self.document.tobytes())  # type: ignore[no-untyped-call]
        return self.document[0]
