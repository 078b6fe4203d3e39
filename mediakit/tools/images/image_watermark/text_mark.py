"""Text as marks: an SVG with the bundled typeface as outlines, and system fonts for other scripts and emoji."""

import io
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from html import escape

from PIL import Image

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.text import BUNDLED, SCRIPTS, TextRun, text_runs
from mediakit.engines.drawing.typeface import ASCENT, DESCENT, UNITS, Weight, typeface
from mediakit.errors import InvalidInput

WEIGHT: Weight = 600
EM = 100.0
"""Font size of the layout."""
LINE_HEIGHT = 1.25
OUTLINE = 0.09
"""Width of the outline in em; half of it is outside the letters."""
SPACE = 0.28
"""Width of a space at the ends of a run in a system font, in em."""
DRAFT_SIDE = 1600
"""Longest side of the image in which the ink of the text is measured."""
MAX_DRAFT_HEIGHT = 1200

_NOT_IN_XML = re.compile(r"[\ufffe\uffff]")


@dataclass(frozen=True)
class Colors:
    """Colors of a text, as `#rrggbb`."""

    fill: str
    outline: str


@dataclass(frozen=True)
class TextMark:
    """A text that can be drawn at any size."""

    elements: str
    """SVG elements in the units of the layout, with `FILL` and `OUTLINE` for the colors."""
    box: tuple[float, float, float, float]
    """Left, top, width and height of the ink."""

    @property
    def aspect(self) -> float:
        """Height divided by width."""
        return self.box[3] / self.box[2]

    def draw(self, width: int, height: int, colors: Colors) -> Image.Image:
        """Return the text as an RGBA image of a size."""
        body = self.elements.replace("{fill}", colors.fill).replace("{outline}", colors.outline)
        return _draw(body, self.box, width, height)


def text_mark(text: str, align: str) -> TextMark:
    """Lay out a text.

    Args:
        text: Up to five lines.
        align: `left`, `center` or `right`, for texts of several lines.

    Raises:
        InvalidInput: No font has the characters.
    """
    lines = [text_runs(_visible(line), WEIGHT) for line in text.split("\n")]
    widths = [[_advance(run) for run in line] for line in lines]
    full = max(sum(each) for each in widths)
    shift = {"left": 0.0, "center": 0.5, "right": 1.0}[align]
    parts = []
    for number, (runs, advances) in enumerate(zip(lines, widths, strict=True)):
        pen, y = (full - sum(advances)) * shift, number * LINE_HEIGHT * EM
        for run, advance in zip(runs, advances, strict=True):
            parts.append(_run(run, pen, y))
            pen += advance
    elements = "".join(parts)
    margin = EM / 2
    height = (len(lines) - 1) * LINE_HEIGHT * EM + (ASCENT + DESCENT) * EM
    page = (-margin, -ASCENT * EM - margin, full + 2 * margin, height + 2 * margin)
    return TextMark(elements, _ink_box(elements, page, text))


def _visible(line: str) -> str:
    """Return a line without trailing spaces, as one that XML can hold."""
    return _NOT_IN_XML.sub("", unicodedata.normalize("NFC", line)).rstrip()


def _advance(run: TextRun) -> float:
    """Return the width of a run in the units of the layout. System fonts are measured by drawing them."""
    if run.script == BUNDLED:
        return run.width * EM
    return _measured(run.text, run.script)


@lru_cache(maxsize=256)
def _measured(text: str, script: str) -> float:
    core = text.strip()
    spaces = (len(text) - len(core)) * SPACE * EM
    if not core:
        return spaces
    side = min((len(core) * 1.6 + 2) * EM, 8000.0)
    page = (-side / 2, -1.5 * EM, side, 2.5 * EM)
    width = round(side)
    ink = _draw(_system_text(core, script, 0.0, 0.0), page, width, round(page[3])).getbbox()
    return spaces + ((ink[2] - ink[0]) * page[2] / width + 0.08 * EM if ink else 0.0)


def _run(run: TextRun, x: float, y: float) -> str:
    if run.script == BUNDLED:
        outline = typeface(WEIGHT).outline(run.text)
        style = _style(UNITS)
        return f'<path transform="translate({x:.2f} {y:.2f}) scale({EM / UNITS:.4f})" {style} d="{outline}"/>'
    core = run.text.strip()
    before, after = run.text.index(core) if core else 0, len(run.text.rstrip())
    spaces = (len(run.text) - after if begins_right_to_left(core) else before) * SPACE * EM
    return _system_text(core, run.script, x + spaces + _measured(core, run.script) / 2, y)


def _system_text(text: str, script: str, x: float, y: float) -> str:
    """Return a text element whose middle is at x: the side at which right-to-left text starts depends on renderers."""
    return (
        f'<text x="{x:.2f}" y="{y:.2f}" text-anchor="middle" font-size="{EM:g}" font-weight="700" '
        f'font-family="{SCRIPTS[script].fonts}, sans-serif" {_style(EM)}>{escape(text)}</text>'
    )


def _style(em: float) -> str:
    return (
        f'fill="{{fill}}" stroke="{{outline}}" stroke-width="{em * OUTLINE:.2f}" '
        'stroke-linejoin="round" paint-order="stroke"'
    )


def _ink_box(elements: str, page: tuple[float, float, float, float], text: str) -> tuple[float, float, float, float]:
    """Return the box of what is drawn on a page."""
    scale = min(DRAFT_SIDE / page[2], MAX_DRAFT_HEIGHT / page[3], 2.0)
    width, height = max(1, round(page[2] * scale)), max(1, round(page[3] * scale))
    body = elements.replace("{fill}", "#000000").replace("{outline}", "#000000")
    ink = _draw(body, page, width, height).getbbox()
    if ink is None:
        raise InvalidInput(f'text: no font here has "{text.strip()[:20]}".')
    x, y = page[2] / width, page[3] / height
    return page[0] + ink[0] * x, page[1] + ink[1] * y, (ink[2] - ink[0]) * x, (ink[3] - ink[1]) * y


def _draw(body: str, box: tuple[float, float, float, float], width: int, height: int) -> Image.Image:
    import vl_convert

    body = body.replace("{fill}", "#000000").replace("{outline}", "#000000")
    view = " ".join(f"{value:.3f}" for value in box)
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="{view}" '
        f'preserveAspectRatio="none">{body}</svg>'
    )
    with Image.open(io.BytesIO(vl_convert.svg_to_png(svg, scale=1.0, ppi=72))) as image:
        return image.convert("RGBA")
