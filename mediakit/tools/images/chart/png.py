"""The PNG output: letters are drawn as outlines, which is fast and looks the same on every machine."""

import io
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from mediakit.engines.contrast import rgb
from mediakit.engines.drawing.outlines import outlined_text
from mediakit.engines.png import encode_graphics
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.svg import background_and_shapes
from mediakit.tools.images.chart.theme import Theme

QUICK_PIXELS, QUICK_SOURCE_LENGTH, QUICK_SYSTEM_TEXTS = 1_100_000, 120_000, 8
"""Limits of a quick chart: pixels, characters of the SVG source, and texts in system fonts (two milliseconds each)."""
CHANNEL_STEP = 8
"""Distance between the levels to which antialiased pixels are rounded."""
COMPRESSION_LEVEL = 4
"""Level of zlib-ng: a third faster than 6; files grow by 5 %, the few kilobytes of bar charts by 50 %."""


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
    levels = _channel_levels(canvas.theme, tuple(canvas.theme.base_colors(request.palette)))
    return PngSource(svg, [*levels, *range(256)] if canvas.is_transparent else levels, quick)


def render_png(svg: str, levels: list[int]) -> bytes:
    """Return the chart as a PNG file. Rendering holds the interpreter lock most of the time."""
    import vl_convert

    with Image.open(io.BytesIO(vl_convert.svg_to_png(svg))) as image:
        mode = "RGBA" if len(levels) == len("RGBA") * 256 else "RGB"
        return encode_graphics(image.convert(mode).point(levels), COMPRESSION_LEVEL)


@lru_cache(maxsize=64)
def _channel_levels(theme: Theme, palette: tuple[str, ...]) -> list[int]:
    """Return the output levels, which reduce the number of colors in antialiased edges.

    The colors of the chart stay exact, other levels change by at most 4 of 255. The file shrinks by a fifth.
    """
    exact = (theme.background, theme.strong, theme.text, theme.grid, theme.web, theme.zero, *theme.palette, *palette)
    kept = [sorted({*range(0, 256, CHANNEL_STEP), 255, *channel}) for channel in zip(*map(rgb, exact), strict=True)]
    return [min(levels, key=lambda kept_level: abs(kept_level - level)) for levels in kept for level in range(256)]


def _outline_svg(canvas: Canvas) -> str:
    request = canvas.request
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{request.width}" height="{request.height}">'
    return "".join(
        (head, *background_and_shapes(canvas), *(outlined_text(text) for text in canvas.drawing.texts), "</svg>")
    )
