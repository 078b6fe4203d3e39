"""Bar charts: groups or stacks of bars, upright or sideways."""

from collections.abc import Iterator
from typing import NamedTuple

from mediakit.tools.images.chart import axes
from mediakit.tools.images.chart.axes import Plane
from mediakit.tools.images.chart.drawing import Box, Corners, polyline
from mediakit.tools.images.chart.frame import framed, series_entries
from mediakit.tools.images.chart.overlap import Crowd
from mediakit.tools.images.chart.scale import extent
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.text import Text, width
from mediakit.tools.images.chart.theme import letters_on
from mediakit.tools.images.chart.typeface import CAP_HEIGHT

GROUP, WIDEST = 0.72, 5.6
"""Part of a slot that its bars take together, and the most that one takes, in em."""

MOST_TURNED = 0.18
"""Of the height, for values that stand upright above narrow bars."""

RADIUS = 0.24
"""Of the free corners, in em."""


class Bar(NamedTuple):
    """One bar, where it is and what it stands for."""

    row: int
    place: int
    start: float
    """Along the axis of labels, in pixels."""
    end: float
    base: float
    """Along the axis of numbers, as a number."""
    value: float
    amount: float
    """What it stands for."""
    outermost: bool = True
    """Whether nothing is stacked upon it."""


def draw(sheet: Sheet) -> None:
    """Draw the chart."""
    box = framed(sheet, series_entries(sheet, "square"))
    low, high = _extent(sheet)
    room = _room(sheet, box)
    lay = axes.sideways if sheet.request.horizontal else axes.upright
    plane = lay(sheet, box, low, high, room)
    axes.draw_rules(sheet, plane)
    bars = list(_stacked(sheet, plane) if sheet.request.stacked else _grouped(sheet, plane))
    for bar in bars:
        _draw_bar(sheet, plane, bar)
    if sheet.request.values:
        _write_values(sheet, plane, bars, room)


def _extent(sheet: Sheet) -> tuple[float, float]:
    if not sheet.request.stacked:
        return extent(sheet.numbers, from_zero=True)
    columns = list(zip(*(row.data for row in sheet.rows), strict=True))
    sums = [sum(value for value in column if value > 0) for column in columns]
    return extent([*sums, *(sum(value for value in column if value < 0) for column in columns)], from_zero=True)


def _grouped(sheet: Sheet, plane: Plane) -> Iterator[Bar]:
    count = len(sheet.rows)
    slot = plane.inset * 2
    wide = min(slot * GROUP / count, sheet.size * WIDEST)
    gap = min(wide * 0.08, sheet.hair * 2) if count > 1 else 0
    for number, row in enumerate(sheet.rows):
        for place, value in enumerate(row.data):
            start = plane.middle(place) + (number - count / 2) * wide
            yield Bar(number, place, start + gap / 2, start + wide - gap / 2, plane.scale.base, value, value)


def _stacked(sheet: Sheet, plane: Plane) -> Iterator[Bar]:
    """Stack what is positive upwards from zero, and what is negative downwards."""
    wide = min(plane.inset * 2 * GROUP, sheet.size * WIDEST)
    for place in range(plane.count):
        start = plane.middle(place) - wide / 2
        for upwards in (True, False):
            rows = [n for n, row in enumerate(sheet.rows) if row.data[place] and (row.data[place] > 0) == upwards]
            base = 0.0
            for number in rows:
                value = sheet.rows[number].data[place]
                yield Bar(number, place, start, start + wide, base, base + value, value, number == rows[-1])
                base += value


def _draw_bar(sheet: Sheet, plane: Plane, bar: Bar) -> None:
    base, end = plane.at(bar.base), plane.at(bar.value)
    start, stop = _whole(bar.start, bar.end)
    box = plane.rectangle(start, stop, min(base, end), max(base, end))
    if not plane.horizontal:
        box = Box(start, min(base, end), stop, max(base, end))
    if box.width <= 0 or box.height <= 0:
        return
    sheet.drawing.bar(box, sheet.row_colors[bar.row], sheet.size * RADIUS, _free_end(plane, bar))
    if sheet.request.stacked and not bar.outermost:
        paper, hair = sheet.theme.background, sheet.hair
        if plane.horizontal:
            sheet.drawing.lines([polyline([(end, box.top), (end, box.bottom)])], paper, hair)
        else:
            sheet.drawing.lines([polyline([(box.left, end), (box.right, end)])], paper, hair)


def _whole(start: float, end: float) -> tuple[float, float]:
    """Move the sides of a bar between pixels, where it is wide enough to bear that."""
    return (round(start), round(end)) if end - start >= 4 else (start, end)


def _free_end(plane: Plane, bar: Bar) -> Corners:
    """Name the corners at the free end of a bar."""
    grows = bar.value >= bar.base
    if not bar.outermost:
        return Corners.NONE
    if plane.horizontal:
        return Corners.RIGHT if grows else Corners.LEFT
    return Corners.TOP if grows else Corners.BOTTOM


def _room(sheet: Sheet, box: Box) -> float:
    """Give what the values need beyond the ends of the bars, in pixels."""
    if not sheet.request.values or sheet.request.stacked:
        return 0
    size = sheet.small
    widest = max(width(sheet.value_format(value), size) for value in sheet.numbers)
    if sheet.request.horizontal:
        return widest + size * 0.7 if box.height / len(sheet.numbers) * GROUP >= size else 0
    pitch = (box.width - size * 4) / len(sheet.numbers)
    if widest + size * 0.3 <= pitch * GROUP:
        return size * 1.5
    return widest + size * 0.5 if pitch * GROUP >= size and widest < box.height * MOST_TURNED else 0


def _write_values(sheet: Sheet, plane: Plane, bars: list[Bar], room: float) -> None:
    size, crowd = sheet.small, Crowd(sheet.drawing.texts)
    widest = max(width(sheet.value_format(bar.amount), size) for bar in bars) if bars else 0
    thickness = min((bar.end - bar.start for bar in bars), default=0)
    if sheet.request.stacked:
        for bar in bars:
            _write_inside(sheet, plane, bar, size)
    elif plane.horizontal:
        if thickness >= size * 0.95:
            for bar in bars:
                _write(sheet, crowd, _beside(sheet, plane, bar))
    else:
        pitch = plane.slot * GROUP / len(sheet.rows) if len(sheet.rows) > 1 else plane.slot
        turn = widest + size * 0.3 > pitch
        if not turn or (room > widest and thickness >= size * 0.95):
            for bar in bars:
                _write(sheet, crowd, _above(sheet, plane, bar, turn=turn))


def _write(sheet: Sheet, crowd: Crowd, text: Text) -> None:
    if crowd.admits(text):
        sheet.drawing.write(text)


def _above(sheet: Sheet, plane: Plane, bar: Bar, *, turn: bool) -> Text:
    size = sheet.small
    text, middle = sheet.value_format(bar.amount), (bar.start + bar.end) / 2
    up = bar.amount >= 0
    end = plane.at(bar.value)
    if turn:
        x, y = middle + size * CAP_HEIGHT / 2, end + size * (-0.35 if up else 0.35)
        return Text(x, y, text, size, sheet.theme.strong, anchor="start" if up else "end", turn=-90)
    y = end - size * 0.45 if up else end + size * (0.45 + CAP_HEIGHT)
    return Text(middle, y, text, size, sheet.theme.strong, anchor="middle")


def _beside(sheet: Sheet, plane: Plane, bar: Bar) -> Text:
    size, right = sheet.small, bar.amount >= 0
    x = plane.at(bar.value) + size * (0.45 if right else -0.45)
    y = (bar.start + bar.end) / 2 + size * CAP_HEIGHT / 2
    text = sheet.value_format(bar.amount)
    return Text(x, y, text, size, sheet.theme.strong, anchor="start" if right else "end")


def _write_inside(sheet: Sheet, plane: Plane, bar: Bar, size: float) -> None:
    """Write a value into its part of a stack, where there is room for it."""
    text = sheet.value_format(bar.amount)
    along, across = abs(plane.at(bar.value) - plane.at(bar.base)), bar.end - bar.start
    wide, high = (along, across) if plane.horizontal else (across, along)
    if width(text, size) + size * 0.5 > wide or high < size * 1.25:
        return
    middle, center = (plane.at(bar.value) + plane.at(bar.base)) / 2, (bar.start + bar.end) / 2
    x, y = (middle, center) if plane.horizontal else (center, middle)
    fill = letters_on(sheet.row_colors[bar.row])
    sheet.drawing.write(Text(x, y + size * CAP_HEIGHT / 2, text, size, fill, anchor="middle"))
