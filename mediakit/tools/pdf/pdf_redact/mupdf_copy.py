"""The working copy in MuPDF: it finds text with positions, and removes letters and pixels."""

from collections.abc import Iterable
from typing import Any

import pymupdf

from mediakit.errors import InvalidInput
from mediakit.tools.pdf.pdf_redact.marks import Box, Letter
from mediakit.tools.pdf.pdf_redact.page_text import PageText, read_page
from mediakit.tools.pdf.pdf_redact.removal import remove

MUPDF: Any = pymupdf  # it has no types

WHOLE = 0.9
"""Part of a letter that the box of the second removal covers."""

MANY_PATHS = 40
"""Paths of a page without text that make it a drawing, whose letters may be drawn as outlines."""


class MupdfCopy:
    """A working copy (see `working_copy`) that is opened by MuPDF."""

    def __init__(self, content: bytes, password: str | None) -> None:
        MUPDF.TOOLS.mupdf_display_errors(False)  # noqa: FBT003  # its signature
        MUPDF.TOOLS.mupdf_display_warnings(False)  # noqa: FBT003
        self._document = MUPDF.open(stream=content, filetype="pdf")
        if self._document.needs_pass and not self._document.authenticate(password or ""):
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
        remove(page, letters, areas)
        if left := self._left(page, letters):
            remove(page, left, (), size=WHOLE)
            return not self._left(page, left)
        return True

    def _left(self, page: Any, letters: list[Letter]) -> list[Letter]:
        """Return the letters that are still where letters were."""
        gone = {_rounded(letter) for letter in letters}
        return [letter for letter in read_page(page).letters if _rounded(letter) in gone] if gone else []

    def save(self) -> bytes:
        """Return the working copy without unused objects, with the object numbers that it had."""
        return bytes(self._document.tobytes(garbage=1, no_new_id=True, encryption=MUPDF.PDF_ENCRYPT_KEEP))


def _rounded(letter: Letter) -> tuple[float, float]:
    x, y = letter.center
    return round(x, 1), round(y, 1)
