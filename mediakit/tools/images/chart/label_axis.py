"""The axis of labels below a plot: level, in lines, tilted or upright, all of them or every second, third, ..."""

import math
import re
from dataclasses import dataclass
from typing import Literal

from mediakit.tools.images.chart.drawing import Box
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.text import Text, fit, is_cut, width, wrap
from mediakit.tools.images.chart.typeface import CAP_HEIGHT

Pose = Literal["level", "tilted", "upright"]

GAP = 0.75
"""Between plot and labels, in em."""
LINE = 1.2
MOST_LINES = 3
ENOUGH = 6.5
"""In em: in slots from here on even a cut label is better level than turned."""
MOST_HEIGHT = 0.3
"""Of the room for axes and plot, that turned labels may take."""
TILT = 45
COUNTING = re.compile(r"\d")


@dataclass(frozen=True)
class LabelPlan:
    """How the labels fit."""

    pose: Pose
    size: float
    lines: tuple[tuple[str, ...], ...]
    """Of each label, what is written; nothing of those that are left out."""
    height: float
    count: int
    slots: bool = True
    edge: float = 0
    """From the ends of the plot to the first and the last label's middle, where they have no slots."""
    extra_left: float = 0
    """What tilted labels need at the left of the plot."""

    def inset(self, wide: float) -> float:
        """Give the distance from the ends of the plot to the first and the last label's middle."""
        return wide / self.count / 2 if self.slots or self.count == 1 else self.edge


def planned(sheet: Sheet, box: Box, *, slots: bool) -> LabelPlan:
    """Choose the calmest pose in which the labels can be read.

    Args:
        sheet: What is labelled.
        box: The room for plot and labels, without that of the numbers at the left.
        slots: Whether each label has a slot.
    """
    size, count = sheet.small, len(sheet.labels)
    widest = max(width(label, size) for label in sheet.labels)
    edge = max(size * 0.8, widest / 2 - sheet.margin * 0.5)
    slot = box.width / count if slots or count == 1 else (box.width - 2 * edge) / (count - 1)
    if widest + size * 0.45 <= slot:
        return _level(sheet, size, 1, slots=slots, edge=edge)
    if all(COUNTING.search(label) for label in sheet.labels) and widest <= box.width / 3:
        every = math.ceil((widest + size * 1.2) / slot)
        return _level(sheet, size, every, slots=slots, edge=edge)
    return _wrapped(sheet, size, box.width / count) or _turned(sheet, box, slots=slots)


def draw(sheet: Sheet, plan: LabelPlan, middles: list[float], top: float) -> None:
    """Write the labels below a plot."""
    size = plan.size
    for label, lines, middle in zip(sheet.labels, plan.lines, middles, strict=True):
        for number, line in enumerate(lines):
            full = label if is_cut(list(lines)) else ""
            fill = sheet.theme.text
            if plan.pose == "level" and _is_inside(sheet, middle, width(line, size) / 2):
                y = top + size * (GAP + CAP_HEIGHT + number * LINE)
                sheet.drawing.write(Text(middle, y, line, size, fill, anchor="middle", full=full))
            elif plan.pose == "tilted":
                x, y = middle + size * 0.35, top + size * (GAP + 0.25)
                sheet.drawing.write(Text(x, y, line, size, fill, anchor="end", turn=-TILT, full=full))
            elif plan.pose == "upright":
                x, y = middle + size * CAP_HEIGHT / 2, top + size * GAP
                sheet.drawing.write(Text(x, y, line, size, fill, anchor="end", turn=-90, full=full))


def _is_inside(sheet: Sheet, middle: float, half: float) -> bool:
    return middle - half >= 2 and middle + half <= sheet.request.width - 2


def _level(sheet: Sheet, size: float, every: int, *, slots: bool, edge: float) -> LabelPlan:
    lines = tuple((label,) if place % every == 0 else () for place, label in enumerate(sheet.labels))
    return LabelPlan("level", size, lines, size * (GAP + 1), len(lines), slots, edge)


def _wrapped(sheet: Sheet, size: float, slot: float) -> LabelPlan | None:
    """Break labels into lines, if that shows them whole, or most of them."""
    room = slot - size * 0.8
    most = max(1, min(MOST_LINES, int(sheet.request.height * 0.16 / (size * LINE))))
    if room < size * 3:
        return None
    lines = tuple(tuple(wrap(label, room, size, most)) for label in sheet.labels)
    if room < size * ENOUGH and any(is_cut(list(label)) for label in lines):
        return None
    height = size * (GAP + 1 + LINE * (max(map(len, lines)) - 1))
    return LabelPlan("level", size, lines, height, len(lines))


def _turned(sheet: Sheet, box: Box, *, slots: bool) -> LabelPlan:
    """Tilt labels where their slots are wide enough for that, else turn them upright, and leave out what is left."""
    count = len(sheet.labels)
    slot = box.width / count if slots else (box.width - 2 * sheet.small) / max(1, count - 1)
    sizes = [max(sheet.small * factor, 9.0) for factor in (1, 0.92, 0.85)]
    tilted = [size for size in sizes if slot * math.sin(math.radians(TILT)) >= size * 1.15]
    if tilted:
        return _tilted(sheet, box, slot, tilted[0], slots=slots)
    size = next((size for size in sizes if slot >= size * 1.12), sizes[-1])
    every = math.ceil(size * 1.12 / slot)
    room = box.height * MOST_HEIGHT
    shown = (fit(label, room, size) if place % every == 0 else "" for place, label in enumerate(sheet.labels))
    lines = tuple((label,) if label else () for label in shown)
    longest = max(width(line, size) for label in lines for line in label)
    return LabelPlan("upright", size, lines, longest + size * (GAP + 0.2), len(lines), slots, size)


def _tilted(sheet: Sheet, box: Box, slot: float, size: float, *, slots: bool) -> LabelPlan:
    along = math.sin(math.radians(TILT))
    first = slot / 2 if slots else size
    outside = box.left - sheet.whole.left
    room = min(box.height * MOST_HEIGHT / along, (outside + first + box.width * 0.08) / along)
    lines = tuple((fit(label, room, size),) for label in sheet.labels)
    reach = max(width(line, size) * along - place * slot for place, (line,) in enumerate(lines))
    extra = max(0.0, reach - first - outside)
    longest = max(width(line, size) for (line,) in lines)
    height = longest * along + size * (GAP + 0.5)
    return LabelPlan("tilted", size, lines, height, len(lines), slots, first, extra_left=extra)
