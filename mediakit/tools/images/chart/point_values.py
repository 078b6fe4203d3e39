"""Value labels of points: beside their points, where they overlap no other text."""

from collections.abc import Iterable, Iterator, Sequence

from mediakit.engines.drawing.drawing import Box
from mediakit.engines.drawing.text import Text, text_width
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart.axes import PlotArea
from mediakit.tools.images.chart.canvas import Canvas
from mediakit.tools.images.chart.gaps import is_gap, without_gaps
from mediakit.tools.images.chart.placed_texts import PlacedTexts

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
    """Draw the values of some points of a line, those first in `indexes` first.

    Args:
        canvas: The canvas of the chart.
        plot: The plot. The value of the last point avoids its grid lines.
        line: All points of the line.
        values: The value of each point.
        indexes: The points to label.
        above: Whether values are above their points if possible; otherwise on the side where the line leaves space.
    """
    placed = PlacedTexts(canvas.drawing.texts)
    grid = plot.heights(plot.scale.ticks)
    last = max((index for index, value in enumerate(values) if not is_gap(value)), default=-1)
    for index in list(indexes)[:MAX_VALUES]:
        if is_gap(values[index]):
            continue
        content = canvas.format_value(values[index])
        is_above = above or _is_peak(line, index)
        avoided = grid if index == last else ()
        places = _places(canvas, plot.box, line[index], content, avoided, is_above=is_above)
        text = next(filter(placed.try_add, places), None)
        if text:
            canvas.drawing.add_text(text)


def notable_points(values: Sequence[float]) -> list[int]:
    """Return the indexes of the last, the largest and the smallest value."""
    found = [index for index, value in enumerate(values) if not is_gap(value)]
    if not found:
        return []
    ends = (found[-1], max(found, key=values.__getitem__), min(found, key=values.__getitem__))
    return list(dict.fromkeys(ends))


def _places(
    canvas: Canvas, box: Box, point: Point, content: str, grid: Sequence[float], *, is_above: bool
) -> Iterator[Text]:
    """Yield places for the value of a point, inside the image: above and below it, those on a grid line last."""
    size, (x, y) = canvas.small_font_size, point
    half = text_width(content, size) / 2
    x = min(max(x, box.left + half), canvas.request.width - half - 2)
    above, below = y - size * 0.62, y + size * (0.62 + CAP_HEIGHT)
    places = [place for place in ((above, below) if is_above else (below, above)) if size <= place <= box.bottom]
    for baseline in sorted(places, key=lambda place: _is_on_line(place, size, grid)):
        yield Text(x, baseline, content, size, canvas.theme.strong, anchor="middle", halo=canvas.knockout)


def _is_on_line(baseline: float, size: float, grid: Iterable[float]) -> bool:
    """Return whether a grid line runs through a line of text, which would seem to name the value of the grid line."""
    return any(baseline - size * CAP_HEIGHT <= y <= baseline for y in grid)


def _is_peak(line: Sequence[Point], index: int) -> bool:
    """Return whether a point is above the average of its neighbors, so that there is space above it."""
    neighbors = without_gaps(line[other][1] for other in (index - 1, index + 1) if 0 <= other < len(line))
    return not neighbors or line[index][1] <= sum(neighbors) / len(neighbors)
