"""Tables with a grid of rulings, whose rows or columns may be open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mediakit.engines.pdf.tables.lines import column_of, corridors, merged, read_lines
from mediakit.engines.pdf.tables.rows import row_groups
from mediakit.engines.pdf.tables.table import Cell, Draft
from mediakit.engines.pdf.tables.words import Ruling, Word

TOUCH = 3.0
"""Points. Rulings that end so near to another one meet it."""

NEAR = 4.0
"""Points. Rulings that are nearer are one boundary: no row or column is so small."""

COVERED = 0.55
"""Share of a cell's edge that a ruling must cover."""

MAX_CROSSINGS = 400_000
MAX_PLACES = 10_000


@dataclass(frozen=True)
class Grid:
    """Boundaries of columns and rows, and the cells between them."""

    xs: list[float]
    ys: list[float]
    cells: list[Cell]


def find_grids(horizontal: Sequence[Ruling], vertical: Sequence[Ruling]) -> list[Grid]:
    """Return the grids of rulings that meet."""
    if len(horizontal) * len(vertical) > MAX_CROSSINGS:
        return []
    grids = []
    for rows, columns in _components(horizontal, vertical):
        xs, ys = _boundaries(columns, rows), _boundaries(rows, columns)
        if 0 < (len(xs) - 1) * (len(ys) - 1) <= MAX_PLACES:
            grids.append(Grid(xs, ys, _cells(xs, ys, rows, columns)))
    return grids


def _components(
    horizontal: Sequence[Ruling], vertical: Sequence[Ruling]
) -> Iterator[tuple[list[Ruling], list[Ruling]]]:
    """Yield the sets of rulings that are connected."""
    parents = list(range(len(horizontal) + len(vertical)))
    for i, across in enumerate(horizontal):
        for j, down in enumerate(vertical, len(horizontal)):
            if (
                across.start - TOUCH <= down.at <= across.end + TOUCH
                and down.start - TOUCH <= across.at <= down.end + TOUCH
            ):
                parents[_root(parents, i)] = _root(parents, j)
    groups: dict[int, tuple[list[Ruling], list[Ruling]]] = {}
    for index in range(len(parents)):
        rows, columns = groups.setdefault(_root(parents, index), ([], []))
        if index < len(horizontal):
            rows.append(horizontal[index])
        else:
            columns.append(vertical[index - len(horizontal)])
    for rows, columns in groups.values():
        if rows and columns:
            yield rows, columns


def _root(parents: list[int], index: int) -> int:
    while parents[index] != index:
        parents[index] = parents[parents[index]]
        index = parents[index]
    return index


def _boundaries(rulings: Sequence[Ruling], others: Sequence[Ruling]) -> list[float]:
    """Return the places of rulings, and the ends of those that cross them where a border is missing."""
    found: list[list[float]] = []
    for at in sorted(ruling.at for ruling in rulings):
        if found and at - found[-1][-1] <= NEAR and at - found[-1][0] <= 2 * NEAR:
            found[-1].append(at)
        else:
            found.append([at])
    places = [sum(group) / len(group) for group in found]
    first, last = min(ruling.start for ruling in others), max(ruling.end for ruling in others)
    if first < places[0] - 2 * NEAR:
        places.insert(0, first)
    if last > places[-1] + 2 * NEAR:
        places.append(last)
    return places


def _cells(xs: list[float], ys: list[float], horizontal: list[Ruling], vertical: list[Ruling]) -> list[Cell]:
    columns, rows = len(xs) - 1, len(ys) - 1
    parents = list(range(rows * columns))
    for place in range(rows * columns):
        row, column = divmod(place, columns)
        if column and not _is_ruled(vertical, xs[column], ys[row], ys[row + 1]):
            parents[_root(parents, place)] = _root(parents, place - 1)
        if row and not _is_ruled(horizontal, ys[row], xs[column], xs[column + 1]):
            parents[_root(parents, place)] = _root(parents, place - columns)
    groups: dict[int, list[int]] = {}
    for place in range(rows * columns):
        groups.setdefault(_root(parents, place), []).append(place)
    boxes = []
    for places in groups.values():  # from top to bottom
        across = [place % columns for place in places]
        boxes.append(Cell(places[0] // columns, min(across), places[-1] // columns, max(across)))
    return _disjoint(boxes)


def _is_ruled(rulings: Sequence[Ruling], at: float, start: float, end: float) -> bool:
    covered = sum(
        max(0.0, min(end, ruling.end) - max(start, ruling.start)) for ruling in rulings if abs(ruling.at - at) <= NEAR
    )
    return covered >= COVERED * (end - start)


def _disjoint(cells: list[Cell]) -> list[Cell]:
    """Return the cells with those joined that overlap, because a cell has to be a rectangle."""
    places = [
        (row, column)
        for cell in cells
        for row in range(cell.row, cell.last_row + 1)
        for column in range(cell.column, cell.last_column + 1)
    ]
    if len(set(places)) == len(places):
        return sorted(cells, key=lambda cell: (cell.row, cell.column))
    done: list[Cell] = []
    for cell in cells:
        joined = cell
        while hits := [other for other in done if _overlap(joined, other)]:
            done = [other for other in done if other not in hits]
            joined = Cell(
                min(cell.row for cell in (joined, *hits)),
                min(cell.column for cell in (joined, *hits)),
                max(cell.last_row for cell in (joined, *hits)),
                max(cell.last_column for cell in (joined, *hits)),
            )
        done.append(joined)
    return sorted(done, key=lambda cell: (cell.row, cell.column))


def _overlap(one: Cell, other: Cell) -> bool:
    return (
        one.row <= other.last_row
        and other.row <= one.last_row
        and one.column <= other.last_column
        and other.column <= one.last_column
    )


Bounds = Sequence[float]

FEWEST_ROWS = 3
"""Rows between rulings whose cells show the columns, also where they are not level."""

FEWEST_LABELS = 4
"""Rows from which lines of a cell over all of them may be labels of the rows."""


def grid_table(grid: Grid, words: Sequence[Word], turned: Sequence[Word] = ()) -> Draft:
    """Return the table of a grid and the words inside; turned words run up or down, in reading order."""
    place = {
        (row, column): cell
        for cell in grid.cells
        for row in range(cell.row, cell.last_row + 1)
        for column in range(cell.column, cell.last_column + 1)
    }
    for word in words:
        x, y = word.middle
        if (found := place.get((column_of(y, grid.ys), column_of(x, grid.xs)))) is not None:
            found.words.append(word)
    cells = [part for cell in grid.cells for part in _unmerged(cell, grid.xs)]
    cells, xs = _with_open_columns(cells, list(grid.xs))
    cells, ys = _with_open_rows(cells, xs, list(grid.ys))
    cells = [part for cell in cells for part in _labels(cell, cells, ys)]
    for word in turned:
        row, column = column_of(word.middle[1], ys), column_of(word.middle[0], xs)
        for cell in cells:
            if cell.row <= row <= cell.last_row and cell.column <= column <= cell.last_column:
                cell.turned.append(word)
    box = (grid.xs[0], grid.ys[0], grid.xs[-1], grid.ys[-1])
    return Draft(len(ys) - 1, len(xs) - 1, cells, box, ruled=True)


def _labels(cell: Cell, cells: Sequence[Cell], ys: Bounds) -> list[Cell]:
    """Return the labels of rows that no rulings separate: lines that are level with the other cells of the rows."""
    count = cell.last_row - cell.row + 1
    lines = read_lines(cell.words) if count >= FEWEST_LABELS else []
    if len(lines) < 0.7 * count or len(lines) > count:
        return [cell]
    level = {other.row: other.words[0].y1 for other in cells if other.words and other.row == other.last_row}
    rows = [column_of(line.middle, ys) for line in lines]
    is_level = [abs(level.get(row, -1e9) - line.y1) < 0.25 * line.size for row, line in zip(rows, lines, strict=True)]
    if sum(is_level) < 0.8 * len(lines) or len(set(rows)) < len(rows):
        return [cell]
    parts = [Cell(row, cell.column, row, cell.last_column) for row in range(cell.row, cell.last_row + 1)]
    for row, line in zip(rows, lines, strict=True):
        parts[max(0, min(count - 1, row - cell.row))].words += line.words
    return parts


def _unmerged(cell: Cell, xs: Bounds, opened: frozenset[int] = frozenset()) -> list[Cell]:
    """Return a cell cut at the boundaries of columns that none of its texts crosses.

    At opened boundaries, which have no ruling, it is cut also if one side has no text.
    """
    if cell.column == cell.last_column:
        return [cell]
    segments = [segment for line in read_lines(cell.words) for segment in line.segments]
    parts: list[Cell] = []
    first = cell.column
    for bound in range(cell.column + 1, cell.last_column + 2):
        if bound <= cell.last_column:
            x = xs[bound]
            if any(segment.x0 < x - 1 and segment.x1 > x + 1 for segment in segments):
                continue
            left = any(xs[first] <= word.middle[0] < x for word in cell.words)
            right = any(word.middle[0] >= x for word in cell.words)
            if not (left and right) and bound not in opened:
                continue
        low = xs[first] if first > cell.column else float("-inf")
        high = xs[bound] if bound <= cell.last_column else float("inf")
        words = [word for word in cell.words if low <= word.middle[0] < high]
        parts.append(Cell(cell.row, first, cell.last_row, bound - 1, words))
        first = bound
    return parts


def _with_open_columns(cells: list[Cell], xs: list[float]) -> tuple[list[Cell], list[float]]:
    """Return the cells with columns cut where a corridor runs through them."""
    added: list[float] = []
    for column in range(len(xs) - 1):
        inside = [cell for cell in cells if cell.column == cell.last_column == column and cell.words]
        lines = [line for cell in inside for line in read_lines(cell.words)]
        wide = [line for line in lines if len(line.segments) > 1]
        if len(wide) < 3 or len(wide) < 0.6 * len(lines):
            continue
        size = sum(line.size for line in wide) / len(wide)
        rows = [merged(read_lines(cell.words)) for cell in inside]
        strips = [corridors(part, size) for part in (wide, *([rows] if len(rows) >= FEWEST_ROWS else []))]
        added += [(start + end) / 2 for start, end in max(strips, key=len)]
    if not added:
        return cells, xs
    bounds = sorted([*xs, *added])
    first = [bounds.index(x) for x in xs]
    opened = frozenset(bounds.index(x) for x in added)
    moved = [
        Cell(cell.row, first[cell.column], cell.last_row, first[cell.last_column + 1] - 1, cell.words) for cell in cells
    ]
    return [part for cell in moved for part in _unmerged(cell, bounds, opened)], bounds


def _with_open_rows(cells: list[Cell], xs: Bounds, ys: list[float]) -> tuple[list[Cell], list[float]]:
    """Return the cells with rows cut where lines of values are one under another without a ruling."""
    lines = [
        read_lines([word for cell in cells if cell.row == cell.last_row == row for word in cell.words])
        for row in range(len(ys) - 1)
    ]
    is_ruled = sum(bool(band) for band in lines) >= 3
    cuts: list[float] = []
    for band in filter(None, lines):
        groups = row_groups(band, xs, is_ruled=is_ruled)
        ends = [max(line.y1 for line in group) for group in groups]
        starts = [min(line.y0 for line in group) for group in groups]
        cuts += [(end + start) / 2 for end, start in zip(ends, starts[1:], strict=False)]
    if not cuts:
        return cells, ys
    bounds = sorted([*ys, *cuts])
    first = [bounds.index(y) for y in ys]
    return [part for cell in cells for part in _rows_of(cell, first, bounds)], bounds


def _rows_of(cell: Cell, first: Sequence[int], bounds: Bounds) -> list[Cell]:
    low, high = first[cell.row], first[cell.last_row + 1] - 1
    if cell.row != cell.last_row or low == high:
        return [Cell(low, cell.column, high, cell.last_column, cell.words)]
    parts = [Cell(row, cell.column, row, cell.last_column) for row in range(low, high + 1)]
    for word in cell.words:
        parts[max(low, min(high, column_of(word.middle[1], bounds))) - low].words.append(word)
    return parts
