"""The PNG output: letters are drawn as outlines, which is fast and looks the same on every machine."""

import io
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from PIL import Image

from mediakit.engines.png import encode_graphics
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.drawing import svg_number
from mediakit.tools.images.chart.svg import background_and_shapes, halo_attributes
from mediakit.tools.images.chart.text import Anchor, Text
from mediakit.tools.images.chart.text_runs import BUNDLED, FONTS, TextRun, em_width, text_runs
from mediakit.tools.images.chart.theme import Theme, rgb
from mediakit.tools.images.chart.typeface import UNITS, Weight, typeface

QUICK_PIXELS, QUICK_SOURCE_LENGTH, QUICK_SYSTEM_TEXTS = 1_100_000, 120_000, 8
"""Limits of a quick chart: pixels, characters of the SVG source, and texts in system fonts (two milliseconds each)."""
CHANNEL_STEP = 8
"""Distance between the levels to which antialiased pixels are rounded."""
COMPRESSION_LEVEL = 4
"""Level of zlib-ng: a third faster than 6; files grow by 5 %, the few kilobytes of bar charts by 50 %."""
ANCHOR_OFFSETS = {"start": 0.0, "middle": 0.5, "end": 1.0}


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
    return "".join((head, *background_and_shapes(canvas), *(_line(text) for text in canvas.drawing.texts), "</svg>"))


def _line(text: Text) -> str:
    """Return the element of a line, run by run."""
    pen = -ANCHOR_OFFSETS[text.anchor] * em_width(text.content, text.weight)
    elements = []
    runs = text_runs(text.content, text.weight)
    if len(runs) == 1 and runs[0].script != BUNDLED:
        elements.append(_system_font_run(runs[0], text, 0.0, text.anchor))
        runs = ()
    for run in runs:
        elements.append(
            _outline_run(run, text, pen)
            if run.script == BUNDLED
            else _system_font_run(run, text, pen + run.width / 2, "middle")
        )
        pen += run.width
    rotation = f" rotate({svg_number(text.rotation)})" if text.rotation else ""
    transform = f"translate({svg_number(text.x)} {svg_number(text.y)}){rotation}"
    return f'<g transform="{transform}" fill="{text.fill}">{"".join(elements)}</g>'


def _outline_run(run: TextRun, text: Text, pen: float) -> str:
    transform = f"translate({svg_number(pen * text.size)} 0) scale({text.size / UNITS:.5f})"
    return f'<path transform="{transform}"{halo_attributes(text, UNITS)} d="{_outline(run.text, text.weight)}"/>'


def _system_font_run(run: TextRun, text: Text, x: float, anchor: Anchor) -> str:
    """Return a text element for characters that the bundled typeface lacks; `x` is in em."""
    return (
        f'<text x="{svg_number(x * text.size)}" text-anchor="{anchor}" font-size="{svg_number(text.size)}" '
        f'font-family="{FONTS[run.script]}, sans-serif" font-weight="{text.weight}"{halo_attributes(text, text.size)}>'
        f"{escape(run.text)}</text>"
    )


@lru_cache(maxsize=2048)
def _outline(text: str, weight: Weight) -> str:
    return typeface(weight).outline(text)
