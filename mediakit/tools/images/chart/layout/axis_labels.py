"""Labels that do not overlap: horizontal, wrapped, diagonal or vertical; some may be skipped."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from mediakit.engines.drawing.drawing import Box
from mediakit.engines.drawing.text import ANCHOR_OFFSETS, Text, is_truncated, text_width, truncate, wrap
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart.layout.canvas import Canvas

Corners = tuple[tuple[float, float], ...]

ABOVE, BELOW, BESIDE = 0.85, 0.25, 0.2
"""Space that a line takes above and below its baseline, and the padding at its ends; in em."""


class PlacedTexts:
    """Lines of text with their final positions, to which lines are added only where they overlap no other line."""

    def __init__(self, texts: Iterable[Text]) -> None:
        self._placed = [text_corners(text) for text in texts]

    def try_add(self, text: Text) -> bool:
        """Add a line if it overlaps no other line, and return whether it was added."""
        corners = text_corners(text)
        if any(_may_overlap(corners, other) and overlap(corners, other) for other in self._placed):
            return False
        self._placed.append(corners)
        return True


def text_corners(text: Text) -> Corners:
    """Return the corners of the padded rectangle of a line: top left, top right, bottom left, bottom right."""
    width, padding = text_width(text.content, text.size, text.weight), BESIDE * text.size
    left = -width * ANCHOR_OFFSETS[text.anchor]
    angle = math.radians(text.rotation)
    sine, cosine = math.sin(angle), math.cos(angle)
    ends = [(x, y) for y in (-ABOVE * text.size, BELOW * text.size) for x in (left - padding, left + width + padding)]
    return tuple((text.x + x * cosine - y * sine, text.y + x * sine + y * cosine) for x, y in ends)


def overlap(one: Corners, other: Corners) -> bool:
    """Return whether two rectangles overlap, by the separating axis theorem."""
    axes = [(each[end][0] - each[0][0], each[end][1] - each[0][1]) for each in (one, other) for end in (1, 2)]
    return not any(_separates(axis, one, other) for axis in axes)


def _may_overlap(one: Corners, other: Corners) -> bool:
    """Return whether two rectangles are close enough to overlap: a cheap test that excludes most pairs.

    The order of the corners is top left, top right, bottom left, bottom right.
    """
    reach = abs(one[0][0] - one[3][0]) + abs(one[0][1] - one[3][1]) + abs(one[1][0] - one[2][0])
    other_reach = abs(other[0][0] - other[3][0]) + abs(other[0][1] - other[3][1]) + abs(other[1][0] - other[2][0])
    limit = reach + other_reach
    return abs(one[0][0] - other[0][0]) < limit and abs(one[0][1] - other[0][1]) < limit


def _separates(axis: tuple[float, float], one: Corners, other: Corners) -> bool:
    first, second = ([x * axis[0] + y * axis[1] for x, y in each] for each in (one, other))
    return max(first) <= min(second) or max(second) <= min(first)


Orientation = Literal["horizontal", "diagonal", "vertical"]

GAP = 0.75
"""Between plot and labels, in em."""
LINE_HEIGHT = 1.2
"""In em."""
MAX_LINES = 3
MIN_WRAP_WIDTH = 3.0
"""Labels are not wrapped in slots that are narrower than this; in em."""
MIN_TRUNCATE_WIDTH = 6.5
"""In slots of this width or more, truncated horizontal labels are better than rotated ones; in em."""
MIN_ROTATED_FONT_SIZE = 9.0
"""In pixels."""
MAX_HEIGHT_SHARE = 0.3
"""The most that rotated labels take of the height of axes and plot."""
DIAGONAL_ANGLE = 45
"""In degrees."""
ORDERED_LABEL = re.compile(r"\d")
"""If all labels match this, they probably are dates or numbers; readers can infer skipped ones."""


@dataclass(frozen=True)
class LabelLayout:
    """The layout of the labels of a category axis."""

    orientation: Orientation
    font_size: float
    lines: tuple[tuple[str, ...], ...]
    """The lines of each label; empty for skipped labels."""
    height: float
    """Height of the axis, in pixels."""
    count: int
    """Number of labels."""
    slots: bool = True
    """Whether each label has a slot of equal width, as bars need; otherwise the end labels are at the plot's ends."""
    edge: float = 0
    """Distance from the ends of the plot to the center of the first and the last label without slots, in pixels."""
    extra_left: float = 0
    """Space that diagonal labels need left of the plot, in pixels."""

    def inset(self, plot_width: float) -> float:
        """Return the distance from the ends of the plot to the center of the first and the last label."""
        return plot_width / self.count / 2 if self.slots or self.count == 1 else self.edge


def layout_labels(canvas: Canvas, box: Box, *, slots: bool) -> LabelLayout:
    """Return the layout that keeps the labels readable with as little rotation as possible.

    Args:
        canvas: The canvas of the chart.
        box: The box of plot and labels, without the value axis at its left.
        slots: Whether each label has a slot.
    """
    size, count = canvas.small_font_size, len(canvas.labels)
    widest = max(text_width(label, size) for label in canvas.labels)
    edge = max(size * 0.8, widest / 2 - canvas.margin * 0.5)
    slot = box.width / count if slots or count == 1 else (box.width - 2 * edge) / (count - 1)
    if widest + size * 0.45 <= slot:
        return _horizontal(canvas, size, 1, slots=slots, edge=edge)
    if all(ORDERED_LABEL.search(label) for label in canvas.labels) and widest <= box.width / 3:
        interval = math.ceil((widest + size * 1.2) / slot)
        return _horizontal(canvas, size, interval, slots=slots, edge=edge)
    return _wrapped(canvas, size, box.width / count) or _rotated(canvas, box, slots=slots)


def draw_labels(canvas: Canvas, layout: LabelLayout, centers: list[float], top: float) -> None:
    """Draw the labels below a plot.

    Args:
        canvas: The canvas of the chart.
        layout: The layout of the labels.
        centers: The x coordinate of the center of each label, in pixels.
        top: The y coordinate of the bottom of the plot, in pixels.
    """
    for label, lines, center in zip(canvas.labels, layout.lines, centers, strict=True):
        full = label if is_truncated(lines) else ""
        for number, line in enumerate(lines):
            text = replace(_label_line(layout, line, number, (center, top)), fill=canvas.theme.text, full=full)
            if layout.orientation != "horizontal" or _is_inside(canvas, text):
                canvas.drawing.add_text(text)


def _label_line(layout: LabelLayout, line: str, number: int, position: tuple[float, float]) -> Text:
    """Return a line of the label whose center is below a position at the bottom of the plot."""
    (center, top), size = position, layout.font_size
    if layout.orientation == "horizontal":
        return Text(center, top + size * (GAP + CAP_HEIGHT + number * LINE_HEIGHT), line, size, "", anchor="middle")
    if layout.orientation == "diagonal":
        x, y = center + size * 0.35, top + size * (GAP + 0.25)
        return Text(x, y, line, size, "", anchor="end", rotation=-DIAGONAL_ANGLE)
    return Text(center + size * CAP_HEIGHT / 2, top + size * GAP, line, size, "", anchor="end", rotation=-90)


def _is_inside(canvas: Canvas, text: Text) -> bool:
    half_width = text_width(text.content, text.size) / 2
    return text.x - half_width >= 2 and text.x + half_width <= canvas.request.width - 2


def _horizontal(canvas: Canvas, size: float, interval: int, *, slots: bool, edge: float) -> LabelLayout:
    lines = tuple((label,) if index % interval == 0 else () for index, label in enumerate(canvas.labels))
    return LabelLayout("horizontal", size, lines, size * (GAP + 1), len(lines), slots, edge)


def _wrapped(canvas: Canvas, size: float, slot: float) -> LabelLayout | None:
    """Return wrapped labels, or None if narrow slots would truncate one."""
    max_width = slot - size * 0.8
    if max_width < size * MIN_WRAP_WIDTH:
        return None
    max_lines = max(1, min(MAX_LINES, int(canvas.request.height * 0.16 / (size * LINE_HEIGHT))))
    lines = tuple(tuple(wrap(label, max_width, size, max_lines)) for label in canvas.labels)
    if max_width < size * MIN_TRUNCATE_WIDTH and any(is_truncated(label) for label in lines):
        return None
    height = size * (GAP + 1 + LINE_HEIGHT * (max(map(len, lines)) - 1))
    return LabelLayout("horizontal", size, lines, height, len(lines))


def _rotated(canvas: Canvas, box: Box, *, slots: bool) -> LabelLayout:
    """Return diagonal labels if the slots are wide enough for them, else vertical ones."""
    count = len(canvas.labels)
    slot = box.width / count if slots else (box.width - 2 * canvas.small_font_size) / max(1, count - 1)
    sizes = [max(canvas.small_font_size * factor, MIN_ROTATED_FONT_SIZE) for factor in (1, 0.92, 0.85)]
    fitting = (size for size in sizes if slot * math.sin(math.radians(DIAGONAL_ANGLE)) >= size * 1.15)
    if size := next(fitting, None):
        return _diagonal(canvas, box, slot, size, slots=slots)
    return _vertical(canvas, box, slot, next((size for size in sizes if slot >= size * 1.12), sizes[-1]), slots=slots)


def _vertical(canvas: Canvas, box: Box, slot: float, size: float, *, slots: bool) -> LabelLayout:
    """Return vertical labels; only every second, third, ... label if the slots are narrower than a line."""
    interval = math.ceil(size * 1.12 / slot)
    max_width = box.height * MAX_HEIGHT_SHARE
    shown = [
        truncate(label, max_width, size) if index % interval == 0 else "" for index, label in enumerate(canvas.labels)
    ]
    lines = tuple((label,) if label else () for label in shown)
    longest = max(text_width(line, size) for label in lines for line in label)
    return LabelLayout("vertical", size, lines, longest + size * (GAP + 0.2), len(lines), slots, size)


def _diagonal(canvas: Canvas, box: Box, slot: float, size: float, *, slots: bool) -> LabelLayout:
    sine = math.sin(math.radians(DIAGONAL_ANGLE))
    first = slot / 2 if slots else size
    outside = box.left - canvas.content_box.left
    max_width = min(box.height * MAX_HEIGHT_SHARE / sine, (outside + first + box.width * 0.08) / sine)
    lines = tuple((truncate(label, max_width, size),) for label in canvas.labels)
    reach = max(text_width(line, size) * sine - index * slot for index, (line,) in enumerate(lines))
    extra_left = max(0.0, reach - first - outside)
    longest = max(text_width(line, size) for (line,) in lines)
    height = longest * sine + size * (GAP + 0.5)
    return LabelLayout("diagonal", size, lines, height, len(lines), slots, first, extra_left=extra_left)
