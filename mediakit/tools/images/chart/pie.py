"""Pies and doughnuts: parts of a whole, with their names and shares in the legend."""

import math
from dataclasses import dataclass

from mediakit.tools.images.chart import legend
from mediakit.tools.images.chart.drawing import Box, number, point
from mediakit.tools.images.chart.heading import heading
from mediakit.tools.images.chart.legend import Entry, Plan
from mediakit.tools.images.chart.numbers import share
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.text import Text, fit, width
from mediakit.tools.images.chart.theme import letters_on
from mediakit.tools.images.chart.typeface import CAP_HEIGHT

HOLE = 0.62
"""Of a doughnut's radius."""

WIDE_FROM = 1.15
"""Width by height from which on the legend stands at the right."""

MOST_BESIDE, MOST_BELOW = 0.56, 0.42
"""Of the room, for a legend."""

FEW_ROWS = 2.05
"""Rows of a legend above or below a wide picture; more become columns."""

LARGEST = 14.0
"""Radius in em: a larger disc says no more."""


@dataclass(frozen=True)
class Slice:
    """A part, from one angle to another: in radians clockwise from noon."""

    start: float
    end: float
    part: float
    color: str


@dataclass(frozen=True)
class Disc:
    """Where the pie lies, in pixels."""

    x: float
    y: float
    radius: float
    hole: float

    def at(self, angle: float, radius: float) -> tuple[float, float]:
        """Give the point at an angle and a distance from the middle."""
        return self.x + radius * math.sin(angle), self.y - radius * math.cos(angle)


def draw(sheet: Sheet) -> None:
    """Draw the chart."""
    values = sheet.rows[0].data
    counted = [value if value > 0 else 0.0 for value in values]
    total = math.fsum(counted)
    colors = sheet.theme.colors(len(values), sheet.request.palette)
    box = heading(sheet, sheet.whole)
    box = _with_legend(sheet, box, _entries(sheet, counted, total, colors))
    radius = max(4.0, min(box.width / 2, box.height / 2, max(sheet.size * LARGEST, box.height * 0.4)))
    hole = radius * HOLE if sheet.request.type == "doughnut" else 0.0
    disc = Disc((box.left + box.right) / 2, (box.top + box.bottom) / 2, radius, hole)
    slices = _slices(counted, total, colors)
    _draw_slices(sheet, disc, slices)
    _write_shares(sheet, disc, slices)
    if hole:
        _write_total(sheet, disc, total)


def _entries(sheet: Sheet, counted: list[float], total: float, colors: list[str]) -> list[Entry]:
    """Give an entry for each label; one that is no part of the whole has a hollow key and its number."""
    entries = []
    for label, value, part, color in zip(sheet.labels, sheet.rows[0].data, counted, colors, strict=True):
        written = sheet.value_format(value)
        percent = share(part / total) if part else ("0%" if value == 0 and total else written)
        figures = (written, percent if part else "") if sheet.request.values else (percent,)
        entries.append(Entry(label, color, "square" if part else "hollow", figures))
    return entries


def _with_legend(sheet: Sheet, box: Box, entries: list[Entry]) -> Box:
    """Draw the legend and give the room for the disc."""
    side = sheet.request.legend
    if side == "none":
        return box
    if side == "auto":
        side = "right" if box.width / box.height >= WIDE_FROM else "bottom"
    if side == "right":
        return _beside(sheet, box, legend.columns(sheet, entries, box.width * MOST_BESIDE, box.height))
    plan = legend.rows(sheet, entries, box.width, sheet.size * legend.ROW * FEW_ROWS)
    if not plan.whole or box.width < box.height:
        plan = legend.columns(sheet, entries, box.width, box.height * MOST_BELOW)
    left = box.left + (box.width - plan.width) / 2
    gap = sheet.size
    if side == "top":
        legend.draw(sheet, plan, left, box.top)
        return box.inset(top=plan.height + gap)
    legend.draw(sheet, plan, left, box.bottom - plan.height)
    return box.inset(bottom=plan.height + gap)


def _beside(sheet: Sheet, box: Box, plan: Plan) -> Box:
    """Put disc and legend into the middle of the room, as one group."""
    gap = sheet.size * 2.6
    radius = min((box.width - plan.width - gap) / 2, box.height / 2, max(sheet.size * LARGEST, box.height * 0.4))
    left = box.left + max(0.0, (box.width - 2 * radius - gap - plan.width) / 2)
    legend.draw(sheet, plan, left + 2 * radius + gap, (box.top + box.bottom - plan.height) / 2)
    return Box(left, box.top, left + 2 * radius, box.bottom)


def _slices(counted: list[float], total: float, colors: list[str]) -> list[Slice]:
    slices, start = [], 0.0
    for value, color in zip(counted, colors, strict=True):
        part = value / total if total else 0.0
        end = start + part * math.tau
        if part:
            slices.append(Slice(start, end, part, color))
        start = end
    return slices


def _draw_slices(sheet: Sheet, disc: Disc, slices: list[Slice]) -> None:
    """Draw the slices, apart by a line of paper; a whole circle where there is one slice, or none."""
    if len(slices) < 2:
        color = slices[0].color if slices else sheet.theme.grid
        sheet.drawing.disc(disc.x, disc.y, disc.radius, color)
        if disc.hole:
            sheet.drawing.disc(disc.x, disc.y, disc.hole, sheet.theme.background)
        return
    gap = max(sheet.hair, sheet.size * 0.12)
    for piece in slices:
        sheet.drawing.area(_wedge(disc, piece, gap), piece.color)


def _wedge(disc: Disc, piece: Slice, gap: float) -> str:
    """Give the outline of a slice whose sides stand half a gap off its neighbours'; a thin one keeps its width."""
    angle = piece.end - piece.start
    off = min(gap, angle * disc.radius * 0.4) / 2
    rim = _arc(disc, piece.start, piece.end, disc.radius, off)
    if disc.hole:
        return f"M{rim}L{_arc(disc, piece.end, piece.start, disc.hole, -off)}z"
    sine = math.sin(angle / 2)
    tip = disc.at((piece.start + piece.end) / 2, off / sine if sine > off / disc.radius else 0.0)
    return f"M{point(*tip)}L{rim}z"


def _arc(disc: Disc, start: float, end: float, radius: float, off: float) -> str:
    """Give an arc that ends a little before its angles.

    It has two halves: of one that is nearly a circle renderers would see no way from end to end.
    """
    turn = f"A{number(radius)} {number(radius)} 0 0 {int(end > start)} "
    short = math.asin(max(-1.0, min(1.0, off / radius)))
    angles = (start + short, (start + end) / 2, end - short)
    first, middle, last = (point(*disc.at(angle, radius)) for angle in angles)
    return f"{first}{turn}{middle}{turn}{last}"


def _write_shares(sheet: Sheet, disc: Disc, slices: list[Slice]) -> None:
    """Write the share of each slice that is large enough for it."""
    size = sheet.size
    middle = (disc.radius + disc.hole) / 2 if disc.hole else disc.radius * 0.66
    thick = disc.radius - disc.hole if disc.hole else disc.radius * 0.6
    for piece in slices:
        text = share(piece.part)
        half = math.hypot(width(text, size), size) / 2 + size * 0.25
        angle = (piece.end - piece.start) / 2
        free = middle * (math.sin(angle) if angle < math.pi / 2 else 1)
        if free < half or thick < width(text, size) + size * 0.3:
            continue
        x, y = disc.at((piece.start + piece.end) / 2, middle if len(slices) > 1 or disc.hole else 0)
        fill = letters_on(piece.color)
        sheet.drawing.write(Text(x, y + size * CAP_HEIGHT / 2, text, size, fill, 600, "middle"))


def _write_total(sheet: Sheet, disc: Disc, total: float) -> None:
    """Write the sum into the hole, and below it what was added up, where there is room."""
    text, room = sheet.value_format(total), disc.hole * 1.5
    size = min(sheet.size * 2.2, disc.hole * 0.5, sheet.size * 2.2 * room / max(width(text, sheet.size * 2.2, 600), 1))
    if size < sheet.size * 0.9:
        return
    name = fit(sheet.rows[0].name, room, sheet.small)
    both = bool(name) and disc.hole > sheet.size * 3
    y = disc.y + size * CAP_HEIGHT / 2 - (sheet.small * 0.7 if both else 0)
    sheet.drawing.write(Text(disc.x, y, text, size, sheet.theme.strong, 600, "middle"))
    if both:
        below = y + sheet.small * 1.55
        sheet.drawing.write(
            Text(disc.x, below, name, sheet.small, sheet.theme.text, anchor="middle", full=sheet.rows[0].name)
        )
