"""Reference lines: dashed lines at values such as a target or a limit, with a label at their end."""

from collections.abc import Iterable, Iterator

from mediakit.engines.drawing.drawing import polyline_path
from mediakit.engines.drawing.text import Anchor, Text, normalize_text, text_width, truncate
from mediakit.engines.drawing.typeface import CAP_HEIGHT, Weight
from mediakit.tools.images.chart.axes import PlotArea
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.placed_texts import PlacedTexts, text_corners

LINE_WIDTH, DASH, DASH_GAP = 0.11, 0.42, 0.3
"""In em."""

GAP = 0.4
"""Between the line and its label, in em."""

MAX_LABEL_WIDTH_SHARE = 0.45
"""The most that a label takes of the width of the plot."""

Point = tuple[float, float]

WEIGHT: Weight = 600


def reference_values(canvas: Canvas) -> list[float]:
    """Return the values of the reference lines, which the value axis must show."""
    return [line["value"] for line in canvas.request.reference_lines or ()]


def draw_reference_lines(canvas: Canvas, plot: PlotArea) -> None:
    """Draw the lines across a plot."""
    size = canvas.font_size
    for line in canvas.request.reference_lines or ():
        position, box = plot.value_position(line["value"]), plot.box
        if plot.horizontal:
            ends = [(position, box.top), (position, box.bottom)]
        else:
            ends = [(box.left, position), (box.right, position)]
        color = line.get("color") or canvas.theme.strong
        canvas.drawing.stroke_dashes(polyline_path(ends), color, size * LINE_WIDTH, (size * DASH, size * DASH_GAP))


def draw_reference_labels(canvas: Canvas, plot: PlotArea, points: Iterable[Point] = ()) -> None:
    """Draw the labels at the ends of the lines, where they overlap no other text.

    Args:
        canvas: The canvas of the chart.
        plot: The plot area.
        points: Points of the data, which labels avoid where they can.
    """
    placed = PlacedTexts(canvas.drawing.texts)
    points = list(points)
    for line in canvas.request.reference_lines or ():
        content = normalize_text(line.get("label", ""))
        color = line.get("color") or canvas.theme.strong
        places = _horizontal_places if not plot.horizontal else _vertical_places
        found = places(canvas, plot, plot.value_position(line["value"]), content, color) if content else ()
        by_points = sorted(found, key=lambda text: _count_covered(text, points) if points else 0)
        text = next((text for text in by_points if placed.try_add(text)), None)
        if text:
            canvas.drawing.add_text(text)


def _count_covered(text: Text, points: list[Point]) -> int:
    """Return how many points are behind a text."""
    corners = text_corners(text)
    (left, top), (right, bottom) = corners[0], corners[3]
    return sum(left <= x <= right and top <= y <= bottom for x, y in points)


def _horizontal_places(canvas: Canvas, plot: PlotArea, y: float, content: str, color: str) -> Iterator[Text]:
    """Yield places for the label of a horizontal line: above or below it, at its right or left end."""
    size, box = canvas.small_font_size, plot.box
    shown = truncate(content, box.width * MAX_LABEL_WIDTH_SHARE, size, WEIGHT)
    above, below = y - size * GAP, y + size * (GAP + CAP_HEIGHT)
    center = (box.left + box.right) / 2
    ends: tuple[tuple[float, Anchor], ...] = ((box.right, "end"), (box.left + size * 0.3, "start"), (center, "middle"))
    for x, anchor in ends:
        for baseline in (above, below):
            if baseline - size * CAP_HEIGHT >= canvas.content_box.top and baseline <= box.bottom:
                yield Text(x, baseline, shown, size, color, WEIGHT, anchor, full=content, halo=canvas.knockout)


def _vertical_places(canvas: Canvas, plot: PlotArea, x: float, content: str, color: str) -> Iterator[Text]:
    """Yield places for the label of a vertical line: at its right or left, in a row from the bottom upwards."""
    size, box = canvas.small_font_size, plot.box
    shown = truncate(content, box.width * MAX_LABEL_WIDTH_SHARE, size, WEIGHT)
    width = text_width(shown, size, WEIGHT)
    for row in range(int(box.height / (size * 1.3))):
        baseline = box.bottom - size * (0.5 + 1.3 * row)
        if x + size * GAP + width <= canvas.request.width - 2:
            yield Text(x + size * GAP, baseline, shown, size, color, WEIGHT, full=content, halo=canvas.knockout)
        if x - size * GAP - width >= box.left:
            yield Text(x - size * GAP, baseline, shown, size, color, WEIGHT, "end", full=content, halo=canvas.knockout)
