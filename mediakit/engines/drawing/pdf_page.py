"""A drawing as a PDF file of one page without fonts, which PDFium rasterizes: one point is one pixel."""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from mediakit.engines.colors import rgb
from mediakit.engines.drawing.pdf_path import dot_width, glyph_operators, path_operators
from mediakit.engines.drawing.shape import Shape
from mediakit.engines.drawing.text import ANCHOR_OFFSETS, Text
from mediakit.engines.drawing.text_runs import BUNDLED, em_width, text_runs
from mediakit.engines.drawing.typeface import UNITS, Weight, typeface


def needs_system_fonts(texts: Iterable[Text]) -> bool:
    """Return whether a text has characters that the bundled typeface lacks."""
    return any(
        run.script != BUNDLED for text in texts for run in text_runs(text.content, text.weight, tabular=text.tabular)
    )


def pdf_page(
    size: tuple[int, int], background: str, shapes: Iterable[Shape], texts: Iterable[Text], columns: int = 1
) -> bytes:
    """Return a PDF file of shapes and, above them, texts.

    Args:
        size: Width and height, in pixels.
        background: Color as `#rrggbb`.
        shapes: The shapes, from back to front.
        texts: Texts in the bundled typeface.
        columns: Points of the page in a pixel of the drawing, horizontally.
    """
    width, height = size
    opacities: dict[float, str] = {}
    content = "\n".join(
        (
            f"{columns} 0 0 -1 0 {height} cm\n{_color(background)} rg\n0 0 {width} {height} re\nf",
            *(_shape_operators(shape, opacities) for shape in shapes),
            *map(_text_operators, texts),
        )
    ).encode()
    states = "".join(_opacity_state(name, opacity) for opacity, name in opacities.items())
    return _file(
        [
            b"<</Type /Catalog /Pages 2 0 R>>",
            b"<</Type /Pages /Kids [3 0 R] /Count 1>>",
            f"<</Type /Page /Parent 2 0 R /MediaBox [0 0 {width * columns} {height}] /Contents 4 0 R "
            f"/Resources <</ExtGState <<{states}>>>>>>".encode(),
            b"<</Length %d>> stream\n%b\nendstream" % (len(content), content),
        ]
    )


def _opacity_state(name: str, opacity: float) -> str:
    """Return a graphics state. PDFium multiplies the opacity by 255 and drops the fraction."""
    exact = f"{(round(opacity * 255) + 0.5) / 255:.4f}"
    return f"/{name} <</ca {exact} /CA {exact}>> "


def _file(objects: Sequence[bytes]) -> bytes:
    """Return a PDF file of objects, the first of which is the catalog (ISO 32000-2, 7.5)."""
    parts, offset, offsets = [b"%PDF-1.4\n"], 9, []
    for number, item in enumerate(objects, 1):
        offsets.append(offset)
        parts.append(b"%d 0 obj\n%b\nendobj\n" % (number, item))
        offset += len(parts[-1])
    entries = b"".join(b"%010d 00000 n \n" % place for place in offsets)
    count = len(objects) + 1
    parts.append(b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<</Size %d /Root 1 0 R>>\n" % (count, entries, count))
    return b"".join((*parts, b"startxref\n%d\n%%%%EOF\n" % offset))


@lru_cache(maxsize=1024)
def _color(color: str) -> str:
    return " ".join(f"{value / 255:.4f}" for value in rgb(color))


def _shape_operators(shape: Shape, opacities: dict[float, str]) -> str:
    operators = ["q"]
    if shape.opacity < 1:
        operators.append(f"/{opacities.setdefault(shape.opacity, f'O{len(opacities)}')} gs")
    if shape.fill:
        operators.append(f"{_color(shape.fill)} rg")
    if shape.stroke:
        # Miter limit 4, the default of SVG, where that of PDF is 10.
        width = dot_width(shape.stroke_width) if shape.path.endswith("h0") else shape.stroke_width
        operators.append(f"{_color(shape.stroke)} RG {width:.2f} w 4 M")
        operators.append(f"{int(shape.round_caps)} J {int(shape.round_joins)} j")
    if shape.dashes:
        operators.append("[{:.2f} {:.2f}] 0 d".format(*shape.dashes))
    paint = "B" if shape.fill and shape.stroke else "S" if shape.stroke else "f"
    return "\n".join((*operators, path_operators(shape.path), paint, "Q"))


def _text_operators(text: Text) -> str:
    """Return the operators of a line: the halos of all characters, then the characters."""
    scale, angle = text.size / UNITS, math.radians(text.rotation)
    cos, sin = scale * math.cos(angle), scale * math.sin(angle)
    matrix = f"{cos:.6f} {sin:.6f} {-sin:.6f} {cos:.6f} {text.x:.2f} {text.y:.2f} cm"
    left = -ANCHOR_OFFSETS[text.anchor] * UNITS * em_width(text.content, text.weight, tabular=text.tabular)
    lines = [f"q\n{matrix}\n{_color(text.fill)} rg"]
    if text.halo:
        lines += [f"q\n{_color(text.halo)} RG {UNITS // 4} w 1 j", *_glyphs(text, left, "S"), "Q"]
    return "\n".join((*lines, *_glyphs(text, left, "f"), "Q"))


def _glyphs(text: Text, left: float, paint: str) -> Iterator[str]:
    """Yield the operators that move to each character and paint it."""
    pen, face = 0.0, typeface(text.weight)
    positions = face.positions(text.content, tabular=text.tabular)
    for char, position in zip(text.content, positions, strict=False):
        if char in face and (glyph := _glyph(char, text.weight)):
            yield f"1 0 0 1 {left + position - pen:.2f} 0 cm\n{glyph}\n{paint}"
            pen = left + position


@lru_cache(maxsize=2048)
def _glyph(char: str, weight: Weight) -> str:
    return glyph_operators(char, weight)
