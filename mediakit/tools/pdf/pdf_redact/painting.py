"""Fills areas from which content was removed, or turns pages into images with an invisible text layer."""

import html
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import count
from typing import Any

import pikepdf
import pymupdf
from pikepdf import Array, Dictionary, Matrix, Name, Object
from PIL import Image

from mediakit.engines.colors import contrast_ratio
from mediakit.engines.pdf.geometry import seen_matrix, seen_size
from mediakit.engines.pdf.objects import dictionary
from mediakit.engines.pdf.page_content import unbalanced
from mediakit.tools.pdf.pdf_redact.page_text import Box, Letter, PageText, around

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
    """Replaces pages of a PDF by their images.

    Args:
        pdf: The PDF.
        content: Its bytes, which are drawn.
        password: Its password.
    """

    def __init__(self, pdf: pikepdf.Pdf, content: bytes, password: str | None) -> None:
        self._pdf = pdf
        self._drawn: Any = pymupdf.open(stream=content, filetype="pdf")  # type: ignore[no-untyped-call]
        if self._drawn.needs_pass:
            self._drawn.authenticate(password or "")  # type: ignore[no-untyped-call]

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
        return "\n".join((*parts, "ET")).encode(), self._font(codes)

    def _font(self, codes: dict[str, int]) -> Object:
        """Return a font without glyphs: each code is half an em wide and stands for a character."""
        descendant = Dictionary(
            Type=Name.Font,
            Subtype=Name.CIDFontType2,
            BaseFont=Name.Invisible,
            CIDSystemInfo=Dictionary(Registry="Adobe", Ordering="Identity", Supplement=0),
            CIDToGIDMap=Name.Identity,
            DW=500,
            FontDescriptor=self._pdf.make_indirect(
                Dictionary(
                    Type=Name.FontDescriptor,
                    FontName=Name.Invisible,
                    Flags=4,
                    FontBBox=Array([0, -250, 500, 750]),
                    ItalicAngle=0,
                    Ascent=750,
                    Descent=-250,
                    CapHeight=700,
                    StemV=80,
                )
            ),
        )
        return self._pdf.make_indirect(
            Dictionary(
                Type=Name.Font,
                Subtype=Name.Type0,
                BaseFont=Name.Invisible,
                Encoding=Name("/Identity-H"),
                DescendantFonts=Array([self._pdf.make_indirect(descendant)]),
                ToUnicode=self._pdf.make_stream(_to_unicode(codes)),
            )
        )


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


def _to_unicode(codes: dict[str, int]) -> bytes:
    entries = [f"<{code:04x}> <{text.encode('utf-16-be').hex()}>" for text, code in codes.items()]
    blocks: Iterator[list[str]] = (entries[start : start + 100] for start in range(0, len(entries), 100))
    mapped = "\n".join(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks)
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n/CMapName /Invisible def /CMapType 2 def\n"
        f"1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n{mapped}\nendcmap end end"
    ).encode()
