"""Axes: where labels and numbers stand, and from there where the plot lies between them."""

import math
from dataclasses import dataclass
from functools import cached_property

from mediakit.tools.images.chart import label_axis
from mediakit.tools.images.chart.drawing import Box, polyline
from mediakit.tools.images.chart.numbers import Format
from mediakit.tools.images.chart.overlap import Crowd
from mediakit.tools.images.chart.scale import Scale, scaled
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.text import Text, fit, width
from mediakit.tools.images.chart.typeface import CAP_HEIGHT

PER_TICK, PER_TICK_WIDE = 4.0, 8.0
"""Room for each tick: in em, upwards and sideways."""

TICK_GAP = 0.6
"""Between numbers and the plot, in em."""


@dataclass(frozen=True)
class Plane:
    """The room of the marks: what is at which place, in pixels."""

    box: Box
    scale: Scale
    count: int
    """How many labels there are."""
    inset: float
    """From the ends of the plot to the first and the last label's middle; half a slot where labels have slots."""
    horizontal: bool = False

    @cached_property
    def slot(self) -> float:
        """From a label to the next."""
        along = self.box.height if self.horizontal else self.box.width
        return (along - 2 * self.inset) / max(1, self.count - 1)

    def middle(self, place: int) -> float:
        """Give the middle of a label, along its axis."""
        start = self.box.top if self.horizontal else self.box.left
        if self.count == 1:
            return start + (self.box.height if self.horizontal else self.box.width) / 2
        return start + self.inset + place * self.slot

    def at(self, value: float) -> float:
        """Give the place of a number, along its axis."""
        part = self.scale.place(value)
        return self.box.left + part * self.box.width if self.horizontal else self.box.bottom - part * self.box.height

    def rectangle(self, start: float, end: float, low: float, high: float) -> Box:
        """Give a rectangle from its ends along the axis of labels and along that of numbers."""
        if self.horizontal:
            return Box(low, start, high, end)
        return Box(start, high, end, low)


def upright(sheet: Sheet, box: Box, low: float, high: float, room: float, *, slots: bool = True) -> Plane:
    """Draw axes with labels below and numbers at the left.

    Args:
        sheet: Where to draw.
        box: The room for axes and plot.
        low: Least number that is shown.
        high: Largest number that is shown.
        room: What marks need above the plot and, where there are negative numbers, below it; in pixels.
        slots: Whether each label has a slot, as bars need; else the first and the last stand near the ends.
    """
    under = room if low < 0 else 0
    inner = box
    for _ in range(2):  # the numbers' width and the plot's height depend on each other
        scale, form = _scale(sheet, low, high, inner.height / (sheet.small * PER_TICK))
        left = max(width(form(tick), sheet.small) for tick in scale.ticks) + TICK_GAP * sheet.small
        plan = label_axis.planned(sheet, box.inset(left=left), slots=slots)
        inner = box.inset(left + plan.extra_left, room + sheet.small * 0.4, 0, plan.height + under)
    plane = Plane(inner, scale, len(sheet.labels), plan.inset(inner.width))
    _write_numbers(sheet, plane, form)
    label_axis.draw(sheet, plan, [plane.middle(place) for place in range(plane.count)], inner.bottom + under)
    return plane


def sideways(sheet: Sheet, box: Box, low: float, high: float, room: float) -> Plane:
    """Draw axes with labels at the left and numbers below; the arguments are those of `upright`."""
    size, shown = _beside(sheet, box.height - sheet.small * 2)
    wide = min(max(width(label, size) for label in sheet.labels), box.width * 0.36)
    left = wide + TICK_GAP * size * 1.3 + (room if low < 0 else 0)
    scale, form = _scale(sheet, low, high, (box.width - left - room) / (sheet.small * PER_TICK_WIDE))
    last = width(form(scale.high), sheet.small) / 2
    inner = box.inset(left, sheet.small * 0.4, max(room, last), sheet.small * 1.9)
    plane = Plane(inner, scale, len(sheet.labels), inner.height / len(sheet.labels) / 2, horizontal=True)
    _write_numbers(sheet, plane, form)
    for place in range(0, plane.count, shown):
        label = sheet.labels[place]
        y = plane.middle(place) + size * CAP_HEIGHT / 2
        text = fit(label, wide + 0.01, size)
        sheet.drawing.write(Text(box.left + wide, y, text, size, sheet.theme.text, anchor="end", full=label))
    return plane


def _scale(sheet: Sheet, low: float, high: float, count: float) -> tuple[Scale, Format]:
    whole = all(float(value).is_integer() for value in sheet.numbers)
    scale = scaled(low, high, max(1, min(8, round(count))), whole=whole)
    return scale, sheet.tick_format(scale.ticks, scale.step)


def _beside(sheet: Sheet, height: float) -> tuple[float, int]:
    """Give the size of labels that stand below each other, and of how many one is shown."""
    slot = height / len(sheet.labels)
    size = min(sheet.small, max(slot / 1.12, sheet.small * 0.8, 9))
    return size, math.ceil(size * 1.1 / slot)


def draw_rules(sheet: Sheet, plane: Plane) -> None:
    """Draw the lines of the ticks, that of zero stronger."""
    rules: dict[bool, list[str]] = {False: [], True: []}
    for tick in plane.scale.ticks:
        place, box = _sharp(plane.at(tick), sheet.hair), plane.box
        ends = [(place, box.top), (place, box.bottom)] if plane.horizontal else [(box.left, place), (box.right, place)]
        rules[tick == 0].append(polyline(ends))
    sheet.drawing.lines(rules[False], sheet.theme.grid, sheet.hair)
    sheet.drawing.lines(rules[True], sheet.theme.zero, sheet.hair)


def _write_numbers(sheet: Sheet, plane: Plane, form: Format) -> None:
    """Write the numbers of the ticks; where they are crowded that of zero, and those that have room beside it."""
    size, ink, box = sheet.small, sheet.theme.text, plane.box
    crowd = Crowd([])
    for tick in sorted(plane.scale.ticks, key=lambda tick: tick != 0):
        place = plane.at(tick)
        if plane.horizontal:
            text = Text(place, box.bottom + size * 1.5, form(tick), size, ink, anchor="middle")
        else:
            x, y = box.left - TICK_GAP * size, place + size * CAP_HEIGHT / 2
            text = Text(x, y, form(tick), size, ink, anchor="end")
        if crowd.admits(text):
            sheet.drawing.write(text)


def _sharp(place: float, wide: float) -> float:
    """Move the middle of a line so that its edges lie between pixels."""
    return round(place - wide / 2) + wide / 2
