"""The text layer of a PDF: invisible text over the outlines, so that the table can be searched and copied."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mediakit.engines.direction import has_right_to_left
from mediakit.engines.drawing.text import ANCHOR_OFFSETS, BUNDLED, Text, em_width, text_runs

if TYPE_CHECKING:
    import pikepdf

GLYPH_WIDTH = 500
"""Width of every glyph of the font of the layer, in thousandths of the font size."""
_PER_BLOCK = 100
"""Characters of a block of a character map (Adobe Technical Note 5014)."""


@dataclass(frozen=True)
class _Part:
    """A line, or a part of it: where it begins and how wide it is, in units of the drawing."""

    content: str
    x: float
    y: float
    width: float
    size: float


def with_text_layer(content: bytes, texts: Sequence[Text], scale: float, *, is_pixels: bool = False) -> bytes:
    """Return a PDF of one page with invisible text.

    The font has no shapes and needs none: every character has a number, and the map of the font names its Unicode.

    Args:
        content: The PDF. Characters that the bundled typeface lacks are text in it already.
        texts: The lines of the drawing, from the top left corner.
        scale: Points per unit of the drawing.
        is_pixels: Whether the PDF is an image and has no text at all.
    """
    import pikepdf

    parts = [part for text in texts for part in ([_line(text)] if is_pixels else _outlined(text)) if part.content]
    numbers = {char: place for place, char in enumerate(sorted({char for part in parts for char in part.content}), 1)}
    with pikepdf.open(io.BytesIO(content)) as pdf:
        page = pdf.pages[0]
        height = float(page.mediabox[3]) - float(page.mediabox[1])
        page.add_resource(_font(pdf, numbers), pikepdf.Name.Font, pikepdf.Name("/TextLayer"))
        lines = "\n".join(_operators(part, numbers, scale, height) for part in parts)
        page.contents_add(f"BT 3 Tr\n{lines}\nET".encode("ascii"))
        pdf.save(made := io.BytesIO(), deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    return made.getvalue()


def _line(text: Text) -> _Part:
    width = em_width(text.content, text.weight, tabular=text.tabular) * text.size
    return _Part(text.content, text.x - ANCHOR_OFFSETS[text.anchor] * width, text.y, width, text.size)


def _outlined(text: Text) -> Iterator[_Part]:
    """Yield the parts of a line that are drawn as outlines."""
    x = _line(text).x
    for run in text_runs(text.content, text.weight, tabular=text.tabular):
        if run.script == BUNDLED:
            yield _Part(run.text, x, text.y, run.width * text.size, text.size)
        x += run.width * text.size


def _operators(part: _Part, numbers: dict[str, int], scale: float, height: float) -> str:
    stretch = 100 * part.width / (len(part.content) * part.size * GLYPH_WIDTH / 1000)
    codes = "".join(f"{numbers[char]:04x}" for char in _as_seen(part.content))
    return (
        f"/TextLayer {part.size * scale:.3f} Tf {max(stretch, 0.1):.2f} Tz "
        f"1 0 0 1 {part.x * scale:.3f} {height - part.y * scale:.3f} Tm <{codes}> Tj"
    )


def _as_seen(line: str) -> str:
    """Return a line from left to right, as readers expect it: one of a right-to-left script is reversed."""
    return line[::-1] if has_right_to_left(line) else line


def _font(pdf: "pikepdf.Pdf", numbers: dict[str, int]) -> "pikepdf.Object":
    from pikepdf import Array, Dictionary, Name, String

    descriptor = Dictionary(
        Type=Name.FontDescriptor,
        FontName=Name.TextLayer,
        Flags=4,
        FontBBox=Array([0, -200, GLYPH_WIDTH, 800]),
        ItalicAngle=0,
        Ascent=800,
        Descent=-200,
        CapHeight=700,
        StemV=80,
    )
    glyphs = Dictionary(
        Type=Name.Font,
        Subtype=Name.CIDFontType2,
        BaseFont=Name.TextLayer,
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        DW=GLYPH_WIDTH,
        FontDescriptor=pdf.make_indirect(descriptor),
    )
    font = Dictionary(
        Type=Name.Font,
        Subtype=Name.Type0,
        BaseFont=Name.TextLayer,
        Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(glyphs)]),
        ToUnicode=pdf.make_stream("\n".join(_unicode_map(numbers)).encode("ascii")),
    )
    return pdf.make_indirect(font)


def _unicode_map(numbers: dict[str, int]) -> Iterator[str]:
    yield "/CIDInit /ProcSet findresource begin 12 dict begin begincmap"
    yield "/CMapName /TextLayer def /CMapType 2 def"
    yield "1 begincodespacerange <0000> <ffff> endcodespacerange"
    pairs = [f"<{number:04x}> <{char.encode('utf-16-be').hex()}>" for char, number in numbers.items()]
    for start in range(0, len(pairs), _PER_BLOCK):
        block = pairs[start : start + _PER_BLOCK]
        yield f"{len(block)} beginbfchar"
        yield from block
        yield "endbfchar"
    yield "endcmap CMapName currentdict /CMap defineresource pop end end"
