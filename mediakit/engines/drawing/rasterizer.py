"""Rasterizes drawings with PDFium, from a PDF of one page without fonts: one point is one pixel.

Its pixels need no PNG in between, and it takes less than half the time of the SVG renderer, which draws what is an SVG.
"""

import cmath
import io
import math
import re
import threading
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from PIL import Image

from mediakit.engines.colors import rgb
from mediakit.engines.drawing.drawing import Shape
from mediakit.engines.drawing.text import ANCHOR_OFFSETS, Text, em_width
from mediakit.engines.drawing.typeface import UNITS, Weight, typeface

COMMAND = re.compile(r"([A-Za-z])([^A-Za-z]*)")
NUMBER = re.compile(r"-?\d*\.?\d+")
BEYOND_LINES, BEYOND_DOTS = re.compile(r"[^-\d. MLz]"), re.compile(r"[^-\d. Mh]")
POLYGON_TOLERANCE = 0.125
"""Distance of a curved edge and the line in place of it, in pixels; of PDFium."""
DOT_LENGTH = 0.01
"""Length of a line with round ends that is a dot: PDFium lengthens lines without length by a pixel."""
PARAMETERS = {"M": 2, "L": 2, "H": 1, "V": 1, "A": 7, "Z": 0}
"""Numbers of each command."""


def svg_to_rgba(svg: str, scale: float = 1) -> Image.Image:
    """Return the pixels of an SVG, with transparency; at scale 1, its unit is a pixel."""
    import vl_convert

    with Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=scale, ppi=72))) as image:
        return image.convert("RGBA")


_pdfium_lock = threading.Lock()
"""PDFium must not be called from two threads at once."""


def rasterize(
    size: tuple[int, int], background: str, shapes: Iterable[Shape], texts: Iterable[Text], columns: int = 1
) -> Image.Image:
    """Return an RGB image, of a size in pixels, of shapes and, above them, texts in the bundled typeface.

    Each pixel is the mean of a number of columns: in a pixel, PDFium counts overlapping parts of one path twice, so
    dense lines are too dark without.
    """
    import pypdfium2

    width, height = size
    opacities: dict[float, str] = {}
    content = "\n".join(
        (
            f"{columns} 0 0 -1 0 {height} cm\n{_color(background)} rg\n0 0 {width} {height} re\nf",
            *(_shape_operators(shape, opacities) for shape in shapes),
            *map(_text_operators, texts),
        )
    )
    file = _pdf_file((width * columns, height), content, opacities)
    with _pdfium_lock, pypdfium2.PdfDocument(file) as document:
        bitmap = document[0].render(may_draw_forms=False, prefer_bgrx=True)
        pixels = bitmap.width, bitmap.height
        image = Image.frombuffer("RGB", pixels, bitmap.buffer, "raw", "BGRX", bitmap.stride, 1)
        bitmap.close()
    return image.reduce((columns, 1)) if columns > 1 else image


def _pdf_file(size: tuple[int, int], content: str, opacities: Mapping[float, str]) -> bytes:
    """Return a PDF file of one page with a content stream, which names opacities as graphics states."""
    from pikepdf import Dictionary, new

    with new() as pdf:
        page = pdf.add_blank_page(page_size=size)
        page.Contents = pdf.make_stream(content.encode())
        # PDFium multiplies the opacity by 255 and drops the fraction.
        exact = {f"/{name}": (round(opacity * 255) + 0.5) / 255 for opacity, name in opacities.items()}
        states = {name: Dictionary(ca=opacity, CA=opacity) for name, opacity in exact.items()}
        page.Resources = Dictionary(ExtGState=Dictionary(states))
        pdf.save(file := io.BytesIO(), compress_streams=False, static_id=True)
    return file.getvalue()


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
        lines += [f"q\n{_color(text.halo)} RG {UNITS * text.halo_width:g} w 1 j", *_glyphs(text, left, "S"), "Q"]
    return "\n".join((*lines, *_glyphs(text, left, "f"), "Q"))


def _glyphs(text: Text, left: float, paint: str) -> Iterator[str]:
    """Yield the operators that move to each character and paint it."""
    pen, face = 0.0, typeface(text.weight)
    positions = face.positions(text.content, tabular=text.tabular)
    for char, position in zip(text.content, positions, strict=False):
        if char in face and (glyph := _glyph_operators(char, text.weight)):
            yield f"1 0 0 1 {left + position - pen:.2f} 0 cm\n{glyph}\n{paint}"
            pen = left + position


def path_operators(path: str) -> str:
    """Return the operators that construct the path of a `Shape`.

    Raises:
        ValueError: The path has another command, or arcs that are not circular.
    """
    parts = path.split("M")[1:]
    if not BEYOND_LINES.search(path) and path.count(" ") == path.count("M") + path.count("L"):
        return "\n".join(map(_line_operators, parts))
    if not BEYOND_DOTS.search(path) and all(part.endswith("h0") for part in parts):
        points = (part[:-2].split(" ") for part in parts)
        return "\n".join(f"{x} {y} m\n{float(x) + DOT_LENGTH:.2f} {y} l" for x, y in points)
    return "\n".join(_operators(path))


@lru_cache(maxsize=64)
def dot_width(diameter: float) -> float:
    """Return the width of a line whose round ends are a dot of the same area as a circle.

    PDFium draws round ends as polygons inside of the circle, whose corners have equal angles except for the last one.
    """
    radius = diameter / 2
    for _ in range(2):
        step = 2 * math.acos(radius / (radius + POLYGON_TOLERANCE))
        count = math.ceil((math.pi - step / 4) / step)
        area = (count - 1) * math.sin(step)
        radius = diameter / 2 * math.sqrt(math.pi / (area + math.sin(math.pi - (count - 1) * step)))
    return 2 * radius


def _line_operators(part: str) -> str:
    """Return the operators of a line through points, `x yLx yLx y`; it can be closed."""
    points = part.removesuffix("z").split("L")
    lines = [f"{points[0]} m", *(f"{point} l" for point in points[1:])]
    if part.endswith("z"):
        lines.append(f"{points[-1]} {points[0]} {points[0]} c\nh")  # see `_close`
    return "\n".join(lines)


@lru_cache(maxsize=2048)
def _glyph_operators(char: str, weight: Weight) -> str:
    """Return the operators of a character of the bundled typeface, in font units; y grows downwards."""
    operators = []
    for first, *steps in typeface(weight).contours(char):
        start = point = complex(*first)
        operators.append(f"{_at(start)} m")
        for step in steps:
            control, end = point + complex(*step[:2]), point + complex(*step[-2:])
            is_curve = len(step) == 4  # quadratic; PDF has cubic curves
            thirds = (point + 2 * control) / 3, (end + 2 * control) / 3
            operators.append(f"{_at(*thirds, end)} c" if is_curve else f"{_at(end)} l")
            point = end
        operators.append(_close(point, start))
    return "\n".join(operators).replace(".00", "")


def _operators(path: str) -> Iterator[str]:
    start = point = 0j
    for command, text in COMMAND.findall(path):
        name, numbers = command.upper(), [float(number) for number in NUMBER.findall(text)]
        if name not in PARAMETERS or len(numbers) != PARAMETERS[name]:
            raise ValueError(f"path: {command}{text} cannot be converted.")
        origin = point if command.islower() else 0j
        if name == "Z":
            yield _close(point, start)
            end = start
        elif name == "A":
            end = origin + complex(*numbers[-2:])
            yield from _arc(point, end, *numbers[:2], is_large=numbers[3] == 1, is_clockwise=numbers[4] == 1)
        elif name == "H":
            end = complex(origin.real + numbers[0], point.imag)
            yield f"{_at(end)} l"
        elif name == "V":
            end = complex(point.real, origin.imag + numbers[0])
            yield f"{_at(end)} l"
        else:
            end = origin + complex(*numbers)
            start = end if name == "M" else start
            yield f"{_at(end)} {name.lower()}"
        point = end


def _at(*points: complex) -> str:
    return " ".join(f"{point.real:.2f} {point.imag:.2f}" for point in points)


def _close(point: complex, start: complex) -> str:
    """Close a path with a straight curve in place of a line: PDFium rounds rectangles of lines to whole pixels."""
    return f"{_at(point, start, start)} c\nh"


def _arc(
    start: complex, end: complex, radius: float, other_radius: float, *, is_large: bool, is_clockwise: bool
) -> Iterator[str]:
    """Yield the curves of a circular arc (SVG 2, B.2.4), of at most a quarter of the circle each."""
    if radius != other_radius:
        raise ValueError(f"path: arcs must be circular, got the radii {radius:g} and {other_radius:g}.")
    if not (half := (end - start) / 2):
        return
    distance = math.sqrt(max(1.0, radius / abs(half)) ** 2 - 1)
    center = start + half + (-1j if is_large == is_clockwise else 1j) * distance * half
    turn = cmath.phase((end - center) / (start - center))
    if is_clockwise != (turn > 0):
        turn += math.tau if is_clockwise else -math.tau
    count = max(1, math.ceil(abs(turn) / (math.pi / 2) - 1e-6))
    handle, rotation = 4j / 3 * math.tan(turn / count / 4), cmath.rect(1, turn / count)
    arm = start - center
    for _ in range(count):
        after = arm * rotation
        yield f"{_at(center + arm * (1 + handle), center + after * (1 - handle), center + after)} c"
        arm = after
