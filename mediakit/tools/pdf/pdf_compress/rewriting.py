"""What MuPDF rewrites: colors become gray, and fonts lose the glyphs that no page shows."""

import hashlib
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pikepdf
import pymupdf
from pikepdf import Array, Dictionary, Name, Stream, String

from mediakit.engines.pdf.geometry import read_numbers
from mediakit.engines.pdf.mupdf import opened, quiet
from mediakit.engines.pdf.objects import delete, dictionary, every_dictionary, items, name_of, stream_bytes
from mediakit.engines.pdf.opening import Source, open_unlimited
from mediakit.engines.pdf.page_content import PageContent, add_resource
from mediakit.engines.pdf.saving import save
from mediakit.tools.pdf.pdf_compress.encoding import deflate
from mediakit.tools.pdf.pdf_compress.usage import Usage, descendant

MUPDF: Any = pymupdf  # it has no types

FAILURES = (RuntimeError, ValueError, pymupdf.mupdf.FzErrorBase)
"""What MuPDF raises for damaged pages and fonts."""

COLOR_SPACES = {3: MUPDF.csRGB, 4: MUPDF.csCMYK}
"""Color spaces of the colors of annotations, by their number of components."""

KEPT = Name("/MediakitKept")
"""Key under which a page keeps the content that MuPDF should not convert."""

MOST_TINT = 3
"""Difference between red, green and blue up to which a pixel counts as gray."""

MAX_ZOOM, MAX_SIDE = 0.5, 500
"""Scale at which pages are compared (36 dpi), and the most pixels of a side."""

BLOCK, MOST_DIFFERENCE = 6, 24
"""Side of the blocks that are compared, in pixels, and the mean difference, of 255, that rounding explains."""

Pixels = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]

_TAGGED = re.compile(r"/[A-Z]{6}\+")
"""The name of a subset (ISO 32000-2, 9.9.2)."""

_TEXT_COLOR = re.compile(rb"(?<!\S)((?:[-+.\d]+\s+){3,4})(?:rg|k)(?!\S)")
"""The color in the default appearance of a field."""


class Rewriting:
    """A PDF that MuPDF rewrites: it subsets fonts, and converts all colors to gray on request."""

    def __init__(self, source: Source, password: str | None, *, grayscale: bool) -> None:
        quiet()
        content = save(source.pdf, object_streams=False)
        self._document: Any = opened(content, password)
        is_open = not self._document.is_encrypted
        kept: list[int] = []
        colored: set[int] = set()
        if grayscale and is_open:
            kept = self._convert_to_gray()
            if kept:  # such as pages with tiling patterns, which MuPDF does not convert well
                original = opened(content, password)
                for index in kept:
                    pixels = _drawn(original, index, MUPDF.csRGB)
                    if pixels is None or np.ptp(pixels, axis=2).max() > MOST_TINT:
                        colored.add(index)
                    page = source.pdf.pages[index].obj
                    page[KEPT] = Dictionary({key: page[key] for key in ("/Contents", "/Resources") if key in page})
                    delete(page, "/Contents", "/Resources")
                self._document = opened(save(source.pdf, object_streams=False), password)
                self._convert_to_gray()
            content = bytes(self._document.tobytes(no_new_id=True, encryption=MUPDF.PDF_ENCRYPT_KEEP))
        elif grayscale:
            source.warn("The colors could not be converted to gray, because of the encryption.")
        if not is_open:  # such as by an empty owner password; without encryption, objects have the same numbers
            self._document = opened(save(source.pdf, encryption=False, object_streams=False), password)
        self.source = Source(open_unlimited(content, passwords=[password or ""]).pdf, source.label, source.repaired)
        """The PDF as it is now; its objects have the numbers that they have in MuPDF."""
        self.source.warnings = source.warnings
        if grayscale and is_open:
            _drop_gray_profiles(self.source.pdf)
            _make_annotations_gray(self.source.pdf)
        for index in kept:
            _show(self.source.pdf.pages[index].obj)
            if index in colored:
                _cover_colors(self.source.pdf, self.source.pdf.pages[index])

    def _convert_to_gray(self) -> list[int]:
        """Convert all pages to gray, and return the indexes of those that are not drawn as before."""
        before = [_drawn(self._document, index, MUPDF.csGRAY) for index in range(self._document.page_count)]
        failed: list[int] = []
        for index, pixels in enumerate(before):
            try:
                self._document[index].recolor(1)
            except FAILURES:
                failed.append(index)
                continue
            if not _is_alike(pixels, _drawn(self._document, index, MUPDF.csGRAY)):
                failed.append(index)
        return failed

    def subset_fonts(self, usage: Usage) -> None:
        """Replace font programs by subsets where that makes them smaller."""
        if not usage.readable:
            return
        try:
            self._document.subset_fonts()
        except FAILURES:
            return
        for key, fonts in usage.programs.items():
            if key in usage.whole_programs or not all(map(_names_characters, fonts)):
                continue
            stream = self.source.pdf.get_object(key)
            try:
                program, smaller = stream_bytes(stream) or b"", self._document.xref_stream(key[0])
            except FAILURES:
                continue  # a damaged font stays unchanged
            if not smaller or len(smaller) >= len(program):
                continue
            stream.write(deflate(smaller), filter=Name.FlateDecode)
            if Name.Length1 in stream:
                stream.Length1 = len(smaller)
            tag = "".join(chr(ord("A") + byte % 26) for byte in hashlib.sha256(smaller).digest()[:6])
            for font in fonts:
                _mark(font, tag)


def _names_characters(font: pikepdf.Object) -> bool:
    """Return whether a font names its characters itself; for others, readers take them from the whole program."""
    return Name.ToUnicode in font or (font.get(Name.Subtype) != Name.Type0 and Name.Encoding in font)


def _mark(font: pikepdf.Object, tag: str) -> None:
    """Give a font the name of a subset, and remove the lists of its former glyphs."""
    inner = descendant(font)
    descriptor = dictionary(inner.get(Name.FontDescriptor))
    delete(descriptor, "/CIDSet", "/CharSet")
    for holder, name in ((font, Name.BaseFont), (inner, Name.BaseFont), (descriptor, Name.FontName)):
        old = holder.get(name)
        if isinstance(old, Name) and not _TAGGED.match(name_of(old)):
            holder[name] = Name(f"/{tag}+{name_of(old)[1:]}")


def _drop_gray_profiles(pdf: pikepdf.Pdf) -> None:
    """Remove the color profile that MuPDF gives to gray images, which describes the usual gray."""
    for item in pdf.objects:
        if isinstance(item, Stream) and item.get(Name.Subtype) == Name.Image:
            space = items(item.get(Name.ColorSpace))
            if len(space) == 2 and isinstance(space[1], Stream) and space[1].get(Name.N) == 1:
                item.ColorSpace = Name.DeviceGray


def _make_annotations_gray(pdf: pikepdf.Pdf) -> None:
    """Convert the colors with which readers draw annotations and fields themselves."""
    for holder in every_dictionary(pdf):
        look = dictionary(holder.get(Name.MK))
        colors = [(holder, Name.C), (holder, Name.IC), (look, Name.BC), (look, Name.BG)]
        for each, key in colors if Name.Rect in holder else ():
            values = read_numbers(each.get(key))
            if len(values) in COLOR_SPACES:
                each[key] = Array([_gray(values)])
        text = holder.get(Name.DA)
        if isinstance(text, String):
            holder.DA = String(
                _TEXT_COLOR.sub(lambda match: b"%g g" % _gray([*map(float, match[1].split())]), bytes(text))
            )


def _gray(values: Sequence[float]) -> float:
    """Return the gray of a color in RGB or CMYK, as MuPDF converts it on pages."""
    pixel = MUPDF.Pixmap(COLOR_SPACES[len(values)], MUPDF.IRect(0, 0, 1, 1), 0)
    pixel.set_pixel(0, 0, [round(min(max(value, 0.0), 1.0) * 255) for value in values])
    gray: int = MUPDF.Pixmap(MUPDF.csGRAY, pixel).pixel(0, 0)[0]
    return round(gray / 255, 3)


def _drawn(document: Any, index: int, colors: Any) -> Pixels | None:
    """Return the pixels of a page; None if it cannot be drawn."""
    try:
        page = document[index]
        zoom = min(MAX_ZOOM, MAX_SIDE / max(page.rect.width, page.rect.height, 1))
        pixels = page.get_pixmap(matrix=MUPDF.Matrix(zoom, zoom), colorspace=colors, alpha=False)
    except FAILURES:
        return None
    return np.frombuffer(pixels.samples, np.uint8).reshape(pixels.height, pixels.width, pixels.n)


def _is_alike(before: Pixels | None, after: Pixels | None) -> bool:
    if before is None or after is None or before.shape != after.shape:
        return before is after
    difference = np.abs(before.astype(np.int16) - after)[:, :, 0]
    height, width = (side // BLOCK * BLOCK for side in difference.shape)
    blocks = difference[:height, :width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK).mean(axis=(1, 3))
    return bool(blocks.size == 0 or blocks.max() <= MOST_DIFFERENCE)


def _show(page: pikepdf.Object) -> None:
    """Show the hidden content of a page again."""
    kept = page[KEPT]
    del page[KEPT]
    for key, value in kept.items():
        page[key] = value


def _cover_colors(pdf: pikepdf.Pdf, page: pikepdf.Page) -> None:
    """Put the content of a page on white, and below a layer that takes the color of all that it covers.

    The blend mode `Color` keeps the brightness of what is below (ISO 32000-2, 11.3.5.3).
    """
    name = add_resource(page, "/ExtGState", pdf.make_indirect(Dictionary(BM=Name.Color)), "MediakitGray")
    left, bottom, right, top = (float(edge) for edge in page.mediabox)
    area = f"{left} {bottom} {right - left} {top - bottom} re f"
    contents = PageContent(pdf)
    contents.add_under(page, f"q 1 g {area} Q".encode())
    contents.add_over(page, f"q {name} gs 0.5 g {area} Q".encode())
