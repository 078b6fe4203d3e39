"""Markdown tables of results."""

from collections.abc import Sequence
from itertools import pairwise

from bench.race import Row

HEAD = ("Case", "Package", "Wall ms", "CPU ms", "Bytes", "Ours / other: wall", "CPU", "Bytes", "Result")
TEXTS = frozenset({"Case", "Package", "Result"})


def table(rows: Sequence[Row]) -> str:
    """Return a Markdown table; a case is named once, and empty columns are omitted."""
    lines = [_cells(row) for row in rows]
    for above, below in reversed(list(pairwise(lines))):
        below[0] = "" if below[0] == above[0] else below[0]
    columns = [_column(head, cells) for head, *cells in zip(HEAD, *lines, strict=True) if any(cells)]
    return "\n".join(f"| {' | '.join(line)} |" for line in zip(*columns, strict=True))


def _column(head: str, cells: Sequence[str]) -> list[str]:
    """Return the header, rule and cells of a column with equal width; texts are left-aligned, numbers right-aligned."""
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
    """Return a number with three significant digits, or three decimal places if it is small."""
    places = next((places for limit, places in ((100, 0), (10, 1), (1, 2)) if value >= limit), 3)
    return f"{value:.{places}f}"
