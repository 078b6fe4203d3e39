"""Turns pages into images, with an invisible text layer of what may still be read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pikepdf
import pymupdf
from pikepdf import Array, Dictionary, Matrix, Name, Object
from PIL import Image

from mediakit.engines.pdf.geometry import seen_matrix, seen_size
from mediakit.tools.pdf.pdf_redact.marks import Letter, around
from mediakit.tools.pdf.pdf_redact.page_text import PageText

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
