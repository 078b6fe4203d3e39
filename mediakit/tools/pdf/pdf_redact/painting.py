"""Fills the areas from which content was removed, with an optional label."""

import html
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from itertools import count

import pikepdf
import pymupdf
from pikepdf import Array, Dictionary, Name

from mediakit.engines.colors import contrast_ratio
from mediakit.engines.pdf.graphics_state import unbalanced
from mediakit.engines.pdf.objects import dictionary
from mediakit.tools.pdf.pdf_redact.marks import Box

FONT_SIZE = 14
"""Points; the label is drawn once in this size and scaled into each area."""

ASCENT, DESCENT = 1.08, 0.36
"""Reach of a label above and below its baseline with the space around it, in font sizes; capitals are in the middle."""

WIDEST = 0.92
"""Part of the length of an area that a label fills at most."""

MAX_LABEL_POINTS = 16.0
"""Font size of a label in a large area."""


@dataclass(frozen=True)
class Painter:
    """Fills areas in one color."""

    fill: str
    label: "Label | None"

    def operators(self, areas: Iterable[Box], label_name: Name | None) -> bytes:
        """Return content that fills areas; it is an artifact, so it needs no tags."""
        red, green, blue = (int(self.fill[place : place + 2], 16) / 255 for place in (1, 3, 5))
        parts = [f"/Artifact BMC q {red:.4f} {green:.4f} {blue:.4f} rg"]
        for left, bottom, right, top in areas:
            parts.append(f"{left:.3f} {bottom:.3f} {right - left:.3f} {top - bottom:.3f} re f")
            if self.label and label_name:
                parts.append(self.label.placed((left, bottom, right, top), label_name))
        return " ".join((*parts, "Q EMC")).encode()

    def paint_page(self, page: pikepdf.Page, areas: list[Box], label: pikepdf.Object | None) -> None:
        """Fill areas on top of a page."""
        if not areas:
            return
        before, after = unbalanced(page)
        page.contents_add(b"q " * (before + 1), prepend=True)
        name = None
        if label is not None:
            name = page.add_resource(label, Name.XObject, _free_name(page))
        page.contents_add(b"Q " * (after + 1) + self.operators(areas, name))

    def paint_form(self, form: pikepdf.Object, areas: list[Box]) -> None:
        """Fill areas on top of an appearance."""
        if areas:
            form.write(b"q " + form.read_bytes() + b"\nQ " + self.operators(areas, None))


class Label:
    """A text that is drawn in the contrasting color on each area."""

    def __init__(self, text: str, fill: str) -> None:
        color = max(("#ffffff", "#000000"), key=lambda each: contrast_ratio(each, fill))
        self._content, self._box = _draw(text, color)

    def form(self, pdf: pikepdf.Pdf) -> pikepdf.Object:
        """Return the label as a form of a PDF, with its origin at the lower left corner of the text."""
        with pikepdf.open(BytesIO(self._content)) as drawn:
            _name_fonts(drawn)
            form = pdf.copy_foreign(drawn.make_indirect(drawn.pages[0].as_form_xobject()))
        form.BBox = Array(list(self._box))
        form.Matrix = Array([1, 0, 0, 1, -self._box[0], -self._box[1]])
        return form

    def placed(self, area: Box, name: Name) -> str:
        """Return the operators that draw the label in the middle of an area, upwards in tall ones."""
        left, bottom, right, top = area
        width, height = right - left, top - bottom
        along, across = self._box[2] - self._box[0], self._box[3] - self._box[1]
        if height > 3 * width:
            scale = self._scale(height, width)
            x, y = left + (width + across * scale) / 2, bottom + (height - along * scale) / 2
            return f"q 0 {scale:.5f} {-scale:.5f} 0 {x:.3f} {y:.3f} cm {name} Do Q"
        scale = self._scale(width, height)
        x, y = left + (width - along * scale) / 2, bottom + (height - across * scale) / 2
        return f"q {scale:.5f} 0 0 {scale:.5f} {x:.3f} {y:.3f} cm {name} Do Q"

    def _scale(self, along: float, across: float) -> float:
        width, height = self._box[2] - self._box[0], self._box[3] - self._box[1]
        return min(across / height, MAX_LABEL_POINTS / FONT_SIZE, along * WIDEST / width)


def _name_fonts(drawn: pikepdf.Pdf) -> None:
    """Give subset fonts names that are equal for equal labels; MuPDF draws them at random."""
    for item in drawn.objects:
        for key in (Name.BaseFont, Name.FontName):
            if isinstance(item, Dictionary) and key in item:
                item[key] = Name(f"/LABELS+{str(item[key])[1:].rpartition('+')[2]}")


def _free_name(page: pikepdf.Page) -> Name:
    """Return a name for the label that no resource of a page has; pikepdf would choose a random one."""
    taken = dictionary(dictionary(page.obj.get(Name.Resources)).get(Name.XObject))
    return next(name for number in count() if (name := Name(f"/Label{number}")) not in taken)


def _draw(text: str, color: str) -> tuple[bytes, Box]:
    """Return a PDF whose page is a label, and the box of the label."""
    style = f"* {{font: bold {FONT_SIZE}px sans-serif; color: {color}; white-space: nowrap; margin: 0}}"
    with pymupdf.open() as document:  # type: ignore[no-untyped-call]
        page = document.new_page(width=1000, height=100)
        page.insert_htmlbox(page.rect, f"<p>{html.escape(text)}</p>", css=style)
        blocks = page.get_text("rawdict")["blocks"]
        letters = [
            each for block in blocks for line in block["lines"] for span in line["spans"] for each in span["chars"]
        ]
        boxes, baseline = [each["bbox"] for each in letters], page.rect.height - letters[0]["origin"][1]
        left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
        document.subset_fonts()
        box = left, baseline - DESCENT * FONT_SIZE, right, baseline + ASCENT * FONT_SIZE
        return document.tobytes(garbage=3, deflate=True, no_new_id=True), box
