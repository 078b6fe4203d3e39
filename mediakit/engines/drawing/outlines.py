"""Texts of a drawing as outlines, which need no fonts except for scripts that the bundled typeface lacks."""

from functools import lru_cache
from html import escape

from mediakit.engines.drawing.svg import halo_attributes
from mediakit.engines.drawing.svg_syntax import svg_number
from mediakit.engines.drawing.text import ANCHOR_OFFSETS, Anchor, Text
from mediakit.engines.drawing.text_runs import BUNDLED, FONTS, TextRun, em_width, text_runs
from mediakit.engines.drawing.typeface import UNITS, Weight, typeface


def outlined_text(text: Text) -> str:
    """Return the element of a line, run by run."""
    pen = -ANCHOR_OFFSETS[text.anchor] * em_width(text.content, text.weight, tabular=text.tabular)
    elements = []
    runs = text_runs(text.content, text.weight, tabular=text.tabular)
    if len(runs) == 1 and runs[0].script != BUNDLED:
        elements.append(_system_font_run(runs[0], text, 0.0, text.anchor))
        runs = ()
    for run in runs:
        elements.append(
            _outline_run(run, text, pen)
            if run.script == BUNDLED
            else _system_font_run(run, text, pen + run.width / 2, "middle")
        )
        pen += run.width
    rotation = f" rotate({svg_number(text.rotation)})" if text.rotation else ""
    transform = f"translate({svg_number(text.x)} {svg_number(text.y)}){rotation}"
    return f'<g transform="{transform}" fill="{text.fill}">{"".join(elements)}</g>'


def _outline_run(run: TextRun, text: Text, pen: float) -> str:
    transform = f"translate({svg_number(pen * text.size)} 0) scale({text.size / UNITS:.5f})"
    path = _outline(run.text, text.weight, text.tabular)
    return f'<path transform="{transform}"{halo_attributes(text, UNITS)} d="{path}"/>'


def _system_font_run(run: TextRun, text: Text, x: float, anchor: Anchor) -> str:
    """Return a text element for characters that the bundled typeface lacks; `x` is in em."""
    return (
        f'<text x="{svg_number(x * text.size)}" text-anchor="{anchor}" font-size="{svg_number(text.size)}" '
        f'font-family="{FONTS[run.script]}, sans-serif" font-weight="{text.weight}"{halo_attributes(text, text.size)}>'
        f"{escape(run.text)}</text>"
    )


@lru_cache(maxsize=2048)
def _outline(text: str, weight: Weight, tabular: bool) -> str:  # noqa: FBT001  # the key of a cache
    return typeface(weight).outline(text, tabular=tabular)
