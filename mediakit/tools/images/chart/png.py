"""The PNG output: letters are drawn as outlines, which is fast and looks the same on every machine.

PDFium rasterizes charts of moderate size. A renderer of SVG, which takes longer, does so for the others, for those
without a background, and for texts that need system fonts.
"""

import io
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from mediakit.engines.colors import mix, rgb
from mediakit.engines.drawing.drawing import Drawing
from mediakit.engines.drawing.rasterizer import rasterize
from mediakit.engines.drawing.svg import outlined_text
from mediakit.engines.drawing.text import needs_system_fonts
from mediakit.engines.png import encode_graphics
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.svg import background_and_shapes
from mediakit.tools.images.chart.theme import Theme

QUICK_PIXELS, QUICK_SOURCE_LENGTH, QUICK_SYSTEM_TEXTS = 1_100_000, 120_000, 8
"""Limits of a quick chart: pixels, characters of the SVG source, and texts in system fonts (two milliseconds each)."""
MAX_PATH_LENGTH = 200_000
"""Characters of the paths of a chart that PDFium rasterizes, which lets other threads run meanwhile."""
COLUMNS = ((4, 4), (0.25, 2), (0, 1))
"""Least points of a line in a pixel, and the columns in which each pixel is rendered."""
MAX_BLENDED_COLORS = 3
"""Translucent colors whose blends stay exact."""
CHANNEL_STEP = 8
"""Distance between the levels to which antialiased pixels of the SVG renderer are rounded; it has 16 of its own."""
EXACT_CHANNEL_STEP = 16
"""The same for pixels of PDFium, whose coverage is exact. Rounded, they are closer to it than those of the former."""
COMPRESSION_LEVEL = 5
"""Level of zlib-ng: a fifth faster than 6, for 1 % more bytes."""


@dataclass(frozen=True)
class PngSource:
    """The input of `render_png`."""

    svg: str
    """An SVG that needs no fonts except for scripts that the bundled typeface lacks."""
    levels: list[int]
    """The output level of each input level of red, green, blue and, with transparency, alpha: 256 values for each."""
    quick: bool
    """Whether rendering takes so little time (hundredths of a second) that a worker process would not pay off."""


def png_source(canvas: Canvas) -> PngSource:
    """Return the input of `render_png` for a finished canvas."""
    request = canvas.request
    svg = _outline_svg(canvas)
    quick = (
        request.width * request.height <= QUICK_PIXELS
        and len(svg) <= QUICK_SOURCE_LENGTH
        and svg.count("<text") <= QUICK_SYSTEM_TEXTS
    )
    levels = _levels(canvas, CHANNEL_STEP)
    return PngSource(svg, [*levels, *range(256)] if canvas.is_transparent else levels, quick)


def render(canvas: Canvas) -> bytes | PngSource:
    """Return the chart as a PNG file, or the source of one that a worker process must render."""
    if _is_for_pdfium(canvas):
        return _encode(_rasterize(canvas), _levels(canvas, EXACT_CHANNEL_STEP))
    source = png_source(canvas)
    return render_png(source.svg, source.levels) if source.quick else source


def _is_for_pdfium(canvas: Canvas) -> bool:
    """Return whether PDFium rasterizes a chart: one with a background, texts in its typeface and a moderate size."""
    shapes, pixels = canvas.drawing.shapes, canvas.request.width * canvas.request.height
    is_moderate = pixels <= QUICK_PIXELS and sum(len(shape.path) for shape in shapes) <= MAX_PATH_LENGTH
    return is_moderate and not canvas.is_transparent and not needs_system_fonts(canvas.drawing.texts)


def _rasterize(canvas: Canvas) -> Image.Image:
    drawing, size = canvas.drawing, (canvas.request.width, canvas.request.height)
    columns = _columns(drawing, canvas.request.width)
    return rasterize(size, canvas.theme.background, drawing.shapes, drawing.texts, columns=columns)


def _columns(drawing: Drawing, width: int) -> int:
    """Return the columns in which each pixel is rendered: more for lines with many points."""
    most_points = max((shape.path.count("L") for shape in drawing.shapes if shape.round_joins), default=0)
    return next(columns for density, columns in COLUMNS if most_points >= density * width)


def render_png(svg: str, levels: list[int]) -> bytes:
    """Return the chart as a PNG file. Rendering holds the interpreter lock most of the time."""
    import vl_convert

    with Image.open(io.BytesIO(vl_convert.svg_to_png(svg))) as image:
        mode = "RGBA" if len(levels) == len("RGBA") * 256 else "RGB"
        return _encode(image.convert(mode), levels)


def _encode(image: Image.Image, levels: list[int]) -> bytes:
    return encode_graphics(image.point(levels), COMPRESSION_LEVEL)


def _levels(canvas: Canvas, step: int) -> list[int]:
    colors = *canvas.theme.base_colors(canvas.request.palette), *_blends(canvas)
    return _channel_levels(canvas.theme, colors, step)


def _blends(canvas: Canvas) -> list[str]:
    """Return the colors where translucent areas or dots overlap; none for many colors."""
    colors = {shape.fill or shape.stroke: shape.opacity for shape in canvas.drawing.shapes if shape.opacity < 1}
    blends = [canvas.theme.background] if len(colors) <= MAX_BLENDED_COLORS else []
    for color, opacity in colors.items():
        blends += [mix(color, below, opacity) for below in blends]
    return blends


@lru_cache(maxsize=64)
def _channel_levels(theme: Theme, colors: tuple[str, ...], step: int) -> list[int]:
    """Return the output levels, which reduce the number of colors in antialiased edges.

    The colors of the chart stay exact, other levels change by at most half a step. The file shrinks by a fifth.
    """
    exact = (theme.background, theme.strong, theme.text, theme.grid, theme.web, theme.zero, *theme.palette, *colors)
    kept = [sorted({*range(0, 256, step), 255, *channel}) for channel in zip(*map(rgb, exact), strict=True)]
    return [min(levels, key=lambda kept_level: abs(kept_level - level)) for levels in kept for level in range(256)]


def _outline_svg(canvas: Canvas) -> str:
    request = canvas.request
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{request.width}" height="{request.height}">'
    return "".join(
        (head, *background_and_shapes(canvas), *(outlined_text(text) for text in canvas.drawing.texts), "</svg>")
    )
