"""The order in which lines with Hebrew or Arabic are read, from the order in which they are seen.

This is the Unicode Bidirectional Algorithm (UAX #9) the other way around: it finds the runs that the algorithm has
turned, and turns them back. Where several texts look the same, it chooses the one that runs on to the left. The places
of letters decide, so the order in which the file draws them does not matter.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from unicodedata import bidirectional, category, normalize

from mediakit.engines.pdf.letters.lines import Letter, LetterLine, space_between, trimmed_letters

RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""Characters of scripts that run from right to left, their digits and signs included."""

_CLASSES = {"L": "L", "R": "R", "AL": "R", "EN": "N", "AN": "A", "ES": "S", "CS": "C", "ET": "T"}
"""Letters for the classes of UAX #9 in a pattern; all others are neutral."""
NEUTRAL = "."

_STRONG_GROUP = re.compile(r"[LNA](?:[^R]*[LNA])?")
_NUMBER = re.compile(r"T*N(?:[SC]?N|T)*|A(?:C?A)*")
"""Rules W4 and W5: numbers with separators, signs of currencies and percent."""
_ARABIC_NUMBER = re.compile(r"[NA](?:C?[NA])*")
"""Rule W2: after Arabic letters only separators such as commas are part of a number."""

OPENING, CLOSING = "([{<«‹", ")]}>»›"
MIRRORED = str.maketrans(OPENING + CLOSING, CLOSING + OPENING)


def class_of(text: str) -> str:
    """Return the class of a letter or word: `R`, `L`, a number, a separator, or neutral."""
    classes = [_CLASSES.get(bidirectional(char), NEUTRAL) for char in text]
    return next((found for kind in "RLNATCS" for found in classes if found == kind), NEUTRAL)


def logical_order(seen: Sequence[str], *, right_to_left: bool) -> list[tuple[int, bool]]:
    """Return the places of letters or words, seen from left to right, in reading order, and whether each runs left."""
    classes = "".join(map(class_of, seen))
    if right_to_left:
        return list(_leftwards(seen, classes, 0, len(seen)))
    found: list[tuple[int, bool]] = []
    at = 0
    for turned in re.finditer(r"R(?:[^L]*R)?", classes):
        found += [(place, False) for place in range(at, turned.start())]
        found += _leftwards(seen, classes, turned.start(), turned.end())
        at = turned.end()
    return found + [(place, False) for place in range(at, len(seen))]


def in_reading_order(words: Sequence[str], *, page_runs_left: bool) -> list[str]:
    """Return the words of a line, given from left to right, in reading order."""
    if not any(map(RIGHT_TO_LEFT.search, words)):
        return list(words)
    is_left = line_runs_left(" ".join(words), page_runs_left=page_runs_left)
    return [words[place] for place, _ in logical_order(words, right_to_left=is_left)]


def line_runs_left(seen: str, *, page_runs_left: bool) -> bool:
    """Return whether a line with Hebrew or Arabic runs from right to left: as its page does, or else its letters do."""
    strong = [kind for kind in map(class_of, seen) if kind in "LR"]
    is_between_latin = strong[:1] == ["L"] and strong[-1:] == ["L"]
    return page_runs_left or (runs_left(seen) and not is_between_latin)


def runs_left(text: str) -> bool:
    """Return whether at least half of the letters of a text are of scripts that run from right to left."""
    classes = [bidirectional(char) for char in text]
    return sum(kind in ("R", "AL") for kind in classes) >= max(1, classes.count("L"))


def _leftwards(seen: Sequence[str], classes: str, start: int, end: int) -> Iterator[tuple[int, bool]]:
    """Yield the places of a part that runs from right to left."""
    at = end
    for first, last in reversed(list(_runs_to_right(seen, classes, start, end))):
        yield from ((place, True) for place in reversed(range(last, at)))
        yield from ((place, False) for place in range(first, last))
        at = first
    yield from ((place, True) for place in reversed(range(start, at)))


def _runs_to_right(seen: Sequence[str], classes: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield start and end of the Latin text and the numbers in a part that runs from right to left."""
    for group in _STRONG_GROUP.finditer(classes, start, end):
        if "L" in group[0]:
            yield _with_brackets(seen, group.start(), group.end(), start, end)
            continue
        before = next((char for place in range(group.end(), end) if classes[place] == "R" for char in seen[place]), "")
        is_arabic = bool(before) and bidirectional(before) == "AL"
        low, high = group.span()
        while not is_arabic and low > start and classes[low - 1] == "T":
            low -= 1
        while not is_arabic and high < end and classes[high] == "T":
            high += 1
        yield from (found.span() for found in (_ARABIC_NUMBER if is_arabic else _NUMBER).finditer(classes, low, high))


def _with_brackets(seen: Sequence[str], low: int, high: int, start: int, end: int) -> tuple[int, int]:
    """Return a run together with the bracket beside it whose other one is inside (rule N0)."""
    inside = "".join(seen[low:high])
    for opening, closing in zip(OPENING, CLOSING, strict=True):
        if high < end and seen[high] == closing and inside.count(opening) > inside.count(closing):
            return low, high + 1
        if low > start and seen[low - 1] == opening and inside.count(closing) > inside.count(opening):
            return low - 1, high
    return low, high


def _unmatched(letters: Sequence[str]) -> int:
    """Return how many brackets lack the other one."""
    waiting: list[str] = []
    lone = 0
    for letter in letters:
        if letter in OPENING:
            waiting.append(letter)
        elif letter in CLOSING:
            if waiting and waiting[-1] == letter.translate(MIRRORED):
                waiting.pop()
            else:
                lone += 1
    return lone + len(waiting)


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
    """Return the lines of a page with the pieces of each line of Hebrew or Arabic together, in reading order."""
    found = _joined(lines, all_rows=page_runs_left)
    turned: list[tuple[LetterLine, list[tuple[Letter, bool]]]] = []
    for line in found:
        text = "".join(letter.text for letter in sorted(line.letters, key=lambda letter: letter.x0)).strip()
        if line.is_level and (RIGHT_TO_LEFT.search(text) or (page_runs_left and _SENTENCE_END.match(text))):
            is_left = line_runs_left(text, page_runs_left=page_runs_left)
            clusters = _clusters(trimmed_letters(line.letters))
            groups = _with_gaps(sorted(clusters, key=lambda group: group[0].center[0]))
            seen = ["".join(letter.text for letter in group) for group in groups]
            order = logical_order(seen, right_to_left=is_left)
            turned.append((line, [(letter, left) for place, left in order for letter in groups[place]]))
    lone = sum(_unmatched([letter.text for letter, _ in letters]) for _, letters in turned)
    lone_if_mirrored = sum(
        _unmatched([letter.text.translate(MIRRORED) if left else letter.text for letter, left in letters])
        for _, letters in turned
    )
    for line, letters in turned:
        for letter, left in letters:
            if lone_if_mirrored < lone and left:  # brackets show their shape, not their meaning
                letter.text = letter.text.translate(MIRRORED)
            if PRESENTED.match(letter.text):
                letter.text = normalize("NFKC", letter.text)
        line.letters, line.is_changed = [letter for letter, _ in letters], True
    return found


def _joined(lines: Sequence[LetterLine], *, all_rows: bool) -> list[LetterLine]:
    """Return the lines of a page with the pieces of one line joined: of all lines, or those with Hebrew or Arabic."""
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


def _clusters(letters: Sequence[Letter]) -> list[list[Letter]]:
    """Return letters together with their marks, and with the other letters of their ligature."""
    wide = [letter for letter in letters if not _is_attached(letter)]
    if len(wide) == len(letters) or not wide:
        return [[letter] for letter in letters]
    groups = {id(letter): [letter] for letter in wide}
    last = wide[0]
    following = [*wide, wide[-1]]
    place = 0
    for letter in letters:
        if not _is_attached(letter):
            last = letter
            place += 1
            continue
        x = letter.center[0]
        size = letter.size
        if _ends_ligature(letter, following[place]):
            groups[id(following[place])].insert(1, letter)
            continue
        base = last if last.x0 - 0.1 * size <= x <= last.x1 + 0.1 * size else None
        base = base or min(wide, key=lambda other: abs(other.center[0] - x))
        groups[id(base)].append(letter)
    return list(groups.values())


def _ends_ligature(letter: Letter, following: Letter) -> bool:
    """Return whether a letter is the last one of a ligature, of which MuPDF gives the letters in the order of the page.

    In a line that is drawn to the left, it is at the right edge of the first letter, which comes after it.
    """
    is_mark = category(letter.text[:1] or " ") == "Mn"
    return not is_mark and abs(following.x1 - letter.x0) < NARROW_EMS * letter.size and class_of(following.text) == "R"


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
