"""The order in which lines are read: columns from left to right, lines from top to bottom.

A gutter is a vertical strip that few lines cross. Lines that cross it, such as a title over two columns, divide the
page into bands, and in each band the columns are read one after the other. The order in which the page draws its
lines tells columns from the cells of a table: columns are drawn one after the other, cells row by row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import inf
from operator import itemgetter
from statistics import median
from typing import Generic, Protocol, TypeVar

from mediakit.engines.direction import is_mostly_right_to_left
from mediakit.engines.pdf.letters.correcting import Piece

MAX_LINES = 4000
"""Lines of a page that are searched for columns; a page with more is a drawing."""

MAX_DEPTH = 5
"""Levels of columns in columns."""

MIN_GUTTER_EMS = 0.7
"""Width of a gutter, in sizes of the font."""

MIN_COLUMN_EMS = 6.0
"""Width of a column of text, in sizes of the font."""

MIN_TEXT_EMS = 12.0
"""Width of a column of paragraphs, in sizes of the font; half of it if the page draws one column after the other."""

MAX_CROSSING = 0.34
"""Share of the lines that may cross a gutter."""

FILLED = 0.6
"""Mean width of the lines of running text, as a share of their column."""

ADJACENT_EMS = 0.8
"""Space between two pieces of one line, in sizes of the font, at most."""

MIN_GAP_EMS = 1.2
"""Vertical space at which a band is divided, in sizes of the font."""

LONG_TEXT = 20
"""Characters of a line that may be one of a column."""

MAX_DIVISIONS = 40
"""Levels of bands in bands."""

MAX_GUTTERS = 3
"""Gutters of a region that are tried."""


class Placed(Piece, Protocol):
    """A line of a page, or something like it, with the size of its font and its position in the order of drawing."""

    size: float
    index: int


L = TypeVar("L", bound=Placed)


def rows_in_order(lines: Sequence[L]) -> list[list[L]] | None:
    """Return the rows of a page that draws them from top to bottom and from left to right, as most do; None for others.

    Such a page has one column, unless long lines are beside each other.
    """
    found: list[list[L]] = []
    top, bottom, right, beside = inf, -inf, inf, 0
    for line in lines:
        y0, y1 = line.y0, line.y1
        half = 0.5 * (y1 - y0)
        if y0 >= bottom - half and half <= line.size:
            found.append([line])
            top, bottom, right = y0, y1, line.x1
            continue
        is_long = len(line.text) > LONG_TEXT and len(found[-1][-1].text) > LONG_TEXT if found else False
        beside += is_long
        if y0 < top - half or line.x0 < right or half > line.size or beside > 1:
            return None
        found[-1].append(line)
        right = line.x1
    return [_in_direction(row) for row in found]


def columns(lines: Sequence[L]) -> list[list[L]]:
    """Return the columns of a page in reading order, each with its lines from top to bottom."""
    if not 4 <= len(lines) <= MAX_LINES or rows_in_order(lines) is not None:
        return [_sorted(lines)] if lines else []
    return [_sorted([line for piece in column for line in piece.lines]) for column in _split(_pieces(lines), 0)]


def _sorted(lines: Sequence[L]) -> list[L]:
    return sorted(lines, key=lambda line: (line.y0 + line.y1, line.x0))


@dataclass(slots=True)
class _Piece(Generic[L]):
    """Lines that follow each other on one baseline, such as the text before a link and the link."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    size: float
    index: int
    lines: list[L]


def _pieces(lines: Sequence[L]) -> list[_Piece[L]]:
    found: list[_Piece[L]] = []
    for line in lines:
        last = found[-1] if found else None
        height = line.y1 - line.y0
        if (
            last
            and min(last.y1, line.y1) - max(last.y0, line.y0) > 0.5 * min(height, last.y1 - last.y0)
            and -ADJACENT_EMS * line.size < line.x0 - last.x1 < ADJACENT_EMS * line.size
        ):
            last.x1, last.y0, last.y1 = max(last.x1, line.x1), min(last.y0, line.y0), max(last.y1, line.y1)
            last.lines.append(line)
            continue
        found.append(_Piece(line.x0, line.y0, line.x1, line.y1, line.text, line.size, line.index, [line]))
    return found


def _split(pieces: Sequence[_Piece[L]], depth: int) -> list[list[_Piece[L]]]:
    """Return the columns of a region in reading order."""
    if depth < MAX_DEPTH and len(pieces) >= 4:
        for gutter in _gutters(pieces):
            bands = _bands(pieces, gutter)
            if any(band.is_split for band in bands):
                left = sum(is_mostly_right_to_left(piece.text) for piece in pieces)
                return _ordered(bands, depth, mirrored=2 * left > len(pieces))
    return [list(pieces)] if pieces else []


def rows(column: Sequence[L]) -> list[list[L]]:
    """Return the rows of a column: lines on one baseline, in the direction of their script."""
    found: list[list[L]] = []
    top = bottom = 0.0
    for line in sorted(column, key=lambda line: line.y0 + line.y1):
        shared = min(bottom, line.y1) - max(top, line.y0)
        if found and shared > 0.5 * min(bottom - top, line.y1 - line.y0) and line.y1 - line.y0 < 3 * (bottom - top):
            found[-1].append(line)
        else:
            found.append([line])
            top, bottom = line.y0, line.y1
    return [_in_direction(row) for row in found]


def _in_direction(row: list[L]) -> list[L]:
    if len(row) == 1:
        return row
    left = sum(is_mostly_right_to_left(line.text) for line in row)
    mirrored = left * 2 > sum(any(map(str.isalpha, line.text)) for line in row) if left else False
    return sorted(row, key=lambda line: -line.x1 if mirrored else line.x0)


Gutter = tuple[float, float]
"""Left and right edge of a gutter."""


@dataclass
class _Band(Generic[L]):
    """Pieces between two that cross the gutter, or pieces that are read without it."""

    left: list[_Piece[L]]
    right: list[_Piece[L]]
    across: list[_Piece[L]]

    @property
    def is_split(self) -> bool:
        """Whether there are two columns."""
        return bool(self.left and self.right)


def _gutters(lines: Sequence[_Piece[L]]) -> list[Gutter]:
    """Return strips that few lines cross, those that the fewest cross first."""
    size = median(line.size for line in lines)
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    margin = size * MIN_COLUMN_EMS
    events = sorted([(line.x0, 1) for line in lines] + [(line.x1, -1) for line in lines])
    found: list[tuple[int, float, Gutter]] = []
    crossing = 0
    for (x, change), (following, _) in pairwise(events):
        crossing += change
        low, high = max(x, left + margin), min(following, right - margin)
        if high - low > 0 and following - x >= size * MIN_GUTTER_EMS and crossing <= MAX_CROSSING * len(lines):
            found.append((crossing, x - following, (x, following)))
    return [gutter for _, _, gutter in sorted(found)[:MAX_GUTTERS]]


def _bands(pieces: Sequence[_Piece[L]], gutter: Gutter) -> list[_Band[L]]:
    """Return the bands of a region from top to bottom."""
    middle = (gutter[0] + gutter[1]) / 2
    found: list[_Band[L]] = []
    ordered = sorted(pieces, key=lambda piece: piece.y0 + piece.y1)
    for crosses, group in groupby(ordered, lambda piece: piece.x0 < middle < piece.x1):
        members = list(group)
        found += [_Band([], [], members)] if crosses else _judged(members, middle)
    return found


def _judged(pieces: Sequence[_Piece[L]], middle: float, depth: int = 0) -> list[_Band[L]]:
    """Return two columns where pieces from top to bottom are some, else divide them at the largest gap."""
    left = [piece for piece in pieces if piece.x1 <= middle]
    right = [piece for piece in pieces if piece.x1 > middle]
    if min(len(left), len(right)) < 2:
        return [_Band([], [], list(pieces))]
    if drawn := _drawn_bands(pieces, middle):
        return drawn
    at, gap = _largest_gap(pieces)
    is_divisible = gap > MIN_GAP_EMS * pieces[0].size
    if _are_columns(left, right) and (not is_divisible or _changes(left, right) == 1):
        return [_Band(left, right, [])]
    if not is_divisible or depth > MAX_DIVISIONS:
        return [_Band([], [], list(pieces))]
    return _judged(pieces[:at], middle, depth + 1) + _judged(pieces[at:], middle, depth + 1)


def _drawn_bands(pieces: Sequence[_Piece[L]], middle: float) -> list[_Band[L]]:
    """Return the bands that the page draws one below the other, each side by side; none if it draws otherwise.

    A heading over both columns that is short enough for one does not cross the gutter, so only this order shows where
    the columns below it begin. Rows of a table are drawn in this order, too; those with one line stay rows.
    """
    in_order = sorted(pieces, key=lambda piece: piece.index)
    first = in_order[0].x1 > middle
    found: list[_Band[L]] = []
    for is_right, group in groupby(in_order, key=lambda piece: piece.x1 > middle):
        if is_right == first:
            found.append(_Band([], [], []))
        (found[-1].right if is_right else found[-1].left).extend(group)
    for above, below in pairwise(found):
        bottom = max(piece.y1 for piece in above.left + above.right)
        if min(piece.y0 for piece in below.left + below.right) < bottom - 0.5 * pieces[0].size:
            return []
    split = [_are_side_by_side(band.left, band.right) for band in found]
    rows = sum(band.is_split and not is_split for band, is_split in zip(found, split, strict=True))
    if sum(split) <= rows:  # cells of a table, of which some have several lines
        return []
    return [
        band if is_split else _Band([], [], band.left + band.right) for band, is_split in zip(found, split, strict=True)
    ]


def _are_side_by_side(left: Sequence[_Piece[L]], right: Sequence[_Piece[L]]) -> bool:
    """Return whether two sides that are drawn one after the other are columns, not labels and values."""
    if min(_count_rows(left), _count_rows(right)) < 2:
        return False
    is_level = min(left[-1].y1, right[-1].y1) > max(left[0].y0, right[0].y0)
    labels = sum(piece.text.rstrip().endswith(":") for piece in left)
    values = sum(2 * sum(map(str.isalpha, piece.text)) < len(piece.text) for piece in right)  # digits and signs
    return is_level and not (_share_baselines(left, right) and (2 * labels > len(left) or 2 * values > len(right)))


def _count_rows(pieces: Sequence[_Piece[L]]) -> int:
    """Return the number of baselines."""
    bottoms = sorted(piece.y1 for piece in pieces)
    return bool(bottoms) + sum(below - above > 0.5 * pieces[0].size for above, below in pairwise(bottoms))


def _largest_gap(pieces: Sequence[_Piece[L]]) -> tuple[int, float]:
    """Return the largest vertical space between pieces, and the index of the piece below it."""
    bottom, best = pieces[0].y1, (0, 0.0)
    for index, piece in enumerate(pieces):
        if piece.y0 - bottom > best[1]:
            best = index, piece.y0 - bottom
        bottom = max(bottom, piece.y1)
    return best


def _are_columns(left: Sequence[_Piece[L]], right: Sequence[_Piece[L]]) -> bool:
    """Return whether the two sides of a band are columns, not the cells of rows."""
    changes = _changes(left, right)
    ems = MIN_TEXT_EMS / 2 if changes == 1 else MIN_TEXT_EMS
    is_text = _is_running_text(left, ems) and _is_running_text(right, ems)
    if _share_baselines(left, right) and not is_text:
        return False
    return is_text or changes <= max(1, min(len(left), len(right)) // 6)


def _changes(left: Sequence[_Piece[L]], right: Sequence[_Piece[L]]) -> int:
    """Return how often the page changes the side while it draws; 1 if one side comes after the other."""
    order = sorted([(piece.index, 0) for piece in left] + [(piece.index, 1) for piece in right])
    return sum(1 for _ in groupby(order, itemgetter(1))) - 1


def _share_baselines(left: Sequence[_Piece[L]], right: Sequence[_Piece[L]]) -> bool:
    """Return whether most lines of the shorter side are beside a line of the other side."""
    few, many = sorted((left, right), key=len)
    bottoms = {round(line.y1) for line in many}
    near = sum(1 for line in few if bottoms & {round(line.y1) - 1, round(line.y1), round(line.y1) + 1})
    return near >= 0.7 * len(few)


def _is_running_text(lines: Sequence[_Piece[L]], ems: float) -> bool:
    """Return whether lines fill their column, as those of paragraphs do."""
    left, right = min(line.x0 for line in lines), max(line.x1 for line in lines)
    width = right - left
    if len(lines) < 3 or width < ems * median(line.size for line in lines):
        return False
    return sum(line.x1 - line.x0 for line in lines) >= FILLED * width * len(lines)


def _ordered(bands: list[_Band[L]], depth: int, *, mirrored: bool) -> list[list[_Piece[L]]]:
    """Return the columns of all bands; neighboring bands without columns are one."""
    found: list[list[_Piece[L]]] = []
    pending: list[_Piece[L]] = []
    for band in bands:
        if not band.is_split:
            pending += band.across
            continue
        found += _split(pending, depth + 1)
        pending = []
        for side in (band.right, band.left) if mirrored else (band.left, band.right):
            found += _split(side, depth + 1)
    return found + _split(pending, depth + 1)
