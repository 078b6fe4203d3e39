"""Value labels and reference lines, where they overlap no other text."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from mediakit.engines.drawing.text import Anchor, Text, normalize_text, text_width, truncate
from mediakit.engines.drawing.typeface import CAP_HEIGHT, Weight
from mediakit.tools.images.chart.layout.axes import PlotArea
from mediakit.tools.images.chart.layout.axis_labels import PlacedTexts, text_corners
from mediakit.tools.images.chart.layout.canvas import Canvas, is_gap, without_gaps

Point = tuple[float, float]

MAX_VALUES = 400
"""Value labels of more points are not tried, because they could not be read."""


def draw_point_values(
    canvas: Canvas,
    plot: PlotArea,
    line: Sequence[Point],
    values: Sequence[float],
    indexes: Iterable[int],
    *,
    above: bool = False,
) -> None:
    """Draw the values of some points of a line, those first in `indexes` first, where they overlap no other text.

    They are above their points, or on the side where the line leaves space. That of the last point avoids grid lines.
    """
    placed, box, size = PlacedTexts(canvas.drawing.texts), plot.box, canvas.small_font_size
    grid = plot.heights(plot.scale.ticks)
    last = max((index for index, value in enumerate(values) if not is_gap(value)), default=-1)
    for index in list(indexes)[:MAX_VALUES]:
        if is_gap(values[index]):
            continue
        content, (x, y) = canvas.format_value(values[index]), line[index]
        neighbors = without_gaps(line[other][1] for other in (index - 1, index + 1) if 0 <= other < len(line))
        is_peak = not neighbors or y <= sum(neighbors) / len(neighbors)
        half = text_width(content, size) / 2
        x = min(max(x, box.left + half), canvas.request.width - half - 2)
        upper, lower = y - size * 0.62, y + size * (0.62 + CAP_HEIGHT)
        inside = [
            each for each in ((upper, lower) if above or is_peak else (lower, upper)) if size <= each <= box.bottom
        ]
        # A value on a grid line would seem to name the value of the grid line.
        avoided = grid if index == last else ()
        inside.sort(key=lambda baseline: any(baseline - size * CAP_HEIGHT <= at <= baseline for at in avoided))
        for baseline in inside:
            text = Text(x, baseline, content, size, canvas.theme.strong, anchor="middle", halo=canvas.knockout)
            if placed.try_add(text):
                canvas.drawing.add_text(text)
                break


def notable_points(values: Sequence[float]) -> list[int]:
    """Return the indexes of the last, the largest and the smallest value."""
    found = [index for index, value in enumerate(values) if not is_gap(value)]
    if not found:
        return []
    ends = (found[-1], max(found, key=values.__getitem__), min(found, key=values.__getitem__))
    return list(dict.fromkeys(ends))


LINE_WIDTH, DASH, DASH_GAP = 0.11, 0.42, 0.3
"""In em."""

GAP = 0.4
"""Between the line and its label, in em."""

MAX_LABEL_WIDTH_SHARE = 0.45
"""The most that a label takes of the width of the plot."""

WEIGHT: Weight = 600


def reference_values(canvas: Canvas) -> list[float]:
    """Return the values of the reference lines, which the value axis must show."""
    return [line["value"] for line in canvas.request.reference_lines or ()]


def draw_reference_lines(canvas: Canvas, plot: PlotArea) -> None:
    """Draw the lines across a plot."""
    size = canvas.font_size
    for line in canvas.request.reference_lines or ():
        path = plot.line_across(plot.value_position(line["value"]))
        color = line.get("color") or canvas.theme.strong
        canvas.drawing.stroke_dashes(path, color, size * LINE_WIDTH, (size * DASH, size * DASH_GAP))


def draw_reference_labels(canvas: Canvas, plot: PlotArea, points: Iterable[Point] = ()) -> None:
    """Draw the labels at the ends of the lines, where they overlap no other text; they avoid points where they can."""
    placed = PlacedTexts(canvas.drawing.texts)
    points = list(points)
    for line in canvas.request.reference_lines or ():
        content = normalize_text(line.get("label", ""))
        color = line.get("color") or canvas.theme.strong
        found = _label_places(canvas, plot, line["value"], content, color) if content else ()
        by_points = sorted(found, key=lambda text: _count_covered(text, points) if points else 0)
        text = next((text for text in by_points if placed.try_add(text)), None)
        if text:
            canvas.drawing.add_text(text)


def _count_covered(text: Text, points: list[Point]) -> int:
    """Return how many points are behind a text."""
    corners = text_corners(text)
    (left, top), (right, bottom) = corners[0], corners[3]
    return sum(left <= x <= right and top <= y <= bottom for x, y in points)


def _label_places(canvas: Canvas, plot: PlotArea, value: float, content: str, color: str) -> Iterator[Text]:
    """Yield places for the label of a line.

    Above or below a horizontal line, at its right or left end or in the middle; at the right or left of a vertical one,
    in a row from the bottom upwards.
    """
    size, box, place = canvas.small_font_size, plot.box, plot.value_position(value)
    text = truncate(content, box.width * MAX_LABEL_WIDTH_SHARE, size, WEIGHT)
    label = Text(place, place, text, size, color, WEIGHT, full=content, halo=canvas.knockout)
    if not plot.horizontal:
        start, middle = box.left + size * 0.3, (box.left + box.right) / 2
        ends: tuple[tuple[float, Anchor], ...] = ((box.right, "end"), (start, "start"), (middle, "middle"))
        for x, anchor in ends:
            for baseline in (place - size * GAP, place + size * (GAP + CAP_HEIGHT)):
                if baseline - size * CAP_HEIGHT >= canvas.content_box.top and baseline <= box.bottom:
                    yield replace(label, x=x, y=baseline, anchor=anchor)
        return
    for row in range(int(box.height / (size * 1.3))):
        baseline = box.bottom - size * (0.5 + 1.3 * row)
        if place + size * GAP + label.width <= canvas.request.width - 2:
            yield replace(label, x=place + size * GAP, y=baseline)
        if place - size * GAP - label.width >= box.left:
            yield replace(label, x=place - size * GAP, y=baseline, anchor="end")
