"""Texts of a drawing as SVG elements: as texts in an embedded web font, or as outlines.

The used characters of the typeface are embedded as a web font of a few kilobytes, so a browser shows the same as the
PNG. Each line also has the length of its layout: viewers that ignore embedded fonts then cannot make texts overlap.
Outlines need no fonts except for scripts that the bundled typeface lacks, which the fonts of this machine draw.
"""

import math
import unicodedata
import zlib
from collections.abc import Iterable
from functools import lru_cache
from html import escape

import pybase64
from PIL import Image

from mediakit.engines.direction import begins_right_to_left
from mediakit.engines.drawing.drawing import Drawing, svg_number
from mediakit.engines.drawing.rasterizer import svg_to_rgba
from mediakit.engines.drawing.text import (
    ANCHOR_OFFSETS,
    BUNDLED,
    SCRIPTS,
    Anchor,
    Text,
    TextRun,
    grapheme_clusters,
    text_runs,
)
from mediakit.engines.drawing.typeface import UNITS, Weight, typeface, web_font

FALLBACK_FAMILIES = "Inter, Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', 'Noto Sans', sans-serif"
"""Families that follow the embedded font: none is wider than Inter. The viewer chooses fonts for other scripts."""


def svg_document(
    drawing: Drawing, size: tuple[int, int], background: str | None, *, name: str, title: str, description: str
) -> bytes:
    """Return a drawing as an SVG document whose texts stay texts.

    The size is in CSS pixels, the name begins that of the embedded font, and the description is the text alternative.
    """
    width, height = size
    family, style = _font_style(drawing.texts, name)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" text-rendering="geometricPrecision" '
        f'font-family="{family}, {FALLBACK_FAMILIES}">'
        f"<title>{escape_text(title)}</title><desc>{escape_text(description)}</desc>{style}"
    )
    return "".join((head, *_shapes(drawing, size, background), *text_elements(drawing.texts), "</svg>\n")).encode()


def outlined_document(drawing: Drawing, size: tuple[int, int], background: str | None, scale: float = 1) -> str:
    """Return a drawing as SVG that needs no fonts except for scripts that the bundled typeface lacks."""
    width, height = size
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:g}" height="{height * scale:g}" '
        f'viewBox="0 0 {width} {height}">'
    )
    return "".join((head, *_shapes(drawing, size, background), *map(outlined_text, drawing.texts), "</svg>"))


def _shapes(drawing: Drawing, size: tuple[int, int], background: str | None) -> list[str]:
    shapes = [shape.element for shape in drawing.shapes]
    if background:
        shapes.insert(0, f'<rect width="{size[0]}" height="{size[1]}" fill="{background}"/>')
    return shapes


def _font_style(texts: list[Text], prefix: str) -> tuple[str, str]:
    """Return the family and the style element of the embedded fonts.

    The family is derived from the content of the fonts: drawings on one page must not use each other's.
    """
    weights = sorted({text.weight for text in texts})
    files = {weight: web_font((text.content for text in texts if text.weight == weight), weight) for weight in weights}
    family = f"{prefix}-{zlib.crc32(b''.join(files.values())):08x}"
    faces = "".join(
        f"@font-face{{font-family:{family};font-weight:{weight};"
        f"src:url(data:font/woff;base64,{pybase64.b64encode(file).decode()})}}"
        for weight, file in files.items()
    )
    return family, f"<style>{faces}</style>" if faces else ""


def halo_attributes(text: Text, em: float) -> str:
    """Return the attributes of the halo of a text, empty if it has none; `em` is the font size."""
    if not text.halo:
        return ""
    width = svg_number(em * text.halo_width)
    return f' stroke="{text.halo}" stroke-width="{width}" stroke-linejoin="round" paint-order="stroke"'


def text_elements(texts: list[Text]) -> list[str]:
    """Return the elements of texts; consecutive texts of one style are in one group."""
    elements: list[str] = []
    style: tuple[object, ...] = ()
    for text in texts:
        if style != (style := (text.size, text.fill, text.weight, text.anchor, text.halo, text.halo_width)):
            elements += ["</g>" if elements else "", _group_start(text)]
        x, y = svg_number(text.x), svg_number(text.y)
        attributes = _position(text)
        if text.rotation:
            attributes += f' transform="rotate({svg_number(text.rotation)} {x} {y})"'
        if begins_right_to_left(text.content):  # its start is its right end
            anchor = {"start": "end", "middle": "middle", "end": "start"}[text.anchor]
            attributes += f' direction="rtl" text-anchor="{anchor}"'
        full = f"<title>{escape_text(text.full)}</title>" if text.full and text.full != text.content else ""
        elements.append(f"<text{attributes}>{full}{escape_text(text.content)}</text>")
    return [*elements, "</g>" if elements else ""]


def _group_start(text: Text) -> str:
    weight = f' font-weight="{text.weight}"' if text.weight != 400 else ""
    anchor = f' text-anchor="{text.anchor}"' if text.anchor != "start" else ""
    return (
        f'<g font-size="{svg_number(text.size)}" fill="{text.fill}"{weight}{anchor}{halo_attributes(text, text.size)}>'
    )


def _position(text: Text) -> str:
    """Return the position of a line, and its length; of tabular figures the position of each character.

    A line that system fonts render has no length, because their widths are only estimated.
    """
    y = f' y="{svg_number(text.y)}"'
    runs = text_runs(text.content, text.weight, tabular=text.tabular)
    is_bundled = all(run.script == BUNDLED for run in runs)
    if text.tabular and is_bundled and len(text.content) > 1:
        left = text.x - ANCHOR_OFFSETS[text.anchor] * text.width
        pens = typeface(text.weight).positions(text.content, tabular=True)[:-1]
        places = " ".join(svg_number(left + pen * text.size / UNITS) for pen in pens)
        return f' x="{places}"{y} text-anchor="start"' if text.anchor != "start" else f' x="{places}"{y}'
    position = f' x="{svg_number(text.x)}"{y}'
    if len(text.content) < 2 or not is_bundled:
        return position
    return f'{position} textLength="{svg_number(runs[0].width * text.size)}" lengthAdjust="spacingAndGlyphs"'


def escape_text(text: str) -> str:
    """Return a text as the content of an element."""
    return escape(text, quote=False)


def outlined_text(text: Text) -> str:
    """Return the element of a line, run by run."""
    elements = []
    runs = text_runs(text.content, text.weight, tabular=text.tabular)
    if len(runs) == 1 and runs[0].script != BUNDLED:
        elements.append(_system_font_run(runs[0], text, 0.0, text.anchor))
        runs = ()
    widths = [run_width(run, text.weight) if len(runs) > 1 else run.width for run in runs]
    pen = -ANCHOR_OFFSETS[text.anchor] * sum(widths)
    for run, width in zip(runs, widths, strict=True):
        if run.script == BUNDLED:
            place = f"translate({svg_number(pen * text.size)} 0) scale({text.size / UNITS:.5f})"
            path = _outline(run.text, text.weight, text.tabular)
            elements.append(f'<path transform="{place}"{halo_attributes(text, UNITS)} d="{path}"/>')
        else:
            elements.append(_system_font_run(run, text, pen + width / 2, "middle"))
        pen += width
    rotation = f" rotate({svg_number(text.rotation)})" if text.rotation else ""
    transform = f"translate({svg_number(text.x)} {svg_number(text.y)}){rotation}"
    return f'<g transform="{transform}" fill="{text.fill}">{"".join(elements)}</g>'


def _system_font_run(run: TextRun, text: Text, x: float, anchor: Anchor) -> str:
    """Return a text element for characters that the bundled typeface lacks; `x` is in em."""
    return (
        f'<text x="{svg_number(x * text.size)}" text-anchor="{anchor}" font-size="{svg_number(text.size)}" '
        f'font-family="{SCRIPTS[run.script].fonts}, sans-serif" font-weight="{text.weight}"'
        f"{halo_attributes(text, text.size)}>{escape(run.text)}</text>"
    )


@lru_cache(maxsize=2048)
def _outline(text: str, weight: Weight, tabular: bool) -> str:  # noqa: FBT001  # the key of a cache
    return typeface(weight).outline(text, tabular=tabular)


# What the fonts of this machine draw: widths of runs in other scripts, and characters that no font has.

EM = 40
"""Font size of test drawings, in pixels."""

UNASSIGNED = "\u0378"
"""A character that no font has."""

MAX_CHARACTERS = 200
"""Characters that are checked in a drawing."""


@lru_cache(maxsize=1024)
def run_width(run: TextRun, weight: Weight) -> float:
    """Return the width of a run in em: estimated ones of system fonts are replaced by that of their ink."""
    if run.script == BUNDLED:
        return run.width
    drawn = _draw(run.text, run.script, weight, math.ceil(len(run.text) * 1.6 + 2) * EM).getbbox()
    return (drawn[2] - drawn[0]) / EM + 0.08 if drawn else run.width  # with the space beside the ink


def missing_characters(texts: Iterable[Text]) -> str:
    """Return the characters of texts that are drawn as empty boxes, because no font of this machine has them."""
    found: dict[str, str] = {}
    for text in texts:
        for run in text_runs(text.content, text.weight, tabular=text.tabular):
            if run.script != BUNDLED:
                found.update({cluster[0]: run.script for cluster in grapheme_clusters(run.text)})
    checked = list(found.items())[:MAX_CHARACTERS]
    return "".join(char for char, script in checked if not char.isspace() and _is_missing(char, script))


def font_warning(texts: Iterable[Text], fix: str) -> str | None:
    """Return a sentence that names the characters without a font and their scripts; None if there are none.

    It ends with what else the caller can do.
    """
    if not (missing := missing_characters(texts)):
        return None
    known = {"CJK": "Chinese characters", "HANGUL": "Hangul"}
    words = (unicodedata.name(char, "unknown").split()[0] for char in missing)  # the first word is the script
    scripts = ", ".join(dict.fromkeys(known.get(word, word.capitalize()) for word in words))
    shown = missing if len(missing) <= 10 else missing[:10] + "…"
    return f'No font of this machine has "{shown}" ({scripts}); empty boxes are drawn. Install a font, {fix}.'


@lru_cache(maxsize=4096)
def _is_missing(char: str, script: str) -> bool:
    one, other = (_draw(each, script, 400, 2 * EM).tobytes() for each in (char, UNASSIGNED))
    return one == other or not any(one)


def _draw(text: str, script: str, weight: Weight, width: int) -> Image.Image:
    """Return the ink of a text in the system fonts of a script, as the alpha channel of a drawing."""
    family = f"{SCRIPTS[script].fonts}, sans-serif"
    element = (
        f'<text x="{width / 2}" y="{EM * 1.5}" text-anchor="middle" font-size="{EM}" font-weight="{weight}" '
        f'font-family="{family}">{escape(text)}</text>'
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{EM * 2}">{element}</svg>'
    return svg_to_rgba(svg).getchannel("A")
