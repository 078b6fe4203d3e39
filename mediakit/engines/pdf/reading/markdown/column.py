"""Columns of pages, and their edges."""

from collections.abc import Sequence
from dataclasses import dataclass

from mediakit.engines.pdf.reading.markdown.rows import Row

MAX_INDENT = 80.0
"""Points that all lines of a column may be indented."""


@dataclass(slots=True)
class Column:
    """A column of a page: its rows, and its edges, those of the same column on other pages included."""

    page: int
    rows: list[Row]
    left: float
    right: float


def set_margins(columns: Sequence[Column]) -> None:
    """Widen columns to the edges that they have in common: one may hold only indented lines."""
    edges = [(column.left, column.right) for column in columns]
    for column, (left, right) in zip(columns, edges, strict=True):
        same = [
            edge for edge in edges if left - MAX_INDENT < edge[0] <= left + 1 and edge[1] > left and edge[0] < right
        ]
        column.left = min(edge[0] for edge in same)
        column.right = max([right, *(edge[1] for edge in same if edge[0] >= column.left - 1)])
