"""Lines of a page: what the reading order and the search for running headers work on."""

from dataclasses import dataclass, field, replace

import pymupdf
from pydantic_core import from_json
from pymupdf import mupdf

from mediakit.engines.pdf.letters.columns import as_rows
from mediakit.engines.pdf.letters.correcting import corrected_lines, needs_correction
from mediakit.engines.pdf.letters.lines import LetterLine

Box = tuple[float, float, float, float]
"""Left, top, right and bottom in points of the page as it is seen."""

VERTICAL_RATIO = 2.0
"""A line that is taller than this many sizes of its font, and taller than wide, runs up or down."""


@dataclass(slots=True)
class Line:
    """A run of text on one baseline."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    size: float
    """Size of the font in points."""
    index: int
    """Position in the order in which the page draws its lines."""
    is_column: bool = field(default=False, kw_only=True)
    """Whether it is a column of vertical writing, turned so that it runs to the right."""

    @property
    def width(self) -> float:
        """Width in points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Height in points."""
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        """Vertical center."""
        return (self.y0 + self.y1) / 2

    @property
    def is_vertical(self) -> bool:
        """Whether the text runs up or down."""
        return self.height > max(self.width, self.size * VERTICAL_RATIO) and len(self.text.strip()) > 1


def read_lines(text: pymupdf.TextPage) -> list[Line]:
    """Return the lines of a page in the order in which they are drawn; boxes are in whole points.

    MuPDF writes them as JSON much faster than PyMuPDF makes Python objects of them.
    """
    lines = _plain_lines(text)
    if not needs_correction(lines):
        return lines
    corrected = corrected_lines(text)
    if not any(line.is_column for line in corrected):
        return [_corrected(line, lines[line.number], index) for index, line in enumerate(corrected)]
    return [
        Line(*line.box, line.text.strip(), line.letters[0].size, index, is_column=line.is_column)
        for index, line in enumerate(as_rows(corrected))
    ]


def _corrected(line: LetterLine, plain: Line, index: int) -> Line:
    """Return a line that was read letter by letter; `plain` is the first of the lines that it was made of."""
    if not line.is_changed:
        return replace(plain, index=index)
    x0, _, x1, _ = line.box
    left = int(x0)
    return Line(left, plain.y0, left + int(x1 - x0), plain.y1, line.text.strip(), plain.size, index)


def _plain_lines(text: pymupdf.TextPage) -> list[Line]:
    buffer = mupdf.FzBuffer(1 << 14)
    output = mupdf.FzOutput(buffer)
    mupdf.fz_print_stext_page_as_json(output, text.this, 1.0)
    output.fz_close_output()
    page = from_json(buffer.fz_buffer_extract())
    lines: list[Line] = []
    for block in page["blocks"]:
        for line in block.get("lines", ()):
            if content := line["text"].strip():
                box = line["bbox"]
                x, y = box["x"], box["y"]
                lines.append(Line(x, y, x + box["w"], y + box["h"], content, line["font"]["size"], len(lines)))
    return lines
