"""Text that is drawn several times, for a bold look, a shadow or an outline: it is read once."""

from collections.abc import Sequence
from dataclasses import replace

from mediakit.engines.pdf.letters.lines import Letter, LetterLine, trimmed_letters

LETTER_EMS = 0.15
"""Distance of two equal letters that are one, in sizes of the font; the narrowest letters are .2 wide."""

WIDTH_SHARE = 0.6
"""That distance across, at most, as a share of the letter's width: letters without width are not compared."""

LINE_EMS = 0.4
"""Distance of a line of text from its shadow, in sizes of the font."""

SEEN_SHARE = 0.5
"""Share of the letters of a word that are seen before, where it is drawn twice: half of them if each letter is."""

FEWEST_LETTERS = 3
"""Letters of a line that may be a shadow."""

MOST_COMPARED = 50
"""Lines of the same text that a line is compared with."""


def without_doubles(lines: Sequence[LetterLine]) -> list[LetterLine]:
    """Return the lines without the letters that are drawn again in the same place, or beside it as a shadow."""
    seen: dict[tuple[str, int, int, int], Letter] = {}
    same: dict[str, list[LetterLine]] = {}
    kept: list[LetterLine] = []
    for line in lines:
        others = same.setdefault(line.text.strip(), [])
        if any(_is_shadow(line, other) for other in others[-MOST_COMPARED:]):
            continue
        others.append(line)
        letters = _without_seen(line, seen)
        if len(letters) == len(line.letters):
            kept.append(line)
        elif trimmed := trimmed_letters(letters):
            kept.append(replace(line, letters=trimmed, is_changed=True))
    return kept


def _without_seen(line: LetterLine, seen: dict[tuple[str, int, int, int], Letter]) -> list[Letter]:
    """Return the letters of a line without the words, or the halves of words, that have been seen in their place."""
    again = {id(letter) for letter in line.letters if _is_seen(letter, seen)}
    if not again:
        return line.letters
    for word in line.words():
        places = {id(letter) for letter in word}
        if len(again & places) < SEEN_SHARE * len(places):
            again -= places
    return [letter for letter in line.letters if id(letter) not in again]


def _is_seen(letter: Letter, seen: dict[tuple[str, int, int, int], Letter]) -> bool:
    """Return whether an equal letter has been seen in the place of a letter, and note it if not."""
    cell = max(0.5, LETTER_EMS * round(letter.size))
    column, row, size = int(letter.x0 // cell), int(letter.origin[1] // cell), round(letter.size)
    near = (seen.get((letter.text, size, column + i, row + j)) for i in (0, -1, 1) for j in (0, -1, 1))
    reach = min(cell, WIDTH_SHARE * (letter.x1 - letter.x0))
    if any(other and abs(other.x0 - letter.x0) < reach and abs(other.y0 - letter.y0) < cell for other in near):
        return True
    seen[letter.text, size, column, row] = letter
    return False


def _is_shadow(line: LetterLine, other: LetterLine) -> bool:
    """Return whether a line has its place a little beside another line of the same text."""
    reach = LINE_EMS * line.letters[0].size
    x0, y0, x1, _ = line.box
    left, top, right, _ = other.box
    return len(line.letters) >= FEWEST_LETTERS and max(abs(x0 - left), abs(y0 - top), abs(x1 - right)) < reach
