"""MuPDF's text of a page, in the coordinates of the page as it is seen."""

import pymupdf
from pymupdf import mupdf

PLAIN = pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
"""Text as the fonts encode it; letters without Unicode are U+FFFD."""

UNMAPPED = "\ufffd"
"""The letter for glyphs whose font has no Unicode."""

LIGATURES = str.maketrans({"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"})


def run_text(page: pymupdf.Page, flags: int = PLAIN) -> tuple[pymupdf.TextPage, bool]:
    """Return the text of a page, annotations and form fields included, and whether all of it could be read.

    `Page.get_textpage` has the coordinates of the page before it is rotated; these are those of the page as it is
    seen: origin top left, y down, points.
    """
    found = mupdf.FzStextPage(mupdf.fz_bound_page(page.this))
    device = mupdf.fz_new_stext_device(found, mupdf.FzStextOptions(flags))
    complete = _run(page, device)
    return pymupdf.TextPage(found), complete  # type: ignore[no-untyped-call]


def shows_something(page: pymupdf.Page) -> bool:
    """Return whether a page draws anything."""
    area = mupdf.FzRect(mupdf.FzRect.Fixed_EMPTY)
    _run(page, mupdf.fz_new_bbox_device(area))
    return not mupdf.fz_is_empty_rect(area)


def _run(page: pymupdf.Page, device: mupdf.FzDevice) -> bool:
    """Run a page through a device, and return whether it came to its end."""
    try:
        mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
        mupdf.fz_close_device(device)
    except mupdf.FzErrorBase:
        return False
    return True
