"""Labels that do not overlap: horizontal, wrapped, diagonal or vertical; some may be skipped."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from mediakit.engines.drawing.drawing import Box
from mediakit.engines.drawing.text import ANCHOR_OFFSETS, Anchor, Text, is_truncated, text_width, truncate, wrap
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
        if any(_overlap(corners, other) for other in self._placed):
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


def _overlap(one: Corners, other: Corners) -> bool:
    """Return whether two rectangles overlap, by the separating axis theorem."""
    # A cheap test excludes most pairs: those that are further apart than the sides of both are long.
    reach = abs(one[0][0] - one[3][0]) + abs(one[0][1] - one[3][1]) + abs(one[1][0] - one[2][0])
    other_reach = abs(other[0][0] - other[3][0]) + abs(other[0][1] - other[3][1]) + abs(other[1][0] - other[2][0])
    limit = reach + other_reach
    if not (abs(one[0][0] - other[0][0]) < limit and abs(one[0][1] - other[0][1]) < limit):
        return False
    for axis_x, axis_y in (
        (each[end][0] - each[0][0], each[end][1] - each[0][1]) for each in (one, other) for end in (1, 2)
    ):
        first, second = ([x * axis_x + y * axis_y for x, y in each] for each in (one, other))
        if max(first) <= min(second) or max(second) <= min(first):
            return False
    return True


GAP = 0.75
"""Between plot and labels, in em."""
LINE_HEIGHT = 1.2
"""In em."""
MAX_LINES = 3
MIN_WRAP_WIDTH = 3.0
"""Labels are not wrapped in slots that are narrower than this; in em."""
MIN_TRUNCATE_WIDTH = 6.5
"""In slots of this width or more, truncated horizontal labels are better than rotated ones; in em."""
MIN_ROTATED_FONT_SIZE, ROTATED_SIZES = 9.0, (1, 0.92, 0.85)
"""In pixels, and relative to the small font size of the canvas."""
ROTATED_LINE_HEIGHT = 1.12
"""In em."""
MAX_HEIGHT_SHARE = 0.3
"""The most that rotated labels take of the height of axes and plot."""
DIAGONAL, VERTICAL = 45, 90
"""Angles of rotated labels, in degrees."""
ORDERED_LABEL = re.compile(r"\d")
"""If all labels match this, they probably are dates or numbers; readers can infer skipped ones."""


@dataclass(frozen=True)
class LabelLayout:
    """The layout of the labels of a category axis."""

    angle: int
    """0 for horizontal labels."""
    font_size: float
    lines: tuple[tuple[str, ...], ...]
    """The lines of each label; empty for skipped labels."""
    height: float
    """Height of the axis, in pixels."""
    edge: float | None = None
    """Distance from the ends of the plot to the center of the first and the last label, in pixels; None if each label
    has a slot of equal width, as bars need."""
    extra_left: float = 0
    """Space that diagonal labels need left of the plot, in pixels."""

    def inset(self, plot_width: float) -> float:
        """Return the distance from the ends of the plot to the center of the first and the last label."""
        count = len(self.lines)
        return plot_width / count / 2 if self.edge is None or count == 1 else self.edge


def layout_labels(canvas: Canvas, box: Box, *, slots: bool) -> LabelLayout:
    """Return the layout that keeps the labels readable with as little rotation as possible.

    The box is that of plot and labels, without the value axis at its left. Each label has a slot, as bars need, or not.
    """
    size, count = canvas.small_font_size, len(canvas.labels)
    widest = max(text_width(label, size) for label in canvas.labels)
    edge = None if slots else max(size * 0.8, widest / 2 - canvas.margin * 0.5)
    slot = box.width / count if edge is None or count == 1 else (box.width - 2 * edge) / (count - 1)
    is_ordered = all(ORDERED_LABEL.search(label) for label in canvas.labels) and widest <= box.width / 3
    if widest + size * 0.45 <= slot or is_ordered:
        interval = 1 if widest + size * 0.45 <= slot else math.ceil((widest + size * 1.2) / slot)
        lines = tuple((label,) if index % interval == 0 else () for index, label in enumerate(canvas.labels))
        return LabelLayout(0, size, lines, size * (GAP + 1), edge)
    return _wrapped(canvas, size, box.width / count) or _rotated(canvas, box, slots=slots)


def draw_labels(canvas: Canvas, layout: LabelLayout, centers: list[float], top: float) -> None:
    """Draw the labels below a plot that ends at `top`, each at its center, in pixels."""
    size, fill = layout.font_size, canvas.theme.text
    shift_x, shift_y = {0: (0.0, GAP + CAP_HEIGHT), DIAGONAL: (0.35, GAP + 0.25), VERTICAL: (CAP_HEIGHT / 2, GAP)}[
        layout.angle
    ]
    anchor: Anchor = "end" if layout.angle else "middle"
    for label, lines, center in zip(canvas.labels, layout.lines, centers, strict=True):
        full = label if is_truncated(lines) else ""
        for number, line in enumerate(lines):
            x, y = center + size * shift_x, top + size * (shift_y + number * LINE_HEIGHT)
            text = Text(x, y, line, size, fill, anchor=anchor, rotation=-layout.angle, full=full)
            is_inside = x - text.width / 2 >= 2 and x + text.width / 2 <= canvas.request.width - 2
            if layout.angle or is_inside:
                canvas.drawing.add_text(text)


def _wrapped(canvas: Canvas, size: float, slot: float) -> LabelLayout | None:
    """Return wrapped labels, or None if narrow slots would truncate one."""
    max_width = slot - size * 0.8
    if max_width < size * MIN_WRAP_WIDTH:
        return None
    max_lines = max(1, min(MAX_LINES, int(canvas.request.height * 0.16 / (size * LINE_HEIGHT))))
    lines = tuple(tuple(wrap(label, max_width, size, max_lines)) for label in canvas.labels)
    if max_width < size * MIN_TRUNCATE_WIDTH and any(is_truncated(label) for label in lines):
        return None
    return LabelLayout(0, size, lines, size * (GAP + 1 + LINE_HEIGHT * (max(map(len, lines)) - 1)))


def _rotated(canvas: Canvas, box: Box, *, slots: bool) -> LabelLayout:
    """Return diagonal labels if the slots are wide enough for them, else vertical ones.

    Only every second, third, ... label is shown if the slots are narrower than a line.
    """
    small, count = canvas.small_font_size, len(canvas.labels)
    slot = box.width / count if slots else (box.width - 2 * small) / max(1, count - 1)
    sizes = [max(small * factor, MIN_ROTATED_FONT_SIZE) for factor in ROTATED_SIZES]
    choices = [(angle, size) for angle in (DIAGONAL, VERTICAL) for size in sizes]
    fitting = (each for each in choices if slot * math.sin(math.radians(each[0])) >= each[1] * ROTATED_LINE_HEIGHT)
    angle, size = next(fitting, (VERTICAL, sizes[-1]))
    sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    interval = max(1, math.ceil(size * ROTATED_LINE_HEIGHT / slot)) if angle == VERTICAL else 1
    first, outside = slot / 2 if slots else size, box.left - canvas.content_box.left
    max_width = box.height * MAX_HEIGHT_SHARE / sine
    if angle == DIAGONAL:
        max_width = min(max_width, (outside + first + box.width * 0.08) / cosine)
    lines = tuple(
        (truncate(label, max_width, size),) if index % interval == 0 else ()
        for index, label in enumerate(canvas.labels)
    )
    widths = [text_width("".join(label), size) for label in lines]
    reach = max(width * cosine - index * slot for index, width in enumerate(widths))
    height = max(widths) * sine + size * (GAP + 0.5)
    return LabelLayout(angle, size, lines, height, None if slots else first, max(0.0, reach - first - outside))
