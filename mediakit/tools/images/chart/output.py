"""The files of a chart, PNG and SVG, and its alt text."""

import io
import math
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from mediakit.engines.colors import mix, rgb
from mediakit.engines.drawing.number_format import format_share
from mediakit.engines.drawing.rasterizer import rasterize
from mediakit.engines.drawing.svg import outlined_document, svg_document
from mediakit.engines.drawing.text import needs_system_fonts, normalize_text
from mediakit.engines.png import encode_graphics
from mediakit.tools.images.chart.fields import parse_x
from mediakit.tools.images.chart.layout.canvas import Canvas, DataSeries, is_gap
from mediakit.tools.images.chart.theme import Theme

MAX_SERIES, MAX_SLICES, MAX_NAME_LENGTH, MAX_TITLE_LENGTH = 4, 6, 30, 120
"""Limits of what is described: the text must also fit into an HTTP header."""

_LONG_FRACTION = re.compile(r"[-+]?\d{1,15}\.\d{7,}(?:e[-+]?\d+)?")
"""A number with more digits than a reader needs."""

KINDS = {
    "bar": "Bar chart",
    "line": "Line chart",
    "pie": "Pie chart",
    "doughnut": "Doughnut chart",
    "radar": "Radar chart",
    "timeline": "Timeline",
    "scatter": "Scatter chart",
    "area": "Area chart",
    "combo": "Combo chart",
}


def alt_text(canvas: Canvas) -> str:
    """Return a few sentences: type and title of the chart, and the minimum and maximum of each series."""
    kind = KINDS[canvas.request.type]
    stacked = "Stacked " + kind[0].lower() + kind[1:] if canvas.request.stacked else kind
    head = f"{stacked}: {_shorten(canvas.title, MAX_TITLE_LENGTH).rstrip('.')}." if canvas.title else f"{stacked}."
    body = _slice_sentences(canvas) if canvas.request.type in ("pie", "doughnut") else _series_sentences(canvas)
    return " ".join([head, *body])


def _series_sentences(canvas: Canvas) -> list[str]:
    labels: list[Sequence[str]] = [
        [normalize_text(x if isinstance(x, str) else f"{x:.6g}") for x in given["x"]] if "x" in given else canvas.labels
        for given in canvas.request.series
    ]
    shown = list(zip(canvas.series, labels, strict=True))[:MAX_SERIES]
    ranges = [_range_sentence(canvas, series, texts) for series, texts in shown]
    more = len(canvas.series) - MAX_SERIES
    return [part for part in (_extent(canvas, labels), *ranges, f"And {more} more series." if more > 0 else "") if part]


def _extent(canvas: Canvas, labels: list[Sequence[str]]) -> str:
    """Return the number of labels, and the first and the last one; on an axis the number of points and its ends."""
    if canvas.request.type == "scatter":
        pairs = [zip(texts, series.data, strict=True) for texts, series in zip(labels, canvas.series, strict=True)]
        texts = [text for each in pairs for text, value in each if not is_gap(value)]
    else:
        texts = list(canvas.labels)
    if len(texts) < 2:
        return ""
    x = parse_x(texts) if canvas.request.type == "scatter" else canvas.x_values
    if x is None:
        return f"{len(texts)} labels, from {_shorten(texts[0])} to {_shorten(texts[-1])}."
    positions = x.values
    first, last = (texts[positions.index(end)] for end in (min(positions), max(positions)))
    return f"{len(texts)} points, from {_shorten(first)} to {_shorten(last)}."


def _range_sentence(canvas: Canvas, series: DataSeries, labels: Sequence[str]) -> str:
    head = f"{_shorten(series.name)}: " if series.name else ""
    if not series.numbers:
        return f"{head}no values."
    low, high = min(series.numbers), max(series.numbers)
    format_value = canvas.format_value
    if low == high:
        which = "all " if len(series.numbers) > 1 else f"{_shorten(labels[series.data.index(high)])} "
        return f"{head}{which}{format_value(high)}."
    low_label, high_label = (_shorten(labels[series.data.index(value)]) for value in (low, high))
    return f"{head}lowest {format_value(low)} ({low_label}), highest {format_value(high)} ({high_label})."


def _slice_sentences(canvas: Canvas) -> list[str]:
    """Return the shares of the slices, the largest first."""
    values = canvas.series[0].data
    total = math.fsum(value for value in values if value > 0)
    if not total:
        return ["No number is above zero, so there are no parts."]
    pairs = zip(values, canvas.labels, strict=True)
    ranked = sorted((pair for pair in pairs if not is_gap(pair[0])), key=lambda pair: -pair[0])
    drawn = [(value, label) for value, label in ranked if value > 0]
    shares = ", ".join(f"{_shorten(label)} {format_share(value / total)}" for value, label in drawn[:MAX_SLICES])
    more, below = len(drawn) - MAX_SLICES, [label for value, label in ranked if value < 0]
    rest = f", and {more} more" if more > 0 else ""
    negative = [f"{len(below)} below zero {'is' if len(below) == 1 else 'are'} not drawn."] if below else []
    return [f"{shares}{rest}.", *negative]


def _shorten(text: str, max_length: int = MAX_NAME_LENGTH) -> str:
    if _LONG_FRACTION.fullmatch(text):
        return f"{float(text):.6g}"
    return text if len(text) <= max_length else text[: max_length - 1].rstrip() + "…"


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


class PngSource(NamedTuple):
    """The input of `render_png`."""

    svg: str
    """An SVG that needs no fonts except for scripts that the bundled typeface lacks."""
    levels: list[int]
    """The output level of each input level of red, green, blue and, with transparency, alpha: 256 values for each."""


def render(canvas: Canvas, alt: str) -> bytes | PngSource:
    """Return the chart as an SVG or PNG file, or the source of a PNG that a worker process must render.

    PDFium rasterizes charts with a background, texts in the bundled typeface and a moderate size.
    """
    request, drawing = canvas.request, canvas.drawing
    size, background = (request.width, request.height), None if canvas.is_transparent else canvas.theme.background
    if request.format == "svg":
        title = canvas.title or f"{request.type.capitalize()} chart"
        return svg_document(drawing, size, background, name="chart", title=title, description=alt)
    has_few_pixels = request.width * request.height <= QUICK_PIXELS
    is_moderate = has_few_pixels and sum(len(shape.path) for shape in drawing.shapes) <= MAX_PATH_LENGTH
    if is_moderate and background and not needs_system_fonts(drawing.texts):
        most_points = max((shape.path.count("L") for shape in drawing.shapes if shape.round_joins), default=0)
        columns = next(columns for density, columns in COLUMNS if most_points >= density * request.width)
        image = rasterize(size, background, drawing.shapes, drawing.texts, columns=columns)
        return encode_graphics(image.point(_levels(canvas, EXACT_CHANNEL_STEP)), COMPRESSION_LEVEL)
    svg = outlined_document(drawing, size, background)
    source = PngSource(svg, [*_levels(canvas, CHANNEL_STEP), *(() if background else range(256))])
    is_quick = has_few_pixels and len(svg) <= QUICK_SOURCE_LENGTH and svg.count("<text") <= QUICK_SYSTEM_TEXTS
    return render_png(*source) if is_quick else source


def render_png(svg: str, levels: list[int]) -> bytes:
    """Return the chart as a PNG file. Rendering holds the interpreter lock most of the time."""
    import vl_convert

    with Image.open(io.BytesIO(vl_convert.svg_to_png(svg))) as image:
        mode = "RGBA" if len(levels) == len("RGBA") * 256 else "RGB"
        return encode_graphics(image.convert(mode).point(levels), COMPRESSION_LEVEL)


def _levels(canvas: Canvas, step: int) -> list[int]:
    """Return the output levels that keep the colors of a chart, and those where its translucent shapes overlap."""
    colors = {shape.fill or shape.stroke: shape.opacity for shape in canvas.drawing.shapes if shape.opacity < 1}
    blends = [canvas.theme.background] if len(colors) <= MAX_BLENDED_COLORS else []
    for color, opacity in colors.items():
        blends += [mix(color, below, opacity) for below in blends]
    return _channel_levels(canvas.theme, (*canvas.theme.base_colors(canvas.request.palette), *blends), step)


@lru_cache(maxsize=64)
def _channel_levels(theme: Theme, colors: tuple[str, ...], step: int) -> list[int]:
    """Return the output levels, which reduce the number of colors in antialiased edges.

    The colors of the chart stay exact, other levels change by at most half a step. The file shrinks by a fifth.
    """
    exact = (theme.background, theme.strong, theme.text, theme.grid, theme.web, theme.zero, *theme.palette, *colors)
    kept = [sorted({*range(0, 256, step), 255, *channel}) for channel in zip(*map(rgb, exact), strict=True)]
    return [min(levels, key=lambda kept_level: abs(kept_level - level)) for levels in kept for level in range(256)]
