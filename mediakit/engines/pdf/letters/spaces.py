"""Spaces between words that are only apart on the page, and no spaces between letters that are set apart."""

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

LETTER_SPACED = re.compile(r"(?<!\S)[^\W_](?:[^\S\n]+[^\W_]){3,}(?!\S)")
"""Single letters with spaces between them: a word with letter spacing, or letters that stand for themselves."""

SPREAD_EMS = 0.15
"""Difference of the distances of letters of a word with letter spacing, in sizes of the font."""

WORD_EMS = 0.2
"""Least distance of two words beyond that of their letters, in sizes of the font."""

FEWEST_TYPED = 6
"""Letters of a word with typed spaces between them: fewer may be initials, or marks in a list."""

FEWEST_DIGITS, FURTHEST_EMS = 9, 1.3
"""Digits of a number with letter spacing, as fewer may be cells, and the largest distance of its letters."""


def with_spaces(lines: Sequence[LetterLine]) -> None:
    """Add spaces where letters are further apart than the letters of words."""
    usual = _lower_quartile([gap for line in lines if line.is_level for gap in _gaps(line.letters)])
    for line in lines:
        if line.is_level:
            letters = _with_spaces(line.letters, usual)
            line.is_changed |= len(letters) > len(line.letters)
            line.letters = letters


def without_letter_spacing(lines: Sequence[LetterLine]) -> None:
    """Remove spaces between the letters of words that are set apart, such as `N o t e`."""
    for line in lines:
        if line.is_level and LETTER_SPACED.search(line.text):
            inner = inner_spaces(line.letters)
            line.is_changed |= bool(inner)
            line.letters = [letter for place, letter in enumerate(line.letters) if place not in inner]


def inner_spaces(letters: Sequence[Letter]) -> set[int]:
    """Return the places of spaces that are between letters of a word, in the letters of a line.

    As in poppler, letters that are all at the same distance, or one step apart, are one word.
    """
    found: set[int] = set()
    for run in LETTER_SPACED.finditer("".join(letter.text[:1] or "\N{NO-BREAK SPACE}" for letter in letters)):
        places = [place for place in range(*run.span()) if not letters[place].text.isspace()]
        pairs = list(pairwise(places))
        gaps = [_gap(letters[before], letters[after]) for before, after in pairs]
        is_typed = [not all(letter.is_added for letter in letters[before + 1 : after]) for before, after in pairs]
        added = [gap for gap, typed in zip(gaps, is_typed, strict=True) if not typed]
        usual = _lower_quartile(added or gaps)
        is_stepped = _spread([letters[after].x0 - letters[before].x0 for before, after in pairs]) < (
            SPREAD_EMS * letters[places[0]].size
        )
        is_word_end = [
            not is_stepped and (gap > usual + max(WORD_EMS, 0.4 * usual) or (bool(added) and typed))
            for gap, typed in zip(gaps, is_typed, strict=True)
        ]
        inner = [gap for gap, ends in zip(gaps, is_word_end, strict=True) if not ends]
        is_even = is_stepped or _spread(inner) <= SPREAD_EMS
        text = "".join(letters[place].text for place in places)
        if (
            is_even
            and len(inner) >= FEWEST_GAPS
            and max(inner) <= FURTHEST_EMS
            and _is_word(text, is_added=bool(added))
        ):
            for (before, after), ends in zip(pairs, is_word_end, strict=True):
                found.update(() if ends else range(before + 1, after))
    return found


def _is_word(text: str, *, is_added: bool) -> bool:
    """Return whether letters that are set apart are words.

    Args:
        text: The letters.
        is_added: Whether MuPDF has added spaces, so that they are only apart on the page.
    """
    if text.isdecimal():
        return is_added and len(text) >= FEWEST_DIGITS
    is_sequence = all(ord(after) - ord(before) == 1 for before, after in pairwise(text))
    return not is_sequence and (is_added or len(text) >= FEWEST_TYPED)


def _spread(values: Sequence[float]) -> float:
    return max(values, default=0.0) - min(values, default=0.0)


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
