"""Rows as a Markdown table."""

from collections.abc import Sequence
from itertools import pairwise

from bench.race import Row

HEAD = ("Case", "Who", "Wall ms", "CPU ms", "Bytes", "Ours / this: wall", "CPU", "Bytes", "Result")
TEXTS = frozenset({"Case", "Who", "Result"})


def table(rows: Sequence[Row]) -> str:
    """Lay rows out; a case is named once, and a column that says nothing is left out."""
    lines = [_cells(row) for row in rows]
    for above, below in reversed(list(pairwise(lines))):
        below[0] = "" if below[0] == above[0] else below[0]
    columns = [_column(head, cells) for head, *cells in zip(HEAD, *lines, strict=True) if any(cells)]
    return "\n".join(f"| {' | '.join(line)} |" for line in zip(*columns, strict=True))


def _column(head: str, cells: Sequence[str]) -> list[str]:
    """Give a column's head, rule and cells at one width: texts to the left, figures to the right."""
    width = max(map(len, (head, *cells)))
    if head in TEXTS:
        return [head.ljust(width), "-" * width, *(cell.ljust(width) for cell in cells)]
    return [head.rjust(width), "-" * (width - 1) + ":", *(cell.rjust(width) for cell in cells)]


def _cells(row: Row) -> list[str]:
    if row.median is None or row.ours is None:
        return [row.case, row.contender, *[""] * 6, row.remark]
    wall, cpu, size = row.median
    times = [_short(wall * 1000), _short(cpu * 1000), f"{size:,.0f}" if size else ""]
    ratios = [_short(row.ours.wall), _short(row.ours.cpu), _short(row.ours.size) if size else ""]
    return [row.case, row.contender, *times, *ratios, row.remark]


def _short(value: float) -> str:
    """Write a figure with three digits that count, or three places."""
    places = next((places for limit, places in ((100, 0), (10, 1), (1, 2)) if value >= limit), 3)
    return f"{value:.{places}f}"
