"""What the fonts of this machine draw: widths of runs in other scripts, and characters that no font has."""

import math
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from html import escape

from PIL import Image

from mediakit.engines.drawing.rasterizer import svg_to_rgba
from mediakit.engines.drawing.text import BUNDLED, SCRIPTS, Text, TextRun, grapheme_clusters, text_runs
from mediakit.engines.drawing.typeface import Weight

EM = 40
"""Font size of test drawings, in pixels."""

UNASSIGNED = "\u0378"
"""A character that no font has."""

MAX_CHARACTERS = 200
"""Characters that are checked in a drawing."""

SIDE_BEARINGS = 0.08
"""Space beside the ink of a run, in em."""


@lru_cache(maxsize=1024)
def run_width(run: TextRun, weight: Weight) -> float:
    """Return the width of a run in em: estimated ones of system fonts are replaced by that of their ink."""
    if run.script == BUNDLED:
        return run.width
    drawn = _draw(run.text, run.script, weight, math.ceil(len(run.text) * 1.6 + 2) * EM).getbbox()
    return (drawn[2] - drawn[0]) / EM + SIDE_BEARINGS if drawn else run.width


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

    Args:
        texts: The texts of a drawing.
        fix: What else the caller can do, as the end of a sentence.
    """
    missing = missing_characters(texts)
    if not missing:
        return None
    scripts = ", ".join(dict.fromkeys(map(_script_name, missing)))
    shown = missing if len(missing) <= 10 else missing[:10] + "…"
    return f'No font of this machine has "{shown}" ({scripts}); empty boxes are drawn. Install a font, {fix}.'


def _script_name(char: str) -> str:
    """Return the name of the script of a character: the first word of its Unicode name."""
    first = unicodedata.name(char, "unknown").split()[0]
    return {"CJK": "Chinese characters", "HANGUL": "Hangul"}.get(first, first.capitalize())


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
