"""Puts the lines with Hebrew or Arabic of a page in the order in which they are read.

The places of letters decide, so the order in which the file draws them does not matter.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from unicodedata import category, normalize

from mediakit.engines.pdf.letters.bidi import (
    MIRRORED,
    RIGHT_TO_LEFT,
    are_mirrored,
    class_of,
    line_runs_left,
    logical_order,
)
from mediakit.engines.pdf.letters.lines import Letter, LetterLine, trimmed_letters
from mediakit.engines.pdf.letters.spaces import space_between

ADJACENT_EMS = 0.8
"""Space between two pieces of one line at most, in sizes of the font."""

SPACE_EMS = 0.12
"""Least distance of two letters between which there is a space, in sizes of the font."""

BASELINE_EMS = 0.2
"""Distance of the baselines of two pieces of one line, in sizes of the font."""

NARROW_EMS = 0.02
"""Width of a letter that is the second one of a ligature or a mark, in sizes of the font."""

PRESENTED = re.compile("[\ufb1d-\ufdf9\ufe80-\ufefc]")
"""Hebrew and Arabic letters that show their form; those that people type do not."""

_SENTENCE_END = re.compile(r"[.,:;!?…]+\s*\w")
"""The end of a Latin sentence, as it is seen on a page that runs to the left."""


def in_reading_direction(lines: Sequence[LetterLine], *, page_runs_left: bool) -> list[LetterLine]:
    """Return lines with the pieces of each line of Hebrew or Arabic together, in reading order.

    Args:
        lines: Lines of a page.
        page_runs_left: Whether most letters of the page run to the left.
    """
    found = _joined(lines, all_rows=page_runs_left)
    turned: list[tuple[LetterLine, list[tuple[Letter, bool]]]] = []
    for line in found:
        text = _seen(line)
        if line.is_level and (RIGHT_TO_LEFT.search(text) or (page_runs_left and _SENTENCE_END.match(text))):
            is_left = line_runs_left(text, page_runs_left=page_runs_left)
            turned.append((line, _turned(trimmed_letters(line.letters), is_left=is_left)))
    mirrored = are_mirrored([[(letter.text, left) for letter, left in letters] for _, letters in turned])
    for line, letters in turned:
        for letter, left in letters:
            if mirrored and left:
                letter.text = letter.text.translate(MIRRORED)
            if PRESENTED.match(letter.text):
                letter.text = normalize("NFKC", letter.text)
        line.letters, line.is_changed = [letter for letter, _ in letters], True
    return found


def _joined(lines: Sequence[LetterLine], *, all_rows: bool) -> list[LetterLine]:
    """Return the lines with those joined that are pieces of one line.

    Args:
        lines: The lines of a page.
        all_rows: Join pieces of all lines, not only of those with Hebrew or Arabic.
    """
    level = sorted((line for line in lines if line.is_level), key=lambda line: (round(line.baseline), line.box[0]))
    groups: list[list[LetterLine]] = []
    right = 0.0
    for line in level:
        x0, _, x1, _ = line.box
        size = line.letters[0].size
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and abs(last.baseline - line.baseline) < BASELINE_EMS * size
            and x0 - right < ADJACENT_EMS * size
        ):
            groups[-1].append(line)
            right = max(right, x1)
            continue
        groups.append([line])
        right = x1
    gone: set[int] = set()
    places = {id(line): place for place, line in enumerate(lines)}
    for group in groups:
        if len(group) > 1 and (all_rows or any(RIGHT_TO_LEFT.search(line.text) for line in group)):
            first = min(group, key=lambda line: places[id(line)])
            first.letters = [letter for line in group for letter in line.letters]
            first.is_changed = True
            gone |= {id(line) for line in group if line is not first}
    return [line for line in lines if id(line) not in gone]


def _seen(line: LetterLine) -> str:
    """Return the text of a line from left to right, without the spaces at both ends."""
    return "".join(letter.text for letter in sorted(line.letters, key=lambda letter: letter.x0)).strip()


def _turned(letters: Sequence[Letter], *, is_left: bool) -> list[tuple[Letter, bool]]:
    """Return letters in reading order, and whether each runs to the left."""
    groups = _with_gaps(sorted(_clusters(letters), key=lambda group: group[0].center[0]))
    seen = ["".join(letter.text for letter in group) for group in groups]
    return [(letter, left) for place, left in logical_order(seen, right_to_left=is_left) for letter in groups[place]]


def _clusters(letters: Sequence[Letter]) -> list[list[Letter]]:
    """Return letters together with their marks, and with the other letters of their ligature."""
    wide = [letter for letter in letters if not _is_attached(letter)]
    if len(wide) == len(letters) or not wide:
        return [[letter] for letter in letters]
    groups = {id(letter): [letter] for letter in wide}
    last = wide[0]
    for letter in letters:
        if not _is_attached(letter):
            last = letter
            continue
        x = letter.center[0]
        size = letter.size
        base = last if last.x0 - 0.1 * size <= x <= last.x1 + 0.1 * size else None
        base = base or min(wide, key=lambda other: abs(other.center[0] - x))
        groups[id(base)].append(letter)
    return list(groups.values())


def _is_attached(letter: Letter) -> bool:
    is_narrow = letter.x1 - letter.x0 < NARROW_EMS * letter.size
    return category(letter.text[:1] or " ") == "Mn" or (is_narrow and class_of(letter.text) == "R")


def _with_gaps(groups: Sequence[list[Letter]]) -> list[list[Letter]]:
    """Add the spaces that gaps between words show, and remove those that MuPDF adds between letters."""
    found = [list(group) for group in groups[:1]]
    for group, following in pairwise(groups):
        before, letter = group[0], following[0]
        is_apart = letter.x0 - before.x1 > SPACE_EMS * min(before.size, letter.size)
        if is_apart and not before.text.isspace() and not letter.text.isspace():
            found.append([space_between(before, letter)])
        found.append(following)
    return found
