"""Radar charts: a spoke for each label, a ring for each tick, a shape for each series."""

import math
from dataclasses import dataclass
from itertools import pairwise

from mediakit.tools.images.chart.drawing import Box, polyline
from mediakit.tools.images.chart.frame import framed, series_entries
from mediakit.tools.images.chart.overlap import Crowd
from mediakit.tools.images.chart.scale import Scale, extent, scaled
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.text import Anchor, Text, fit, width
from mediakit.tools.images.chart.typeface import CAP_HEIGHT

GAP = 0.9
"""From the rim to the labels, in em."""

MOST_LABEL = 0.3
"""Of the room's width, for a label at each side."""

FEW = 3
"""Series whose shapes are filled; of more one would see the mixture alone."""

MOST_TURNED = 0.42
"""Of the room's half, for labels along the spokes."""


Point = tuple[float, float]


@dataclass(frozen=True)
class Web:
    """Where the rings lie, in pixels."""

    x: float
    y: float
    radius: float
    count: int

    def angle(self, place: int) -> float:
        """Give the angle of a spoke, clockwise from noon."""
        return math.tau * place / self.count

    def at(self, place: int, part: float) -> tuple[float, float]:
        """Give the point on a spoke: 0 in the middle, 1 at the rim."""
        angle = self.angle(place)
        return self.x + part * self.radius * math.sin(angle), self.y - part * self.radius * math.cos(angle)

    def ring(self, part: float) -> str:
        """Give the path of a ring; with one or two spokes it is a circle."""
        if self.count > 2:
            return polyline([self.at(place, part) for place in range(self.count)]) + "z"
        radius = self.radius * part
        turn = f"a{radius:.2f} {radius:.2f} 0 1 1"
        return f"M{self.x:.2f} {self.y - radius:.2f}{turn} 0 {2 * radius:.2f}{turn} 0 {-2 * radius:.2f}z"


def draw(sheet: Sheet) -> None:
    """Draw the chart."""
    box = framed(sheet, series_entries(sheet, "square"))
    low, high = extent(sheet.numbers, from_zero=True)
    web, labels = _level(sheet, box) or _turned(sheet, box)
    whole = all(float(value).is_integer() for value in sheet.numbers)
    scale = scaled(low, high, max(1, min(4, int(web.radius / (sheet.small * 2.4)))), whole=whole)
    shapes = [[web.at(place, scale.place(value)) for place, value in enumerate(row.data)] for row in sheet.rows]
    _draw_grounds(sheet, web, shapes)
    _draw_web(sheet, web, scale)
    for shape, color in zip(shapes, sheet.row_colors, strict=True):
        _draw_shape(sheet, web, shape, color)
    for label in labels:
        sheet.drawing.write(label)
    _write_ticks(sheet, web, scale, Crowd(labels))


def _draw_web(sheet: Sheet, web: Web, scale: Scale) -> None:
    theme, hair = sheet.theme, sheet.hair
    rings = {tick: web.ring(scale.place(tick)) for tick in scale.ticks if scale.place(tick) > 0}
    spokes = [polyline([(web.x, web.y), web.at(place, 1)]) for place in range(web.count)]
    sheet.drawing.lines([*(ring for tick, ring in rings.items() if tick), *spokes], theme.web, hair)
    sheet.drawing.lines([ring for tick, ring in rings.items() if not tick], theme.zero, hair)


def _draw_grounds(sheet: Sheet, web: Web, shapes: list[list[Point]]) -> None:
    """Tint the shapes, the largest first, so that each is seen."""
    if len(shapes) > FEW or web.count < 3:
        return
    tinted = zip(shapes, sheet.row_colors, strict=True)
    for shape, color in sorted(tinted, key=lambda pair: -_area(pair[0])):
        sheet.drawing.area(polyline(shape) + "z", sheet.theme.tint(color))


def _draw_shape(sheet: Sheet, web: Web, shape: list[Point], color: str) -> None:
    if web.count > 1:
        sheet.drawing.curve(polyline(shape) + "z", color, sheet.size * 0.16)
    if web.radius * math.tau / web.count > sheet.size * 1.2:
        sheet.drawing.dots(shape, sheet.size * 0.24, color)


def _area(shape: list[Point]) -> float:
    """Give twice the area of a polygon."""
    return abs(sum(one[0] * two[1] - two[0] * one[1] for one, two in pairwise([*shape, shape[0]])))


def _write_ticks(sheet: Sheet, web: Web, scale: Scale, crowd: Crowd) -> None:
    """Write the numbers of the rings beside the first spoke, but for those that would meet a label."""
    form, size = sheet.tick_format(scale.ticks, scale.step), sheet.small * 0.92
    ink, paper = sheet.theme.text, sheet.theme.background
    for tick in scale.ticks:
        y = web.y - scale.place(tick) * web.radius + size * CAP_HEIGHT / 2
        text = Text(web.x - size * 0.45, y, form(tick), size, ink, anchor="end", halo=paper)
        if crowd.admits(text):
            sheet.drawing.write(text)


def _level(sheet: Sheet, box: Box) -> tuple[Web, list[Text]] | None:
    """Write the labels level around the rim, unless two of them would meet."""
    size, count = sheet.small, len(sheet.labels)
    room = box.width * MOST_LABEL
    widest = min(room, max(width(label, size) for label in sheet.labels))
    high = size * (GAP + 1)
    radius = min((box.width - 2 * (widest + size * GAP)) / 2, (box.height - 2 * high) / 2)
    if radius < min(box.width, box.height) * 0.2:
        return None
    web = Web((box.left + box.right) / 2, (box.top + box.bottom) / 2, radius, count)
    labels = [_level_label(sheet, web, place, box) for place in range(count)]
    crowd = Crowd([])
    if not all(crowd.admits(label) for label in labels):
        return None
    return web, labels


def _level_label(sheet: Sheet, web: Web, place: int, box: Box) -> Text:
    size, angle = sheet.small, web.angle(place)
    sine, cosine = math.sin(angle), math.cos(angle)
    reach = web.radius + size * GAP
    x, y = web.x + reach * sine, web.y - reach * cosine
    anchor: Anchor = "middle" if abs(sine) < 0.02 else "start" if sine > 0 else "end"
    room = {"start": box.right - x, "end": x - box.left, "middle": box.width}[anchor]
    baseline = y + size * CAP_HEIGHT * (1 - cosine) / 2
    label = sheet.labels[place]
    return Text(x, baseline, fit(label, room, size), size, sheet.theme.text, anchor=anchor, full=label)


def _turned(sheet: Sheet, box: Box) -> tuple[Web, list[Text]]:
    """Write the labels along their spokes, or every second, third, ... where even that is too dense."""
    size = max(sheet.small * 0.92, 9.0)
    half = min(box.width, box.height) / 2
    longest = max(width(label, size) for label in sheet.labels)
    room = min(longest, half * MOST_TURNED)
    web = Web((box.left + box.right) / 2, (box.top + box.bottom) / 2, half - room - size * GAP, len(sheet.labels))
    around = math.tau * (web.radius + size * GAP) / web.count
    every = math.ceil(size * 1.15 / around)
    shown = [place for place in range(web.count) if place % every == 0 and web.count - place >= every]
    return web, [_turned_label(sheet, web, place, size, room) for place in shown]


def _turned_label(sheet: Sheet, web: Web, place: int, size: float, room: float) -> Text:
    angle, label = web.angle(place), sheet.labels[place]
    reach = web.radius + size * GAP
    right = angle <= math.pi
    shift = size * CAP_HEIGHT / 2 * (1 if right else -1)
    x = web.x + reach * math.sin(angle) + shift * math.cos(angle)
    y = web.y - reach * math.cos(angle) + shift * math.sin(angle)
    turn = math.degrees(angle) - 90 if right else math.degrees(angle) - 270
    anchor: Anchor = "start" if right else "end"
    text = fit(label, room + 0.01, size)
    return Text(x, y, text, size, sheet.theme.text, anchor=anchor, turn=turn, full=label)
