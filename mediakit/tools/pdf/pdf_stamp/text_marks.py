"""Text as marks: lines are drawn once, wrapped where a page is too narrow, and put below each other."""

from collections.abc import Iterable, Mapping, Sequence

import pikepdf
from pikepdf import Dictionary

from mediakit.engines.pdf.form_xobjects import make_form
from mediakit.tools.pdf.pdf_stamp.geometry import text_room, text_scale
from mediakit.tools.pdf.pdf_stamp.line_drawing import INK_MARGIN, LINE_HEIGHT, Align, Line, LineStyle, draw_lines
from mediakit.tools.pdf.pdf_stamp.mark import Mark
from mediakit.tools.pdf.pdf_stamp.request import PdfStampRequest

Size = tuple[float, float]


class TextMarks:
    """Marks of the texts of a stamp."""

    def __init__(self, pdf: pikepdf.Pdf, request: PdfStampRequest) -> None:
        self._pdf = pdf
        self._request = request
        self._style = LineStyle(request.font, request.color)
        self._align: Align = (
            "left" if "left" in request.position else "right" if "right" in request.position else "center"
        )
        self._drawn: dict[Line, Mark] = {}
        self._marks: dict[tuple[Line, ...], Mark] = {}

    def marks(self, texts: Mapping[int, str], sizes: Mapping[int, Size]) -> dict[int, Mark]:
        """Return the mark of each page; pages whose text is blank have none.

        Args:
            texts: Text of each page, by its index.
            sizes: Width and height of each page as it is seen.

        Raises:
            InvalidInput: No font has a character.
        """
        shown = {index: [Line(row) for row in text.split("\n")] for index, text in texts.items() if text.strip()}
        self._draw(line for lines in shown.values() for line in lines)
        if not self._request.tile and not self._request.rotate:
            shown = {index: self._wrapped(lines, sizes[index]) for index, lines in shown.items()}
            self._draw(line for lines in shown.values() for line in lines)
        return {index: self._mark(tuple(lines)) for index, lines in shown.items()}

    def _draw(self, lines: Iterable[Line]) -> None:
        new = [line for line in dict.fromkeys(lines) if line.text.strip() and line not in self._drawn]
        if new:
            self._drawn |= dict(zip(new, draw_lines(self._pdf, new, self._style), strict=True))

    def _wrapped(self, lines: Sequence[Line], page: Size) -> list[Line]:
        """Return lines of which those that are too long for a page are wrapped."""
        width = round(text_room(self._request, page)[0] / text_scale(self._request), 3)
        return [
            Line(line.text, width, self._align) if line in self._drawn and self._drawn[line].width > width else line
            for line in lines
        ]

    def _mark(self, lines: tuple[Line, ...]) -> Mark:
        if lines not in self._marks:
            self._marks[lines] = self._drawn[lines[0]] if len(lines) == 1 else self._stacked(lines)
        return self._marks[lines]

    def _stacked(self, lines: Sequence[Line]) -> Mark:
        """Put lines below each other."""
        drawn = [self._drawn.get(line) for line in lines]
        width = max(mark.width for mark in drawn if mark is not None)
        height = sum(LINE_HEIGHT if mark is None else mark.height for mark in drawn)
        parts, y = [], height
        for number, mark in enumerate(drawn):
            y -= LINE_HEIGHT if mark is None else mark.height
            if mark is not None:
                x = {"left": 0.0, "center": 0.5, "right": 1.0}[self._align] * (width - mark.width)
                parts.append(f"q 1 0 0 1 {x:.4f} {y:.4f} cm /Line{number} Do Q")
        forms = {f"/Line{number}": mark.form for number, mark in enumerate(drawn) if mark is not None}
        box = (-INK_MARGIN, -INK_MARGIN, width + INK_MARGIN, height + INK_MARGIN)
        form = make_form(self._pdf, "\n".join(parts).encode(), box, Dictionary(XObject=Dictionary(forms)))
        return Mark(form, width, height)
