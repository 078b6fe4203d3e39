"""Pie and doughnut charts; the legend shows names and shares."""

import math
from dataclasses import dataclass

from mediakit.engines.drawing.drawing import Box, svg_number, svg_point
from mediakit.engines.drawing.number_format import format_share
from mediakit.engines.drawing.text import Anchor, Text, text_width, truncate
from mediakit.engines.drawing.typeface import CAP_HEIGHT
from mediakit.tools.images.chart.layout import legend
from mediakit.tools.images.chart.layout.axis_labels import PlacedTexts
from mediakit.tools.images.chart.layout.canvas import Canvas, is_gap
from mediakit.tools.images.chart.layout.legend import LegendEntry, draw_title
from mediakit.tools.images.chart.theme import text_color_on

HOLE_SHARE = 0.62
"""Radius of the hole of a doughnut, relative to the radius of the disc."""

SIDE_LEGEND_RATIO = 1.15
"""From this aspect ratio (width by height), the automatic legend is at the right."""

MAX_LEGEND_WIDTH_SHARE, MAX_LEGEND_HEIGHT_SHARE = 0.56, 0.42
"""The most that a legend takes of the width beside the disc, or of the height above or below it."""

MAX_LEGEND_ROWS = 2.05
"""Rows of a legend above or below a wide chart; legends with more rows use columns."""

NO_VALUE = "–"
"""Figure of a missing value."""

MAX_RADIUS = 14.0
"""In em."""

MAX_NAMED_SLICES, MIN_NAMED_RADIUS_SHARE = 8, 0.28
"""Up to this many slices have their names beside them, if the radius is at least this share of the shorter side."""

NAME_GAP, MIN_SIDE_SINE = 0.7, 0.08
"""Between the disc and names, in em; and the sine of angles at which names are above or below the disc."""


@dataclass(frozen=True)
class Slice:
    """A slice between two angles, in radians clockwise from the top."""

    start: float
    end: float
    share: float
    color: str


@dataclass(frozen=True)
class Disc:
    """Position and size of the disc, in pixels."""

    x: float
    y: float
    radius: float
    hole_radius: float
    """0 for a pie."""

    def point(self, angle: float, radius: float) -> tuple[float, float]:
        """Return the point at an angle and a distance from the center."""
        return self.x + radius * math.sin(angle), self.y - radius * math.cos(angle)


def draw(canvas: Canvas) -> None:
    """Draw a pie or doughnut chart of the first series."""
    values = canvas.series[0].data
    amounts = [value if value > 0 else 0.0 for value in values]
    total = math.fsum(amounts)
    colors = canvas.theme.colors(len(values), canvas.request.palette)
    box = draw_title(canvas, canvas.content_box)
    entries = _legend_entries(canvas, amounts, total, colors)
    slices = _slices(amounts, total, colors)
    names = _names_beside(canvas, box, entries, slices) if canvas.request.legend == "auto" else None
    if names:
        disc, texts = names
    else:
        disc, texts = _disc(canvas, _draw_legend(canvas, box, entries)), []
    _draw_slices(canvas, disc, slices)
    shares = (_share_text(canvas, disc, piece, len(slices)) for piece in slices)
    for text in filter(None, (*texts, *shares)):
        canvas.drawing.add_text(text)
    if disc.hole_radius:
        _draw_total(canvas, disc, total)


def _disc(canvas: Canvas, box: Box, beside: float = 0, above: float = 0) -> Disc:
    """Return the largest disc in a box, with space beside it, and above and below it."""
    room = min(box.width / 2 - beside, box.height / 2 - above)
    radius = max(4.0, min(room, _max_radius(canvas, box)))
    hole_radius = radius * HOLE_SHARE if canvas.request.type == "doughnut" else 0.0
    return Disc((box.left + box.right) / 2, (box.top + box.bottom) / 2, radius, hole_radius)


def _names_beside(
    canvas: Canvas, box: Box, entries: list[LegendEntry], slices: list[Slice]
) -> tuple[Disc, list[Text]] | None:
    """Return the disc with the name of each slice beside it; None if there is no room for all of them.

    The share is a part of the name where the slice has no room for it. Values without a slice need a legend.
    """
    if not 2 <= len(slices) <= MAX_NAMED_SLICES or len(slices) < len(entries):
        return None
    size = canvas.font_size
    widest = max(text_width(" ".join((entry.name, *entry.figures)), size) for entry in entries)
    disc = _disc(canvas, box, beside=widest + size * NAME_GAP, above=size * (NAME_GAP + 1))
    if disc.radius < min(box.height, box.width) * MIN_NAMED_RADIUS_SHARE:
        return None
    placed, texts = PlacedTexts(canvas.drawing.texts), []
    for entry, piece in zip(entries, slices, strict=True):
        has_share = _share_text(canvas, disc, piece, len(slices)) is not None
        figures = entry.figures[:-1] if has_share else entry.figures
        angle = (piece.start + piece.end) / 2
        x, y = disc.point(angle, disc.radius + size * NAME_GAP)
        sine, cosine = math.sin(angle), math.cos(angle)
        anchor: Anchor = "middle" if abs(sine) < MIN_SIDE_SINE else "start" if sine > 0 else "end"
        baseline, content = y + size * CAP_HEIGHT * (1 - cosine) / 2, "  ".join((entry.name, *figures))
        text = Text(x, baseline, content, size, canvas.theme.text, anchor=anchor)
        if not placed.try_add(text):
            return None
        texts.append(text)
    return disc, texts


def _max_radius(canvas: Canvas, box: Box) -> float:
    return max(canvas.font_size * MAX_RADIUS, box.height * 0.4)


def _legend_entries(canvas: Canvas, amounts: list[float], total: float, colors: list[str]) -> list[LegendEntry]:
    """Return an entry for each label; values without a slice have a hollow swatch and the value instead of a share."""
    entries = []
    for label, value, amount, color in zip(canvas.labels, canvas.series[0].data, amounts, colors, strict=True):
        formatted = NO_VALUE if is_gap(value) else canvas.format_value(value)
        share = format_share(amount / total) if amount else ("0%" if value == 0 and total else formatted)
        figures = (formatted, share if amount else "") if canvas.request.values else (share,)
        entries.append(LegendEntry(label, color, "square" if amount else "hollow", figures))
    return entries


def _draw_legend(canvas: Canvas, box: Box, entries: list[LegendEntry]) -> Box:
    """Draw the legend and return the box that remains for the disc; beside it, both are centered as a group."""
    position = canvas.request.legend
    if position == "none":
        return box
    if position == "auto":
        position = "right" if box.width / box.height >= SIDE_LEGEND_RATIO else "bottom"
    if position == "right":
        layout = legend.layout_columns(canvas, entries, box.width * MAX_LEGEND_WIDTH_SHARE, box.height)
        gap = canvas.font_size * 2.6
        radius = min((box.width - layout.width - gap) / 2, box.height / 2, _max_radius(canvas, box))
        left = box.left + max(0.0, (box.width - 2 * radius - gap - layout.width) / 2)
        legend.draw_legend(canvas, layout, left + 2 * radius + gap, (box.top + box.bottom - layout.height) / 2)
        return Box(left, box.top, left + 2 * radius, box.bottom)
    layout = legend.layout_rows(canvas, entries, box.width, canvas.font_size * legend.ROW_HEIGHT * MAX_LEGEND_ROWS)
    if not layout.is_complete or box.width < box.height:
        layout = legend.layout_columns(canvas, entries, box.width, box.height * MAX_LEGEND_HEIGHT_SHARE)
    left = box.left + (box.width - layout.width) / 2
    gap = canvas.font_size
    if position == "top":
        legend.draw_legend(canvas, layout, left, box.top)
        return box.inset(top=layout.height + gap)
    legend.draw_legend(canvas, layout, left, box.bottom - layout.height)
    return box.inset(bottom=layout.height + gap)


def _slices(amounts: list[float], total: float, colors: list[str]) -> list[Slice]:
    slices, start = [], 0.0
    for amount, color in zip(amounts, colors, strict=True):
        share = amount / total if total else 0.0
        end = start + share * math.tau
        if share:
            slices.append(Slice(start, end, share, color))
        start = end
    return slices


def _draw_slices(canvas: Canvas, disc: Disc, slices: list[Slice]) -> None:
    """Draw the slices with gaps between them; if there is one slice or none, the whole disc with its hole."""
    color = slices[0].color if slices else canvas.theme.grid
    if len(slices) > 1:
        gap = max(canvas.hairline, canvas.font_size * 0.12)
        for piece in slices:
            canvas.drawing.fill_path(_slice_path(disc, piece, gap), piece.color)
    elif disc.hole_radius:
        middle, width = (disc.radius + disc.hole_radius) / 2, disc.radius - disc.hole_radius
        arc = f"a{svg_number(middle)} {svg_number(middle)} 0 1 1 0 "
        path = f"M{svg_point(disc.x, disc.y - middle)}{arc}{svg_number(2 * middle)}{arc}{svg_number(-2 * middle)}z"
        canvas.drawing.stroke_path(path, color, width)
    else:
        canvas.drawing.fill_circle(disc.x, disc.y, disc.radius, color)


def _slice_path(disc: Disc, piece: Slice, gap: float) -> str:
    """Return the path of a slice, each side inset by half a gap; the gap of thin slices is smaller."""
    angle = piece.end - piece.start
    inset = min(gap, angle * disc.radius * 0.4) / 2
    rim = _arc_path(disc, piece.start, piece.end, disc.radius, inset)
    if disc.hole_radius:
        return f"M{rim}L{_arc_path(disc, piece.end, piece.start, disc.hole_radius, -inset)}z"
    sine = math.sin(angle / 2)
    tip = disc.point((piece.start + piece.end) / 2, inset / sine if sine > inset / disc.radius else 0.0)
    return f"M{svg_point(*tip)}L{rim}z"


def _arc_path(disc: Disc, start: float, end: float, radius: float, inset: float) -> str:
    """Return the path of an arc whose ends are inset.

    The arc is drawn as two halves: the direction of a single arc that is nearly a circle would be ambiguous.
    """
    arc = f"A{svg_number(radius)} {svg_number(radius)} 0 0 {int(end > start)} "
    inset_angle = math.asin(max(-1.0, min(1.0, inset / radius)))
    angles = (start + inset_angle, (start + end) / 2, end - inset_angle)
    first, middle, last = (svg_point(*disc.point(angle, radius)) for angle in angles)
    return f"{first}{arc}{middle}{arc}{last}"


def _share_text(canvas: Canvas, disc: Disc, piece: Slice, count: int) -> Text | None:
    """Return the share inside a slice; None if the slice is too small for it."""
    size = canvas.font_size
    distance = (disc.radius + disc.hole_radius) / 2 if disc.hole_radius else disc.radius * 0.66
    thickness = disc.radius - disc.hole_radius if disc.hole_radius else disc.radius * 0.6
    content = format_share(piece.share)
    half_diagonal = math.hypot(text_width(content, size), size) / 2 + size * 0.25
    half_angle = (piece.end - piece.start) / 2
    half_chord = distance * (math.sin(half_angle) if half_angle < math.pi / 2 else 1)
    if half_chord < half_diagonal or thickness < text_width(content, size) + size * 0.3:
        return None
    x, y = disc.point((piece.start + piece.end) / 2, distance if count > 1 or disc.hole_radius else 0)
    return Text(x, y + size * CAP_HEIGHT / 2, content, size, text_color_on(piece.color), 600, "middle")


def _draw_total(canvas: Canvas, disc: Disc, total: float) -> None:
    """Draw the total in the hole of a doughnut and, if there is space, the name of the series below it."""
    text, max_width, small = canvas.format_value(total), disc.hole_radius * 1.5, canvas.small_font_size
    largest = canvas.font_size * 2.2
    size = min(largest, disc.hole_radius * 0.5, largest * max_width / max(text_width(text, largest, 600), 1))
    if size < canvas.font_size * 0.9:
        return
    full_name = canvas.series[0].name
    name = truncate(full_name, max_width, small)
    has_name = bool(name) and disc.hole_radius > canvas.font_size * 3
    y = disc.y + size * CAP_HEIGHT / 2 - (small * 0.7 if has_name else 0)
    canvas.drawing.add_text(Text(disc.x, y, text, size, canvas.theme.strong, 600, "middle"))
    if has_name:
        y += small * 1.55
        canvas.drawing.add_text(Text(disc.x, y, name, small, canvas.theme.text, anchor="middle", full=full_name))
