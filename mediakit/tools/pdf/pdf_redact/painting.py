"""Fills areas from which content was removed, or turns pages into images with an invisible text layer."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Dictionary, Matrix, Name, Object
from PIL import Image

from mediakit.engines.colors import contrast_ratio
from mediakit.engines.pdf.drawn_lines import TEXT_POINTS, Line, LineStyle, Mark, draw_lines
from mediakit.engines.pdf.geometry import seen_matrix, seen_size
from mediakit.engines.pdf.mupdf import opened
from mediakit.engines.pdf.page_content import add_resource, operands, unbalanced
from mediakit.engines.pdf.shaped_text import invisible_font
from mediakit.tools.pdf.pdf_redact.page_text import Box, Letter, PageText, around

WIDEST = 0.92
"""Part of the length of an area that a label fills at most."""

HEIGHT = 1.2
"""Height of a label with the space above and below it, in heights of its line."""

MAX_LABEL_POINTS = 16.0
"""Font size of a label in a large area."""


def label_mark(pdf: pikepdf.Pdf, text: str, fill: str) -> Mark:
    """Return a label in the color that contrasts with that of the areas."""
    color = max(("#ffffff", "#000000"), key=lambda each: contrast_ratio(each, fill))
    return draw_lines(pdf, [Line(text, LineStyle("sans", color, is_bold=True))])[0]


@dataclass(frozen=True)
class Painter:
    """Fills areas in one color, with a label or without."""

    fill: str
    label: Mark | None = None

    def paint_page(self, page: pikepdf.Page, areas: list[Box]) -> None:
        """Fill areas on top of a page."""
        if not areas:
            return
        before, after = unbalanced(page)
        page.contents_add(b"q " * (before + 1), prepend=True)
        name = add_resource(page, "/XObject", self.label.form, "Label") if self.label else ""
        page.contents_add(b"Q " * (after + 1) + self._operators(areas, name))

    def paint_form(self, form: pikepdf.Object, areas: list[Box]) -> None:
        """Fill areas on top of an appearance, which is too small for a label."""
        if areas:
            form.write(b"q " + form.read_bytes() + b"\nQ " + self._operators(areas, ""))

    def _operators(self, areas: Iterable[Box], label_name: str) -> bytes:
        """Return content that fills areas; it is an artifact, so it needs no tags."""
        red, green, blue = (int(self.fill[place : place + 2], 16) / 255 for place in (1, 3, 5))
        parts = [f"/Artifact BMC q {red:.4f} {green:.4f} {blue:.4f} rg"]
        for left, bottom, right, top in areas:
            parts.append(f"{left:.3f} {bottom:.3f} {right - left:.3f} {top - bottom:.3f} re f")
            if self.label and label_name:
                parts.append(_placed_label(self.label, (left, bottom, right, top), label_name))
        return " ".join((*parts, "Q EMC")).encode()


def _placed_label(label: Mark, area: Box, name: str) -> str:
    """Return the operators that draw a label in the middle of an area, upwards in tall ones."""
    left, bottom, right, top = area
    is_tall = top - bottom > 3 * (right - left)
    along, across = sorted((right - left, top - bottom), reverse=True) if is_tall else (right - left, top - bottom)
    scale = min(across / (HEIGHT * label.height), MAX_LABEL_POINTS / TEXT_POINTS, along * WIDEST / label.width)
    turn = Matrix(0, scale, -scale, 0, 0, 0) if is_tall else Matrix(scale, 0, 0, scale, 0, 0)
    centered = Matrix(1, 0, 0, 1, -label.width / 2, -label.height / 2)
    placed = centered @ turn @ Matrix(1, 0, 0, 1, (left + right) / 2, (bottom + top) / 2)
    return f"q {operands(placed)} cm {name} Do Q"


DPI = 200
MAX_PIXELS = 50_000_000
"""Pixels of a page; larger pages have fewer dots an inch."""

JPEG_QUALITY = 85
LAYER_KEYS = (Name.Contents, Name.Resources, Name.Group, Name.Thumb, Name.StructParents, Name.Metadata, Name.PieceInfo)
"""Entries of a page that its image replaces."""


@dataclass(frozen=True)
class LayerWord:
    """A word of the text layer."""

    text: str
    letters: Sequence[Letter]


def words_of(read: PageText, removed: Sequence[Letter]) -> list[LayerWord]:
    """Return the words of a page without letters that were removed."""
    gone = {letter.center for letter in removed}
    words: list[LayerWord] = []
    if not read.readings:
        return words
    text: list[str] = []
    letters: list[Letter] = []
    first = read.readings[0]
    for character, index in zip(f"{first.text}\n", [*first.letters, -1], strict=True):
        letter = read.letters[index] if index >= 0 else None
        is_gone = letter is not None and letter.center in gone
        if letter is None or is_gone or character.isspace():
            if letters:
                words.append(LayerWord("".join(text), letters))
            text, letters = [], []
            continue
        text.append(character)
        letters.append(letter)
    return words


class ImagePages:
    """Replaces pages of a PDF by their images, which are drawn from its bytes."""

    def __init__(self, pdf: pikepdf.Pdf, content: bytes, password: str | None) -> None:
        self._pdf = pdf
        self._drawn: Any = opened(content, password)

    def replace(self, index: int, words: Sequence[LayerWord]) -> None:
        """Replace the content of a page by its image and a text layer."""
        page = self._pdf.pages[index]
        image = self._image(index)
        width, height = seen_size(page)
        across = Matrix(width, 0, 0, -height, 0, height) @ seen_matrix(page)
        for key in LAYER_KEYS:
            if key in page.obj:
                del page.obj[key]
        layer, font = self._layer(words)
        numbers = " ".join(f"{number:.5f}" for number in across.shorthand)
        content = f"/Artifact BMC q {numbers} cm /Im0 Do Q EMC\n".encode() + layer
        page.obj.Contents = self._pdf.make_stream(content)
        page.obj.Resources = Dictionary(XObject=Dictionary(Im0=image))
        if font is not None:
            page.obj.Resources.Font = Dictionary(F0=font)

    def _image(self, index: int) -> Object:
        page = self._drawn[index]
        area = page.rect.width * page.rect.height / 72**2
        dpi = min(DPI, int((MAX_PIXELS / area) ** 0.5)) if area else DPI
        pixels = page.get_pixmap(dpi=max(1, dpi), annots=False, alpha=False)
        image = Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)
        target = BytesIO()
        image.save(target, "JPEG", quality=JPEG_QUALITY, subsampling=0)
        stream = self._pdf.make_stream(target.getvalue())
        stream.Type, stream.Subtype, stream.Filter = Name.XObject, Name.Image, Name.DCTDecode
        stream.Width, stream.Height = image.size
        stream.ColorSpace, stream.BitsPerComponent = Name.DeviceRGB, 8
        return stream

    def _layer(self, words: Sequence[LayerWord]) -> tuple[bytes, Object | None]:
        codes: dict[str, int] = {}
        parts = ["BT 3 Tr"]
        for word in words:
            shown = "".join(f"{codes.setdefault(each, len(codes) + 1):04x}" for each in word.text[:1000])
            parts.append(f"{_placed(word)} <{shown}> Tj")
        if not codes:
            return b"", None
        return "\n".join((*parts, "ET")).encode(), invisible_font(self._pdf, codes)


def _placed(word: LayerWord) -> str:
    """Return the operators that put a word over its place: size, scaling and position."""
    first, last = word.letters[0], word.letters[-1]
    left, bottom, right, top = around(letter.box for letter in word.letters)
    across, up = first.across, first.up
    if first.is_horizontal:
        size, length, x, y = top - bottom, right - left, left if across > 0 else right, bottom
    elif abs(across) < 0.01:
        size, length = right - left, top - bottom
        x, y = (right, bottom) if up > 0 else (left, top)
    else:
        (x, y), (x1, y1) = first.center, last.center
        size = min(first.box[2] - first.box[0], first.box[3] - first.box[1])
        length = ((x1 - x) ** 2 + (y1 - y) ** 2) ** 0.5 + size / 2
    size = max(size, 0.1)
    scale = max(1.0, 100 * length / (size * 0.5 * len(word.text)))
    x, y = x - up * size / 4, y + across * size / 4  # from the edge of the box to the baseline
    return f"/F0 {size:.2f} Tf {scale:.2f} Tz {across:.5f} {up:.5f} {-up:.5f} {across:.5f} {x:.2f} {y:.2f} Tm"
