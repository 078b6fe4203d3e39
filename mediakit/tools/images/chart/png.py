"""The PNG file: letters drawn as outlines, which is fast and looks alike on every machine."""

import io
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from PIL import Image

from mediakit.engines.png import written
from mediakit.tools.images.chart.drawing import number
from mediakit.tools.images.chart.scripts import FONTS, OWN, Run, em_width, runs
from mediakit.tools.images.chart.sheet import Sheet
from mediakit.tools.images.chart.svg import halo, opened
from mediakit.tools.images.chart.text import Anchor, Text
from mediakit.tools.images.chart.theme import Theme, parts
from mediakit.tools.images.chart.typeface import UNITS, Weight, typeface

QUICK_PIXELS, QUICK_SOURCE, QUICK_TEXTS = 1_100_000, 120_000, 8
"""Up to here; texts are those in fonts of the machine, at two milliseconds each."""
STEP = 8
LEVEL = 4
"""Of zlib-ng: a third faster than 6, and the file grows by a twentieth, that of bars by half of their few kilobytes."""
STARTS = {"start": 0.0, "middle": 0.5, "end": 1.0}


@dataclass(frozen=True)
class Plate:
    """All that drawing the file needs."""

    source: str
    """An SVG without fonts, but for scripts that the typeface lacks."""
    levels: list[int]
    quick: bool
    """Whether it takes a few hundredths of a second, so that a process of its own would cost more than it saves."""


def plate(sheet: Sheet) -> Plate:
    """Prepare the drawing of the file."""
    request = sheet.request
    source = _outlined(sheet)
    quick = (
        request.width * request.height <= QUICK_PIXELS
        and len(source) <= QUICK_SOURCE
        and source.count("<text") <= QUICK_TEXTS
    )
    return Plate(source, _levels(sheet.theme, tuple(request.palette or ())), quick)


def picture(source: str, levels: list[int]) -> bytes:
    """Draw the file; the interpreter's lock is held for most of that."""
    import vl_convert

    with Image.open(io.BytesIO(vl_convert.svg_to_png(source))) as image:
        return written(image.convert("RGB").point(levels), LEVEL)


@lru_cache(maxsize=64)
def _levels(theme: Theme, palette: tuple[str, ...]) -> list[int]:
    """Give a level for each level of red, green and blue, so that the soft edges of shapes have few.

    The colours of the chart stay as they are, all else moves by at most four of 255: a fifth of the file is saved.
    """
    inks = (theme.background, theme.strong, theme.text, theme.grid, theme.web, theme.zero, *theme.palette, *palette)
    kept = [sorted({*range(0, 256, STEP), 255, *channel}) for channel in zip(*map(parts, inks), strict=True)]
    return [min(levels, key=lambda kept: abs(kept - level)) for levels in kept for level in range(256)]


def _outlined(sheet: Sheet) -> str:
    request = sheet.request
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{request.width}" height="{request.height}">'
    return "".join((head, *opened(sheet), *(_line(text) for text in sheet.drawing.texts), "</svg>"))


def _line(text: Text) -> str:
    """Draw a line, run by run."""
    pen = -STARTS[text.anchor] * em_width(text.content, text.weight)
    parts = []
    found = runs(text.content, text.weight)
    if len(found) == 1 and found[0].script != OWN:
        parts.append(_foreign(found[0], text, 0.0, text.anchor))
        found = ()
    for run in found:
        parts.append(
            _outlines(run, text, pen) if run.script == OWN else _foreign(run, text, pen + run.width / 2, "middle")
        )
        pen += run.width
    turn = f" rotate({number(text.turn)})" if text.turn else ""
    place = f"translate({number(text.x)} {number(text.y)}){turn}"
    return f'<g transform="{place}" fill="{text.fill}">{"".join(parts)}</g>'


def _outlines(run: Run, text: Text, pen: float) -> str:
    place = f"translate({number(pen * text.size)} 0) scale({text.size / UNITS:.5f})"
    return f'<path transform="{place}"{halo(text, UNITS)} d="{_outline(run.text, text.weight)}"/>'


def _foreign(run: Run, text: Text, place: float, anchor: Anchor) -> str:
    """Leave what the typeface lacks to the fonts of the machine."""
    return (
        f'<text x="{number(place * text.size)}" text-anchor="{anchor}" font-size="{number(text.size)}" '
        f'font-family="{FONTS[run.script]}, sans-serif" font-weight="{text.weight}"{halo(text, text.size)}>'
        f"{escape(run.text)}</text>"
    )


@lru_cache(maxsize=2048)
def _outline(text: str, weight: Weight) -> str:
    return typeface(weight).outline(text)
