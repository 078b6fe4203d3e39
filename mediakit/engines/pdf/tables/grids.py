"""Grids that rulings draw, and their cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mediakit.engines.pdf.tables.rulings import Ruling

TOUCH = 3.0
"""Points. Rulings that end so near to another one meet it."""

NEAR = 4.0
"""Points. Rulings that are nearer are one boundary: no row or column is so small."""

COVERED = 0.55
"""Share of a cell's edge that a ruling must cover."""

MAX_CROSSINGS = 400_000
MAX_PLACES = 10_000


@dataclass(frozen=True)
class GridCell:
    """A cell, as first and last row and column."""

    row: int
    column: int
    last_row: int
    last_column: int


@dataclass(frozen=True)
class Grid:
    """Boundaries of columns and rows, and the cells between them."""

    xs: list[float]
    ys: list[float]
    cells: list[GridCell]


def find_grids(horizontal: Sequence[Ruling], vertical: Sequence[Ruling]) -> list[Grid]:
    """Return the grids of rulings that meet."""
    if len(horizontal) * len(vertical) > MAX_CROSSINGS:
        return []
    return [grid for group in _components(horizontal, vertical) if (grid := _grid(*group)) is not None]


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


def _grid(horizontal: list[Ruling], vertical: list[Ruling]) -> Grid | None:
    xs = _boundaries(vertical, horizontal)
    ys = _boundaries(horizontal, vertical)
    columns, rows = len(xs) - 1, len(ys) - 1
    if columns < 1 or rows < 1 or columns * rows > MAX_PLACES:
        return None
    return Grid(xs, ys, _cells(xs, ys, horizontal, vertical))


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


def _cells(xs: list[float], ys: list[float], horizontal: list[Ruling], vertical: list[Ruling]) -> list[GridCell]:
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
    for places in groups.values():
        rows_of = [place // columns for place in places]
        columns_of = [place % columns for place in places]
        boxes.append(GridCell(min(rows_of), min(columns_of), max(rows_of), max(columns_of)))
    return _disjoint(boxes)


def _is_ruled(rulings: Sequence[Ruling], at: float, start: float, end: float) -> bool:
    covered = sum(
        max(0.0, min(end, ruling.end) - max(start, ruling.start)) for ruling in rulings if abs(ruling.at - at) <= NEAR
    )
    return covered >= COVERED * (end - start)


def _disjoint(cells: list[GridCell]) -> list[GridCell]:
    """Return the cells with those joined that overlap, because a cell has to be a rectangle."""
    if len({place for cell in cells for place in _places(cell)}) == sum(len(_places(cell)) for cell in cells):
        return sorted(cells, key=lambda cell: (cell.row, cell.column))
    done: list[GridCell] = []
    for cell in cells:
        joined = cell
        while True:
            hits = [other for other in done if _overlap(joined, other)]
            if not hits:
                break
            done = [other for other in done if other not in hits]
            for other in hits:
                joined = GridCell(
                    min(joined.row, other.row),
                    min(joined.column, other.column),
                    max(joined.last_row, other.last_row),
                    max(joined.last_column, other.last_column),
                )
        done.append(joined)
    return sorted(done, key=lambda cell: (cell.row, cell.column))


def _places(cell: GridCell) -> list[tuple[int, int]]:
    return [
        (row, column)
        for row in range(cell.row, cell.last_row + 1)
        for column in range(cell.column, cell.last_column + 1)
    ]


def _overlap(one: GridCell, other: GridCell) -> bool:
    return (
        one.row <= other.last_row
        and other.row <= one.last_row
        and one.column <= other.last_column
        and other.column <= one.last_column
    )
