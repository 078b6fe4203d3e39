"""Removes letters and image pixels from the content of pages.

MuPDF does it on a working copy, in which everything but the content of pages is out of its sight. Without
`/OCProperties` all layers are visible, hidden ones too. Without boxes and rotation the coordinates of MuPDF are those
of user space, and nothing lies outside the page. Annotations and fields are not touched. Text without a known place on
the page (patterns, masks, glyphs that are drawn by content) is removed from its content streams.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pikepdf
import pymupdf
from pikepdf import Array, Dictionary, Name, Object, Operator, Stream, String

from mediakit.engines.pdf.geometry import is_number
from mediakit.engines.pdf.mupdf import opened, quiet
from mediakit.engines.pdf.objects import dictionary, items
from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_redact.page_text import EXTENT, Box, Letter, PageText, around, read_page
from mediakit.tools.pdf.pdf_redact.searching import Finder
from mediakit.tools.pdf.pdf_redact.stream_text import (
    OPERATORS,
    SHOWING,
    ShownStream,
    content_bytes,
    content_holders,
    is_page_or_stream,
)

PAGE_KEYS = (
    *(Name.Annots, Name.MediaBox, Name.CropBox, Name.BleedBox, Name.TrimBox, Name.ArtBox),
    *(Name.Rotate, Name.UserUnit),
)
CATALOG_KEYS = (Name.OCProperties, Name.StructTreeRoot, Name.AcroForm, Name.Outlines)

KEPT = Name("/MediakitKept")
"""Key under which a working copy keeps what it hides."""


def hide_all_but_content(pdf: pikepdf.Pdf) -> None:
    """Hide everything from MuPDF but the content of pages."""
    for page in pdf.pages:
        _hide(page.obj, PAGE_KEYS)
        page.obj.MediaBox = Array([-EXTENT, -EXTENT, EXTENT, EXTENT])
        page.obj.Rotate = 0
        page.obj.CropBox = page.obj.MediaBox
    _hide(pdf.Root, CATALOG_KEYS)


def restore_hidden(pdf: pikepdf.Pdf) -> None:
    """Undo `hide_all_but_content`."""
    for page in pdf.pages:
        _restore(page.obj, PAGE_KEYS)
    _restore(pdf.Root, CATALOG_KEYS)


def _hide(holder: pikepdf.Object, keys: tuple[Name, ...]) -> None:
    kept = Dictionary()
    for key in keys:
        if key in holder:
            kept[key] = holder[key]
            del holder[key]
    holder[KEPT] = kept


def _restore(holder: pikepdf.Object, keys: tuple[Name, ...]) -> None:
    kept = dictionary(holder.get(KEPT))
    for key in keys:
        if key in holder:
            del holder[key]
        if key in kept:
            holder[key] = kept[key]
    if KEPT in holder:
        del holder[KEPT]


MUPDF: Any = pymupdf  # it has no types

SIZE = 0.02
"""Size of the box in the middle of each letter that goes, as a part of the letter. MuPDF removes all letters that a box
touches; such a box touches only those that are meant, however tight lines and letters are."""


def remove_from_page(page: Any, letters: Iterable[Letter], areas: Iterable[Box], *, size: float = SIZE) -> None:
    """Remove letters, by a box of `size` in the middle of each, and what images show in areas, from a page."""
    strips: list[Box] = []
    for letter in dict.fromkeys(letters):
        x, y = letter.center
        across = max(0.01, (letter.box[2] - letter.box[0]) * size / 2)
        up = max(0.01, (letter.box[3] - letter.box[1]) * size / 2)
        strips.append((x - across, y - up, x + across, y + up))
    if strips:
        _mark(page, strips)
        page.apply_redactions(
            images=MUPDF.PDF_REDACT_IMAGE_NONE,
            graphics=MUPDF.PDF_REDACT_LINE_ART_NONE,
            text=MUPDF.PDF_REDACT_TEXT_REMOVE,
        )
    if (boxes := list(areas)) and any("image" in kind for kind, *_ in page.get_bboxlog()):
        _mark(page, boxes)
        page.apply_redactions(
            images=MUPDF.PDF_REDACT_IMAGE_PIXELS,
            graphics=MUPDF.PDF_REDACT_LINE_ART_NONE,
            text=MUPDF.PDF_REDACT_TEXT_NONE,
        )


def _mark(page: Any, boxes: Sequence[Box]) -> None:
    """Add one redaction annotation for many boxes, which is much faster than one for each."""
    left, bottom, right, top = around(boxes)
    rectangle = MUPDF.Rect(left + EXTENT, EXTENT - top, right + EXTENT, EXTENT - bottom)
    annotation = page.add_redact_annot(rectangle, fill=False, cross_out=False)
    corners = " ".join(
        f"{left:.3f} {top:.3f} {right:.3f} {top:.3f} {left:.3f} {bottom:.3f} {right:.3f} {bottom:.3f}"
        for left, bottom, right, top in boxes
    )
    page.parent.xref_set_key(annotation.xref, "QuadPoints", f"[{corners}]")


WHOLE = 0.9
"""Part of a letter that the box of the second removal covers."""

MANY_PATHS = 40
"""Paths of a page without text that make it a drawing, whose letters may be drawn as outlines."""


class MupdfCopy:
    """A working copy (see `hide_all_but_content`) that is opened by MuPDF."""

    def __init__(self, content: bytes, password: str | None) -> None:
        quiet()
        self._document: Any = opened(content, password)
        if self._document.is_encrypted:
            raise InvalidInput("file: has an encryption that cannot be kept; decrypt it first with pdf_protect.")

    def read(self, index: int) -> PageText:
        """Return the text of a page."""
        return read_page(self._document[index])

    def is_drawing(self, index: int) -> bool:
        """Return whether a page without text shows images or many outlines, which may show text."""
        drawn = [kind for kind, *_ in self._document[index].get_bboxlog()]
        return any("image" in kind for kind in drawn) or sum("path" in kind for kind in drawn) >= MANY_PATHS

    def remove(self, index: int, letters: Iterable[Letter], areas: Iterable[Box]) -> bool:
        """Remove letters, and what images show in areas, from a page, and return whether all letters are gone.

        MuPDF judges a letter by the ink of its glyph, which is elsewhere than the letter if the font is not embedded.
        """
        letters, page = list(letters), self._document[index]
        remove_from_page(page, letters, areas)
        if left := _left(page, letters):
            remove_from_page(page, left, (), size=WHOLE)
            return not _left(page, left)
        return True

    def save(self) -> bytes:
        """Return the working copy without unused objects, with the object numbers that it had."""
        return bytes(self._document.tobytes(garbage=1, no_new_id=True, encryption=MUPDF.PDF_ENCRYPT_KEEP))


def _left(page: Any, letters: Sequence[Letter]) -> list[Letter]:
    """Return the letters that are still where letters were."""

    def rounded(letter: Letter) -> tuple[float, float]:
        return round(letter.center[0], 1), round(letter.center[1], 1)

    gone = set(map(rounded, letters))
    return [letter for letter in read_page(page).letters if rounded(letter) in gone] if gone else []


_LINE_OPERATOR = re.compile(rb"[)>][\0\t\n\f\r ]*['\"]")

Instruction = pikepdf.ContentStreamInstruction


def simplify_line_operators(pdf: pikepdf.Pdf) -> None:
    """Rewrite the operators of lines in all content: MuPDF moves the text after a line that it removes."""
    for holder in content_holders(pdf):
        if is_page_or_stream(holder) and _LINE_OPERATOR.search(content_bytes(holder)):
            parsed = pikepdf.parse_content_stream(holder)
            parts = [part for item in parsed for part in _parts(item)]
            write_content(pdf, holder, pikepdf.unparse_content_stream(parts))


def write_content(pdf: pikepdf.Pdf, holder: Object, content: bytes) -> None:
    """Replace the content of a page, a form, a pattern or a glyph."""
    if isinstance(holder, Stream):
        holder.write(content)
    else:
        holder.Contents = pdf.make_stream(content)


def _parts(item: Any) -> Iterator[Any]:
    if not isinstance(item, Instruction) or str(item.operator) not in ("'", '"') or not item.operands:
        yield item
        return
    operands = list(item.operands)
    if str(item.operator) == '"' and len(operands) == 3:
        yield Instruction(operands[:1], Operator("Tw"))
        yield Instruction(operands[1:2], Operator("Tc"))
    yield Instruction([], Operator("T*"))
    yield Instruction(operands[-1:], Operator("Tj"))


def erase_in(pdf: pikepdf.Pdf, streams: Iterable[ShownStream], finder: Finder) -> None:
    """Empty the instructions of streams whose text has a match."""
    for shown in streams:
        if places := shown.matches(finder):
            write_content(pdf, shown.content, _without(shown, places) if is_page_or_stream(shown.content) else b"")


@dataclass(frozen=True)
class _Extent:
    """What gives text its size: font size, horizontal scaling, and whether a matrix collapses it."""

    size: float = 0.0
    scaling: float = 100.0
    is_flat: bool = False
    is_flat_line: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether text has no size."""
        return not self.size or not self.scaling or self.is_flat or self.is_flat_line

    def after(self, name: str, numbers: list[float]) -> "_Extent":
        """Return the extent after an operator, given with its numbers."""
        match name, numbers:
            case (("cm" | "Tm"), [a, b, c, d, _, _]):
                flat = a * d == b * c
                return replace(self, is_flat=self.is_flat or flat) if name == "cm" else replace(self, is_flat_line=flat)
            case "Tf", [size]:
                return replace(self, size=size)
            case "Tz", [scaling]:
                return replace(self, scaling=scaling)
            case "BT", _:
                return replace(self, is_flat_line=False)
        return self


def drop_text_without_size(pdf: pikepdf.Pdf, page: pikepdf.Page) -> bool:
    """Empty the instructions of a page whose text has no size, so that no area holds it; return whether there are any.

    Some readers find it, also outside of text objects.
    """
    states = dictionary(dictionary(page.obj.get(Name.Resources)).get(Name.ExtGState))
    try:
        instructions = pikepdf.parse_content_stream(page)
    except pikepdf.PdfError:
        return False
    kept: list[Any] = []
    extent, saved, is_text = _Extent(), list[_Extent](), False
    for item in instructions:
        name, operands = str(item.operator), list(item.operands) if isinstance(item, Instruction) else []
        state = states.get(operands[0]) if name == "gs" and operands and isinstance(operands[0], Name) else None
        if font := items(dictionary(state).get(Name.Font)):
            name, operands = "Tf", font[1:]
        elif name in SHOWING and (extent.is_empty or not is_text):
            continue
        kept.append(item)
        is_text = name == "BT" or (is_text and name != "ET")
        if name == "q":
            saved.append(extent)
        elif name == "Q" and saved:
            extent = saved.pop()
        else:
            extent = extent.after(name, [float(each) for each in operands if is_number(each)])
    if len(kept) == len(instructions):
        return False
    write_content(pdf, page.obj, pikepdf.unparse_content_stream(kept))
    return True


def _without(shown: ShownStream, places: set[int]) -> bytes:
    counted = set(OPERATORS.split())
    place = -1
    kept: list[object] = []
    for item in pikepdf.parse_content_stream(shown.content):
        kept.append(item)
        name = str(item.operator)
        place += name in counted
        if place in places and name in SHOWING:
            operands = list(item.operands)
            operands[-1] = Array() if name == "TJ" else String("")
            kept[-1] = pikepdf.ContentStreamInstruction(operands, item.operator)
    return pikepdf.unparse_content_stream(kept)  # type: ignore[arg-type]  # a mixed list
