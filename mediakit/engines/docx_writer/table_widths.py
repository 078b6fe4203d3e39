"""Widths of the columns of a table, by their content."""

from collections.abc import Iterator

from mediakit.engines.markdown.html.table_grid import Cell, Grid

CELL_PADDING = 240
"""Space at both sides of a cell's content, in twips."""

_MIN_COLUMN = 400
_CHARACTER = 145
"""Width of a character, in twips."""

_BOLD = 1.15
"""Width of bold text in relation to regular text."""

_LONGEST_WORD = 24
_MEASURED_ROWS = 200


def grid_cells(row: list[Cell | None]) -> Iterator[tuple[int, int, Cell | None]]:
    """Yield the first column, the column after the last and the cell, for each cell of a row."""
    start = 0
    while start < len(row):
        cell, end = row[start], start + 1
        while cell and end < len(row) and (other := row[end]) and other.element is cell.element:
            end += 1
        yield start, end, cell
        start = end


def column_widths(grid: Grid, total: int) -> list[int]:
    """Return the widths of the columns, in twips: as wide as their content, and in all at most `total`."""
    natural, least = _measure(grid)
    if sum(natural) <= total:
        return natural
    smallest = [min(width, total // len(natural)) for width in least]
    rest = total - sum(smallest)
    wishes = [wish - width for wish, width in zip(natural, smallest, strict=True)]
    every = sum(wishes) or 1
    return [max(1, width + rest * wish // every) for width, wish in zip(smallest, wishes, strict=True)]


def _measure(grid: Grid) -> tuple[list[int], list[int]]:
    """Return the width of each column without line breaks, and with a break after every word."""
    natural, least = [_MIN_COLUMN] * len(grid[0]), [_MIN_COLUMN] * len(grid[0])
    for row in grid[:_MEASURED_ROWS]:
        for start, end, cell in grid_cells(row):
            if cell is None or end - start > 1:
                continue
            words = [_length(word) for word in cell.element.text_content().split()]
            scale = _CHARACTER * (_BOLD if cell.element.tag == "th" else 1)
            longest = min(_LONGEST_WORD, max(words, default=0))
            natural[start] = max(natural[start], round((sum(words) + len(words)) * scale) + CELL_PADDING)
            least[start] = max(least[start], round((longest + 1) * scale) + CELL_PADDING)
    return natural, least


def _length(word: str) -> int:
    """Return the width of a word in average characters. East Asian characters count twice."""
    return len(word) + sum(1 for character in word if "\u2e80" <= character <= "\uffdc" or character >= "\U0001f000")
