"""Reads the text of a result with pdfium, which did not write it."""

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from mediakit.tools.pdf.pdf_redact.claim import Claim
from mediakit.tools.pdf.pdf_redact.marks import Box
from mediakit.tools.pdf.pdf_redact.searching import Finder

MAX_CHARACTERS = 2_000_000
"""Characters of a page that are read."""

COVERED = 0.5
"""Part of a letter within an area that is a leak. Libraries differ in the boxes of letters, so it is more than the part
that makes a letter go."""

HYPHEN = "\x02"
"""What pdfium writes for a hyphen at the end of a line."""


def letters_left(content: bytes, claim: Claim) -> dict[int, list[Box]]:
    """Return the boxes of letters that are still there, by index of the page."""
    found: dict[int, list[Box]] = {}
    with pypdfium2.PdfDocument(content, password=claim.password) as document:
        for index in sorted({*claim.selected, *claim.areas}):
            page = document[index]
            text_page = page.get_textpage()
            boxes = _letters_in(text_page, claim.areas.get(index, ()), claim.label)
            if index in claim.selected:
                boxes += _matches(text_page, claim.finder)
            text_page.close()
            page.close()
            if boxes:
                found[index] = boxes
    return found


def _matches(text_page: Any, finder: Finder) -> Iterator[Box]:
    text = _text(text_page)
    for hit in finder.find(text):
        for place in range(hit.start, hit.end):
            if not text[place].isspace() and (box := _box(text_page, place)):
                yield box


def _text(text_page: Any) -> str:
    """Return the text of a page, one character for each of pdfium's."""
    count = min(text_page.count_chars(), MAX_CHARACTERS)
    codes = (pdfium.FPDFText_GetUnicode(text_page.raw, place) for place in range(count))
    text = "".join(map(_character, codes))
    return text.replace("\r\n", " \n").replace(HYPHEN, "\u00ad").replace("\r", "\n")


def _character(code: int) -> str:
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"


def _letters_in(text_page: Any, areas: Sequence[Box], label: str) -> list[Box]:
    """Return the letters in areas, without those of the label that was drawn there."""
    found: list[tuple[str, Box]] = []
    for place in range(min(text_page.count_chars(), MAX_CHARACTERS) if areas else 0):
        text = _character(pdfium.FPDFText_GetUnicode(text_page.raw, place))
        box = None if text.isspace() else _box(text_page, place)
        if box and any(_part(box, area) > COVERED for area in areas):
            found.append((text, box))
    shown, drawn = "".join(text for text, _ in found), "".join(label.split())
    return [] if drawn and not shown.replace(drawn, "") else [box for _, box in found]


def _part(box: Box, area: Box) -> float:
    across = min(box[2], area[2]) - max(box[0], area[0])
    up = min(box[3], area[3]) - max(box[1], area[1])
    size = (box[2] - box[0]) * (box[3] - box[1])
    return across * up / size if across > 0 and up > 0 and size else 0.0


def _box(text_page: Any, place: int) -> Box | None:
    rectangle = pdfium.FS_RECTF()
    if not pdfium.FPDFText_GetLooseCharBox(text_page.raw, place, ctypes.byref(rectangle)):
        return None
    box = rectangle.left, rectangle.bottom, rectangle.right, rectangle.top
    return box if box[2] > box[0] and box[3] > box[1] else None
