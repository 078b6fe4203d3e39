"""Spaces between words that are only apart on the page, of scripts for which MuPDF adds none."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import quantiles

from mediakit.engines.pdf.letters.lines import Letter, LetterLine

SPACE_EMS = 0.1
"""Least distance between two words beyond that of letters, in sizes of the font."""

FEWEST_GAPS = 3
"""Distances in a line that show how far apart its letters are."""

SPACED = re.compile(
    "[\u10a0-\u11ff\u1200-\u137f\u13a0-\u16ff\u1e00-\u1fff\u2d00-\u2ddf\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff]"
)
"""Letters of scripts with spaces between words beyond those of which MuPDF knows it, without scripts whose marks move
letters: Hangul, Georgian, Ethiopic, Cherokee, Latin and Greek with several accents."""


def with_spaces(lines: Sequence[LetterLine]) -> None:
    """Add spaces where letters are further apart than the letters of words."""
    usual = _lower_quartile([gap for line in lines if line.is_level for gap in _gaps(line.letters)])
    for line in lines:
        if line.is_level:
            letters = _with_spaces(line.letters, usual)
            line.is_changed |= len(letters) > len(line.letters)
            line.letters = letters


def _with_spaces(letters: Sequence[Letter], usual: float) -> list[Letter]:
    gaps = _gaps(letters)
    own = _lower_quartile(gaps) if len(gaps) >= FEWEST_GAPS else usual
    least = max(0.0, own) + SPACE_EMS
    found = list(letters[:1])
    for before, letter in pairwise(letters):
        if _may_be_apart(before, letter) and _gap(before, letter) > least:
            found.append(space_between(before, letter))
        found.append(letter)
    return found


def space_between(before: Letter, letter: Letter) -> Letter:
    """Return a space in the place between two letters."""
    x0, x1 = sorted((min(before.x1, letter.x1), max(before.x0, letter.x0)))
    return Letter(" ", x0, before.y0, x1, before.y1, (x0, before.origin[1]), before.span)


def _gaps(letters: Sequence[Letter]) -> list[float]:
    return [_gap(before, letter) for before, letter in pairwise(letters) if _may_be_apart(before, letter)]


def _gap(before: Letter, letter: Letter) -> float:
    """Return the distance of two letters in sizes of the font."""
    return (letter.x0 - before.x1) / max(before.size, letter.size, 0.1)


def _may_be_apart(before: Letter, letter: Letter) -> bool:
    is_spaced = SPACED.match(before.text) or SPACED.match(letter.text)
    return bool(is_spaced) and not before.text.isspace() and not letter.text.isspace()


def _lower_quartile(gaps: Sequence[float]) -> float:
    if len(gaps) < 2:
        return 0.0 if not gaps else min(0.0, gaps[0])
    return quantiles(gaps, n=4, method="inclusive")[0]
