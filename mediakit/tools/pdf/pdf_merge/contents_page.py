"""The contents page as PDF pages: leaders, links, and text that readers extract in its logical order."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from mediakit.engines.pdf.to_unicode import expand_ligatures
from mediakit.tools.pdf.pdf_merge.contents_layout import ContentsLayout, PlacedRow, drawable

LEADER_GAP_EMS = 0.5
"""Distance from the title to the first dot and from the last dot to the number, in sizes of the font."""

DOT_DISTANCE_EMS = 0.42
DOT_SIZE_EMS = 0.075

_SHOW = frozenset({"Tj", "TJ", "'", '"'})


def draw_contents(layout: ContentsLayout, numbers: Sequence[int]) -> pikepdf.Pdf:
    """Return the contents pages, without links."""
    drawn = layout.draw(numbers)
    pdf = pikepdf.open(BytesIO(_measured(drawn, layout)))
    for index, page in enumerate(pdf.pages):
        _mark_titles(pdf, page, [placed for placed in layout.placed if placed.page == index], layout)
        expand_ligatures(page.resources)
        page.contents_add(_leaders(layout, index, numbers), prepend=True)
    return pdf


def add_links(pdf: pikepdf.Pdf, layout: ContentsLayout, first: int, targets: Sequence[int]) -> None:
    """Link each row to its page.

    Args:
        pdf: The result.
        layout: The rows and their places.
        first: Index of the first contents page.
        targets: Index of each row's page.
    """
    for placed, target in zip(layout.placed, targets, strict=True):
        page, goal = pdf.pages[first + placed.page].obj, pdf.pages[target]
        left, right = layout.margin, layout.width - layout.margin
        link = Dictionary(
            Type=Name.Annot,
            Subtype=Name.Link,
            Rect=Array([left, layout.height - placed.bottom, right, layout.height - placed.top]),
            Border=Array([0, 0, 0]),
            Dest=Array([goal.obj, Name.XYZ, None, _top(goal), None]),
            Contents=String(placed.row.title),
        )
        if Name.Annots not in page:
            page.Annots = Array()
        page.Annots.append(pdf.make_indirect(link))


def _top(page: pikepdf.Page) -> float:
    box = [float(edge) for edge in page.cropbox]
    return max(box[1], box[3])


def _measured(drawn: bytes, layout: ContentsLayout) -> bytes:
    """Note where the titles end, and return the PDF with its fonts subset."""
    import pymupdf

    with pymupdf.open(stream=drawn) as document:  # type: ignore[no-untyped-call]
        spans = [_span_boxes(page) for page in document]
        for placed in layout.placed:
            placed.text_end = _end(spans[placed.page], placed, layout)
        document.subset_fonts()
        return bytes(document.tobytes(garbage=3, deflate=True, no_new_id=True))


def _span_boxes(page: Any) -> list[tuple[float, ...]]:
    """Return the boxes of the pieces of text of a page that are not blank."""
    return [
        span["bbox"]
        for block in page.get_text("dict")["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
        if span["text"].strip()
    ]


def _end(spans: Sequence[tuple[float, ...]], placed: PlacedRow, layout: ContentsLayout) -> float:
    """Return where the last line of a title ends, towards its number."""
    middle = placed.bottom - layout.size * 0.6
    on_line = [box for box in spans if box[1] <= middle <= box[3]]
    if layout.mirrored:
        return min(
            (box[0] for box in on_line if box[0] > layout.margin + layout.number_column - 1), default=placed.right
        )
    limit = layout.width - layout.margin - layout.number_column
    return max((box[2] for box in on_line if box[0] < limit), default=placed.left)


def _leaders(layout: ContentsLayout, page: int, numbers: Sequence[int]) -> bytes:
    """Draw dots between titles and numbers; all dots of a page lie on one grid."""
    step, dot, gap = (layout.size * ems for ems in (DOT_DISTANCE_EMS, DOT_SIZE_EMS, LEADER_GAP_EMS))
    parts = [f"/Artifact BMC q 0.61 0.64 0.69 RG {dot * 2:.3f} w 1 J [0 {step:.3f}] 0 d"]
    for placed, number in zip(layout.placed, numbers, strict=True):
        if placed.page != page:
            continue
        digits = len(str(number)) * layout.size * 0.556
        y = layout.height - placed.bottom + layout.size * 0.36
        if layout.mirrored:
            start, end = layout.margin + digits + gap, placed.text_end - gap
            grid = layout.margin
        else:
            start, end = layout.width - layout.margin - digits - gap, placed.text_end + gap
            grid = layout.width - layout.margin
        sign = 1 if layout.mirrored else -1
        start = grid + sign * step * -(-abs(start - grid) // step)
        if (end - start) * sign > step:
            parts.append(f"{start:.3f} {y:.3f} m {end:.3f} {y:.3f} l S")
    return " ".join([*parts, "Q EMC"]).encode()


def _mark_titles(pdf: pikepdf.Pdf, page: pikepdf.Page, placed: Sequence[PlacedRow], layout: ContentsLayout) -> None:
    """Write the text of titles beside their glyphs: readers extract shaped scripts from glyphs in a wrong order."""
    marked = [row for row in placed if drawable(row.row.title) != row.row.title or not row.row.title.isascii()]
    if not marked:
        return
    instructions: list[pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage] = []
    current: str | None = None
    x = y = 0.0
    for instruction in pikepdf.parse_content_stream(page):
        operator, operands = str(instruction.operator), instruction.operands
        if operator == "Tm":
            x, y = float(operands[4]), float(operands[5])
        elif operator == "Td":
            y -= float(operands[1])
        if operator in _SHOW:
            now = _title_at(x, y, marked, layout)
            if now != current:
                instructions += _switch(current, now)
                current = now
        elif operator == "ET":
            instructions += _switch(current, None)
            current = None
        instructions.append(instruction)
    page.Contents = pdf.make_stream(pikepdf.unparse_content_stream(instructions))


def _title_at(x: float, y: float, marked: Sequence[PlacedRow], layout: ContentsLayout) -> str | None:
    """Return the title whose glyphs are at a point; the y of MuPDF's pages points down."""
    in_numbers = (
        x < layout.margin + layout.number_column - 1
        if layout.mirrored
        else x > layout.width - layout.margin - layout.number_column
    )
    if in_numbers:
        return None
    return next((row.row.title for row in marked if row.top <= y <= row.bottom), None)


def _switch(before: str | None, now: str | None) -> list[pikepdf.ContentStreamInstruction]:
    steps = []
    if before is not None:
        steps.append(pikepdf.ContentStreamInstruction([], pikepdf.Operator("EMC")))
    if now is not None:
        span = Dictionary(ActualText=String(now))
        steps.append(pikepdf.ContentStreamInstruction([Name.Span, span], pikepdf.Operator("BDC")))
    return steps
